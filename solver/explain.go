package solver

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// MemberKind says what kind of constraint a member of a Conflict is.
type MemberKind int

// The kinds of constraints that can contradict each other.
const (
	SingleRow  MemberKind = iota // a row without a group
	RowGroup                     // all rows that share one Row.Group
	LowerBound                   // the lower bound of a column
	UpperBound                   // the upper bound of a column
)

// Member is one constraint of a Conflict, in the words of the model.
type Member struct {
	Kind MemberKind
	// Name is the row, group or column name (or "row i", "column j").
	Name string
	// Rows are the rows that are needed: one for a SingleRow, for a RowGroup
	// those rows of the group that take part.
	Rows []int
	// Column is the column of a bound, -1 for rows.
	Column int
}

// Conflict is a set of constraints that no point satisfies together. As an
// error it matches ErrInfeasible and describes every member.
type Conflict struct {
	Members []Member
	// Irreducible is true when dropping any one member (a whole group counts
	// as one), and also dropping any single row or bound listed, was seen to
	// make the rest feasible. It is false when a limit stopped the search
	// early; the members then still contradict each other.
	Irreducible bool
	// Integrality is true when the members contradict each other only because
	// some columns must be whole within their bounds.
	Integrality bool
	// Solves counts the models solved.
	Solves int

	model *Model
}

// Explain finds out why a model is infeasible: a set of row groups, single
// rows and column bounds that contradict each other and from which nothing can
// be left out. Rows with the same Group are kept or dropped together first;
// within the groups that remain the needed rows are singled out.
//
// The method is a deletion filter: drop a constraint, and if the rest stays
// infeasible forget it. The Farkas multipliers of each proof tell at once which
// constraints take no part, so that the number of solves is near the size of the
// answer instead of the size of the model. In models that are infeasible only
// because of integrality the bounds of integer columns are never dropped.
//
// It returns an error matching ErrFeasible for a feasible model, the
// StatusError of the first solve when that ends without an answer, and the
// errors of Open for malformed models. options applies to every single solve.
//
// Source: Chinneck and Dravnieks 1991 (deletion filter).
func Explain(ctx context.Context, m *Model, options *Options) (*Conflict, error) {
	return explain(ctx, m, nil, options)
}

// ExplainRows does the same among some rows: all others and all bounds stay as they are, and
// must be feasible without these rows.
func ExplainRows(ctx context.Context, m *Model, rows []int, options *Options) (*Conflict, error) {
	return explain(ctx, m, append([]int{}, rows...), options)
}

// explain searches among some rows, or everywhere if they are nil.
func explain(ctx context.Context, m *Model, rows []int, options *Options) (*Conflict, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	for _, i := range rows {
		if err := m.checkRowIndex(i); err != nil {
			return nil, err
		}
	}
	if conflict, _ := m.contradiction(); conflict != nil {
		return conflict, nil
	}
	conflict := &Conflict{model: m.Clone(), Irreducible: true}
	bare := m.WithoutObjective()
	relaxed := bare.relaxed()
	first, err := conflict.solve(ctx, relaxed, options)
	if err != nil {
		return nil, err
	}
	if first.Status.HasPoint() && m.IsInteger() {
		if first, err = conflict.solve(ctx, bare, options); err != nil {
			return nil, err
		}
		conflict.Integrality = true
	}
	switch first.Status {
	case Optimal, FeasibleLimit:
		return nil, fmt.Errorf("solver: nothing to explain, %s has the feasible point of status %q: %w", m, first.Status, ErrFeasible)
	case Infeasible:
	default:
		return nil, first.Check()
	}
	if !conflict.Integrality {
		bare = relaxed
	}
	candidates := m.boundedRows()
	if rows == nil {
		candidates = append(merged(candidates), m.boundMembers(!conflict.Integrality)...)
	} else {
		candidates = slices.DeleteFunc(candidates, func(c Member) bool { return !slices.Contains(rows, c.Rows[0]) })
	}
	return conflict, conflict.filter(ctx, bare, candidates, options)
}

// solve counts.
func (c *Conflict) solve(ctx context.Context, m *Model, options *Options) (*Result, error) {
	c.Solves++
	return Solve(ctx, m, options)
}

// WithoutObjective returns a copy that minimises 0: it only asks for feasibility.
func (m *Model) WithoutObjective() *Model {
	c := m.Clone()
	c.quadratic, c.offset, c.sense = nil, 0, Minimize
	for j := range c.columns {
		c.columns[j].Cost = 0
	}
	return c
}

func (m *Model) boundMember(kind MemberKind, column int) Member {
	return Member{Kind: kind, Name: m.ColumnName(column), Column: column}
}

// rowMember is row i alone, under the name of its group if it has one.
func (m *Model) rowMember(i int) Member {
	if group := m.labels[i].group; group != "" {
		return Member{Kind: RowGroup, Name: group, Rows: []int{i}, Column: -1}
	}
	return Member{Kind: SingleRow, Name: m.RowName(i), Rows: []int{i}, Column: -1}
}

// boundedRows are all rows that are not free, each alone.
func (m *Model) boundedRows() []Member {
	var members []Member
	for i, r := range m.rows {
		if !math.IsInf(r.Lower, -1) || !math.IsInf(r.Upper, 1) {
			members = append(members, m.rowMember(i))
		}
	}
	return members
}

// boundMembers are all bounds of columns, those of integer columns only if that is wanted.
func (m *Model) boundMembers(ofIntegers bool) []Member {
	var members []Member
	for j, c := range m.columns {
		if c.Integer && !ofIntegers {
			continue
		}
		if !math.IsInf(c.Lower(), -1) {
			members = append(members, m.boundMember(LowerBound, j))
		}
		if !math.IsInf(c.Upper(), 1) {
			members = append(members, m.boundMember(UpperBound, j))
		}
	}
	return members
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
			out = append(out, Member{Kind: member.Kind, Name: member.Name, Rows: []int{i}, Column: -1})
		}
	}
	return out
}

// merged puts the rows of one group together again.
func merged(members []Member) []Member {
	var out []Member
	group := make(map[string]int)
	for _, member := range members {
		if member.Kind == RowGroup {
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
