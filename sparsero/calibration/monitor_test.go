package calibration

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestWealthIsFair: a day violated with probability Alpha, whatever came before, leaves the wealth of the next day at most at that of this
// day on average, but for rounding. This is all that the promise of the alarm rests on.
func TestWealthIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alpha := rapid.Float64Range(1e-4, 0.9).Draw(t, "alpha")
		past := rapid.SliceOfN(rapid.Bool(), 0, 60).Draw(t, "past")
		after := func(last bool) (before, wealth float64) {
			m := &Monitor{Alpha: alpha, Delta: 0.1}
			wealth = 1
			for _, violated := range append(slices.Clone(past), last) {
				state, err := m.Next(violated)
				check(t, err)
				before, wealth = wealth, state.Wealth.Float()
			}
			return before, wealth
		}
		before, gained := after(true)
		_, lost := after(false)
		if mean := alpha*gained + (1-alpha)*lost; mean > before*(1+1e-13) {
			t.Fatalf("a wealth of %g becomes %g on average", before, mean)
		}
		if gained <= lost {
			t.Fatalf("a violation brings %g, none %g", gained, lost)
		}
	})
}

// TestWealthIsRoundedDown: against the formula in 200 binary digits, with the alternatives as they are in float64. Of violations
// alone the wealth passes float64, and a least Alpha has no digits.
func TestWealthIsRoundedDown(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, of := range [][2]float64{{0.05, 0.065}, {0.3, 0.39}, {0.05, 1}, {math.SmallestNonzeroFloat64, 1}} {
		alpha, violations := of[0], of[1]
		m := &Monitor{Alpha: alpha, Delta: 0.1}
		number := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
		bets := make([]*big.Float, len(oddsFactors))
		for k := range bets {
			bets[k] = number(0)
		}
		for day := 1; day <= 400; day++ {
			violated := random.Float64() < violations
			state, err := m.Next(violated)
			wealth := state.Wealth.Float()
			if err != nil {
				t.Fatal(err)
			}
			exact := number(0)
			for k, factor := range oddsFactors {
				// p = f alpha / (1 - alpha + f alpha), so that p/alpha = f/D and (1-p)/(1-alpha) = 1/D
				divisor := number(1)
				divisor.Sub(divisor, number(alpha)).Add(divisor, new(big.Float).Mul(number(factor), number(alpha)))
				likelihood := number(1)
				if violated {
					likelihood = number(factor)
				}
				likelihood.Quo(likelihood, divisor)
				start := number(1)
				start.Quo(start, number(float64(day)*float64(day+1)))
				bets[k].Add(bets[k], start).Mul(bets[k], likelihood)
				exact.Add(exact, bets[k])
			}
			exact.Quo(exact, number(float64(len(bets))))
			rest := number(1)
			exact.Add(exact, rest.Quo(rest, number(float64(day+1))))
			want, _ := exact.Float64()
			if number(wealth).Cmp(exact) > 0 || wealth < min(want, 1e300)*(1-1e-11) {
				t.Fatalf("day %d: wealth %.17g, exactly %.17g", day, wealth, want)
			}
		}
	}
}

// TestFalseAlarmsEver: 10,000 streams of 5,000 days by adversaries who see the wealth and choose each day's probability up to Alpha. An
// alarm at any time is false; their share is at most Delta, unless Clopper and Pearson's bound at falseAlarm refutes it.
func TestFalseAlarmsEver(t *testing.T) {
	if testing.Short() {
		t.Skip("watches a thousand streams")
	}
	const alpha, delta = 0.05, 0.05
	streams := repetitions(1_000, 10_000)
	for name, choose := range map[string]func(r *rand.Rand, s MonitorState) float64{
		"always alpha": func(*rand.Rand, MonitorState) float64 { return alpha },
		// rests when the wealth is low, as nothing is lost on days that come later, and gambles when it is high
		"rests when poor": func(_ *rand.Rand, s MonitorState) float64 {
			if s.Days > 0 && s.Wealth.Float() < 0.5 && s.Days%2 == 0 {
				return 0
			}
			return alpha
		},
		"gambles when rich": func(r *rand.Rand, s MonitorState) float64 {
			if s.Wealth.Float() > 1 {
				return alpha
			}
			return alpha * r.Float64()
		},
		// violates in bursts, at alpha given the past
		"bursts": func(r *rand.Rand, s MonitorState) float64 {
			if s.Days/100%2 == 0 {
				return 0
			}
			return alpha
		},
	} {
		random, alarms := rand.New(rand.NewPCG(5, 6)), 0
		for range streams {
			m, state := &Monitor{Alpha: alpha, Delta: delta}, MonitorState{}
			for day := 0; day < 5_000 && state.Alarm == 0; day++ {
				var err error
				if state, err = m.Next(random.Float64() < choose(random, state)); err != nil {
					t.Fatal(err)
				}
			}
			count(&alarms, state.Alarm > 0)
		}
		checkAtMost(t, "false alarms of an adversary who "+name, alarms, streams, delta)
		lower, upper, err := ClopperPearson(alarms, streams, 0.99)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: the probability of a false alarm in 5,000 days lies in %.4f to %.4f (99 %%)", name, lower, upper)
	}
}

