package robust_test

import (
	"fmt"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

func TestSolutionReports(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1, 0}, []float64{0, 1}), &sparsero.DictionaryOptions{Labels: []string{"east", "north"}}))(t)
	load := robust.Constraint{Name: "load", Map: sparsero.Identity(2), Limit: 0.5}
	p := must(robust.NewProblem(d, box(0, 1, -2, -2), sparsero.Identity(2), load))(t)
	violated := must(p.Solve(ctx, []int{0}, 1, nil))(t)
	frame := violated.Frame()
	// x = (1/2, 1): the objective and the load both meet "north" with 1 instead of 1/2.
	if got := frame.Col("worst atom").Records(); len(got) != 2 || got[0] != "north" || got[1] != "north" {
		t.Errorf("worst atoms %v", got)
	}
	if got := frame.Col("full dictionary").Float(); !near(got[1], 1) || !near(got[0], -2) {
		t.Errorf("left-hand sides %v", got)
	}
	checkMessage(t, "violated", fmt.Errorf("%v", violated), "add atom 1 (north)")
	evaluated := must(p.Evaluate([]int{0, 1}, 1, []float64{0, 0}))(t)
	checkMessage(t, "evaluated", fmt.Errorf("%v", evaluated), "nothing proven")
	full := must(p.SolveFull(ctx, 1, nil))(t)
	checkMessage(t, "full", fmt.Errorf("%v", full), "full model at radius 1: value -1.5")
}
