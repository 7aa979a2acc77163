package integer

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/notebooks/studies/internal/paper"
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Tables returns all tables of the study, in the order of the paper, then those it does not have. Their names start
// with the name of the study. Rows are grouped by block of seeds; with several blocks a last group "all" pools them. On
// partial results the tables describe the finished seeds; a group without the seeds that a table is about has no rows
// in it.
func (r *Results) Tables() []study.Table {
	return []study.Table{
		r.Table("baseline", "Seeds that are feasible without atoms and with the whole dictionary.",
			r.summarise("Measure,Value,paper_value", baseline, baselineRow)),
		r.Table("success", "Deterministic robustness rate across budgets, in percent of the baseline seeds.",
			r.summarise("Protocol,Policy,B,Success (%),paper_value,Infeasible (%),Dictionary (%),Baseline seeds", r.success, successRow)),
		r.Table("onset", "Onset of certified robustness B* on the baseline seeds.", r.Onset()),
		r.Table("random", "Reliability of the random baseline on the baseline seeds.",
			r.summarise("Protocol,B,Reps/seed,Success (%),paper_value,Std,paper_value Std,Infeasible (%),Baseline seeds", r.random, r.randomRow)),
		r.Table("all_seeds", "Certification over all generated seeds.",
			r.summarise("Protocol,Policy,Baseline,Full feasible,paper_value Full feasible,Full infeasible,paper_value Full infeasible,"+
				"Total certified,paper_value Total certified,Not certified,paper_value Not certified", r.allSeeds, allSeedsRow)),
		r.Table("monotonicity", "Seeds that lose a success at a larger budget, and sets that are not nested.",
			r.summarise("Protocol,Policy,Evaluated on,Population,Seeds losing a success,Non-nested steps", monotonicity, monotonicityRow)),
		r.Table("paired", "Onset budgets of two policies on the same seeds.",
			r.summarise("Protocol,Policy,Against,Earlier,Tie,Later", r.paired, pairedRow)),
		r.Table("instances", "The instances, one row per seed.", r.Instances()),
		r.Table("outcomes", "Every seed, protocol and policy: infeasible, violated or robust at each budget.", r.Outcomes()),
	}
}

// adder takes numbers about an outcome under some keys.
type adder func(keys []any, numbers ...float64)

// summarise is a table of what observe adds for the outcomes of each block of seeds, whose name comes
// first, and once more for all of them if there are several blocks.
func (r *Results) summarise(columns string, observe func(*Outcome, adder), row func(keys []any, numbers [][]float64) []any) dataframe.DataFrame {
	var groups tally.Groups
	block := func(name string, belongs func(seed uint64) bool) {
		add := func(keys []any, numbers ...float64) { groups.Add(append([]any{name}, keys...), numbers...) }
		for k := range r.Units {
			if o := &r.Units[k].Result; belongs(o.Seed) {
				observe(o, add)
			}
		}
	}
	for _, b := range r.config.Seeds {
		block(b.String(), func(seed uint64) bool { return seed >= b.First && seed-b.First < uint64(b.Count) })
	}
	if len(r.config.Seeds) > 1 {
		block("all", func(uint64) bool { return true })
	}
	return groups.Frame("Seeds,"+columns, row)
}

// onset returns B* of a run, the smallest budget of the grid with success, +Inf if there is none.
func (r *Results) onset(run *policyRun) float64 {
	for k, cell := range run.Cells {
		if cell.HeldOut {
			return float64(r.config.Budgets[k])
		}
	}
	return math.Inf(1)
}

const medianDecisions = "median number of decisions feasible without atoms"

// baseline counts the seeds by what is feasible.
func baseline(o *Outcome, add adder) {
	add([]any{"generated seeds"}, 1)
	add([]any{"feasible without atoms"}, indicator(o.Nominal))
	add([]any{"feasible with the full dictionary"}, indicator(o.Full))
	add([]any{"feasible with the full dictionary, zero violations"}, indicator(o.Baseline))
	add([]any{medianDecisions}, float64(o.Decisions))
}

func baselineRow(keys []any, numbers [][]float64) []any {
	value := floats.Sum(numbers[0])
	if keys[1] == medianDecisions {
		value = tally.Median(numbers[0])
	}
	return []any{value, printed.Number("baseline", keys[1]).Value}
}

// success has the robustness rates; then the share of baseline seeds whose program is infeasible, the share whose
// optimum violates no atom of the dictionary at r = 1, and the number that all shares refer to.
func (r *Results) success(o *Outcome, add adder) {
	if !o.Baseline {
		return
	}
	for _, run := range o.Runs {
		for k, cell := range run.Cells {
			add([]any{run.Protocol, run.Policy, r.config.Budgets[k]},
				indicator(cell.HeldOut), indicator(!cell.Feasible), indicator(cell.Dictionary))
		}
	}
}

