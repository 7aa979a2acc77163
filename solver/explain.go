package solver

import (
	"context"
	"fmt"
	"math"
	"time"
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
	// Solves counts the models solved, Elapsed is the wall time.
	Solves  int
	Elapsed time.Duration

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
	start := time.Now()
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
	conflict := &Conflict{model: m}
	bare := m.withoutObjective()
	relaxed := bare.relaxed()
	first, err := Solve(ctx, relaxed, options)
	if err != nil {
		return nil, err
	}
	conflict.Solves++
	if first.Status == Optimal && m.IsInteger() {
		if first, err = Solve(ctx, bare, options); err != nil {
			return nil, err
		}
		conflict.Solves++
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
	candidates := m.candidates(!conflict.Integrality)
	if rows != nil {
		candidates = m.rowCandidates(rows)
	}
	err = conflict.filter(ctx, bare, candidates, options)
	conflict.Elapsed = time.Since(start)
	return conflict, err
}

// withoutObjective returns a clone that only asks for feasibility.
func (m *Model) withoutObjective() *Model {
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

// candidates lists everything that may take part, rows of one group together.
func (m *Model) candidates(boundsOfIntegers bool) []Member {
	var members []Member
	position := make(map[string]int)
	for i, r := range m.rows {
		if math.IsInf(r.Lower, -1) && math.IsInf(r.Upper, 1) {
			continue
		}
		group := m.labels[i].group
		if group == "" {
			members = append(members, m.rowMember(i))
			continue
		}
		if k, found := position[group]; found {
			members[k].Rows = append(members[k].Rows, i)
			continue
		}
		position[group] = len(members)
		members = append(members, m.rowMember(i))
	}
	for j, c := range m.columns {
		if c.Integer && !boundsOfIntegers {
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

// rowCandidates are some rows alone.
func (m *Model) rowCandidates(rows []int) []Member {
	members := make([]Member, len(rows))
	for k, i := range rows {
		members[k] = m.rowMember(i)
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

// filter runs the deletion filter, by groups and then by single rows.
func (c *Conflict) filter(ctx context.Context, m *Model, members []Member, o *Options) error {
	session, err := Open(m, o)
	if err != nil {
		return err
	}
	defer session.Close()
	test := &subset{session: session, model: m, candidates: members}
	c.Irreducible = true
	for _, split := range []func([]Member) []Member{
		func(members []Member) []Member { return members }, singles,
	} {
		members = split(members)
		if members, err = c.deletion(ctx, members, test); err != nil {
			return err
		}
	}
	c.Members = merged(members)
	return nil
}

type tristate int

const (
	unknown tristate = iota
	yes
	no
)

// rowsOf leaves out the bounds.
func rowsOf(members []Member) []Member {
	var rows []Member
	for _, member := range members {
		if member.Column < 0 {
			rows = append(rows, member)
		}
	}
	return rows
}

// prove tells whether members contradict each other and, if so, which of them the proof needs.
func (c *Conflict) prove(ctx context.Context, members []Member, test *subset) (tristate, []Member, error) {
	answer, needed, err := test.infeasible(ctx, members)
	c.Solves++
	if err != nil || answer != yes {
		return answer, nil, err
	}
	var rest []Member
	for k, member := range members {
		if needed[k] {
			rest = append(rest, member)
		}
	}
	return yes, rest, nil
}

// first leaves out what the first proof does not need. Rows that contradict each other whatever
// the bounds are come before all others: they say more.
func (c *Conflict) first(ctx context.Context, members []Member, test *subset) ([]Member, error) {
	for _, start := range [][]Member{rowsOf(members), members} {
		answer, rest, err := c.prove(ctx, start, test)
		if err != nil {
			return nil, err
		}
		if answer != yes {
			continue
		}
		if len(rest) == len(start) {
			return start, nil
		}
		// A proof within tolerances must hold on its own.
		answer, needed, err := c.prove(ctx, rest, test)
		if err != nil || answer == yes {
			return needed, err
		}
		return start, nil
	}
	return members, nil
}

// deletion drops members one by one as long as the rest stays infeasible.
func (c *Conflict) deletion(ctx context.Context, members []Member, test *subset) ([]Member, error) {
	members, err := c.first(ctx, members, test)
	if err != nil {
		return nil, err
	}
	var kept []Member
	for len(members) > 0 {
		head, tail := members[0], members[1:]
		subset := append(append([]Member(nil), kept...), tail...)
		answer, rest, err := c.prove(ctx, subset, test)
		switch {
		case err != nil:
			return nil, err
		case answer == yes:
			if len(rest) < len(subset) {
				if confirmed, _, err := c.prove(ctx, rest, test); err != nil {
					return nil, err
				} else if confirmed != yes {
					rest = subset
				}
			}
			kept, members = intersect(kept, rest), intersect(tail, rest)
			continue
		case answer == unknown:
			c.Irreducible = false
		}
		kept, members = append(kept, head), tail
		if ctx.Err() != nil {
			c.Irreducible = false
			return append(kept, members...), nil
		}
	}
	return kept, nil
}

// intersect returns the members that are also in rest, in order.
func intersect(members, rest []Member) []Member {
	present := make(map[[3]int]bool, len(rest))
	for _, member := range rest {
		present[member.key()] = true
	}
	var out []Member
	for _, member := range members {
		if present[member.key()] {
			out = append(out, member)
		}
	}
	return out
}

// key identifies a member within one run of the filter.
func (m Member) key() [3]int {
	row := -1
	if len(m.Rows) > 0 {
		row = m.Rows[0]
	}
	return [3]int{int(m.Kind), m.Column, row}
}
