package robust_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

func TestSolutionReports(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1, 0}, []float64{0, 1}), &sparsero.DictionaryOptions{Labels: []string{"east", "north"}}))(t)
	load := robust.Constraint{Name: "load", Map: sparsero.Identity(2), Limit: 0.5}
	p := must(robust.NewProblem(d, box(0, 1, -2, -2), sparsero.Identity(2), load))(t)
	violated := must(p.Solve(ctx, []int{0}, 1, nil))(t)
	// x = (1/2, 1): the objective and the load both meet the second atom with 1 instead of 1/2.
	if c := violated.Constraints[0]; violated.WorstAtom != 1 || c.Certificate.WorstAtom != 1 || !near(c.Full, 1) || !near(violated.FullValue(), -2) {
		t.Errorf("worst atoms %d and %d, left-hand sides %v and %v", violated.WorstAtom, c.Certificate.WorstAtom, violated.FullValue(), c.Full)
	}
	checkMessage(t, "violated", fmt.Errorf("%v", violated), "add atom 1 (north)")
	evaluated := must(p.Evaluate([]int{0, 1}, 1, []float64{0, 0}))(t)
	checkMessage(t, "evaluated", fmt.Errorf("%v", evaluated), "nothing proven")
	full := must(p.SolveFull(ctx, 1, nil))(t)
	checkMessage(t, "full", fmt.Errorf("%v", full), "full model at radius 1: costs at most -1.5")
	if text := full.String(); !strings.Contains(text, "; regret 0 up to rounding") || strings.Contains(text, "value gap") {
		t.Errorf("%v: of the full model the regret says all", text)
	}
	const null = "no atom is worse than 0"
	if strings.Contains(full.String(), null) {
		t.Errorf("%v: the atoms of positive harm decide", full)
	}
	gains := must(robust.NewProblem(d, box(1, 2, 1, 1), sparsero.AffineMap{Matrix: matrix([]float64{-1, 0}, []float64{0, -1})}))(t)
	checkMessage(t, "null", fmt.Errorf("%v", must(gains.SolveFull(ctx, 1, nil))(t)), null)
}

// TestNoiseOfARowIsNoViolation: what rounding leaves beside the terms that its bounds allow is none, and a hundred times that is one.
func TestNoiseOfARowIsNoViolation(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1}), box(-1, 1, -1), sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(1)}))(t)
	for noise, want := range map[float64]bool{1e-13: true, 1e-10: false} {
		if s := must(p.Evaluate([]int{0}, 1, []float64{noise}))(t); s.FullFeasible() != want {
			t.Errorf("%v above a limit of 0: feasible %v", noise, !want)
		}
	}
}