func successRow(keys []any, numbers [][]float64) []any {
	seeds := len(numbers[0])
	rate := func(k int) float64 { return percent(int(floats.Sum(numbers[k])), seeds) }
	return []any{rate(0), printed.Number("success", printedPolicy(keys[2]), keys[3]).Value, rate(1), rate(2), seeds}
}

// Onset is the table of onset budgets: columns Seeds, Protocol, Policy, Robust Rate, Median B*, Mean and Std. over the
// seeds that certify, each with its paper_value, and Censored median B*, the median over all baseline seeds, where a
// seed that never certifies counts as +Inf. The paper's median leaves such seeds out and so flatters policies that
// often fail.
func (r *Results) Onset() dataframe.DataFrame {
	columns := "Protocol,Policy,Robust Rate,paper_value Robust Rate,Median B*,paper_value Median B*,Mean,paper_value Mean,Std.,paper_value Std.,Censored median B*"
	return r.summarise(columns, func(o *Outcome, add adder) {
		for k := range o.Runs {
			if run := &o.Runs[k]; o.Baseline {
				add([]any{run.Protocol, run.Policy}, r.onset(run))
			}
		}
	}, func(keys []any, numbers [][]float64) []any {
		onsets := numbers[0]
		certified := slices.DeleteFunc(slices.Clone(onsets), func(b float64) bool { return math.IsInf(b, 1) })
		mean, std := stat.MeanStdDev(certified, nil)
		policy := printedPolicy(keys[2])
		paper := func(quantity string) float64 { return printed.Number("onset", policy, quantity).Value }
		return []any{fmt.Sprintf("%d/%d", len(certified), len(onsets)), printed.Text("onset", policy, "Robust Rate"),
			tally.Median(certified), paper("Median B*"), mean, paper("Mean"), std, paper("Std."), tally.Median(onsets)}
	})
}

// random is the random baseline: success in percent, its standard deviation over the seeds, and
// the share of infeasible programs.
func (r *Results) random(o *Outcome, add adder) {
	for _, run := range o.Random {
		for k, budget := range r.config.Budgets {
			if o.Baseline {
				add([]any{run.Protocol, budget}, percent(run.HeldOut[k], r.config.Draws), float64(r.config.Draws-run.Feasible[k]))
			}
		}
	}
}

func (r *Results) randomRow(keys []any, numbers [][]float64) []any {
	seeds := len(numbers[0])
	paper := func(quantity string) float64 { return printed.Number("random", keys[2], quantity).Value }
	mean, std := stat.MeanStdDev(numbers[0], nil)
	return []any{r.config.Draws, mean, paper("Success (%)"), std, paper("Std"),
		percent(int(floats.Sum(numbers[1])), r.config.Draws*seeds), seeds}
}

// allSeeds counts certifications over all seeds. The paper's text uses "full feasible" for its 64 seeds that are
// feasible and without violations; both readings of the partition are given (column Baseline).
func (r *Results) allSeeds(o *Outcome, add adder) {
	for k := range o.Runs {
		run := &o.Runs[k]
		certified := indicator(!math.IsInf(r.onset(run), 1))
		add([]any{run.Protocol, run.Policy, "feasible, zero violations"}, indicator(o.Baseline), certified*indicator(o.Baseline), certified)
		add([]any{run.Protocol, run.Policy, "feasible"}, indicator(o.Full), certified*indicator(o.Full), certified)
	}
}

func allSeedsRow(keys []any, numbers [][]float64) []any {
	paper := func(count string) string { return printed.Text("all_seeds", printedPolicy(keys[2]), count) }
	inside, insideCertified, total := int(floats.Sum(numbers[0])), int(floats.Sum(numbers[1])), int(floats.Sum(numbers[2]))
	all := len(numbers[0])
	return []any{share(insideCertified, inside), paper("Full feasible"),
		share(total-insideCertified, all-inside), paper("Full infeasible"),
		share(total, all), paper("Total certified"), share(all-total, all), paper("Not certified")}
}

// monotonicity counts the seeds that succeed at some budget and fail at a
// larger one, of a population, and the mean number of budgets whose set does not contain the set before.
//
// On held-out scenarios the population are the baseline seeds, and an enlarged set can lose a success. On the
// dictionary the population are the seeds that are feasible with the whole of it; nested sets at one radius cannot lose
// there, since an optimum that satisfies all atoms stays optimal as atoms are added (Corollary 2.4). Sets that are not
// nested, or a radius that grows, can.
func monotonicity(o *Outcome, add adder) {
	for _, run := range o.Runs {
		evaluate := func(on string, belongs bool, success func(cell) bool) {
			member := indicator(belongs)
			add([]any{run.Protocol, run.Policy, on}, member, member*indicator(loses(run, success)), member*float64(run.NonNested))
		}
		evaluate("held-out", o.Baseline, func(c cell) bool { return c.HeldOut })
		evaluate("dictionary", o.Full, func(c cell) bool { return c.Dictionary })
	}
}

