package calibration

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/proof"
)

// oddsFactors are the alternatives against which a Monitor bets: the odds of a violation are so many times those of Alpha.
var oddsFactors = [...]float64{1.25, 1.5, 2, 3, 5, 10, 30}

// monitorRounding bounds the relative error of the wealth for each day: a bet, a sum and a product of each of the alternatives.
const monitorRounding = 16 * 0x1p-53

// mostCapital is what is kept of the capital on one alternative, so that no sum is beyond float64. A bet of less gains less.
const mostCapital = math.MaxFloat64 / float64(2*len(oddsFactors))

// Monitor raises an alarm when violations are no longer kept below Alpha. It tests, day after day and for as long as one likes,
//
//	H: given all that was seen before, the day is violated with probability at most Alpha,
//
// and raises a false alarm with probability at most Delta over the whole future, not for each look: one may look after
// every day, stop whenever one likes, and let the days depend on what was seen. It bets against H: one unit of
// capital is spread over alternatives p > Alpha and over the day s on which violations may begin to be too many,
//
//	W_t = mean over p of sum_{s<=t} 1/(s(s+1)) prod_{i=s..t} L_p(i) + 1/(t+1),   L_p = p/Alpha on a violation, (1-p)/(1-Alpha) otherwise.
//
// Under H no bet gains on average, so W is a supermartingale that begins at 1, and reaches 1/Delta ever with
// probability at most Delta (Ville 1939; betting as in Waudby-Smith and Ramdas 2024). A set whose radius was calibrated
// obeys H except with the delta of its calibration; the two probabilities add up. Groups, such as markets, are watched
// by a Monitor each, with a share of Delta each. One goroutine at a time may use a Monitor, which must not be copied
// after its first day.
type Monitor struct {
	// Alpha is the probability of a violation that H allows, Delta that of a false alarm, both in (0,1). Required.
	Alpha, Delta float64

	state MonitorState
	bets  [len(oddsFactors)]float64 // the capital on each alternative that the days up to now have begun
}

// MonitorState is what a Monitor says after a day.
type MonitorState struct {
	// Days and Violations count what was seen.
	Days, Violations int
	// Wealth bounds W_t from below: 1 at the beginning, and evidence against H as it grows.
	Wealth proof.Lower
	// Alarm is the day, counted from 1, on which Wealth reached 1/Delta; 0 as long as it has not.
	Alarm int
}

// Next takes a day and returns the state. O(1). It is an error if Alpha or Delta is out of range.
func (m *Monitor) Next(violated bool) (MonitorState, error) {
	if !(m.Alpha > 0 && m.Alpha < 1 && m.Delta > 0 && m.Delta < 1) {
		return MonitorState{}, fmt.Errorf("calibration: alpha=%g and delta=%g must lie strictly between 0 and 1; use the alpha of the guarantee that is watched, and delta=0.01, say", m.Alpha, m.Delta)
	}
	state := &m.state
	state.Days++
	if violated {
		state.Violations++
	}
	days, sum := float64(state.Days), 0.0
	for j, factor := range oddsFactors {
		ratio := factor / (1 - m.Alpha) // of the odds of a violation to Alpha
		gain := 1 / (1 + ratio*m.Alpha) / (1 - m.Alpha)
		if violated {
			gain = ratio / (1 + ratio*m.Alpha)
		}
		m.bets[j] = min((m.bets[j]+1/(days*(days+1)))*gain, mostCapital)
		sum += m.bets[j]
	}
	wealth := (sum/float64(len(oddsFactors)) + 1/(days+1)) * max(0, 1-days*monitorRounding)
	state.Wealth = proof.AtLeast(wealth)
	if state.Alarm == 0 && wealth >= 1/m.Delta {
		state.Alarm = state.Days
	}
	return *state, nil
}
