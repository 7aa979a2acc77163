package integer

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/stat"

	"github.com/sparsero/directions/notebooks/studies/paper"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// Tables returns all tables of the study, in the order of the paper, then
// those it does not have. Their names start with the name of the study. Rows
// are grouped by block of seeds; with several blocks a last group "all" pools
// them. On partial results the tables describe the finished seeds.
func (r *Results) Tables() []study.Table {
	name := func(suffix string) string { return r.Study + "_" + suffix }
	return []study.Table{
		{Name: name("baseline"), Title: "Seeds that are feasible without atoms and with the whole dictionary.", Frame: r.Baseline()},
		{Name: name("success"), Title: "Deterministic robustness rate across budgets, in percent of the baseline seeds.", Frame: r.Success()},
		{Name: name("onset"), Title: "Onset of certified robustness B* on the baseline seeds.", Frame: r.Onset()},
		{Name: name("random"), Title: "Reliability of the random baseline on the baseline seeds.", Frame: r.Random()},
		{Name: name("all_seeds"), Title: "Certification over all generated seeds.", Frame: r.AllSeeds()},
		{Name: name("monotonicity"), Title: "Seeds that lose a success at a larger budget, and sets that are not nested.", Frame: r.Monotonicity()},
		{Name: name("paired"), Title: "Onset budgets of two policies on the same seeds.", Frame: r.Paired()},
		{Name: name("instances"), Title: "The instances, one row per seed.", Frame: r.Instances()},
		{Name: name("outcomes"), Title: "Every seed, protocol and policy: infeasible, violated or robust at each budget.", Frame: r.Outcomes()},
	}
}

// block is a group of seeds that a table reports together.
type block struct {
	name     string
	outcomes []*Outcome
}

// blocks returns the finished seeds of each block, and all of them if there are several.
func (r *Results) blocks() []block {
	var blocks []block
	all := block{name: "all"}
	for _, seeds := range r.config.Seeds {
		b := block{name: seeds.String()}
		for k := range r.Units {
			o := &r.Units[k].Result
			if o.Seed >= seeds.First && o.Seed-seeds.First < uint64(seeds.Count) {
				b.outcomes = append(b.outcomes, o)
			}
		}
		blocks = append(blocks, b)
		all.outcomes = append(all.outcomes, b.outcomes...)
	}
	if len(blocks) > 1 {
		blocks = append(blocks, all)
	}
	return blocks
}

// where returns the outcomes that satisfy a condition.
func (b block) where(holds func(*Outcome) bool) []*Outcome {
	return slices.DeleteFunc(slices.Clone(b.outcomes), func(o *Outcome) bool { return !holds(o) })
}

func isBaseline(o *Outcome) bool { return o.Baseline }
func isFull(o *Outcome) bool     { return o.Full }

// eachRun calls visit for every block, protocol and deterministic policy, with
// the number of the run in Outcome.Runs.
func (r *Results) eachRun(visit func(b block, protocol Protocol, policy Policy, run int)) {
	for _, b := range r.blocks() {
		run := 0
		for _, protocol := range r.config.Protocols {
			for _, policy := range protocol.policies() {
				visit(b, protocol, policy, run)
				run++
			}
		}
	}
}

// onset returns B* of a run, the smallest budget of the grid with success, +Inf if there is none.
func (r *Results) onset(run PolicyRun) float64 {
	for k, cell := range run.Cells {
		if cell.HeldOut {
			return float64(r.config.Budgets[k])
		}
	}
	return math.Inf(1)
}

func (r *Results) onsets(outcomes []*Outcome, run int) []float64 {
	onsets := make([]float64, len(outcomes))
	for k, o := range outcomes {
		onsets[k] = r.onset(o.Runs[run])
	}
	return onsets
}

// Baseline counts the seeds by what is feasible: columns Seeds, Measure, Value
// and paper_value.
func (r *Results) Baseline() dataframe.DataFrame {
	rows := study.NewRows("Seeds", "Measure", "Value", "paper_value")
	for _, b := range r.blocks() {
		decisions := make([]float64, len(b.outcomes))
		for k, o := range b.outcomes {
			decisions[k] = float64(o.Decisions)
		}
		number := func(holds func(*Outcome) bool) float64 { return float64(len(b.where(holds))) }
		add := func(measure string, value float64) {
			rows.Add(b.name, measure, value, printed.Number("baseline", measure).Value)
		}
		add("generated seeds", float64(len(b.outcomes)))
		add("feasible without atoms", number(func(o *Outcome) bool { return o.Nominal }))
		add("feasible with the full dictionary", number(isFull))
		add("feasible with the full dictionary, zero violations", number(isBaseline))
		add("median number of decisions feasible without atoms", median(decisions))
	}
	return rows.Frame()
}

// Success is the table of robustness rates: columns Seeds, Protocol, Policy,
// B, Success (%) and paper_value; then Infeasible (%), the share of baseline
// seeds whose program is infeasible, Dictionary (%), the share whose optimum
// violates no atom of the dictionary at r = 1, and Baseline seeds, the number
// that all shares refer to.
func (r *Results) Success() dataframe.DataFrame {
	rows := study.NewRows("Seeds", "Protocol", "Policy", "B", "Success (%)", "paper_value", "Infeasible (%)",
		"Dictionary (%)", "Baseline seeds")
	r.eachRun(func(b block, protocol Protocol, policy Policy, run int) {
		baseline := b.where(isBaseline)
		for k, budget := range r.config.Budgets {
			var heldOut, infeasible, dictionary int
			for _, o := range baseline {
				cell := o.Runs[run].Cells[k]
				heldOut += count(cell.HeldOut)
				infeasible += count(!cell.Feasible)
				dictionary += count(cell.Dictionary)
			}
			rows.Add(
				b.name, protocol, policy, budget, percent(heldOut, len(baseline)),
				printed.Number("success", policy.printed(), budget).Value,
				percent(infeasible, len(baseline)), percent(dictionary, len(baseline)), len(baseline),
			)
		}
	})
	return rows.Frame()
}

