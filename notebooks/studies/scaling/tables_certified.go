package scaling

import (
	"math"

	"github.com/go-gota/gota/dataframe"

	"github.com/sparsero/directions/notebooks/studies/study"
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
	return t.Frame()
}

// Certified lists medians over the seeds: columns Dictionary, N, B, epsilon, Policy,
// CertAcc_S (the paper's metric, which certifies nothing against the whole
// dictionary and is larger for worse sets), CertAcc_D, CertAcc inflated (sound, with
// the penalty times the inflation bound), and Ball (the accuracy that nothing in
// the l2 ball breaks).
func (r *Results) Certified() dataframe.DataFrame {
	rows := study.NewRows("Dictionary", "N", "B", "epsilon", "Policy", "CertAcc_S", "CertAcc_D", "CertAcc inflated", "Ball")
	for _, source := range r.sources {
		outcomes := r.of(source)
		for k, atoms := range r.config.Sizes {
			for j, b := range r.config.Budgets {
				for e, epsilon := range r.config.Epsilons {
					whole := median(each(outcomes, func(o *Outcome) float64 { return o.Sizes[k].CertAcc[e] }))
					ball := median(each(outcomes, func(o *Outcome) float64 { return o.Robust[e] }))
					for _, c := range certifiedPolicies() {
						restricted := median(each(outcomes, func(o *Outcome) float64 { return c.restricted(&o.Sizes[k])[e][j] }))
						inflated := math.NaN()
						if c.inflated != nil {
							inflated = median(each(outcomes, func(o *Outcome) float64 { return c.inflated(&o.Sizes[k])[e][j] }))
						}
						rows.Add(append(study.Texts([]any{source, atoms, b, epsilon, c.policy}), restricted, whole, inflated, ball)...)
					}
				}
			}
		}
	}
	return rows.Frame()
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
	rows := study.NewRows("Dictionary", "N", "Policy", "Alignments (s)", "Choice (s)", "To target (s)", "Calls", "Calls to target")
	for _, source := range r.sources {
		for k, atoms := range r.config.Sizes {
			for p, c := range choosing {
				cells := study.Texts([]any{source, atoms, c.policy})
				for _, value := range []func(Path) float64{
					func(p Path) float64 { return p.Cost.Alignments },
					func(p Path) float64 { return p.Cost.Choice },
					func(p Path) float64 { return atTarget(p, p.Cost.Reach) },
					func(p Path) float64 { return float64(p.Cost.Calls) },
					func(p Path) float64 { return atTarget(p, float64(p.Cost.ReachCalls)) },
				} {
					cells = append(cells, median(each(r.of(source), func(o *Outcome) float64 { return value(o.Sizes[k].Paths[p]) })))
				}
				rows.Add(cells...)
			}
		}
	}
	return rows.Frame()
}

// atTarget is what a policy took to reach the target, infinite if it did not.
func atTarget(p Path, value float64) float64 {
	if p.SelectionReach == 0 {
		return math.Inf(1)
	}
	return value
}
