package robust

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// TestBoundsToGive names columns without a bound, a few of many, and asks for none where all have both.
func TestBoundsToGive(t *testing.T) {
	for open, want := range map[int]string{
		0: "", 1: "give finite bounds to x0", 5: "give finite bounds to x0, x1, x2, x3, x4", 7: "give finite bounds to x0, x1, x2, x3, x4 and 2 more",
	} {
		region := solver.NewModel("X")
		for j := range open {
			region.AddColumn(solver.Column{Name: fmt.Sprint("x", j), Bounds: []solver.Bounds{solver.AtMost(1), solver.AtLeast(1)}[j%2]})
		}
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
		if got := (&Problem{region: region}).boundsToGive(); got != want {
			t.Errorf("%d open columns: %q, want %q", open, got, want)
		}
	}
}

// TestRemedies: the next step after Tune follows from what was reached, what is proven and how many samples there are.
func TestRemedies(t *testing.T) {
	for _, test := range []struct {
		tuned            Tuned
		samples          int
		reached, limited bool
		want, not        string
	}{
		{tuned: Tuned{Partial: true}, want: "give it more time"},
		{limited: true, tuned: Tuned{Partial: true}, want: "give it more time"},
		{limited: true, want: "give them larger limits, or ask Problem.ExplainFull"},
		{want: "after 2 none helps, and the solver left 3 open"},
		{reached: true, tuned: Tuned{Partial: true}, want: "give it more time", not: "larger radii"}, // some of those listed may not be tried yet
		{reached: true, tuned: Tuned{Partial: true}, samples: 51, want: "give 51 samples"},
		{reached: true, want: "no number of samples like these 50 would do"},
		{reached: true, samples: 51, want: "give 51 samples like the 50 at hand, for 2 atoms at radius 0.25", not: "MostViolated"},
		{reached: true, samples: 51, tuned: Tuned{evidence: &evidence{basis: compressed}}, want: "MostViolated"},
		{reached: true, samples: 51, tuned: Tuned{evidence: &evidence{basis: compressed, picks: true}}, want: "give 51", not: "MostViolated"},
		{reached: true, samples: 50, want: "choose 2 atoms at radius 0.25, or accept what is reached"},
	} {
		if test.tuned.evidence == nil {
			test.tuned.evidence = &evidence{}
		}
		test.tuned.Samples, test.tuned.Atoms = 50, []int{0}
		target := &TuneStep{Atoms: []int{0, 1}, Radius: 0.25, Gap: proof.AtMost(3)}
		if test.limited {
			target.Gap = proof.Upper{}
		}
		got := test.tuned.remedy(&UnmetError{Samples: test.samples, Atoms: 2}, target, test.reached)
		if !strings.Contains(got, test.want) || test.not != "" && strings.Contains(got, test.not) {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// TestGapsWithinRounding are written without digits, and others with them.
func TestGapsWithinRounding(t *testing.T) {
	for gap, want := range map[float64]string{0: ", up to rounding the optimum against all 3 atoms", 1: ", at most 1 (gap 50 %) above the optimum against all 3 atoms"} {
		tuned := &Tuned{TuneStep: TuneStep{Gap: proof.AtMost(gap), RelativeGap: proof.AtMost(gap / 2), Solution: &Solution{Size: 2}}, atoms: 3}
		if text := tuned.String(); !strings.Contains(text, want) {
			t.Errorf("a gap of %v: %s", gap, text)
		}
	}
}

// TestTheMostViolatedAtom is that of the row that misses most, the first one of equals, if it is open and misses anything.
func TestTheMostViolatedAtom(t *testing.T) {
	row := func(violation float64, atom int) ConstraintReport {
		return ConstraintReport{Full: violation, Certificate: certificate.Pointwise{WorstAtom: atom, Bound: proof.AtMost(8)}}
	}
	for _, c := range []struct {
		missed float64 // by the objective, whose atom is 0
		rows   []ConstraintReport
		want   int
	}{
		{0, nil, sparsero.NullAtom}, {1, nil, 0}, {0, []ConstraintReport{row(0, 1)}, sparsero.NullAtom}, {1, []ConstraintReport{row(1, 1)}, 0}, {1, []ConstraintReport{row(2, 1)}, 1},
		{1, []ConstraintReport{row(2, 1), row(2, 2)}, 1}, {1, []ConstraintReport{row(2, 1), row(3, 2)}, 2}, {1, []ConstraintReport{row(9, 7)}, 0},
		{0, []ConstraintReport{row(4, sparsero.NullAtom), row(1, 1)}, 1}, {0, []ConstraintReport{row(9, 1), row(10, 2)}, 1},
	} {
		s := &Solution{Certificate: certificate.Pointwise{Bound: proof.AtMost(c.missed)}, Constraints: c.rows}
		if got := s.mostViolatedAtom(func(atom int) bool { return atom != 7 }); got != c.want {
			t.Errorf("%+v: atom %d", c, got)
		}
	}
}
