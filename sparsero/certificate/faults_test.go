package certificate_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

var errBroken = errors.New("the backend is broken")

// fragile is a backend that breaks at one of its calls, openings and solves counted from 0.
type fragile struct{ calls, breaks *int }

type fragileEngine struct {
	solver.Engine
	fragile
}

func (f fragile) broken() error {
	if *f.calls++; *f.calls == *f.breaks+1 {
		return errBroken
	}
	return nil
}

func (f fragile) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	if err := f.broken(); err != nil {
		return nil, err
	}
	engine, err := solver.PureGo.Open(m, o)
	return fragileEngine{engine, f}, err
}

func (e fragileEngine) Solve(ctx context.Context) (*solver.Result, error) {
	if err := e.broken(); err != nil {
		return nil, err
	}
	return e.Engine.Solve(ctx)
}

// No certificate passes over a backend that breaks, whichever call it is.
func TestBrokenBackendsAreReported(t *testing.T) {
	region := solver.NewModel("a triangle")
	for range 2 {
		region.AddColumn(solver.Column{Bounds: solver.AtLeast(-1)})
	}
	region.AddRow(solver.Row{Bounds: solver.AtMost(2), Columns: []int{0, 1}, Values: []float64{1, 2}})
	set := mustSet([]int{0, 2}, 1, []float64{1, 0.5}, []float64{-0.5, 1}, []float64{0.25, -1}, []float64{-1, -0.25}, []float64{0.6, 0.7})
	q := sparsero.Identity(2)
	for name, call := range map[string]func(o *solver.Options) (any, error){
		"uniform": func(o *solver.Options) (any, error) {
			return certificate.SolveUniform(ctx, set, region, q, &certificate.Options{Solver: o})
		},
		"grid": func(o *solver.Options) (any, error) {
			return certificate.GridNet(ctx, set.Dictionary(), region, q, 0.5, &certificate.Options{Solver: o})
		},
		"norm": func(o *solver.Options) (any, error) { return certificate.DirectionNorm(ctx, region, q, o) },
		"box": func(o *solver.Options) (any, error) {
			lower, upper, err := certificate.BoundingBox(ctx, region, o)
			return fmt.Sprint(lower, upper), err
		},
	} {
		whole := fmt.Sprint(must(call(nil))(t))
		for breaks, reached := 0, true; reached; breaks++ {
			calls := 0
			answer, err := call(&solver.Options{Backend: fragile{&calls, &breaks}})
			if reached = calls > breaks; reached && !errors.Is(err, errBroken) || !reached && (err != nil || fmt.Sprint(answer) != whole || breaks == 0) {
				t.Errorf("%s: %d calls, broken at call %d: %v, %v", name, calls, breaks, answer, err)
			}
		}
	}
}