// TestFalseAlarmsOfGroups: five groups share Delta, and one alarm of any of them is a false alarm.
func TestFalseAlarmsOfGroups(t *testing.T) {
	const alpha, delta, groups = 0.1, 0.05, 5
	streams, random, alarms := repetitions(500, 5_000), rand.New(rand.NewPCG(7, 8)), 0
	for range streams {
		monitors, alarm := [groups]Monitor{}, false
		for k := range monitors {
			monitors[k] = Monitor{Alpha: alpha, Delta: delta / groups}
		}
		for range 2_000 {
			state, err := monitors[random.IntN(groups)].Next(random.Float64() < alpha)
			if err != nil {
				t.Fatal(err)
			}
			alarm = alarm || state.Alarm > 0
		}
		count(&alarms, alarm)
	}
	checkAtMost(t, "false alarms of five groups", alarms, streams, delta)
}

// TestDaysToAlarm: how long an end of the promise stays unnoticed, from the first day and after a thousand good ones.
func TestDaysToAlarm(t *testing.T) {
	for _, c := range []struct {
		good   int
		factor float64
		most   int // days of which at most one stream in ten needs more
	}{{0, 2, 700}, {0, 3, 250}, {1000, 2, 1500}, {1000, 3, 500}} {
		streams, random := repetitions(200, 2_000), rand.New(rand.NewPCG(9, 10))
		days := make([]int, streams)
		for k := range days {
			m, state := &Monitor{Alpha: 0.05, Delta: 0.01}, MonitorState{}
			for state.Alarm == 0 && state.Days < 10_000 {
				probability := 0.05
				if state.Days >= c.good {
					probability *= c.factor
				}
				state, _ = m.Next(random.Float64() < probability)
			}
			days[k] = state.Days - c.good
		}
		slices.Sort(days)
		t.Logf("%g times alpha after %d good days: alarm after %d days (median), 90 %% within %d", c.factor, c.good, days[streams/2], days[streams*9/10])
		if days[streams*9/10] > c.most {
			t.Errorf("%g times alpha after %d good days: one alarm in ten comes after more than %d days", c.factor, c.good, days[streams*9/10])
		}
	}
}

func TestMonitorRefuses(t *testing.T) {
	for _, m := range []Monitor{{}, {Alpha: 0.1}, {Delta: 0.1}, {Alpha: 1, Delta: 0.1}, {Alpha: 0.1, Delta: 1}, {Alpha: math.NaN(), Delta: 0.1}} {
		if state, err := m.Next(true); err == nil || state != (MonitorState{}) {
			t.Errorf("%+v: %+v", m, state)
		}
		m.Alpha, m.Delta = 0.1, 0.1
		if state, err := m.Next(false); err != nil || state.Days != 1 || state.Violations != 0 {
			t.Errorf("the refused day counts: %+v, %v", state, err)
		}
	}
}

// A promise of 5 % is watched. From day 201 on a fifth of the days violates it.
func ExampleMonitor() {
	monitor := &Monitor{Alpha: 0.05, Delta: 0.01}
	for day := 1; ; day++ {
		violated := day%20 == 0
		if day > 200 {
			violated = day%5 == 0
		}
		state, err := monitor.Next(violated)
		if err != nil {
			panic(err)
		}
		if state.Alarm > 0 {
			fmt.Printf("day %d: alarm, %d violations, wealth %.0f\n", state.Alarm, state.Violations, state.Wealth)
			break
		}
	}
	// Output:
	// day 290: alarm, 28 violations, wealth 114
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}
