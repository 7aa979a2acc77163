package scaling

import (
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"

	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/sparsero/selection"
)

// The two sets of directions on which coverage is measured.
const (
	OnSelection = "selection" // those the policies choose by
	OnReporting = "reporting" // those they have not seen
)

// AnyPolicy stands in the place of a policy in the row of the lower bound.
const AnyPolicy = "any (lower bound)"

// Tables returns all tables of the study; their names start with the name of the
// study. All but the last, named TimeTable, are the same in every run. In most a
// row is one quantity: the first columns say which, q25, median and q75 are
// quartiles over the seeds, values is the number of seeds (or of random orders).
// On partial results the tables describe the finished seeds.
func (r *Results) Tables() []study.Table {
	table := func(suffix, title string, frame dataframe.DataFrame) study.Table {
		if r.config.Data != "" {
			title += " (" + r.config.Data + ")"
		}
		return study.Table{Name: r.Study + "_" + suffix, Title: title + ".", Frame: frame}
	}
	return []study.Table{
		table("dictionaries", "Sizes, accuracy, and how much of each dictionary lies along the weights", r.Dictionaries()),
		table("coverage", "Coverage against the budget density rho = B/N", r.Coverage()),
		table("budgets", "Coverage against the budget B", r.Budgets()),
		table("minimum", "The smallest budget that reaches the target", r.Minimum()),
		table("random", "Random sets: budgets measured and estimated", r.Random()),
		table("penalty", "The penalty of the chosen atoms as a share of the full one, and the bound of the inflation factor", r.Penalty()),
		table("certified", "Certified accuracy, medians", r.Certified()),
		table("seeds", "Quantities of every seed", r.Seeds()),
		table(TimeTable, "Wall time and oracle calls, medians; not the same in every run", r.Time()),
	}
}

// TimeTable is the suffix of the table whose values change from run to run.
const TimeTable = "time"

// of returns the outcomes of a source.
func (r *Results) of(source string) []*Outcome {
	var outcomes []*Outcome
	for k := range r.Units {
		if o := &r.Units[k].Result; o.Source == source {
			outcomes = append(outcomes, o)
		}
	}
	return outcomes
}

// each returns the value of a quantity in every outcome.
func each(outcomes []*Outcome, value func(*Outcome) float64) []float64 {
	values := make([]float64, len(outcomes))
	for k, o := range outcomes {
		values[k] = value(o)
	}
	return values
}

// Dictionaries describes the sources: keys Dictionary and Quantity.
func (r *Results) Dictionaries() dataframe.DataFrame {
	t := newTable("Dictionary", "Quantity")
	for _, source := range r.sources {
		outcomes := r.of(source)
		for _, q := range []struct {
			name  string
			value func(*Outcome) float64
		}{
			{"features", func(o *Outcome) float64 { return float64(o.Dimension) }},
			{"selection directions", func(o *Outcome) float64 { return float64(o.SelectionDirections) }},
			{"reporting directions", func(o *Outcome) float64 { return float64(o.ReportingDirections) }},
			{"test examples", func(o *Outcome) float64 { return float64(o.TestExamples) }},
			{"test accuracy", func(o *Outcome) float64 { return o.Accuracy }},
			{"share of energy along w", func(o *Outcome) float64 { return o.Energy }},
			{"median |cos(d,w)|", func(o *Outcome) float64 { return o.Cosine }},
		} {
			t.add(each(outcomes, q.value), source, q.name)
		}
	}
	return t.Frame()
}

// curve is a policy whose coverage is known on a set of directions.
type curve struct {
	policy     Policy
	directions string
	values     func(*SizeOutcome) []float64
}

// curves lists them.
func curves() []curve {
	var all []curve
	for p, c := range choosing {
		all = append(all,
			curve{c.policy, OnReporting, func(s *SizeOutcome) []float64 { return s.Paths[p].Reporting }},
			curve{c.policy, OnSelection, func(s *SizeOutcome) []float64 { return s.Paths[p].Selection }})
	}
	return append(all, curve{Random, OnReporting, func(s *SizeOutcome) []float64 { return s.Random.Reporting }})
}

// Coverage is F(S;T)/F([N];T) by density: keys Dictionary, N, rho, B, Policy, Directions.
func (r *Results) Coverage() dataframe.DataFrame {
	t := newTable("Dictionary", "N", "rho", "B", "Policy", "Directions")
	for _, source := range r.sources {
		for k, atoms := range r.config.Sizes {
			for _, density := range r.config.Densities {
				if b, ok := r.config.densityBudget(density, atoms); ok {
					r.addCurves(t, source, k, b, source, atoms, density, b)
				}
			}
		}
	}
	return t.Frame()
}

// Budgets is F(S;T)/F([N];T) by budget: keys Dictionary, N, B, Policy, Directions.
func (r *Results) Budgets() dataframe.DataFrame {
	t := newTable("Dictionary", "N", "B", "Policy", "Directions")
	for _, source := range r.sources {
		for k, atoms := range r.config.Sizes {
			for _, b := range r.config.Budgets {
				r.addCurves(t, source, k, b, source, atoms, b)
			}
		}
	}
	return t.Frame()
}

