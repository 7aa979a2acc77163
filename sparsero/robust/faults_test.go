package robust_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
)

var errBroken = errors.New("the backend is broken")

// fragile is a backend that breaks at one of its calls.
type fragile struct {
	left   *int // calls until then
	opened bool // opening counts too, not solving alone
}

type fragileEngine struct {
	solver.Engine
	fragile
}

// breaks counts a call.
func (f fragile) breaks() bool {
	*f.left--
	return *f.left == -1
}

func (f fragile) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	if f.opened && f.breaks() {
		return nil, errBroken
	}
	engine, err := solver.PureGo.Open(m, o)
	return fragileEngine{engine, f}, err
}

func (e fragileEngine) Solve(ctx context.Context) (*solver.Result, error) {
	if !e.opened && e.breaks() {
		return nil, errBroken
	}
	return e.Engine.Solve(ctx)
}

// faultyCalls are questions to problems with a linear and a quadratic robust objective, with a robust constraint, and over
// an unbounded region.
func faultyCalls(t *testing.T) map[string]func(*robust.Options) (any, error) {
	d := dictionary(t, []float64{1, 0.5}, []float64{-0.5, 1}, []float64{0.25, -1}, []float64{-1, -0.25}, []float64{0.6, 0.6})
	plain := must(robust.NewProblem(d, box(-1, 1, -0.3, -0.2), sparsero.Identity(2)))(t)
	curved := box(-1, 1, -0.3, -0.2)
	curved.AddQuadratic(0, 0, 0.5)
	quadratic := must(robust.NewProblem(d, curved, sparsero.Identity(2)))(t)
	load := robust.Constraint{Name: "load", Nominal: []float64{1, 1}, Map: sparsero.Identity(2), Limit: 5}
	demand := box(0, 4, 1, 1)
	demand.AddRow(solver.Row{Name: "demand", Bounds: solver.AtLeast(4), Columns: []int{0, 1}, Values: []float64{1, 1}})
	limited := must(robust.NewProblem(d, demand, sparsero.AffineMap{}, load))(t)
	open := solver.NewModel("open")
	open.AddColumn(solver.Column{Bounds: solver.AtMost(1), Cost: 0.2})
	open.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	unbounded := must(robust.NewProblem(d, open, sparsero.Identity(2)))(t)
	all := everyAtom(d)
	calls := map[string]func(*robust.Options) (any, error){}
	add := func(name string, p *robust.Problem, radius float64) {
		calls[name+": Solve"] = func(o *robust.Options) (any, error) { return p.Solve(ctx, all, radius, o) }
		calls[name+": SolveFull"] = func(o *robust.Options) (any, error) { return p.SolveFull(ctx, radius, o) }
		calls[name+": Design"] = func(o *robust.Options) (any, error) {
			return p.Design(ctx, 4, radius, &robust.DesignOptions{Solver: solverOf(o)})
		}
		calls[name+": DesignAsPrinted"] = func(o *robust.Options) (any, error) {
			return p.Design(ctx, 4, radius, &robust.DesignOptions{AsPrinted: true, Solver: solverOf(o)})
		}
		calls[name+": calibrated"] = func(o *robust.Options) (any, error) {
			calibrated := &robust.DesignOptions{
				Solver: solverOf(o), Calibrate: unpromised(func(atoms []int) float64 { return radius * (1 + float64(len(atoms))/50) }),
			}
			asPrinted := *calibrated
			asPrinted.AsPrinted = true
			printed, err := p.Design(ctx, 4, radius, &asPrinted)
			if err != nil {
				return nil, err
			}
			design, err := p.Design(ctx, 4, radius, calibrated)
			return fmt.Sprint(printed, design), err
		}
		calls[name+": SolveSafe"] = func(o *robust.Options) (any, error) { return p.SolveSafe(ctx, all[:4], radius, o) }
		calls[name+": Explain"] = func(o *robust.Options) (any, error) { return p.Explain(ctx, all[:2], 4*radius, o) }
		calls[name+": ExplainFull"] = func(o *robust.Options) (any, error) { return p.ExplainFull(ctx, 4*radius, o) }
	}
	add("plain", plain, 0.75)
	add("quadratic", quadratic, 0.75)
	add("limited", limited, 0.2)
	calls["unbounded: SolveFull"] = func(o *robust.Options) (any, error) { return unbounded.SolveFull(ctx, 1, o) }
	for name, p := range map[string]*robust.Problem{"plain": plain, "quadratic": quadratic} {
		calls[name+": Dual"] = func(o *robust.Options) (any, error) { return dualOf(p.Solve(ctx, all[:3], 0.75, o)) }
		calls[name+": FullDual"] = func(o *robust.Options) (any, error) { return dualOf(p.SolveFull(ctx, 0.75, o)) }
		calls[name+": Ladder"] = func(o *robust.Options) (any, error) {
			l, err := p.Ladder(ctx, all[:4], 0.75, &robust.LadderOptions{Solver: solverOf(o), MaxPoints: 30})
			if err != nil {
				return nil, err
			}
			var said []string
			for _, r := range l.Rungs {
				said = append(said, fmt.Sprintf("%s %.3f", r.Name, r.Bound.Float()))
			}
			return said, nil
		}
	}
	return calls
}

