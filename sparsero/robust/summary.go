package robust

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// String summarises a solution in one line.
func (s *Solution) String() string {
	var b strings.Builder
	switch {
	case s.Full && len(s.Atoms) == 0: // over a set that entered as one program
		fmt.Fprintf(&b, "full model at radius %g: costs at most %.6g", s.Radius, s.fullUpper(s.Radius))
	case s.Full:
		fmt.Fprintf(&b, "full model at radius %g: costs at most %.6g with %s", s.Radius, s.fullUpper(s.Radius), input.Count(len(s.Atoms), "atom"))
	default:
		fmt.Fprintf(&b, "%s at radius %g: costs at most %.6g", input.Count(len(s.Atoms), "atom"), s.Radius, s.fullUpper(s.Radius))
	}
	if s.WorstAtom == sparsero.NullAtom && slices.ContainsFunc(s.Direction, func(v float64) bool { return v != 0 }) {
		b.WriteString(", where no atom is worse than 0, which belongs to every set")
	}
	if s.Partial {
		b.WriteString(", stopped early")
	}
	bound, err := s.GapBound()
	switch {
	case err != nil:
		fmt.Fprintf(&b, "; %v", err)
	case bound == proof.Upper{}:
		b.WriteString("; nothing proven about the value gap")
		if s.problem != nil && s.problem.boundsToGive() != "" {
			b.WriteString(", as columns without a bound are in the way: " + s.problem.boundsToGive())
		}
	case s.Full:
		b.WriteString("; regret " + s.loss(bound))
	default:
		b.WriteString("; value gap and regret " + s.loss(bound))
	}
	return b.String()
}

// loss writes a bound on a loss, without digits where the bound is below the rounding of the terms of the value.
func (s *Solution) loss(bound proof.Upper) string {
	if s.negligible(bound) {
		return "0 up to rounding"
	}
	return fmt.Sprintf("at most %.3g", bound)
}

// negligible tells whether a bound on a loss is what rounding leaves of the terms of the value.
func (s *Solution) negligible(bound proof.Upper) bool {
	return s != nil && bound.Float() <= pointNoise*s.Size
}
