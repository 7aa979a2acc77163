//go:build unix

package life

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
)

const (
	// latest is the processor time that a call may take after its context has ended.
	latest = time.Second
	// longest is the time after which calls are cancelled at the latest.
	longest = 600 * time.Millisecond
	// cancellations is the number of moments at which each call is cancelled.
	cancellations = 3
)

// processorTime is what all threads of the process have used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// ends cancels a call at random moments: it returns soon, and without an error or with that of its context. What it found is judged by
// the call itself.
func ends(t *testing.T, name string, call func(ctx context.Context, t *testing.T) error) {
	t.Run(name, func(t *testing.T) {
		random := rand.New(rand.NewPCG(7, uint64(len(name))))
		for range cancellations {
			moment := time.Duration(random.Int64N(int64(longest)))
			ctx, cancel := context.WithCancel(t.Context())
			began := make(chan time.Duration, 1)
			timer := time.AfterFunc(moment, func() { began <- processorTime(); cancel() })
			err := call(ctx, t)
			if !timer.Stop() {
				if late := processorTime() - <-began; late > latest {
					t.Errorf("cancelled after %v: it took %v more", moment, late)
				}
			}
			cancel()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled after %v: %v", moment, err)
			}
		}
	})
}

// normal are standard normal values.
func normal(t testing.TB, rows, columns int, seed uint64) *mat.Dense {
	return must(datasets.Gaussian(rows, columns, seed))(t)
}

// knapsack has n columns in [0, 1] that want to be large, with a quadratic part or without, and a budget.
func knapsack(n int, quadratic bool) *solver.Model {
	m := solver.NewModel("knapsack")
	budget := solver.Row{Bounds: solver.AtMost(float64(n) / 4)}
	for j := range n {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1 - float64(j%7)/7})
		budget.Columns, budget.Values = append(budget.Columns, j), append(budget.Values, 1)
	}
	m.AddRow(budget)
	for j := range n {
		if quadratic {
			m.AddQuadratic(j, j, 0.1)
		}
	}
	return m
}

// robustCalls are the methods of a problem, each with the solutions it returns.
func robustCalls(p *robust.Problem, sampled *robust.Problem, atoms []int, samples *mat.Dense, o *robust.Options) map[string]func(ctx context.Context) ([]*robust.Solution, error) {
	one := func(s *robust.Solution, err error) ([]*robust.Solution, error) { return []*robust.Solution{s}, err }
	return map[string]func(ctx context.Context) ([]*robust.Solution, error){
		"Solve":     func(ctx context.Context) ([]*robust.Solution, error) { return one(p.Solve(ctx, atoms, 0.3, o)) },
		"SolveFull": func(ctx context.Context) ([]*robust.Solution, error) { return one(p.SolveFull(ctx, 0.3, o)) },
		"Design": func(ctx context.Context) ([]*robust.Solution, error) {
			design, err := p.Design(ctx, 60, 0.3, &robust.DesignOptions{Solve: o})
			if design == nil {
				return nil, err
			}
			return one(design.Solution, err)
		},
		"SolveSafe": func(ctx context.Context) ([]*robust.Solution, error) {
			safe, err := p.SolveSafe(ctx, atoms, 0.3, o)
			if safe == nil {
				return nil, err
			}
			return []*robust.Solution{safe.Inner, safe.Outer, safe.Safe}, err
		},
		"Explain": func(ctx context.Context) ([]*robust.Solution, error) {
			_, err := p.Explain(ctx, atoms, 0.3, o)
			return nil, err
		},
		"ExplainFull": func(ctx context.Context) ([]*robust.Solution, error) {
			_, err := p.ExplainFull(ctx, 0.3, o)
			return nil, err
		},
		"Sufficiency": func(ctx context.Context) ([]*robust.Solution, error) {
			_, err := p.Sufficiency(ctx, atoms, 0.3, o)
			return nil, err
		},
		"Ladder": func(ctx context.Context) ([]*robust.Solution, error) {
			_, err := p.Ladder(ctx, atoms, 0.3, &robust.LadderOptions{Solve: o})
			return nil, err
		},
		"Tune": func(ctx context.Context) ([]*robust.Solution, error) {
			tuned, err := p.Tune(ctx, samples, robust.Demands{Gap: 1e-3, Violation: 0.1, Delta: 0.1}, &robust.TuneOptions{Radii: []float64{0.1, 0.3}, Solve: o})
			var unmet *robust.UnmetError
			if errors.As(err, &unmet) {
				err = nil
			}
			if tuned == nil {
				return nil, err
			}
			return one(tuned.Solution, err)
		},
		"OutOfSample": func(ctx context.Context) ([]*robust.Solution, error) {
			s, err := sampled.SolveFull(ctx, 0.3, o)
			if err == nil {
				_, err = s.OutOfSample(ctx, 0.1)
			}
			return one(s, err)
		},
	}
}