// A backend that breaks is never passed over: whichever of its calls fails, the answer is its error, or the whole answer
// where that does not rest on the call.
func TestBrokenBackendsAreReported(t *testing.T) {
	for name, call := range faultyCalls(t) {
		whole := must(call(nil))(t)
		for _, opened := range []bool{false, true} {
			for k, reached := 0, true; reached; k++ {
				left := k
				answer, err := call(&robust.Options{Solver: &solver.Options{Backend: fragile{&left, opened}}})
				if reached = left < 0; !reached {
					must(answer, err)(t)
				} else if !errors.Is(err, errBroken) && (err != nil || fmt.Sprint(answer) != fmt.Sprint(whole)) {
					t.Errorf("%s: broken at call %d (openings %v), said %v, %v", name, k, opened, answer, err)
				}
			}
		}
	}
}

// solverOf returns the options of the solver.
func solverOf(o *robust.Options) *solver.Options {
	if o == nil {
		return nil
	}
	return o.Solver
}

// hurried is a backend that ends with a point of which nothing is proven.
type hurried struct{}

type hurriedEngine struct{ solver.Engine }

func (hurried) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	engine, err := solver.PureGo.Open(m, o)
	return hurriedEngine{engine}, err
}

func (e hurriedEngine) Solve(ctx context.Context) (*solver.Result, error) {
	result, err := e.Engine.Solve(ctx)
	if err == nil && result.X != nil {
		result.Status, result.Cause = solver.FeasibleLimit, context.DeadlineExceeded
		result.RowDuals, result.ColumnDuals = nil, nil
	}
	return result, err
}

// What a backend leaves open is neither called optimal nor certified, and has no bound.
func TestHurriedBackendsAreReported(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}), box(-1, 1, -0.3, -0.2), sparsero.Identity(2)))(t)
	o := &robust.Options{Solver: &solver.Options{Backend: hurried{}}}
	few := must(p.Solve(ctx, []int{0}, 1, o))(t)
	full := must(p.SolveFull(ctx, 1, o))(t)
	for name, s := range map[string]*robust.Solution{"few": few, "full": full} {
		bound := must(s.GapBound())(t).Float()
		if !s.Partial || !math.IsInf(s.LowerBound.Float(), -1) || !math.IsInf(bound, 1) || s.Rounds < 1 {
			t.Errorf("%s: partial %v, lower bound %v, gap bound %v after %d rounds", name, s.Partial, s.LowerBound.Float(), bound, s.Rounds)
		}
		checkMessage(t, name, errors.New(s.String()), "stopped early; nothing proven")
	}
	design := must(p.Design(ctx, 2, 1, &robust.DesignOptions{Solver: solverOf(o)}))(t)
	if design.Certified || design.Stop != "gap left by the solver" {
		t.Errorf("design: certified %v, stopped %v", design.Certified, design.Stop)
	}
	if _, err := dualOf(p.Solve(ctx, []int{0}, 1, o)); !errors.Is(err, robust.ErrNoDual) {
		t.Errorf("dual: %v", err)
	}
}

// broken is a set that enters a program by rows, and whose first worst case is no point.
type broken struct {
	convex.Compact
	asked *bool
}

func (b broken) WorstCase(s []float64) []float64 {
	u := b.Compact.WorstCase(s)
	if !*b.asked {
		*b.asked, u[0] = true, math.NaN()
	}
	return u
}

// TestFaultsOfASetEndTheWork: also one that the set makes at the solution of its program, and not again.
func TestFaultsOfASetEndTheWork(t *testing.T) {
	set := broken{must(convex.NewBudget([]float64{1, 2}, 1))(t).(convex.Compact), new(bool)}
	p := must(robust.NewConvex(set, box(-1, 1, -0.3, -0.2), sparsero.Identity(2)))(t)
	if s, err := p.SolveFull(ctx, 1, nil); err == nil || !*set.asked {
		t.Errorf("%v, asked %t", s, *set.asked)
	}
}
