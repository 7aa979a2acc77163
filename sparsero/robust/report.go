package robust

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/internal/frame"
)

// String summarises a solution in one line.
func (s *Solution) String() string {
	var b strings.Builder
	if s.Full {
		fmt.Fprintf(&b, "full model at radius %g: value %.6g with %d atoms", s.Radius, s.Value, len(s.Atoms))
	} else {
		fmt.Fprintf(&b, "%d atoms at radius %g: value %.6g", len(s.Atoms), s.Radius, s.Value)
	}
	if s.Partial {
		b.WriteString(", stopped early")
	}
	bound, err := s.GapBound()
	switch {
	case err != nil:
		fmt.Fprintf(&b, "; %v", err)
	case math.IsInf(bound, 1):
		b.WriteString("; nothing proven about the value gap")
	default:
		fmt.Fprintf(&b, "; value gap and regret at most %.3g", bound)
	}
	return b.String()
}

// part is the objective or a robust constraint at a solution.
type part struct {
	name                    string
	restricted, full, limit float64
	certificate             certificate.Pointwise
}

// Frame returns one row for the objective, if it is uncertain, and one for each
// robust constraint: left-hand side under S and under the full dictionary, limit,
// certificate, and the worst atom of the full dictionary by its label.
func (s *Solution) Frame() dataframe.DataFrame {
	var parts []part
	if s.Direction != nil {
		parts = append(parts, part{"objective", s.FullValue() - s.Certificate.Bound, s.FullValue(), math.NaN(), s.Certificate})
	}
	for _, c := range s.Constraints {
		parts = append(parts, part{c.Name, c.Restricted, c.Full, c.Limit, c.Certificate})
	}
	return frame.Of(parts,
		frame.Col("part", func(p part) string { return p.name }),
		frame.Col("chosen atoms", func(p part) float64 { return p.restricted }),
		frame.Col("full dictionary", func(p part) float64 { return p.full }),
		frame.Col("limit", func(p part) float64 { return p.limit }),
		frame.Col("certificate", func(p part) float64 { return p.certificate.Bound }),
		frame.Col("worst atom", func(p part) string { return s.label(p.certificate.WorstAtom) }),
	)
}
