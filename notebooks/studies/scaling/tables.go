package scaling

import (
	"cmp"
	_ "embed"
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/notebooks/studies/internal/paper"
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
)

// The two sets of directions on which coverage is measured.
const (
	onSelection = "selection" // those the policies choose by
	onReporting = "reporting" // those they have not seen
)

// anyPolicy stands in the place of a policy in the row of the lower bound.
const anyPolicy = "any (lower bound)"

// Tables returns all tables of the study; their names start with the name of the study. In most a row is one quantity:
// the first columns say which, q25, median and q75 are quartiles over the seeds, values is the number of seeds (or of
// random orders). On partial results the tables describe the finished seeds.
func (r *Results) Tables() []study.Table {
	table := func(name, title string, rows dataframe.DataFrame) study.Table {
		if r.config.Data != "" {
			title += " (" + r.config.Data + ")"
		}
		return r.Table(name, title+".", rows)
	}
	return []study.Table{
		table("dictionaries", "Sizes, accuracy, and how much of each dictionary lies along the weights",
			r.Summarise("Dictionary,Quantity,q25,median,q75,values", dictionaries, quartiles)),
		table("coverage", "Coverage against the budget density rho = B/N",
			r.Summarise("Dictionary,N,rho,B,Policy,Directions,q25,median,q75,values", r.coverage, quartiles)),
		table("budgets", "Coverage against the budget B",
			r.Summarise("Dictionary,N,B,Policy,Directions,q25,median,q75,values", r.budgets, quartiles)),
		table("minimum", "The smallest budget that reaches the target",
			r.Summarise("Dictionary,N,Policy,Directions,paper_value,q25,median,q75,reached (%),values", minimum, smallest("minimum"))),
		table("random", "Random sets: budgets measured and estimated",
			r.Summarise("Dictionary,N,Quantity,paper_value,q25,median,q75,reached (%),values", random(), smallest("random"))),
		table("penalty", "The penalty of the chosen atoms as a share of the full one, and the bound of the inflation factor",
			r.Summarise("Dictionary,N,B,Policy,Quantity,q25,median,q75,values", r.penalty, quartiles)),
		table("certified", "Certified accuracy, medians",
			r.Summarise("Dictionary,N,B,epsilon,Policy,CertAcc_S,CertAcc_D,CertAcc inflated,Ball", r.certified, medians)),
		table("seeds", "Quantities of every seed", r.Seeds()),
	}
}

// quartiles summarises one number.
func quartiles(_ []any, numbers [][]float64) []any {
	values := numbers[0]
	return []any{tally.Quantile(values, 0.25), tally.Median(values), tally.Quantile(values, 0.75), len(values)}
}

// smallest summarises a smallest budget, which may be infinite, behind what the paper prints in a
// table for a size and a policy or quantity.
func smallest(table string) func(keys []any, numbers [][]float64) []any {
	return func(keys []any, numbers [][]float64) []any {
		reached := floats.Count(func(b float64) bool { return !math.IsInf(b, 1) }, numbers[0])
		row := quartiles(keys, numbers)
		return []any{printed.Number(table, keys[1:3]...).Value, row[0], row[1], row[2], 100 * float64(reached) / float64(len(numbers[0])), row[3]}
	}
}

// medians summarises each number by its median.
func medians(_ []any, numbers [][]float64) (row []any) {
	for _, values := range numbers {
		row = append(row, tally.Median(values))
	}
	return row
}

// dictionaries describes the sources.
func dictionaries(o *Outcome, g *tally.Groups) {
	add := func(quantity string, value float64) { g.Add([]any{o.Source, quantity}, value) }
	add("features", float64(o.Dimension))
	add("selection directions", float64(o.SelectionDirections))
	add("reporting directions", float64(o.ReportingDirections))
	add("test examples", float64(o.TestExamples))
	add("test accuracy", o.Accuracy)
	add("share of energy along w", o.Energy)
	add("median |cos(d,w)|", o.Cosine)
}

// coverage is F(S;T)/F([N];T) by density, at the budget rounded and at least 1, none beyond MaxBudget.
func (r *Results) coverage(o *Outcome, g *tally.Groups) {
	for _, s := range o.Sizes {
		for _, density := range r.config.Densities {
			if b := max(int(math.Round(density*float64(s.Atoms))), 1); b <= r.config.MaxBudget {
				s.addCoverage(g, b, o.Source, s.Atoms, density, b)
			}
		}
	}
}

// budgets is F(S;T)/F([N];T) by budget.
func (r *Results) budgets(o *Outcome, g *tally.Groups) {
	for _, s := range o.Sizes {
		for _, b := range r.config.Budgets {
			s.addCoverage(g, b, o.Source, s.Atoms, b)
		}
	}
}

// addCoverage adds the coverage of every policy at a budget; keys say where.
func (s *sizeOutcome) addCoverage(g *tally.Groups, budget int, keys ...any) {
	for _, p := range s.Paths {
		if p.Reporting != nil {
			g.Add(append(keys, p.Policy, onReporting), p.Reporting[budget-1])
		}
		if p.Selection != nil {
			g.Add(append(keys, p.Policy, onSelection), p.Selection[budget-1])
		}
	}
}

