package solver

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// Explain finds out why a model is infeasible: a set of row groups, single rows and column bounds that contradict each other
// and from which nothing can be left out. Rows with the same Group are kept or dropped together first; within the groups
// that remain the needed rows are singled out.
//
// The method is a deletion filter: drop a constraint, and if the rest stays infeasible forget it. The Farkas multipliers of
// each proof tell at once which constraints take no part, so that the number of solves is near the size of the answer
// instead of the size of the model. In models that are infeasible only because of integrality the bounds of integer columns
// are never dropped.
//
// Where rows are given it searches among them: all others, all bounds and integrality stay as they are, and
// must be feasible without these rows.
//
// It returns an error for a feasible model, the error of Result.Check when the first solve ends without an answer, and the
// errors of Open for malformed models. options applies to every single solve.
//
// Source: Chinneck and Dravnieks 1991 (deletion filter).
func Explain(ctx context.Context, m *Model, options *Options, rows ...int) (*Conflict, error) {
	ctx = program.Context(ctx)
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
	if first.Status.hasPoint() && m.IsInteger() {
		if first, err = conflict.solve(ctx, bare, options); err != nil {
			return nil, err
		}
		conflict.Integrality = true
	}
	switch first.Status {
	case Optimal, FeasibleLimit:
		return nil, fmt.Errorf("solver: nothing to explain, %s has the feasible point of status %q", m, first.Status)
	case Infeasible:
	default:
		return nil, first.Check()
	}
	if !conflict.Integrality {
		bare = relaxed
	}
	candidates := m.boundedRows()
	if len(rows) == 0 {
		candidates = append(merged(candidates), m.boundMembers(!conflict.Integrality)...)
	} else {
		candidates = slices.DeleteFunc(candidates, func(c Member) bool { return !slices.Contains(rows, c.Rows[0]) })
	}
	err = conflict.filter(ctx, bare, candidates, candidates, options)
	// Among rows integrality stays, and fewer rows may do over whole points than in the relaxation.
	if found := singles(conflict.Members); err == nil && len(rows) > 0 && m.IsInteger() && !conflict.Integrality {
		err = conflict.filter(ctx, m.WithoutObjective(), candidates, found, options)
		conflict.Integrality = len(singles(conflict.Members)) < len(found)
	}
	return conflict, err
}

// solve counts.
func (c *Conflict) solve(ctx context.Context, m *Model, options *Options) (*Result, error) {
	c.Solves++
	return Solve(ctx, m, options)
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
			members = append(members, m.boundMember(j, false))
		}
		if !math.IsInf(c.Upper(), 1) {
			members = append(members, m.boundMember(j, true))
		}
	}
	return members
}
