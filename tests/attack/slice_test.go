package attack

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// excerpt is a part of the campaign that every run of the tests examines.
type excerpt struct {
	name     string
	count    int
	families []string // nil for all
	checks   []string
	// margin is what the excerpt lets pass: bounds that are not rounded outwards are off by a few units in the last place.
	margin float64
}

// excerpts lists what holds: solvers and certificates of sets and regions on every family to the last unit, models at
// ordinary scales.
var excerpts = []excerpt{
	{"sets, regions, solvers", 135, nil, []string{
		"NoFreeLunch", "inflation", "gauge", "pointwise", "Hausdorff", "uniform", "box", "direction norm", "net",
		"average to worst", "selection", "solvers",
	}, 0},
	{
		"models", 60, []string{"whole numbers", "decimals", "normal numbers"},
		[]string{"Solve", "SolveFull", "Design", "DesignAsPrinted", "SolveSafe", "Sufficiency", "Ladder"}, 1e-12,
	},
}

// TestSlice examines the excerpts.
func TestSlice(t *testing.T) {
	for _, e := range excerpts {
		t.Run(e.name, func(t *testing.T) {
			tally := campaign(0, e.count, 1, e.kinds(), e.parts())
			for k, f := range tally.findings {
				if f.verdict == wrong || f.amount > e.margin {
					t.Errorf("%s, %s: %s\n%s", k.family, k.certificate, f.detail, f.problem)
				}
			}
		})
	}
}

func (e excerpt) kinds() (kinds []family) {
	for _, f := range families {
		if e.families == nil || slices.Contains(e.families, f.name) {
			kinds = append(kinds, f)
		}
	}
	return kinds
}

func (e excerpt) parts() (parts []check) {
	for _, c := range allChecks {
		if slices.Contains(e.checks, c.name) {
			parts = append(parts, c)
		}
	}
	return parts
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
