package certificate

import (
	"fmt"
	"slices"
	"strconv"
)

// printed is a number as the statements show it.
func printed(v float64) float64 {
	shown, _ := strconv.ParseFloat(fmt.Sprintf("%.12g", v), 64)
	return shown
}

// worded returns the statements that belong to the claims.
func (f *designFile) worded() []string {
	c := &f.Claims
	lines := []string{
		fmt.Sprintf("The decision costs at most %.12g against all %d atoms at radius %.17g.", c.Full, f.Dictionary.Atoms, f.Radius),
		fmt.Sprintf("Against the %d chosen atoms alone it costs at most %.12g.", len(f.Chosen), c.Restricted),
	}
	end, last := ".", "The decision keeps to every bound, row and robust constraint."
	if c.Missed > 0 {
		end = " once what is missed is moved to the decision."
		last = fmt.Sprintf("The decision misses bounds, rows or robust constraints by at most %.12g.", c.Missed)
	}
	for _, line := range []struct {
		claim *float64
		words string
	}{
		{c.Lower, "No feasible decision costs less than %.12g against all atoms."},
		{c.Regret, "The regret of the decision is at most %.12g."},
		{c.Gap, "The value gap between the chosen atoms and all atoms is at most %.12g" + end},
	} {
		if line.claim != nil {
			lines = append(lines, fmt.Sprintf(line.words, *line.claim))
		}
	}
	return append(lines, last)
}

// checkStatements compares the claims in words with those in numbers.
func (f *designFile) checkStatements() error {
	worded := f.worded()
	if slices.Equal(worded, f.Statements) {
		return nil
	}
	return &FalseClaimError{"statements", fmt.Sprintf("%.200q", f.Statements), fmt.Sprintf("the claims say %q", worded)}
}
