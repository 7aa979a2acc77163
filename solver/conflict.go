package solver

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// Member is one constraint of a Conflict, in the words of the model.
type Member struct {
	// Name is the row, group or column name (or "row i", "column j").
	Name string
	// Group tells whether Name is that of all rows that share it as their Row.Group.
	Group bool
	// Rows are the rows that are needed: one, or those of a group that take part; none for the bound of a column.
	Rows []int
	// Column is the column of a bound, its upper one if Upper is set; -1 for rows.
	Column int
	Upper  bool
}

// Conflict is a set of constraints that no point satisfies together. As an
// error it matches ErrInfeasible and describes every member.
type Conflict struct {
	Members []Member
	// Irreducible is true when dropping any one member (a whole group counts as one), and also dropping any single row
	// or bound listed, was seen to make the rest feasible, for columns that need not be whole unless Integrality is set.
	// It is false when a limit stopped the search early; the members then still contradict each other.
	Irreducible bool
	// Integrality is true when the members contradict each other only because
	// some columns must be whole within their bounds.
	Integrality bool
	// Solves counts the models solved.
	Solves int

	model *Model
}

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
	case c.Irreducible && !c.Integrality && c.model != nil && c.model.IsInteger():
		fmt.Fprintf(&b, "these %d constraints contradict each other even where no column has to be whole, and none can be left out then", len(c.Members))
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
	switch {
	case c.model == nil: // a conflict that was not found by Explain
		return member.Name
	case member.Column >= 0 && !member.Upper:
		return fmt.Sprintf("lower bound: %s >= %g", member.Name, c.model.columns[member.Column].Lower())
	case member.Column >= 0:
		return fmt.Sprintf("upper bound: %s <= %g", member.Name, c.model.columns[member.Column].Upper())
	}
	rows := make([]string, len(member.Rows))
	for k, i := range member.Rows {
		rows[k] = fmt.Sprintf("%s: %s", c.model.rowName(i), c.model.formula(i))
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
	case math.IsInf(r.Lower, -1):
		return fmt.Sprintf("%s <= %.6g", sum, r.Upper)
	case math.IsInf(r.Upper, 1):
		return fmt.Sprintf("%s >= %.6g", sum, r.Lower)
	}
	return fmt.Sprintf("%.6g <= %s <= %.6g", r.Lower, sum, r.Upper)
}

func (m *Model) boundMember(column int, upper bool) Member {
	return Member{Name: m.ColumnName(column), Column: column, Upper: upper}
}

// rowMember is row i alone, under the name of its group if it has one.
func (m *Model) rowMember(i int) Member {
	group := m.labels[i].group
	return Member{Name: cmp.Or(group, m.rowName(i)), Group: group != "", Rows: []int{i}, Column: -1}
}

// singles splits groups into their rows.
func singles(members []Member) []Member {
	var out []Member
	for _, member := range members {
		if len(member.Rows) < 2 {
			out = append(out, member)
			continue
		}
		for _, i := range member.Rows {
			member.Rows = []int{i}
			out = append(out, member)
		}
	}
	return out
}

// merged puts the rows of one group together again.
func merged(members []Member) []Member {
	var out []Member
	group := make(map[string]int)
	for _, member := range members {
		if member.Group {
			if k, found := group[member.Name]; found {
				out[k].Rows = append(out[k].Rows, member.Rows...)
				continue
			}
			group[member.Name] = len(out)
		}
		out = append(out, member)
	}
	return out
}
