package scaling

import (
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Penalty is pen_S/pen_D and the bound of the inflation factor of S ∪ -S: keys
// Dictionary, N, B, Policy, Quantity. Random's is the mean over its orders.
func (r *Results) Penalty() dataframe.DataFrame {
	t := newTable("Dictionary", "N", "B", "Policy", "Quantity")
	for _, source := range r.sources {
		outcomes := r.of(source)
		for k, atoms := range r.config.Sizes {
			for j, b := range r.config.Budgets {
				for p, c := range choosing {
					t.add(each(outcomes, func(o *Outcome) float64 { return o.Sizes[k].Paths[p].Penalty[j] }), source, atoms, b, c.policy, "pen_S/pen_D")
					t.add(each(outcomes, func(o *Outcome) float64 {
						if factor := o.Sizes[k].Paths[p].Inflation[j]; factor > 0 {
							return factor
						}
						return math.Inf(1)
					}), source, atoms, b, c.policy, "inflation")
				}
				t.add(each(outcomes, func(o *Outcome) float64 { return o.Sizes[k].Random.Penalty[j] }), source, atoms, b, Random, "pen_S/pen_D")
				t.add(each(outcomes, func(o *Outcome) float64 { return o.Sizes[k].LeastPenalty[j] }), source, atoms, b, LeastAligned, "pen_S/pen_D")
			}
		}
	}
	return t.frame()
}

// Certified lists medians over the seeds: columns Dictionary, N, B, epsilon, Policy,
// CertAcc_S (the paper's metric, which certifies nothing against the whole
// dictionary and is larger for worse sets), CertAcc_D, CertAcc inflated (sound, with
// the penalty times the inflation bound), and Ball (the accuracy that nothing in
// the l2 ball breaks).
func (r *Results) Certified() dataframe.DataFrame {
	keys := make([][]string, 5)
	values := make([][]float64, 4)
	for _, source := range r.sources {
		outcomes := r.of(source)
		for k, atoms := range r.config.Sizes {
			for j, b := range r.config.Budgets {
				for e, epsilon := range r.config.Epsilons {
					whole := median(each(outcomes, func(o *Outcome) float64 { return o.Sizes[k].CertAcc[e] }))
					ball := median(each(outcomes, func(o *Outcome) float64 { return o.Robust[e] }))
					for _, c := range certifiedPolicies() {
						for column, text := range []string{source, strconv.Itoa(atoms), strconv.Itoa(b), strconv.FormatFloat(epsilon, 'g', -1, 64), string(c.policy)} {
							keys[column] = append(keys[column], text)
						}
						restricted := median(each(outcomes, func(o *Outcome) float64 { return c.restricted(&o.Sizes[k])[e][j] }))
						inflated := math.NaN()
						if c.inflated != nil {
							inflated = median(each(outcomes, func(o *Outcome) float64 { return c.inflated(&o.Sizes[k])[e][j] }))
						}
						for column, v := range []float64{restricted, whole, inflated, ball} {
							values[column] = append(values[column], v)
						}
					}
				}
			}
		}
	}
	var columns []series.Series
	for column, name := range []string{"Dictionary", "N", "B", "epsilon", "Policy"} {
		columns = append(columns, series.New(keys[column], series.String, name))
	}
	for column, name := range []string{"CertAcc_S", "CertAcc_D", "CertAcc inflated", "Ball"} {
		columns = append(columns, series.New(values[column], series.Float, name))
	}
	return dataframe.New(columns...)
}

// certified is where a policy's certified accuracies are, by ε and budget.
type certified struct {
	policy               Policy
	restricted, inflated func(*SizeOutcome) [][]float64
}

func certifiedPolicies() []certified {
	var all []certified
	for p, c := range choosing {
		all = append(all, certified{c.policy,
			func(s *SizeOutcome) [][]float64 { return s.Paths[p].CertAcc },
			func(s *SizeOutcome) [][]float64 { return s.Paths[p].Inflated }})
	}
	return append(all,
		certified{Random, func(s *SizeOutcome) [][]float64 { return s.Random.CertAcc }, nil},
		certified{LeastAligned, func(s *SizeOutcome) [][]float64 { return s.LeastCertAcc }, nil})
}

// Time lists medians over the seeds: columns Dictionary, N, Policy, Alignments (s)
// (to build the objective, shared by the policies), Choice (s) of Config.MaxBudget
// steps, To target (s), Calls and Calls to target (infinite where it is not
// reached). Units that run at the same time share the cores.
func (r *Results) Time() dataframe.DataFrame {
	var dictionaries, sizes, policies []string
	values := make([][]float64, 5)
	for _, source := range r.sources {
		outcomes := r.of(source)
		for k, atoms := range r.config.Sizes {
			for p, c := range choosing {
				dictionaries, sizes, policies = append(dictionaries, source), append(sizes, strconv.Itoa(atoms)), append(policies, string(c.policy))
				for column, value := range []func(Path) float64{
					func(p Path) float64 { return p.Cost.Alignments },
					func(p Path) float64 { return p.Cost.Choice },
					func(p Path) float64 { return atTarget(p, p.Cost.Reach) },
					func(p Path) float64 { return float64(p.Cost.Calls) },
					func(p Path) float64 { return atTarget(p, float64(p.Cost.ReachCalls)) },
				} {
					values[column] = append(values[column], median(each(outcomes, func(o *Outcome) float64 { return value(o.Sizes[k].Paths[p]) })))
				}
			}
		}
	}
	columns := []series.Series{
		series.New(dictionaries, series.String, "Dictionary"), series.New(sizes, series.String, "N"), series.New(policies, series.String, "Policy"),
	}
	for column, name := range []string{"Alignments (s)", "Choice (s)", "To target (s)", "Calls", "Calls to target"} {
		columns = append(columns, series.New(values[column], series.Float, name))
	}
	return dataframe.New(columns...)
}

// atTarget is what a policy took to reach the target, infinite if it did not.
func atTarget(p Path, value float64) float64 {
	if p.SelectionReach == 0 {
		return math.Inf(1)
	}
	return value
}
