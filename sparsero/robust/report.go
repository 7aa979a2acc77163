package robust

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// String summarises a solution in one line.
func (s *Solution) String() string {
	var b strings.Builder
	if s.Full {
		fmt.Fprintf(&b, "full model at radius %g: value %.6g with %d atoms", s.Radius, s.Value, len(s.Indices))
	} else {
		fmt.Fprintf(&b, "%d atoms at radius %g: value %.6g", len(s.Indices), s.Radius, s.Value)
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

// Frame returns one row for the objective, if it is uncertain, and one for each
// robust constraint: left-hand side under S and under the full dictionary, limit,
// certificate, and the worst atom of the full dictionary by its label, that of the
// problem's own dictionary if the given one is nil. It panics if the dictionary lacks it.
func (s *Solution) Frame(dictionary *sparsero.Dictionary) dataframe.DataFrame {
	var name, worst []string
	var restricted, full, limit, bound []float64
	label := s.label
	if dictionary != nil {
		label = dictionary.Label
	}
	add := func(part string, underS, underN, right float64, c certificate.Pointwise) {
		name, worst = append(name, part), append(worst, label(c.WorstAtom))
		restricted, full = append(restricted, underS), append(full, underN)
		limit, bound = append(limit, right), append(bound, c.Bound)
	}
	if s.Direction != nil {
		underS := s.FullValue() - s.Certificate.Bound
		add("objective", underS, s.FullValue(), math.NaN(), s.Certificate)
	}
	for _, c := range s.Constraints {
		add(c.Name, c.Restricted, c.Full, c.Limit, c.Certificate)
	}
	return dataframe.New(
		series.New(name, series.String, "part"),
		series.New(restricted, series.Float, "chosen atoms"),
		series.New(full, series.Float, "full dictionary"),
		series.New(limit, series.Float, "limit"),
		series.New(bound, series.Float, "certificate"),
		series.New(worst, series.String, "worst atom"),
	)
}