// addCurves adds a row per policy and set of directions at a size and budget.
func (r *Results) addCurves(t table, source string, size, budget int, keys ...any) {
	for _, c := range curves() {
		values := each(r.of(source), func(o *Outcome) float64 { return c.values(&o.Sizes[size])[budget-1] })
		t.add(values, append(append([]any(nil), keys...), c.policy, c.directions)...)
	}
}

// Minimum is the smallest budget that reaches the target: keys Dictionary, N, Policy,
// Directions. A seed that does not reach it up to Config.MaxBudget counts as
// infinite. The paper's value stands beside greedy coverage, for every
// dictionary, because the paper does not say how far its attack converged.
func (r *Results) Minimum() dataframe.DataFrame {
	t := newBudgetTable("Dictionary", "N", "Policy", "Directions")
	for _, source := range r.sources {
		outcomes := r.of(source)
		for k, atoms := range r.config.Sizes {
			for p, c := range choosing {
				paper := math.NaN()
				if c.policy == GreedyCoverage {
					paper = r.printed(paperGreedy, atoms)
				}
				t.addBudget(paper, budgets(outcomes, func(o *Outcome) int { return o.Sizes[k].Paths[p].ReportingReach }), source, atoms, c.policy, OnReporting)
				t.addBudget(paper, budgets(outcomes, func(o *Outcome) int { return o.Sizes[k].Paths[p].SelectionReach }), source, atoms, c.policy, OnSelection)
			}
			t.addBudget(math.NaN(), budgets(outcomes, func(o *Outcome) int { return o.Sizes[k].Least }), source, atoms, AnyPolicy, OnSelection)
		}
	}
	return t.Frame()
}

// printed returns what the paper prints for a size, NaN for nothing.
func (r *Results) printed(values map[int]float64, atoms int) float64 {
	if v, ok := values[atoms]; ok && r.config.Target == paperTarget {
		return v
	}
	return math.NaN()
}

// budgets returns a smallest budget in every outcome, infinite where it is 0.
func budgets(outcomes []*Outcome, value func(*Outcome) int) []float64 {
	return each(outcomes, func(o *Outcome) float64 { return study.OrInfinite(value(o)) })
}

// Random compares the measured budgets of random sets on the reporting directions
// with two estimates for one critical atom: keys Dictionary, N, Quantity. The paper's
// number is the last of them.
func (r *Results) Random() dataframe.DataFrame {
	t := newBudgetTable("Dictionary", "N", "Quantity")
	for _, source := range r.sources {
		outcomes := r.of(source)
		for k, atoms := range r.config.Sizes {
			paper := r.printed(paperRandom, atoms)
			var without, with []float64
			for _, o := range outcomes {
				for j := range o.Sizes[k].Random.Without {
					without = append(without, study.OrInfinite(o.Sizes[k].Random.Without[j]))
					with = append(with, study.OrInfinite(o.Sizes[k].Random.With[j]))
				}
			}
			t.addBudget(paper, without, source, atoms, "measured without replacement")
			t.addBudget(paper, with, source, atoms, "measured with replacement")
			if budget, draws, err := selection.RandomBudget(atoms, r.config.Target); err == nil { // sizes and target were checked
				t.addBudget(paper, []float64{float64(budget)}, source, atoms, "ceil(tau N), one critical atom without replacement")
				t.addBudget(paper, []float64{draws}, source, atoms, "ln(1-tau)/ln(1-1/N), one critical atom with replacement")
			}
		}
	}
	return t.Frame()
}

// Seeds lists quantities of every seed without aggregation: columns Seed,
// Dictionary, N, Accuracy, Energy, Cosine (of all atoms of the dictionary, whatever
// N), GC and GM (coverage on the reporting directions at Config.MaxBudget), GC
// minimum and GM minimum (0 where the target is not reached), Least, Random minimum
// (the median of the orders), pen_S/pen_D (greedy coverage at the first budget) and
// CertAcc_D (at the first ε).
func (r *Results) Seeds() dataframe.DataFrame {
	rows := study.NewRows("Seed", "Dictionary", "N", "Accuracy", "Energy", "Cosine", "GC", "GM", "GC minimum", "GM minimum",
		"Least", "Random minimum", "pen_S/pen_D", "CertAcc_D")
	for k := range r.Units {
		o := &r.Units[k].Result
		for j := range o.Sizes {
			s := &o.Sizes[j]
			var orders []float64
			for _, draws := range s.Random.Without {
				orders = append(orders, study.OrInfinite(draws))
			}
			last := r.config.MaxBudget - 1
			rows.Add(
				strconv.FormatUint(o.Seed, 10), o.Source, s.Atoms, o.Accuracy, o.Energy, o.Cosine,
				s.Paths[0].Reporting[last], s.Paths[1].Reporting[last], s.Paths[0].ReportingReach, s.Paths[1].ReportingReach,
				s.Least, median(orders), s.Paths[0].Penalty[0], s.CertAcc[0],
			)
		}
	}
	return rows.Frame()
}
