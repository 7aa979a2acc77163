package solver

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/internal/program"
)

// contradiction looks for a single column or row that no point satisfies: lower > upper, an empty row whose bounds exclude
// 0, or whole numbers that do not meet the bounds. It returns the conflict and a sentence, or nil. Backends never see such
// models, which some solvers answer with errors or wrong results.
func (m *Model) contradiction() (conflict *Conflict, reason string) {
	found := func(integrality bool, members []Member, format string, a ...any) (*Conflict, string) {
		return &Conflict{Members: members, Irreducible: true, Integrality: integrality, model: m.Clone()}, fmt.Sprintf(format, a...)
	}
	for j, c := range m.columns {
		if c.holdsNone() {
			text := "%s must be whole but its bounds [%g, %g] hold no whole number"
			if c.Lower() > c.Upper() {
				text = "%s has lower bound %g above upper bound %g"
			}
			members := []Member{m.boundMember(j, false), m.boundMember(j, true)}
			return found(c.Lower() <= c.Upper(), members, text, m.ColumnName(j), c.Lower(), c.Upper())
		}
	}
	for i, r := range m.rows {
		if r.Lower > r.Upper {
			return found(false, []Member{m.rowMember(i)}, "%s has lower bound %g above upper bound %g", m.rowName(i), r.Lower, r.Upper)
		}
		if len(r.Columns) == 0 && (r.Lower > 0 || r.Upper < 0) {
			return found(false, []Member{m.rowMember(i)}, "%s has no coefficients and bounds [%g, %g] that exclude 0", m.rowName(i), r.Lower, r.Upper)
		}
		if d := m.commonDivisor(&r); d > 0 && math.Floor(r.Upper/d+wholeTolerance) < math.Ceil(r.Lower/d-wholeTolerance) {
			return found(true, []Member{m.rowMember(i)}, "%s is a multiple of %g for whole numbers, but its bounds [%g, %g] hold none", m.rowName(i), d, r.Lower, r.Upper)
		}
	}
	return nil, ""
}

// commonDivisor returns the largest whole number that divides every activity of a row of
// integer columns with whole coefficients, 0 for other rows.
func (m *Model) commonDivisor(r *program.Row) float64 {
	divisor := 0.0
	for k, j := range r.Columns {
		v := math.Abs(r.Values[k])
		if !m.columns[j].Integer || v != math.Floor(v) {
			return 0
		}
		for v != 0 {
			divisor, v = v, math.Mod(divisor, v)
		}
	}
	return divisor
}
