package integer

import (
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
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
	type row struct {
		Seeds      string
		Protocol   string
		Policy     string
		Evaluated  string `dataframe:"Evaluated on"`
		Population int
		Losing     int     `dataframe:"Seeds losing a success"`
		NonNested  float64 `dataframe:"Non-nested steps"`
	}
	var rows []row
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
			rows = append(rows, row{
				b.name, string(protocol), string(policy), test.name, len(outcomes), losing, float64(steps) / float64(len(outcomes)),
			})
		}
	})
	return frame(rows)
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
	type row struct {
		Seeds, Protocol, Policy, Against string
		Earlier, Tie, Later              int
	}
	var rows []row
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
					result := row{Seeds: b.name, Protocol: string(protocol), Policy: string(policy), Against: string(against)}
					other := r.onsets(outcomes, theirs)
					for s, onset := range r.onsets(outcomes, mine) {
						result.Earlier += count(onset < other[s])
						result.Tie += count(onset == other[s])
						result.Later += count(onset > other[s])
					}
					rows = append(rows, result)
				}
			}
		}
	}
	return frame(rows)
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
	type row struct {
		Seed                    string
		Atoms, Decisions        int
		Nominal, Full, Baseline bool
		NominalValue            float64 `dataframe:"Nominal value"`
		FullValue               float64 `dataframe:"Full value"`
	}
	var rows []row
	for _, u := range r.Units {
		o := u.Result
		rows = append(rows, row{
			strconv.FormatUint(o.Seed, 10), o.Atoms, o.Decisions, o.Nominal, o.Full, o.Baseline,
			valueIf(o.Nominal, o.NominalValue), valueIf(o.Full, o.FullValue),
		})
	}
	return frame(rows)
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
	var seeds, protocols, policies []string
	var baseline []bool
	var onsets []float64
	states := make([][]string, len(r.config.Budgets))
	for _, u := range r.Units {
		for _, run := range u.Result.Runs {
			seeds = append(seeds, u.Unit)
			protocols = append(protocols, string(run.Protocol))
			policies = append(policies, string(run.Policy))
			baseline = append(baseline, u.Result.Baseline)
			onset := r.onset(run)
			onsets = append(onsets, valueIf(!math.IsInf(onset, 1), onset))
			for k, cell := range run.Cells {
				states[k] = append(states[k], cell.state())
			}
		}
	}
	columns := []series.Series{
		series.New(seeds, series.String, "Seed"), series.New(protocols, series.String, "Protocol"),
		series.New(policies, series.String, "Policy"), series.New(baseline, series.Bool, "Baseline"),
		series.New(onsets, series.Float, "B*"),
	}
	for k, budget := range r.config.Budgets {
		columns = append(columns, series.New(states[k], series.String, "B="+strconv.Itoa(budget)))
	}
	return dataframe.New(columns...)
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
