package integer

import (
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"

	"github.com/sparsero/directions/notebooks/studies/study"
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
func monotonicity(b block, run key, add func(cells ...any)) {
	evaluate := func(on string, population []*Outcome, success func(cell) bool) {
		losing, steps := 0, 0
		for _, o := range population {
			losing += count(loses(o.Runs[run.number], success))
			steps += o.Runs[run.number].NonNested
		}
		add(on, len(population), losing, float64(steps)/float64(len(population)))
	}
	evaluate("held-out", b.where(isBaseline), func(c cell) bool { return c.HeldOut })
	evaluate("dictionary", b.where(isFull), func(c cell) bool { return c.Dictionary })
}

// loses tells whether a success is followed by a failure.
func loses(run policyRun, success func(cell) bool) bool {
	first := slices.IndexFunc(run.Cells, success)
	return first >= 0 && slices.ContainsFunc(run.Cells[first:], func(c cell) bool { return !success(c) })
}

// paired compares onset budgets seed by seed: how often the policy's onset is earlier, a tie or
// later on the baseline seeds; a seed without onset comes after every budget. Rankings are
// taken from the protocol that has them at the same radius.
func (r *Results) paired(b block, add func(cells ...any)) {
	seeds, policies := b.where(isBaseline), Nested.policies()
	for _, protocol := range r.config.Protocols {
		for k, policy := range policies[:2] { // the greedy ones
			mine := r.onsets(seeds, r.runNumber(protocol, policy))
			for _, against := range policies[k+1:] {
				theirs := r.runNumber(protocol, against)
				if theirs < 0 {
					continue
				}
				var earlier, tie, later int
				for s, other := range r.onsets(seeds, theirs) {
					earlier += count(mine[s] < other)
					tie += count(mine[s] == other)
					later += count(mine[s] > other)
				}
				add(protocol, policy, against, earlier, tie, later)
			}
		}
	}
}

// runNumber returns the number in Outcome.Runs of a policy under a protocol,
// or under the nested protocol with the same radius; -1 if there is none.
func (r *Results) runNumber(protocol Protocol, policy Policy) int {
	fallback := -1
	for _, run := range r.runs() {
		if run.policy == policy && run.protocol == protocol {
			return run.number
		}
		if run.policy == policy && run.protocol.nested() && run.protocol.calibrated() == protocol.calibrated() {
			fallback = run.number
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
			study.ValueIf(o.Nominal, o.NominalValue), study.ValueIf(o.Full, o.FullValue),
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
			onset := r.onset(run)
			cells := []any{u.Unit, run.Protocol, run.Policy, u.Result.Baseline, study.ValueIf(!math.IsInf(onset, 1), onset)}
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