func monotonicityRow(_ []any, numbers [][]float64) []any {
	population, losing, steps := floats.Sum(numbers[0]), floats.Sum(numbers[1]), floats.Sum(numbers[2])
	return []any{int(population), int(losing), steps / population}
}

// loses tells whether a success is followed by a failure.
func loses(run policyRun, success func(cell) bool) bool {
	first := slices.IndexFunc(run.Cells, success)
	return first >= 0 && slices.ContainsFunc(run.Cells[first:], func(c cell) bool { return !success(c) })
}

// paired compares onset budgets seed by seed: how often the policy's onset is earlier, a tie or
// later on the baseline seeds; a seed without onset comes after every budget. Rankings are
// taken from the protocol that has them at the same radius.
func (r *Results) paired(o *Outcome, add adder) {
	policies := Nested.policies()
	for _, protocol := range r.config.Protocols {
		for k, policy := range policies[:2] { // the greedy ones
			for _, against := range policies[k+1:] {
				if other := o.run(protocol, against); o.Baseline && other != nil {
					mine, theirs := r.onset(o.run(protocol, policy)), r.onset(other)
					add([]any{protocol, policy, against}, indicator(mine < theirs), indicator(mine == theirs), indicator(mine > theirs))
				}
			}
		}
	}
}

func pairedRow(_ []any, numbers [][]float64) []any {
	return []any{int(floats.Sum(numbers[0])), int(floats.Sum(numbers[1])), int(floats.Sum(numbers[2]))}
}

// run returns the run of a policy under a protocol, or under the nested protocol with the same
// radius; nil if there is none.
func (o *Outcome) run(protocol Protocol, policy Policy) *policyRun {
	var fallback *policyRun
	for k := range o.Runs {
		run := &o.Runs[k]
		if run.Policy == policy && run.Protocol == protocol {
			return run
		}
		if run.Policy == policy && run.Protocol.nested() && run.Protocol.calibrated() == protocol.calibrated() {
			fallback = run
		}
	}
	return fallback
}

// Instances describes the seeds: columns Seed, Atoms, Decisions (choices of K items that are feasible without atoms),
// Nominal, Full and Baseline (see [Outcome]), and the optimal costs Nominal value and Full value, NaN when infeasible.
func (r *Results) Instances() dataframe.DataFrame {
	rows := sparsero.NewRows("Seed,Atoms,Decisions,Nominal,Full,Baseline,Nominal value,Full value")
	for _, u := range r.Units {
		o := u.Result
		rows.Add(
			strconv.FormatUint(o.Seed, 10), o.Atoms, o.Decisions, o.Nominal, o.Full, o.Baseline,
			tally.ValueIf(o.Nominal, o.NominalValue), tally.ValueIf(o.Full, o.FullValue),
		)
	}
	return rows.Frame()
}

// Outcomes lists every seed, protocol and deterministic policy: columns Seed, Protocol, Policy, Baseline, B* (NaN
// without onset), and one column per budget, "B=1" and so on, with "infeasible", "violated" (the optimum violates a
// held-out scenario) or "robust".
func (r *Results) Outcomes() dataframe.DataFrame {
	columns := "Seed,Protocol,Policy,Baseline,B*"
	for _, budget := range r.config.Budgets {
		columns += ",B=" + strconv.Itoa(budget)
	}
	rows := sparsero.NewRows(columns)
	for _, u := range r.Units {
		for _, run := range u.Result.Runs {
			onset := r.onset(&run)
			cells := []any{u.Unit, run.Protocol, run.Policy, u.Result.Baseline, tally.ValueIf(!math.IsInf(onset, 1), onset)}
			for _, cell := range run.Cells {
				cells = append(cells, cell.state())
			}
			rows.Add(cells...)
		}
	}
	return rows.Frame()
}

func (c cell) state() string {
	switch {
	case !c.Feasible:
		return "infeasible"
	case !c.HeldOut:
		return "violated"
	}
	return "robust"
}

// percent returns 100 part/whole, NaN when the whole is 0.
func percent(part, whole int) float64 {
	return tally.ValueIf(whole != 0, 100*float64(part)/float64(whole))
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

var printed = paper.ReadPaper(paperText)

// printedPolicy returns the policy under which the paper prints a policy's numbers.
func printedPolicy(policy any) string {
	switch name := fmt.Sprint(policy); Policy(name) {
	case maxGammaMax, maxGammaNominal:
		return string(maxGammaSum)
	default:
		return name
	}
}
