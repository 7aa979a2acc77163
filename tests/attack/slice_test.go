package attack

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// sliceSize is how many problems every run of the tests examines: some of each family.
const sliceSize = 208

// TestSlice is the beginning of the campaign: no claim about any family is false.
func TestSlice(t *testing.T) {
	tally := campaign(0, sliceSize, 1, families, allChecks)
	for k, f := range tally.findings {
		t.Errorf("%s, %s: %s\n%s", k.family, k.certificate, f.detail, f.problem)
	}
	if claims := tally.claims(); claims < 100*sliceSize {
		t.Errorf("only %d claims about %d problems", claims, sliceSize)
	}
}

// TestJudgeNotices checks that the judge objects to a claim that is off by two units in the last place, and to nothing
// else.
func TestJudgeNotices(t *testing.T) {
	truth, data := big.NewRat(1, 3), integer(1)
	for _, c := range []struct {
		claim float64
		least bool
		want  verdict
	}{
		{1.0 / 3, true, held}, {1.0/3 + 1, true, held}, {1.0/3 - 2*unitInTheLastPlace, true, below},
		{1.0 / 3, false, held}, {1.0/3 - 1, false, held}, {1.0/3 + 2*unitInTheLastPlace, false, below},
	} {
		j := &judge{}
		if c.least {
			j.atLeast("claim", c.claim, truth, data)
		} else {
			j.atMost("claim", c.claim, truth, data)
		}
		if j.observations[0].verdict != c.want {
			t.Errorf("%+v: %+v", c, j.observations[0])
		}
	}
}

// TestUnitsKeepTheProblem checks that a change of units changes no exact value but by its unit.
func TestUnitsKeepTheProblem(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for k := range 200 {
		p := otherUnits(random, []func(*rand.Rand, number) *problem{linear, constrained, quadratic, integerColumns}[k%4](random, whole))
		before := *p
		before.Units = nil
		factor := integer(1)
		if changes[p.Units.Change].value {
			factor = powerOfTwo(p.Units.Exponent)
		}
		measured := p.measured()
		old, renewed := newTruth(&before), newTruth(measured)
		a, b := old.minimum(before.Chosen, before.Radius), renewed.minimum(measured.Chosen, measured.Radius)
		if a.outcome != b.outcome || a.outcome == solved && product(a.value, factor).Cmp(b.value) != 0 {
			t.Fatalf("change %+v: %v %v becomes %v %v", *p.Units, a.outcome, a.value, b.outcome, b.value)
		}
	}
}
