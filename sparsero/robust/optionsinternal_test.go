package robust

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestDefaultsOfOptions: a tolerance is that of the objective, and that of constraints where it is smaller than theirs.
func TestDefaultsOfOptions(t *testing.T) {
	for asked, want := range map[float64][2]float64{
		0: {1e-7, 1e-6}, 1e-9: {1e-9, 1e-9}, 1e-6: {1e-6, 1e-6}, 1e-3: {1e-3, 1e-6}, 1 - 0x1p-53: {1 - 0x1p-53, 1e-6}, 0x1p-1074: {0x1p-1074, 0x1p-1074},
	} {
		filled, err := (&Options{Tolerance: asked, MaxRounds: 3, CutsPerRound: 2}).withDefaults()
		if err != nil || filled.Tolerance != want[0] || filled.violation != want[1] || filled.MaxRounds != 3 || filled.CutsPerRound != 2 {
			t.Errorf("Tolerance %v became %+v, %v", asked, filled, err)
		}
		if again, err := filled.withDefaults(); err != nil || again.violation != filled.violation {
			t.Errorf("Tolerance %v filled twice: %+v, %v", asked, again, err)
		}
	}
	for _, wrong := range []*Options{{Tolerance: 1}, {Tolerance: -1e-9}, {Tolerance: math.NaN()}, {MaxRounds: -1}, {CutsPerRound: -1}} {
		if _, err := wrong.withDefaults(); err == nil {
			t.Errorf("%+v is accepted", wrong)
		}
	}
}

// TestDefaultsOfDesigns: unknown rules are refused, and what the printed algorithm does not have; the rule that nobody named is the
// most violated atom for constraints without probes.
func TestDefaultsOfDesigns(t *testing.T) {
	for _, c := range []struct {
		options DesignOptions
		wrong   string
	}{
		{DesignOptions{}, ""}, {DesignOptions{Rule: MostViolated}, ""}, {DesignOptions{Rule: MostViolated + 1}, "unknown"}, {DesignOptions{Rule: -1}, "unknown"},
		{DesignOptions{AsPrinted: true}, ""}, {DesignOptions{AsPrinted: true, Rule: SmallestDeficit}, ""}, {DesignOptions{AsPrinted: true, Rule: MostViolated}, "no Rule MostViolated"},
		{DesignOptions{AsPrinted: true, RowBudgets: map[string]int{}}, "no RowBudgets"}, {DesignOptions{RowBudgets: map[string]int{}}, ""},
		{DesignOptions{Tolerance: 1}, "Tolerance"}, {DesignOptions{Tolerance: -1}, "Tolerance"}, {DesignOptions{Tolerance: 0.5}, ""},
	} {
		filled, err := c.options.withDefaults()
		if (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%+v: %v", c.options, err)
		}
		if want := c.options.Tolerance; err == nil && filled.Tolerance != math.Max(want, 1e-6) {
			t.Errorf("%+v: the tolerance is %v", c.options, filled.Tolerance)
		}
	}
	p := small(t)
	free := *p
	free.constraints = nil
	probes := mat.NewDense(1, 3, []float64{1, 0, 0})
	for _, c := range []struct {
		problem *Problem
		options DesignOptions
		want    AtomRule
	}{
		{p, DesignOptions{}, MostViolated}, {&free, DesignOptions{}, CoverageGain}, {p, DesignOptions{Directions: probes}, CoverageGain}, {p, DesignOptions{AsPrinted: true}, CoverageGain},
		{p, DesignOptions{Rule: SmallestDeficit}, SmallestDeficit}, {&free, DesignOptions{Rule: MostViolated}, MostViolated}, {p, DesignOptions{Rule: CoverageGain}, CoverageGain},
	} {
		if got := c.options.chosenRule(c.problem); got != c.want {
			t.Errorf("%d constraints, %+v: %v", len(c.problem.constraints), c.options, got)
		}
	}
}

// TestBudgets allow from one atom to all of them, of which Start takes its part, and name rows that are there.
func TestBudgets(t *testing.T) {
	p := small(t)
	p.constraints = append(p.constraints, p.constraints[0])
	p.constraints[1].Name = "other"
	twice := *p
	twice.constraints = append(p.constraints[:1:1], p.constraints[0])
	for _, c := range []struct {
		problem *Problem
		budget  int
		options DesignOptions
		wrong   string
	}{
		{p, 0, DesignOptions{}, "use at least 1"}, {p, 1, DesignOptions{}, ""}, {p, 2, DesignOptions{}, ""}, {p, 3, DesignOptions{}, "use at most 2"},
		{p, 1, DesignOptions{Start: []int{0, 1}}, "Start holds 2 atoms but the budget is 1"}, {p, 2, DesignOptions{Start: []int{0, 1}}, ""},
		{p, 1, DesignOptions{RowBudgets: map[string]int{"objective": 0}}, ""}, {p, 1, DesignOptions{RowBudgets: map[string]int{"objective": -1}}, "-1 atoms"},
		{p, 1, DesignOptions{RowBudgets: map[string]int{"constraint 0": 1, "other": 1}}, ""}, {p, 1, DesignOptions{RowBudgets: map[string]int{"another": 1}}, "one of the uncertain rows"},
		{&twice, 1, DesignOptions{RowBudgets: map[string]int{"constraint 0": 1}}, "two uncertain rows have that name"}, {&twice, 1, DesignOptions{RowBudgets: map[string]int{"objective": 1}}, ""},
		{p, 1, DesignOptions{Directions: mat.NewDense(1, 3, nil)}, ""}, {p, 1, DesignOptions{Directions: mat.NewDense(1, 2, nil)}, "Directions"},
	} {
		if err := c.problem.checkBudget(c.budget, &c.options); (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("budget %d, %+v: %v", c.budget, c.options, err)
		}
	}
}