// minimum is the smallest budget that reaches the target. A seed that does not reach it up to
// Config.MaxBudget counts as infinite. The paper's value stands beside greedy coverage, for every
// dictionary, because the paper does not say how far its attack converged.
func minimum(o *Outcome, g *tally.Groups) {
	for _, s := range o.Sizes {
		add := func(policy any, directions string, budget int) {
			g.Add([]any{o.Source, s.Atoms, policy, directions}, tally.OrInfinite(budget))
		}
		for _, p := range s.Paths[:len(choosing)] {
			add(p.Policy, onReporting, p.ReportingReach)
			add(p.Policy, onSelection, p.SelectionReach)
		}
		add(anyPolicy, onSelection, s.Least)
	}
}

// random compares the measured budgets of random sets on the reporting directions with two
// estimates for one critical atom. The paper's number is the last of them.
func random() func(o *Outcome, g *tally.Groups) {
	estimated := make(map[string]bool) // an estimate is no observation: one for each source
	return func(o *Outcome, g *tally.Groups) {
		for _, s := range o.Sizes {
			add := func(quantity string, budget float64) {
				g.Add([]any{o.Source, s.Atoms, quantity}, budget)
			}
			for j := range s.Without {
				add("measured without replacement", tally.OrInfinite(s.Without[j]))
				add("measured with replacement", tally.OrInfinite(s.With[j]))
			}
			if !estimated[o.Source] {
				add("ceil(tau N), one critical atom without replacement", math.Ceil(target*float64(s.Atoms)))
				add("ln(1-tau)/ln(1-1/N), one critical atom with replacement", math.Log1p(-target)/math.Log1p(-1/float64(s.Atoms)))
			}
		}
		estimated[o.Source] = true
	}
}

// penalty is pen_S/pen_D and the bound of the inflation factor of S ∪ -S. Random's is the mean over its orders.
func (r *Results) penalty(o *Outcome, g *tally.Groups) {
	for _, s := range o.Sizes {
		for j, b := range r.config.Budgets {
			add := func(policy Policy, quantity string, value float64) {
				g.Add([]any{o.Source, s.Atoms, b, policy, quantity}, value)
			}
			for _, p := range s.Paths {
				add(p.Policy, "pen_S/pen_D", p.Penalty[j])
				if p.Inflation != nil {
					add(p.Policy, "inflation", cmp.Or(p.Inflation[j], math.Inf(1)))
				}
			}
		}
	}
}

// certified has CertAcc_S (the paper's metric, which certifies nothing against the whole dictionary and is larger for
// worse sets), CertAcc_D, CertAcc inflated (sound, with the penalty times the inflation bound), and Ball (the accuracy
// that nothing in the l2 ball breaks).
func (r *Results) certified(o *Outcome, g *tally.Groups) {
	for _, s := range o.Sizes {
		for j, b := range r.config.Budgets {
			for e, epsilon := range r.config.Epsilons {
				for _, p := range s.Paths {
					inflated := math.NaN()
					if p.Inflated != nil {
						inflated = p.Inflated[e][j]
					}
					g.Add([]any{o.Source, s.Atoms, b, epsilon, p.Policy}, p.CertAcc[e][j], s.CertAcc[e], inflated, o.Robust[e])
				}
			}
		}
	}
}

// Seeds lists quantities of every seed without aggregation: columns Seed, Dictionary, N, Accuracy, Energy, Cosine (of
// all atoms of the dictionary, whatever N), GC and GM (coverage on the reporting directions at Config.MaxBudget), GC
// minimum and GM minimum (0 where the target is not reached), Least, Random minimum (the median of the orders),
// pen_S/pen_D (greedy coverage at the first budget) and CertAcc_D (at the first ω).
func (r *Results) Seeds() dataframe.DataFrame {
	rows := sparsero.NewRows("Seed,Dictionary,N,Accuracy,Energy,Cosine,GC,GM,GC minimum,GM minimum,Least,Random minimum,pen_S/pen_D,CertAcc_D")
	for _, u := range r.Units {
		for _, s := range u.Result.Sizes {
			var orders []float64
			for _, draws := range s.Without {
				orders = append(orders, tally.OrInfinite(draws))
			}
			o, greedy, gap, last := u.Result, s.Paths[0], s.Paths[1], r.config.MaxBudget-1
			rows.Add(
				strconv.FormatUint(o.Seed, 10), o.Source, s.Atoms, o.Accuracy, o.Energy, o.Cosine,
				greedy.Reporting[last], gap.Reporting[last], greedy.ReportingReach, gap.ReportingReach,
				s.Least, tally.Median(orders), greedy.Penalty[0], s.CertAcc[0],
			)
		}
	}
	return rows.Frame()
}

// paperText holds what Table 1 of the paper prints. It has no other numbers of this experiment; its two
// figures were not printed with values.
//
//go:embed paper.tsv
var paperText string

var printed = paper.ReadPaper(paperText)
