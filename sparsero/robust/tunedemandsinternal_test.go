package robust

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
)

// TestDemandsAreFilled: the gap 0 stands for 1e-6 and 0 atoms for all, and fractions lie between 0 and 1.
func TestDemandsAreFilled(t *testing.T) {
	valid := Demands{Gap: 0.25, Violation: 0.5, Delta: 0.125, Atoms: 3}
	filled := valid
	if err := filled.fill(7); err != nil || filled != valid {
		t.Errorf("%+v became %+v, %v", valid, filled, err)
	}
	filled = Demands{Violation: 0.5, Delta: 0.125}
	if err := filled.fill(7); err != nil || filled != (Demands{Gap: 1e-6, Violation: 0.5, Delta: 0.125, Atoms: 7}) {
		t.Errorf("filled in: %+v, %v", filled, err)
	}
	for _, change := range []func(*Demands){
		func(d *Demands) { d.Gap = -0x1p-1074 }, func(d *Demands) { d.Gap = math.Inf(1) }, func(d *Demands) { d.Gap = math.NaN() },
		func(d *Demands) { d.Violation = 0 }, func(d *Demands) { d.Violation = 1 }, func(d *Demands) { d.Violation = math.NaN() },
		func(d *Demands) { d.Delta = 0 }, func(d *Demands) { d.Delta = 1 }, func(d *Demands) { d.Delta = math.NaN() },
	} {
		wrong := valid
		if change(&wrong); wrong.fill(7) == nil {
			t.Errorf("%+v is accepted", wrong)
		}
	}
	for _, change := range []func(*Demands){
		func(d *Demands) { d.Gap = math.MaxFloat64 }, func(d *Demands) { d.Violation = 0x1p-1074 }, func(d *Demands) { d.Violation = 1 - 0x1p-53 },
		func(d *Demands) { d.Delta = 0x1p-1074 }, func(d *Demands) { d.Delta = 1 - 0x1p-53 },
	} {
		right := valid
		if change(&right); right.fill(7) != nil {
			t.Errorf("%+v is refused", right)
		}
	}
}

// TestHowManyTimesTooLarge a gap and a violation are: not at all where they are as asked or smaller.
func TestHowManyTimesTooLarge(t *testing.T) {
	d := Demands{Gap: 0.5, Violation: 0.25}
	for _, c := range [][4]float64{{0.5, 0.25, 1, 1}, {0, 0, 1, 1}, {1, 0.75, 2, 3}, {math.Inf(1), 0.5, math.Inf(1), 2}} {
		if got := d.missed(&TuneStep{RelativeGap: proof.AtMost(c[0]), Violation: proof.AtMost(c[1])}); got != [2]float64{c[2], c[3]} {
			t.Errorf("a gap of %v and a violation of %v miss %+v by %v", c[0], c[1], d, got)
		}
	}
	if got := times(math.Nextafter(0.1, 1), 0.1); !(got > 1) {
		t.Errorf("more than 0.1 is %v times too large", got)
	}
}

// TestGapsRelativeToValues: a gap is a share of the value, or of a millionth of the largest one before where the value all but
// cancels; where there is none it is 0 whatever the value.
func TestGapsRelativeToValues(t *testing.T) {
	p := small(t)
	for _, c := range []struct{ value, gap, before, largest, relative float64 }{
		{-4, 2, 1, 4, 0.5}, {4, 0, 1, 4, 0}, {0, 2, 0, 0, math.Inf(1)}, {0, 0, 0, 0, 0}, {0, 1, 0x1p20, 0x1p20, 1 / (1e-6 * 0x1p20)}, {2, 1, 0x1p10, 0x1p10, 0.5}, {-8, 2, 4, 8, 0.25},
	} {
		x := []float64{0, 0} // where the cost is the offset and nothing is uncertain
		certain := *p
		certain.region, certain.q, certain.constraints = p.region.Clone(), sparsero.AffineMap{}, nil
		certain.region.SetOffset(c.value)
		step := &TuneStep{Solution: &Solution{problem: &certain, X: x, Value: c.value, Atoms: []int{1}, Radius: 0.5, LowerBound: proof.AtLeast(c.value - c.gap)}}
		largest := c.before
		step.measure(&largest)
		if largest != c.largest || step.Value.Float() != c.value || step.Gap.Float() != c.gap || math.Abs(step.RelativeGap.Float()-c.relative) > 1e-15*c.relative {
			t.Errorf("%+v: %+v, the largest value is %v", c, step, largest)
		}
		if len(step.Atoms) != 1 || step.Radius != 0.5 {
			t.Errorf("%+v: atoms %v at radius %v", c, step.Atoms, step.Radius)
		}
	}
}

// TestEnoughSamples is the smallest number with which the evidence promises what is asked, and 0 where none of up to four million does.
func TestEnoughSamples(t *testing.T) {
	for _, c := range []struct {
		evidence evidence
		asked    float64
		none     bool
	}{
		{evidence{basis: compressed, levels: 1, delta: 0.1}, 0.05, false}, {evidence{basis: compressed, levels: 2, delta: 0.01, picks: true}, 0.02, false},
		{evidence{basis: counted, samples: 100, delta: 0.1}, 0.001, false}, {evidence{basis: covered, samples: 100, beyond: 50, delta: 0.1}, 0.25, true},
		{evidence{basis: compressed, levels: 1, delta: 0.1}, 1e-7, true}, {evidence{basis: compressed, levels: 1, delta: 0.1}, 0.9, false},
	} {
		tuned := &Tuned{Samples: 100, Demands: Demands{Violation: c.asked}, Steps: make([]TuneStep, 3), evidence: &c.evidence}
		step := &TuneStep{support: 2, preferred: 3}
		if c.evidence.basis != compressed {
			step.support = 0
		}
		promised := func(samples int) float64 {
			violation, err := c.evidence.violation(step, 3, samples)
			if err != nil {
				t.Fatal(err)
			}
			return violation.Float()
		}
		switch n := tuned.enoughSamples(step); {
		case n == 0 != c.none:
			t.Errorf("%+v: %d samples", c, n)
		case n > 0 && promised(n) > c.asked:
			t.Errorf("%+v: %d samples promise %v", c, n, promised(n))
		case n > 100 && promised(n-1) <= c.asked:
			t.Errorf("%+v: %d samples would do, not just %d", c, n-1, n)
		}
	}
}
