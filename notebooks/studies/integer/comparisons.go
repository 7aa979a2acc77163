package integer

import (
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"github.com/sparsero/directions/sparsero"
)

// monotonicity counts the seeds that succeed at some budget and fail at a
// larger one, of a population, and the mean number of budgets whose set does not contain the set before.
//
// On held-out scenarios the population are the baseline seeds, and an enlarged
// set can lose a success. On the dictionary the population are the seeds that
// are feasible with the whole of it; nested sets at one radius cannot lose
// there, since an optimum that satisfies all atoms stays optimal as atoms are
// added (Corollary 2.4). Sets that are not nested, or a radius that grows, can.
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

// Instances describes the seeds: columns Seed, Atoms, Decisions (choices of K
// items that are feasible without atoms), Nominal, Full and Baseline (see
// [Outcome]), and the optimal costs Nominal value and Full value, NaN when
// infeasible.
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

// Outcomes lists every seed, protocol and deterministic policy: columns Seed,
// Protocol, Policy, Baseline, B* (NaN without onset), and one column per
// budget, "B=1" and so on, with "infeasible", "violated" (the optimum violates
// a held-out scenario) or "robust".
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