func TestRobustCallsEndWithTheirContext(t *testing.T) {
	for _, size := range []struct {
		atoms, columns int
		quadratic      bool
	}{{20000, 20, false}, {4000, 60, true}, {3000, 400, true}} {
		n := size.columns
		atoms := normal(t, size.atoms, n, 1)
		d := must(sparsero.NewDictionary(atoms, nil))(t)
		p := must(robust.NewProblem(d, knapsack(n, size.quadratic), sparsero.Identity(n)))(t)
		sampled := must(robust.NewProblem(must(d.AsSampled())(t), knapsack(n, size.quadratic), sparsero.Identity(n)))(t)
		some := make([]int, min(size.atoms, 300))
		for i := range some {
			some[i] = i
		}
		for _, backend := range []solver.Backend{nil, solver.PureGo} {
			for name, call := range robustCalls(p, sampled, some, normal(t, 400, n, 3), &robust.Options{Solver: &solver.Options{Backend: backend}}) {
				ends(t, fmt.Sprint(name, size, backend), func(ctx context.Context, t *testing.T) error {
					_, err := call(ctx)
					return err
				})
			}
		}
	}
}

func TestSetsEndWithTheirContext(t *testing.T) {
	for _, n := range []int{64, 512} {
		d := must(sparsero.NewDictionary(normal(t, 3*n, n, 1), nil))(t)
		set := must(sparsero.FullSet(d, 1))(t)
		samples := normal(t, 50, n, 2)
		ends(t, fmt.Sprint("GaugeScores ", n), func(ctx context.Context, t *testing.T) error {
			scores, err := calibration.GaugeScores(ctx, set, samples)
			for _, score := range scores {
				if score < 0 {
					t.Errorf("a gauge is %v", score)
				}
			}
			return err
		})
		for _, backend := range []solver.Backend{nil, solver.PureGo} {
			box := knapsack(n, false)
			rows := normal(t, 2*n, n, 4)
			for i := range 2 * n {
				row := solver.Row{Bounds: solver.AtMost(5), Values: rows.RawRowView(i)}
				for j := range n {
					row.Columns = append(row.Columns, j)
				}
				box.AddRow(row)
			}
			ends(t, fmt.Sprint("NewPolyhedron ", n, backend), func(ctx context.Context, t *testing.T) error {
				_, err := convex.NewPolyhedron(ctx, box, &solver.Options{Backend: backend})
				return err
			})
		}
		for norm, set := range map[float64]convex.Set{1: must(convex.NewBall(n, 1, 1))(t), 2: must(convex.NewBall(n, 2, 1))(t), math.Inf(1): must(convex.NewBall(n, math.Inf(1), 1))(t)} {
			p := must(robust.NewConvex(set, knapsack(n, true), sparsero.Identity(n)))(t)
			ends(t, fmt.Sprint("convex SolveFull ", n, norm), func(ctx context.Context, t *testing.T) error {
				_, err := p.SolveFull(ctx, 1, nil)
				return err
			})
			ends(t, fmt.Sprint("convex Design ", n, norm), func(ctx context.Context, t *testing.T) error {
				_, err := p.Design(ctx, 50, 1, nil)
				return err
			})
		}
	}
}

func TestRulesEndWithTheirContext(t *testing.T) {
	d, directions := must(sparsero.NewDictionary(normal(t, 20000, 32, 1), nil))(t), normal(t, 3000, 32, 2)
	for _, storage := range []selection.Storage{selection.Screened, selection.Streamed} {
		ends(t, fmt.Sprint("NewCoverage ", storage), func(ctx context.Context, t *testing.T) error {
			_, err := selection.NewCoverage(d, directions, &selection.CoverageOptions{Storage: storage, Context: ctx})
			return err
		})
		coverage := must(selection.NewCoverage(d, directions, &selection.CoverageOptions{Storage: storage}))(t)
		costs := make([]float64, 20000)
		for i := range costs {
			costs[i] = 1 + float64(i%5)
		}
		for _, rule := range []selection.Policy{
			selection.Greedy{}, selection.MaxGap{}, selection.SetCover{}, selection.TopActivation{}, selection.MaxNorm{}, selection.Random{},
			selection.InexactGreedy{}, selection.Swap{}, selection.Knapsack{Costs: costs, Capacity: 60}, selection.MaxGamma{}, selection.Exact{},
		} {
			ends(t, fmt.Sprintf("%v %T", storage, rule), func(ctx context.Context, t *testing.T) error {
				_, err := rule.Select(ctx, coverage, 30)
				return err
			})
		}
		greedy := must(selection.Greedy{}.Select(t.Context(), coverage, 30))(t)
		ends(t, fmt.Sprint("Tighten ", storage), func(ctx context.Context, t *testing.T) error {
			return greedy.Tighten(ctx, coverage, nil)
		})
	}
}
