package robust

import (
	"errors"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
)

// A slack that is known up to the tolerance is no error, although the optimum is not proven to the last digit.
func TestSlackKnownUpToTheToleranceIsDecided(t *testing.T) {
	r := &solver.Result{Status: solver.FeasibleLimit, Cause: solver.ErrUnproven, Objective: 1.6e-16, Upper: proof.AtMost(2.1e-16)}
	if err := decided(r); err != nil {
		t.Error(err)
	}
	if r.Upper = proof.AtMost(1e-6); !errors.Is(decided(r), solver.ErrUnproven) {
		t.Error("a slack of up to 1e-6 is no error")
	}
	if r.Status, r.Objective, r.Upper = solver.Optimal, -0.9, (proof.Upper{}); !errors.Is(decided(r), solver.ErrUnproven) {
		t.Error("the word of a backend is no error")
	}
}

// TestSlackKeepsRowsUpToTheTolerance, which belongs to what is kept; without demands there is no slack.
func TestSlackKeepsRowsUpToTheTolerance(t *testing.T) {
	region := solver.NewModel("one column")
	region.AddColumn(solver.Column{})
	x := &feasibility{problem: &Problem{region: region}}
	for _, c := range []struct {
		point []float64
		want  bool
	}{{nil, false}, {[]float64{5}, true}, {[]float64{5, 0}, true}, {[]float64{5, -slackTolerance}, true}, {[]float64{5, math.Nextafter(-slackTolerance, -1)}, false}, {[]float64{5, -1}, false}} {
		if got := x.keeps(&solver.Result{X: c.point}); got != c.want {
			t.Errorf("%v: %v", c.point, got)
		}
	}
}
