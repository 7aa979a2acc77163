package solver

import (
	"fmt"
	"math"
	"strings"
)

// maxTerms limits how many terms of a row a Conflict prints.
const maxTerms = 6

// Is reports whether target is ErrInfeasible.
func (c *Conflict) Is(target error) bool { return target == ErrInfeasible }

// Error describes the conflict, one member per line, in the model's names.
func (c *Conflict) Error() string {
	var b strings.Builder
	b.WriteString("solver: model is infeasible; ")
	switch {
	case len(c.Members) == 1:
		b.WriteString("one constraint contradicts itself")
	case c.Irreducible:
		fmt.Fprintf(&b, "these %d constraints contradict each other and none can be left out", len(c.Members))
	default:
		fmt.Fprintf(&b, "these %d constraints contradict each other (a limit stopped the search for a smaller set)", len(c.Members))
	}
	if c.Integrality {
		b.WriteString(", given that integer columns are whole and within their bounds")
	}
	b.WriteString(":")
	for _, member := range c.Members {
		b.WriteString("\n  " + c.describe(member))
	}
	return b.String()
}

// describe puts a member into words.
func (c *Conflict) describe(member Member) string {
	switch member.Kind {
	case LowerBound:
		return fmt.Sprintf("lower bound: %s >= %g", member.Name, c.model.columns[member.Column].Lower())
	case UpperBound:
		return fmt.Sprintf("upper bound: %s <= %g", member.Name, c.model.columns[member.Column].Upper())
	}
	rows := make([]string, len(member.Rows))
	for k, i := range member.Rows {
		rows[k] = fmt.Sprintf("%s: %s", c.model.RowName(i), c.model.formula(i))
	}
	return strings.Join(rows, "\n  ")
}

// formula writes a row with the names of its columns.
func (m *Model) formula(i int) string {
	r := &m.rows[i]
	var b strings.Builder
	for k, column := range r.Columns {
		if k == maxTerms {
			fmt.Fprintf(&b, " + ... (%d terms)", len(r.Columns))
			break
		}
		value := r.Values[k]
		switch {
		case k > 0 && value < 0:
			b.WriteString(" - ")
		case k > 0:
			b.WriteString(" + ")
		case value < 0:
			b.WriteString("-")
		}
		if value = math.Abs(value); value != 1 {
			fmt.Fprintf(&b, "%.6g ", value)
		}
		b.WriteString(m.ColumnName(column))
	}
	if len(r.Columns) == 0 {
		b.WriteString("0")
	}
	sum := b.String()
	switch {
	case r.Lower == r.Upper:
		return fmt.Sprintf("%s = %.6g", sum, r.Upper)
	case math.IsInf(r.Lower, -1) && math.IsInf(r.Upper, 1):
		return sum + " free"
	case math.IsInf(r.Lower, -1):
		return fmt.Sprintf("%s <= %.6g", sum, r.Upper)
	case math.IsInf(r.Upper, 1):
		return fmt.Sprintf("%s >= %.6g", sum, r.Lower)
	}
	return fmt.Sprintf("%.6g <= %s <= %.6g", r.Lower, sum, r.Upper)
}
