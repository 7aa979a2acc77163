package robust

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// claims are what a design file claims, rounded outwards; nil where nothing is proven.
type claims struct {
	Restricted float64  `json:"restricted"`
	Full       float64  `json:"full"`
	Missed     float64  `json:"missed"`
	Lower      *float64 `json:"lower"`
	Regret     *float64 `json:"regret"`
	Gap        *float64 `json:"gap"`
}

// claims evaluates the solution and a proof (nil for none), which may lean on implied bounds, in fractions.
func (s *Solution) claims(e *exactProblem, list []implied, b *proof) claims {
	full := e.objective(nil)
	moved, missed := e.moved()
	made := claims{Restricted: decimalAbove(e.objective(s.Atoms)), Full: decimalAbove(full), Missed: decimalAbove(missed)}
	if b == nil {
		return made
	}
	lower, _ := e.bounded(list).evaluate(b)
	made.Lower = pointer(0 - decimalAbove(new(big.Rat).Neg(lower))) // never -0
	if !s.FullFeasible() {
		return made
	}
	made.Regret = pointer(decimalAbove(new(big.Rat).Sub(full, lower)))
	if missed.Sign() > 0 {
		lower, _ = moved.bounded(list).evaluate(b)
	}
	if lower != nil {
		made.Gap = pointer(decimalAbove(new(big.Rat).Sub(full, lower)))
	}
	return made
}

func pointer(v float64) *float64 { return &v }

// claimDigits is the number of significant decimal digits of a claim.
const claimDigits = 12

// decimalAbove is the least float64 of so many decimal digits that is not below v, +Inf if there is none.
func decimalAbove(v *big.Rat) float64 {
	nearest, _ := v.Float64()
	if math.IsInf(nearest, 0) {
		return math.Inf(1)
	}
	step := math.Max(math.Abs(nearest)*1e-12, math.SmallestNonzeroFloat64) // at most one of the last digit
	for from := nearest; ; from += step {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(from, 'e', claimDigits-1, 64), 64)
		if math.IsInf(rounded, 1) || rational(rounded).Cmp(v) >= 0 {
			return rounded + 0 // never -0
		}
	}
}

// statements are the claims in words, as the format prescribes them.
func (c *claims) statements(s *Solution) []string {
	lines := []string{
		fmt.Sprintf("The decision costs at most %.12g against all %d atoms at radius %.17g.", c.Full, s.problem.dictionary.Size(), s.Radius+0),
		fmt.Sprintf("Against the %d chosen atoms alone it costs at most %.12g.", len(s.Atoms), c.Restricted),
	}
	say := func(format string, value *float64) {
		if value != nil {
			lines = append(lines, fmt.Sprintf(format, *value))
		}
	}
	say("No feasible decision costs less than %.12g against all atoms.", c.Lower)
	say("The regret of the decision is at most %.12g.", c.Regret)
	moved := "."
	if c.Missed > 0 {
		moved = " once what is missed is moved to the decision."
	}
	say("The value gap between the chosen atoms and all atoms is at most %.12g"+moved, c.Gap)
	if c.Missed > 0 {
		return append(lines, fmt.Sprintf("The decision misses bounds, rows or robust constraints by at most %.12g.", c.Missed))
	}
	return append(lines, "The decision keeps to every bound, row and robust constraint.")
}