// Onset is the table of onset budgets: columns Seeds, Protocol, Policy, Robust
// Rate, Median B*, Mean and Std. over the seeds that certify, each with its
// paper_value, and Censored median B*, the median over all baseline seeds,
// where a seed that never certifies counts as +Inf. The paper's median leaves
// such seeds out and so flatters policies that often fail.
func (r *Results) Onset() dataframe.DataFrame {
	rows := study.NewRows("Seeds", "Protocol", "Policy", "Robust Rate", "paper_value Robust Rate", "Median B*",
		"paper_value Median B*", "Mean", "paper_value Mean", "Std.", "paper_value Std.", "Censored median B*")
	r.eachRun(func(b block, protocol Protocol, policy Policy, run int) {
		onsets := r.onsets(b.where(isBaseline), run)
		certified := slices.DeleteFunc(slices.Clone(onsets), func(b float64) bool { return math.IsInf(b, 1) })
		mean, std := stat.MeanStdDev(certified, nil)
		paper := func(quantity string) float64 { return printed.Number("onset", policy.printed(), quantity).Value }
		rows.Add(
			b.name, protocol, policy,
			fmt.Sprintf("%d/%d", len(certified), len(onsets)), printed.Text("onset", policy.printed(), "Robust Rate"),
			median(certified), paper("Median B*"), mean, paper("Mean"), std, paper("Std."), median(onsets),
		)
	})
	return rows.Frame()
}

// Random is the table of the random baseline: columns Seeds, Protocol, B,
// Reps/seed, Success (%), its paper_value, Std (over seeds) and its
// paper_value, and Infeasible (%), the share of infeasible programs.
func (r *Results) Random() dataframe.DataFrame {
	rows := study.NewRows("Seeds", "Protocol", "B", "Reps/seed", "Success (%)", "paper_value", "Std", "paper_value Std",
		"Infeasible (%)", "Baseline seeds")
	for _, b := range r.blocks() {
		baseline := b.where(isBaseline)
		run := 0
		for _, protocol := range r.config.Protocols {
			if !protocol.nested() {
				continue
			}
			for k, budget := range r.config.Budgets {
				rates, infeasible := make([]float64, len(baseline)), 0
				for s, o := range baseline {
					rates[s] = percent(o.Random[run].HeldOut[k], r.config.Draws)
					infeasible += r.config.Draws - o.Random[run].Feasible[k]
				}
				paper := func(quantity string) float64 { return printed.Number("random", budget, quantity).Value }
				mean, std := stat.MeanStdDev(rates, nil)
				rows.Add(
					b.name, protocol, budget, r.config.Draws, mean, paper("Success (%)"), std, paper("Std"),
					percent(infeasible, r.config.Draws*len(baseline)), len(baseline),
				)
			}
			run++
		}
	}
	return rows.Frame()
}

// AllSeeds is the table of certification counts over all seeds: columns Seeds,
// Protocol, Policy, Baseline, Full feasible, Full infeasible, Total certified
// and Not certified, each with its paper_value. The paper's text uses "full
// feasible" for its 64 seeds that are feasible and without violations; both
// readings of the partition are given (column Baseline).
func (r *Results) AllSeeds() dataframe.DataFrame {
	rows := study.NewRows("Seeds", "Protocol", "Policy", "Baseline", "Full feasible", "paper_value Full feasible",
		"Full infeasible", "paper_value Full infeasible", "Total certified", "paper_value Total certified", "Not certified",
		"paper_value Not certified")
	r.eachRun(func(b block, protocol Protocol, policy Policy, run int) {
		certified := func(o *Outcome) bool { return !math.IsInf(r.onset(o.Runs[run]), 1) }
		paper := func(count string) string { return printed.Text("all_seeds", policy.printed(), count) }
		for _, partition := range []struct {
			name   string
			inside func(*Outcome) bool
		}{{"feasible, zero violations", isBaseline}, {"feasible", isFull}} {
			inside := len(b.where(partition.inside))
			insideCertified := len(b.where(func(o *Outcome) bool { return partition.inside(o) && certified(o) }))
			total := len(b.where(certified))
			rows.Add(
				b.name, protocol, policy, partition.name,
				share(insideCertified, inside), paper("Full feasible"),
				share(total-insideCertified, len(b.outcomes)-inside), paper("Full infeasible"),
				share(total, len(b.outcomes)), paper("Total certified"),
				share(len(b.outcomes)-total, len(b.outcomes)), paper("Not certified"),
			)
		}
	})
	return rows.Frame()
}

// median returns the middle value.
func median(values []float64) float64 { return study.Quantile(values, 0.5) }

// percent returns 100 part/whole, NaN when the whole is 0.
func percent(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return 100 * float64(part) / float64(whole)
}

// share prints a count as the paper does: "58/64 (90.6%)".
func share(part, whole int) string {
	if whole == 0 {
		return "0/0"
	}
	return fmt.Sprintf("%d/%d (%s%%)", part, whole, strconv.FormatFloat(percent(part, whole), 'f', 1, 64))
}

// paperText holds what section 5.3 and its appendix print. The three readings of max-gamma all stand
// beside the one row of the paper, and every protocol beside the one experiment.
//
//go:embed paper.tsv
var paperText string

var printed = paper.Read(paperText)

// printed returns the policy under which the paper prints a policy's numbers.
func (p Policy) printed() Policy {
	if p == MaxGammaMax || p == MaxGammaNominal {
		return MaxGammaSum
	}
	return p
}
