//go:build unix

package life

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

const (
	// latest is the processor time that a call may take after its context has ended.
	latest = time.Second
	// longest is the time after which calls are cancelled at the latest.
	longest = 600 * time.Millisecond
	// cancellations is the number of moments at which each call is cancelled.
	cancellations = 2
)

// processorTime is what all threads of the process have used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// ends cancels a call at random moments: it returns soon, and without an error or with that of its context. What it found
// is judged by the call itself.
func ends(t *testing.T, name string, call func(ctx context.Context, t *testing.T) error) {
	if testing.Short() {
		t.Skip("long")
	}
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

// knapsack has n columns in [0, 1] that want to be large, with a quadratic part, and a budget.
func knapsack(n int) *solver.Model {
	m := solver.NewModel("knapsack")
	budget := solver.Row{Bounds: solver.AtMost(float64(n) / 4)}
	for j := range n {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1 - float64(j%7)/7})
		budget.Columns, budget.Values = append(budget.Columns, j), append(budget.Values, 1)
	}
	m.AddRow(budget)
	for j := range n {
		m.AddQuadratic(j, j, 0.1)
	}
	return m
}

// lossRadius is the radius of all problems here.
const lossRadius = 0.3

// enclosure is what all solutions of a problem say about its minimum.
type enclosure struct{ lower, upper float64 }

// take judges solutions: no lower bound, of the full model or with fewer atoms, is above the value of a decision against all atoms.
func (e *enclosure) take(t *testing.T, solutions ...*robust.Solution) {
	for _, s := range solutions {
		if s == nil || s.Radius != lossRadius {
			continue
		}
		e.lower = max(e.lower, s.LowerBound.Float())
		if s.FullFeasible() {
			e.upper = min(e.upper, s.FullValue())
		}
		if e.lower > e.upper+1e-7*math.Abs(e.upper) {
			t.Errorf("a lower bound is %v, and a decision has the value %v", e.lower, e.upper)
		}
	}
}

// solving is a method of a problem, with the solutions that it found.
type solving func(ctx context.Context) ([]*robust.Solution, error)

// solvings are the methods of a problem without robust constraints whose atoms are a sample, and of one with a constraint.
func solvings(p, constrained *robust.Problem, atoms []int, samples mat.Matrix, o *robust.Options) map[string]solving {
	one := func(s *robust.Solution, err error) ([]*robust.Solution, error) { return []*robust.Solution{s}, err }
	return map[string]solving{
		"Solve":     func(ctx context.Context) ([]*robust.Solution, error) { return one(p.Solve(ctx, atoms, lossRadius, o)) },
		"SolveFull": func(ctx context.Context) ([]*robust.Solution, error) { return one(p.SolveFull(ctx, lossRadius, o)) },
		"SolveSafe": func(ctx context.Context) ([]*robust.Solution, error) {
			safe, err := p.SolveSafe(ctx, atoms, lossRadius, o)
			if safe == nil {
				return nil, err
			}
			return []*robust.Solution{safe.Inner, safe.Safe}, err
		},
		"Design": func(ctx context.Context) ([]*robust.Solution, error) {
			design, err := p.Design(ctx, 60, lossRadius, &robust.DesignOptions{Solver: o.Solver})
			if design == nil {
				return nil, err
			}
			return one(design.Solution, err)
		},
		"Tune": func(ctx context.Context) ([]*robust.Solution, error) {
			tuned, err := p.Tune(ctx, samples, robust.Demands{Gap: 1e-3, Violation: 0.1, Delta: 0.1}, &robust.TuneOptions{Radii: []float64{0.1, lossRadius}, Solver: o.Solver})
			if tuned == nil {
				return nil, err
			}
			return one(tuned.Solution, nil) // an error tells the demands that are not met
		},
		"Ladder": func(ctx context.Context) ([]*robust.Solution, error) {
			ladder, err := p.Ladder(ctx, atoms, lossRadius, &robust.LadderOptions{Solver: o.Solver})
			if ladder == nil {
				return nil, err
			}
			return []*robust.Solution{ladder.Restricted, ladder.Full}, err
		},
		"OutOfSample": func(ctx context.Context) ([]*robust.Solution, error) {
			s, err := p.SolveFull(ctx, lossRadius, o)
			if err == nil {
				_, err = s.OutOfSample(ctx, 0.1)
			}
			return one(s, err)
		},
		"Explain": func(ctx context.Context) ([]*robust.Solution, error) {
			_, err := constrained.Explain(ctx, atoms, lossRadius, o)
			return nil, err
		},
		"ExplainFull": func(ctx context.Context) ([]*robust.Solution, error) {
			_, err := constrained.ExplainFull(ctx, lossRadius, o)
			return nil, err
		},
	}
}

