package integer

import (
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"

	"github.com/sparsero/directions/notebooks/studies/study"
)

// Monotonicity counts the seeds that succeed at some budget and fail at a
// larger one: columns Seeds, Protocol, Policy, Evaluated on, Population (the
// number of seeds looked at), Seeds losing a success, and Non-nested steps,
// the mean number of budgets whose set does not contain the set before.
//
// On held-out scenarios the population are the baseline seeds, and an enlarged
// set can lose a success. On the dictionary the population are the seeds that
// are feasible with the whole of it; nested sets at one radius cannot lose
// there, since an optimum that satisfies all atoms stays optimal as atoms are
// added (Corollary 2.4). Sets that are not nested, or a radius that grows, can.
func (r *Results) Monotonicity() dataframe.DataFrame {
	rows := study.NewRows("Seeds", "Protocol", "Policy", "Evaluated on", "Population", "Seeds losing a success",
		"Non-nested steps")
	r.eachRun(func(b block, protocol Protocol, policy Policy, run int) {
		for _, test := range []struct {
			name       string
			population func(*Outcome) bool
			success    func(Cell) bool
		}{
			{"held-out", isBaseline, func(c Cell) bool { return c.HeldOut }},
			{"dictionary", isFull, func(c Cell) bool { return c.Dictionary }},
		} {
			outcomes := b.where(test.population)
			losing, steps := 0, 0
			for _, o := range outcomes {
				losing += count(loses(o.Runs[run], test.success))
				steps += o.Runs[run].NonNested
			}
			rows.Add(
				b.name, protocol, policy, test.name, len(outcomes), losing, float64(steps)/float64(len(outcomes)),
			)
		}
	})
	return rows.Frame()
}

// loses tells whether a success is followed by a failure.
func loses(run PolicyRun, success func(Cell) bool) bool {
	succeeded := false
	for _, cell := range run.Cells {
		if success(cell) {
			succeeded = true
		} else if succeeded {
			return true
		}
	}
	return false
}

// Paired compares onset budgets seed by seed: columns Seeds, Protocol, Policy,
// Against, and how often the policy's onset is Earlier, a Tie or Later on the
// baseline seeds; a seed without onset comes after every budget. Rankings are
// taken from the protocol that has them at the same radius.
func (r *Results) Paired() dataframe.DataFrame {
	rows := study.NewRows("Seeds", "Protocol", "Policy", "Against", "Earlier", "Tie", "Later")
	for _, b := range r.blocks() {
		outcomes := b.where(isBaseline)
		for _, protocol := range r.config.Protocols {
			greedy := []Policy{GreedyMaxGap, GreedyCoverage}
			for k, policy := range greedy {
				mine := r.runNumber(protocol, policy)
				for _, against := range append(greedy[k+1:len(greedy):len(greedy)], MaxGammaSum, MaxGammaMax, MaxGammaNominal) {
					theirs := r.runNumber(protocol, against)
					if theirs < 0 {
						continue
					}
					var earlier, tie, later int
					other := r.onsets(outcomes, theirs)
					for s, onset := range r.onsets(outcomes, mine) {
						earlier += count(onset < other[s])
						tie += count(onset == other[s])
						later += count(onset > other[s])
					}
					rows.Add(b.name, protocol, policy, against, earlier, tie, later)
				}
			}
		}
	}
	return rows.Frame()
}

// runNumber returns the number in Outcome.Runs of a policy under a protocol,
// or under the nested protocol with the same radius; -1 if there is none.
func (r *Results) runNumber(protocol Protocol, policy Policy) int {
	number, fallback := 0, -1
	for _, p := range r.config.Protocols {
		for _, q := range p.policies() {
			if q == policy && p == protocol {
				return number
			}
			if q == policy && p.nested() && p.calibrated() == protocol.calibrated() {
				fallback = number
			}
			number++
		}
	}
	return fallback
}

// Instances describes the seeds: columns Seed, Atoms, Decisions (choices of K
// items that are feasible without atoms), Nominal, Full and Baseline (see
// [Outcome]), and the optimal costs Nominal value and Full value, NaN when
// infeasible.
func (r *Results) Instances() dataframe.DataFrame {
	rows := study.NewRows("Seed", "Atoms", "Decisions", "Nominal", "Full", "Baseline", "Nominal value", "Full value")
	for _, u := range r.Units {
		o := u.Result
		rows.Add(
			strconv.FormatUint(o.Seed, 10), o.Atoms, o.Decisions, o.Nominal, o.Full, o.Baseline,
			valueIf(o.Nominal, o.NominalValue), valueIf(o.Full, o.FullValue),
		)
	}
	return rows.Frame()
}

func valueIf(feasible bool, value float64) float64 {
	if feasible {
		return value
	}
	return math.NaN()
}

// Outcomes lists every seed, protocol and deterministic policy: columns Seed,
// Protocol, Policy, Baseline, B* (NaN without onset), and one column per
// budget, "B=1" and so on, with "infeasible", "violated" (the optimum violates
// a held-out scenario) or "robust".
func (r *Results) Outcomes() dataframe.DataFrame {
	names := []string{"Seed", "Protocol", "Policy", "Baseline", "B*"}
	for _, budget := range r.config.Budgets {
		names = append(names, "B="+strconv.Itoa(budget))
	}
	rows := study.NewRows(names...)
	for _, u := range r.Units {
		for _, run := range u.Result.Runs {
			onset := r.onset(run)
			cells := []any{u.Unit, run.Protocol, run.Policy, u.Result.Baseline, valueIf(!math.IsInf(onset, 1), onset)}
			for _, cell := range run.Cells {
				cells = append(cells, cell.state())
			}
			rows.Add(cells...)
		}
	}
	return rows.Frame()
}

func (c Cell) state() string {
	switch {
	case !c.Feasible:
		return "infeasible"
	case !c.HeldOut:
		return "violated"
	}
	return "robust"
}
