package integer

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/stat"

	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/sparsero"
)

// Tables returns all tables of the study, in the order of the paper, then
// those it does not have. Their names start with the name of the study. Rows
// are grouped by block of seeds; with several blocks a last group "all" pools
// them. On partial results the tables describe the finished seeds.
func (r *Results) Tables() []study.Table {
	return []study.Table{
		r.Table("baseline", "Seeds that are feasible without atoms and with the whole dictionary.",
			r.byBlock("Measure,Value,paper_value", baseline)),
		r.Table("success", "Deterministic robustness rate across budgets, in percent of the baseline seeds.",
			r.byRun("B,Success (%),paper_value,Infeasible (%),Dictionary (%),Baseline seeds", r.success)),
		r.Table("onset", "Onset of certified robustness B* on the baseline seeds.", r.Onset()),
		r.Table("random", "Reliability of the random baseline on the baseline seeds.",
			r.byBlock("Protocol,B,Reps/seed,Success (%),paper_value,Std,paper_value Std,Infeasible (%),Baseline seeds", r.random)),
		r.Table("all_seeds", "Certification over all generated seeds.",
			r.byRun("Baseline,Full feasible,paper_value Full feasible,Full infeasible,paper_value Full infeasible,"+
				"Total certified,paper_value Total certified,Not certified,paper_value Not certified", r.allSeeds)),
		r.Table("monotonicity", "Seeds that lose a success at a larger budget, and sets that are not nested.",
			r.byRun("Evaluated on,Population,Seeds losing a success,Non-nested steps", monotonicity)),
		r.Table("paired", "Onset budgets of two policies on the same seeds.",
			r.byBlock("Protocol,Policy,Against,Earlier,Tie,Later", r.paired)),
		r.Table("instances", "The instances, one row per seed.", r.Instances()),
		r.Table("outcomes", "Every seed, protocol and policy: infeasible, violated or robust at each budget.", r.Outcomes()),
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

// byBlock is a table of the rows that fill adds for each block of seeds, whose name comes first.
func (r *Results) byBlock(columns string, fill func(b block, add func(cells ...any))) dataframe.DataFrame {
	rows := sparsero.NewRows("Seeds," + columns)
	for _, b := range r.blocks() {
		fill(b, func(cells ...any) { rows.Add(append([]any{b.name}, cells...)...) })
	}
	return rows.Frame()
}

// key names a run of a deterministic policy under a protocol; number is its place in Outcome.Runs.
type key struct {
	protocol Protocol
	policy   Policy
	number   int
}

// runs lists the runs of every outcome.
func (r *Results) runs() (keys []key) {
	for _, protocol := range r.config.Protocols {
		for _, policy := range protocol.policies() {
			keys = append(keys, key{protocol, policy, len(keys)})
		}
	}
	return keys
}

// byRun is a table of the rows that fill adds for each block and run, whose names come first.
func (r *Results) byRun(columns string, fill func(b block, run key, add func(cells ...any))) dataframe.DataFrame {
	return r.byBlock("Protocol,Policy,"+columns, func(b block, add func(cells ...any)) {
		for _, run := range r.runs() {
			fill(b, run, func(cells ...any) { add(append([]any{run.protocol, run.policy}, cells...)...) })
		}
	})
}

// onset returns B* of a run, the smallest budget of the grid with success, +Inf if there is none.
func (r *Results) onset(run policyRun) float64 {
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

// baseline counts the seeds by what is feasible.
func baseline(b block, add func(cells ...any)) {
	decisions := make([]float64, len(b.outcomes))
	for k, o := range b.outcomes {
		decisions[k] = float64(o.Decisions)
	}
	measure := func(name string, value float64) { add(name, value, printed.Number("baseline", name).Value) }
	measure("generated seeds", float64(len(b.outcomes)))
	measure("feasible without atoms", float64(len(b.where(func(o *Outcome) bool { return o.Nominal }))))
	measure("feasible with the full dictionary", float64(len(b.where(isFull))))
	measure("feasible with the full dictionary, zero violations", float64(len(b.where(isBaseline))))
	measure("median number of decisions feasible without atoms", study.Median(decisions))
}

// success has the robustness rates; then the share of baseline seeds whose program is infeasible,
// the share whose optimum violates no atom of the dictionary at r = 1, and the number that all
// shares refer to.
func (r *Results) success(b block, run key, add func(cells ...any)) {
	seeds := b.where(isBaseline)
	for k, budget := range r.config.Budgets {
		var heldOut, infeasible, dictionary int
		for _, o := range seeds {
			cell := o.Runs[run.number].Cells[k]
			heldOut += count(cell.HeldOut)
			infeasible += count(!cell.Feasible)
			dictionary += count(cell.Dictionary)
		}
		add(budget, percent(heldOut, len(seeds)), printed.Number("success", run.policy.printed(), budget).Value,
			percent(infeasible, len(seeds)), percent(dictionary, len(seeds)), len(seeds))
	}
}

// Onset is the table of onset budgets: columns Seeds, Protocol, Policy, Robust
// Rate, Median B*, Mean and Std. over the seeds that certify, each with its
// paper_value, and Censored median B*, the median over all baseline seeds,
// where a seed that never certifies counts as +Inf. The paper's median leaves
// such seeds out and so flatters policies that often fail.
func (r *Results) Onset() dataframe.DataFrame {
	columns := "Robust Rate,paper_value Robust Rate,Median B*,paper_value Median B*,Mean,paper_value Mean,Std.,paper_value Std.,Censored median B*"
	return r.byRun(columns, func(b block, run key, add func(cells ...any)) {
		onsets := r.onsets(b.where(isBaseline), run.number)
		certified := slices.DeleteFunc(slices.Clone(onsets), func(b float64) bool { return math.IsInf(b, 1) })
		mean, std := stat.MeanStdDev(certified, nil)
		paper := func(quantity string) float64 {
			return printed.Number("onset", run.policy.printed(), quantity).Value
		}
		add(fmt.Sprintf("%d/%d", len(certified), len(onsets)), printed.Text("onset", run.policy.printed(), "Robust Rate"),
			study.Median(certified), paper("Median B*"), mean, paper("Mean"), std, paper("Std."), study.Median(onsets))
	})
}

// random is the random baseline: success in percent, its standard deviation over the seeds, and
// the share of infeasible programs.
func (r *Results) random(b block, add func(cells ...any)) {
	seeds, run := b.where(isBaseline), 0
	for _, protocol := range r.config.Protocols {
		if !protocol.nested() {
			continue
		}
		for k, budget := range r.config.Budgets {
			rates, infeasible := make([]float64, len(seeds)), 0
			for s, o := range seeds {
				rates[s] = percent(o.Random[run].HeldOut[k], r.config.Draws)
				infeasible += r.config.Draws - o.Random[run].Feasible[k]
			}
			paper := func(quantity string) float64 { return printed.Number("random", budget, quantity).Value }
			mean, std := stat.MeanStdDev(rates, nil)
			add(protocol, budget, r.config.Draws, mean, paper("Success (%)"), std, paper("Std"),
				percent(infeasible, r.config.Draws*len(seeds)), len(seeds))
		}
		run++
	}
}

// allSeeds counts certifications over all seeds. The paper's text uses "full
// feasible" for its 64 seeds that are feasible and without violations; both
// readings of the partition are given (column Baseline).
func (r *Results) allSeeds(b block, run key, add func(cells ...any)) {
	certified := func(o *Outcome) bool { return !math.IsInf(r.onset(o.Runs[run.number]), 1) }
	paper := func(count string) string { return printed.Text("all_seeds", run.policy.printed(), count) }
	readings := map[string]func(*Outcome) bool{"feasible": isFull, "feasible, zero violations": isBaseline}
	for _, name := range []string{"feasible, zero violations", "feasible"} {
		inside := len(b.where(readings[name]))
		insideCertified := len(b.where(func(o *Outcome) bool { return readings[name](o) && certified(o) }))
		total, all := len(b.where(certified)), len(b.outcomes)
		add(name, share(insideCertified, inside), paper("Full feasible"),
			share(total-insideCertified, all-inside), paper("Full infeasible"),
			share(total, all), paper("Total certified"), share(all-total, all), paper("Not certified"))
	}
}

// percent returns 100 part/whole, NaN when the whole is 0.
func percent(part, whole int) float64 {
	return study.ValueIf(whole != 0, 100*float64(part)/float64(whole))
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

var printed = study.ReadPaper(paperText)

// printed returns the policy under which the paper prints a policy's numbers.
func (p Policy) printed() Policy {
	if p == maxGammaMax || p == maxGammaNominal {
		return maxGammaSum
	}
	return p
}
