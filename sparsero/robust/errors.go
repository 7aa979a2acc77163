package robust

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotCertified is returned, wrapped, when a bound on the value gap is asked of
// a solution that violates a robust constraint of the full model.
var ErrNotCertified = errors.New("robust: not certified")

// openShown is the number of unbounded columns that a text lists by name.
const openShown = 5

// boundsToGive asks for finite bounds of columns that lack one, by name; empty if none does.
func (p *Problem) boundsToGive() string {
	open := p.openColumns()
	if len(open) == 0 {
		return ""
	}
	next := "give finite bounds to " + strings.Join(open[:min(openShown, len(open))], ", ")
	if len(open) > openShown {
		next += fmt.Sprintf(" and %d more", len(open)-openShown)
	}
	return next
}
