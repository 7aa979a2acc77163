package solver

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// filter runs the deletion filter on members, by groups and then by single rows. Other candidates are left out.
func (c *Conflict) filter(ctx context.Context, m *Model, candidates, members []Member, options *Options) error {
	s := &search{conflict: c, model: m, off: m.Clone(), options: options}
	free := m.Clone()
	for i := range free.rows {
		free.rows[i].Lower, free.rows[i].Upper = math.Inf(-1), math.Inf(1)
	}
	for j := range free.columns {
		free.columns[j].Bounds = Bounds{}
	}
	for _, candidate := range candidates {
		candidate.copyBounds(s.off, free)
	}
	members, err := s.deletion(ctx, members)
	if err == nil {
		members, err = s.deletion(ctx, singles(members))
	}
	c.Members = merged(members)
	return err
}

// search looks for a small set of members that contradict each other.
type search struct {
	conflict   *Conflict
	model, off *Model // off has the bounds of no candidate
	options    *Options
}

// copyBounds gives a model the bounds that a member has in another one.
func (member *Member) copyBounds(to, from *Model) {
	for _, i := range member.Rows {
		to.rows[i].Lower, to.rows[i].Upper = from.rows[i].Lower, from.rows[i].Upper
	}
	switch j := member.Column; {
	case j >= 0 && !member.Upper:
		to.columns[j].Bounds = Between(from.columns[j].Lower(), to.columns[j].Upper())
	case j >= 0:
		to.columns[j].Bounds = Between(to.columns[j].Lower(), from.columns[j].Upper())
	}
}

// deletion drops members one by one as long as the rest stays infeasible. Rows that
// contradict each other whatever the bounds are come before all others: they say more.
func (s *search) deletion(ctx context.Context, members []Member) ([]Member, error) {
	rows := slices.DeleteFunc(slices.Clone(members), func(m Member) bool { return m.Column >= 0 })
	for _, start := range [][]Member{rows, members} {
		_, proven, err := s.contradiction(ctx, start, 0)
		if err != nil {
			return nil, err
		}
		if proven != nil {
			members = proven
			break
		}
	}
	for kept := 0; kept < len(members); {
		rest := slices.Delete(slices.Clone(members), kept, kept+1)
		feasible, proven, err := s.contradiction(ctx, rest, kept)
		switch {
		case err != nil:
			return nil, err
		case proven != nil:
			members = proven
			continue
		case !feasible:
			s.conflict.Irreducible = false
		}
		kept++
	}
	return members, nil
}

// contradiction tells whether members are feasible together, or returns those of them that
// are not, the first of which, a given number, stay. Where neither is known, it does neither.
func (s *search) contradiction(ctx context.Context, members []Member, kept int) (feasible bool, proven []Member, err error) {
	for {
		active := s.off.Clone()
		for k := range members {
			members[k].copyBounds(active, s.model)
		}
		r, err := s.conflict.solve(ctx, active, s.options)
		if err != nil {
			return false, nil, err
		}
		if r.Status != Infeasible {
			return r.Status.hasPoint(), proven, nil
		}
		proven = members
		needed := s.needed(r.Farkas, members, kept)
		if len(needed) == len(members) {
			return false, proven, nil
		}
		members = needed // the proof is one up to rounding errors, so that it has to be repeated
	}
}

// needed returns the first members and those that have a multiplier, all where none are known. In the bound of weak duality
// a column with a positive reduced cost rests on its lower bound.
func (s *search) needed(farkas []float64, members []Member, kept int) []Member {
	if farkas == nil {
		return members
	}
	d := program.ReducedCosts(s.model.Program(), make([]float64, len(s.model.columns)), farkas) // the model has no costs
	needed := slices.Clone(members[:kept])
	for _, member := range members[kept:] {
		inUse := func(i int) bool { return farkas[i] != 0 }
		if slices.ContainsFunc(member.Rows, inUse) || member.Column >= 0 && (!member.Upper && d[member.Column] > 0 || member.Upper && d[member.Column] < 0) {
			needed = append(needed, member)
		}
	}
	return needed
}