func TestSolvesEndWithTheirContext(t *testing.T) {
	for _, size := range []struct{ atoms, columns, chosen int }{{20000, 20, 300}, {3000, 400, 1000}} {
		n := size.columns
		d := must(must(sparsero.NewDictionary(normal(t, size.atoms, n, 1), nil))(t).AsSampled())(t)
		region, q := knapsack(n), sparsero.Identity(n)
		p := must(robust.NewProblem(d, region, q))(t)
		nominal := make([]float64, n)
		for j := range nominal {
			nominal[j] = -1
		}
		constrained := must(robust.NewProblem(d, region, q, robust.Constraint{Nominal: nominal, Map: q, Limit: -float64(n) / 5}))(t)
		chosen := make([]int, size.chosen)
		for i := range chosen {
			chosen[i] = i
		}
		for _, backend := range []solver.Backend{nil, solver.PureGo} {
			found := enclosure{math.Inf(-1), math.Inf(1)}
			for name, call := range solvings(p, constrained, chosen, calibration.Fresh(normal(t, 400, n, 3)), &robust.Options{Solver: &solver.Options{Backend: backend}}) {
				ends(t, fmt.Sprint(name, size, backend), func(ctx context.Context, t *testing.T) error {
					solutions, err := call(ctx)
					found.take(t, solutions...)
					return err
				})
			}
		}
	}
}

func TestSetsEndWithTheirContext(t *testing.T) {
	const n = 512
	set := must(sparsero.FullSet(must(sparsero.NewDictionary(normal(t, 3*n, n, 1), nil))(t), 1))(t)
	samples, rows, region := normal(t, 50, n, 2), normal(t, 2*n, n, 4), knapsack(n)
	ends(t, "GaugeScores", func(ctx context.Context, t *testing.T) error {
		scores, err := calibration.GaugeScores(ctx, set, samples)
		for _, score := range scores {
			if score < 0 {
				t.Errorf("a gauge is %v", score)
			}
		}
		return err
	})
	polyhedron := solver.NewModel("box with cuts")
	columns := make([]int, n)
	for j := range columns {
		columns[j] = polyhedron.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	}
	for i := range 2 * n {
		polyhedron.AddRow(solver.Row{Bounds: solver.AtMost(5), Columns: columns, Values: rows.RawRowView(i)})
	}
	for _, backend := range []solver.Backend{nil, solver.PureGo} {
		ends(t, fmt.Sprint("NewPolyhedron ", backend), func(ctx context.Context, t *testing.T) error {
			_, err := convex.NewPolyhedron(ctx, polyhedron, &solver.Options{Backend: backend})
			return err
		})
	}
	for _, norm := range []float64{1, 2, math.Inf(1)} {
		p := must(robust.NewConvex(must(convex.NewBall(n, norm, 1))(t), region, sparsero.Identity(n)))(t)
		found := enclosure{math.Inf(-1), math.Inf(1)}
		ends(t, fmt.Sprint("SolveFull, norm ", norm), func(ctx context.Context, t *testing.T) error {
			s, err := p.SolveFull(ctx, lossRadius, nil)
			found.take(t, s)
			return err
		})
		ends(t, fmt.Sprint("Design, norm ", norm), func(ctx context.Context, t *testing.T) error {
			design, err := p.Design(ctx, 50, lossRadius, nil)
			if design != nil {
				found.take(t, design.Solution)
			}
			return err
		})
	}
}

// enough judges a path: its bounds are not below the coverage that it reaches, and not below that of another path of as many atoms.
func enough(t *testing.T, s, other *selection.Selection) {
	if s == nil {
		return
	}
	for b, bound := range s.Bounds[:min(len(s.Bounds), len(s.Coverage))] {
		if reached := max(s.Coverage[b], other.Coverage[b]); bound.Float() < reached*(1-1e-9) {
			t.Errorf("%s: no %d atoms cover more than %v, and some cover %v", s.Policy, b+1, bound, reached)
		}
	}
}

func TestRulesEndWithTheirContext(t *testing.T) {
	const atoms, budget = 20000, 30
	d, directions := must(sparsero.NewDictionary(normal(t, atoms, 32, 1), nil))(t), normal(t, 3000, 32, 2)
	for _, storage := range []selection.Storage{selection.Screened, selection.Streamed} {
		ends(t, fmt.Sprint("NewCoverage ", storage), func(ctx context.Context, t *testing.T) error {
			_, err := selection.NewCoverage(d, directions, &selection.CoverageOptions{Storage: storage, Context: ctx})
			return err
		})
		coverage := must(selection.NewCoverage(d, directions, &selection.CoverageOptions{Storage: storage}))(t)
		costs := make([]float64, atoms)
		for i := range costs {
			costs[i] = 1
		}
		greedy := must(selection.Greedy{}.Select(t.Context(), coverage, budget))(t)
		for _, rule := range []selection.Policy{
			selection.Greedy{}, selection.MaxGap{}, selection.SetCover{}, selection.TopActivation{}, selection.MaxNorm{}, selection.Random{},
			selection.Swap{}, selection.Knapsack{Costs: costs, Capacity: budget}, selection.MaxGamma{}, selection.Exact{},
		} {
			ends(t, fmt.Sprintf("%v %T", storage, rule), func(ctx context.Context, t *testing.T) error {
				s, err := rule.Select(ctx, coverage, budget)
				enough(t, s, greedy)
				return err
			})
		}
		ends(t, fmt.Sprint("Tighten ", storage), func(ctx context.Context, t *testing.T) error {
			tightened := *greedy
			tightened.Bounds = slices.Clone(greedy.Bounds)
			err := tightened.Tighten(ctx, coverage, nil)
			enough(t, &tightened, greedy)
			return err
		})
	}
}
