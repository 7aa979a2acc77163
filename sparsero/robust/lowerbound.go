package robust

import (
	"context"
	"math"
	"math/big"
	"slices"
	"sync"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// multipliers reads those of the rows of the open model.
func (m *master) multipliers(duals []float64) multipliers {
	rows, constraints := m.problem.region.Rows(), len(m.problem.constraints)
	if len(duals) != rows+constraints+len(m.cuts) {
		return multipliers{}
	}
	duals = finite(duals)
	found := multipliers{Rows: duals[:rows]}
	for k, y := range duals[rows:] {
		of := cut{k, sparsero.NullAtom}
		if k >= constraints {
			of = m.cuts[k-constraints]
		}
		if y < 0 { // of a row with an upper bound
			found.Robust = append(found.Robust, robustMultiplier{of.exposure, of.atom, -y})
		}
	}
	return found
}

// finite has the largest float64, which proves something, too, in the place of multipliers beyond.
func finite(duals []float64) []float64 {
	cut := slices.Clone(duals)
	for i, y := range cut {
		cut[i] = math.Max(-math.MaxFloat64, math.Min(y, math.MaxFloat64))
	}
	return cut
}

// leaf writes multipliers as one application of weak duality, without those that lean on no bound, and with those of the
// objective scaled to a sum of at most the radius.
func (p *Problem) leaf(found multipliers, radius float64, empty bool) *lifted.Leaf {
	leaf := &lifted.Leaf{Scale: lifted.Float(1), Empty: empty, Constraints: make([]lifted.Multipliers, len(p.constraints))}
	for i, y := range found.Rows {
		if side := p.region.RowBounds(i); y > 0 && !math.IsInf(side.Lower(), 0) || y < 0 && !math.IsInf(side.Upper(), 0) {
			leaf.Rows.Add(i, y)
		}
	}
	share := found.share(radius)
	for _, m := range found.Robust {
		switch {
		case m.Exposure != objectiveExposure:
			leaf.Constraints[m.Exposure].Add(m.Atom, m.Value)
		case !empty:
			leaf.Objective.Add(m.Atom, share*m.Value)
		}
	}
	return leaf
}

// share is the factor with which the multipliers of the objective add up to at most the radius.
func (m multipliers) share(radius float64) float64 {
	sum := new(big.Rat)
	for _, r := range m.Robust {
		if r.Exposure == objectiveExposure {
			sum.Add(sum, lifted.Rational(r.Value))
		}
	}
	if sum.Cmp(lifted.Rational(radius)) <= 0 {
		return 1
	}
	share, _ := sum.Quo(lifted.Rational(radius), sum).Float64() // by what the solver's tolerance allows
	return share * unitReserve
}

// prove returns a proof of a lower bound on min Φ_N by the atoms of the solution, nil if none is found. The bound is
// that of a linear relaxation, for integer problems over a tree of such.
func (s *Solution) prove(ctx context.Context, p *lifted.Problem, d *lifted.Decision) *lifted.Proof {
	target := s.LowerBound.Float()
	if math.IsInf(target, -1) { // nothing was proven in float64
		target = s.Value
	}
	relaxation := s.compactRelaxation(p, d)
	if relaxation == nil {
		relaxation = s.relaxation()
	}
	return lifted.Prove(ctx, p, d, s.problem.leaf(s.multipliers, s.Radius, false), target-boundTolerance*s.Size, relaxation)
}

// relaxation solves the linear relaxation of the model of a solution between other bounds of the columns.
func (s *Solution) relaxation() lifted.Relaxation {
	made := sync.OnceValue(func() lifted.Relaxation { // few proofs need it
		of := &master{problem: s.problem, cuts: s.problem.cutsOf(s.Atoms)}
		model, _ := s.problem.epigraphOf(slices.Concat(s.problem.nominalCuts(), of.cuts), s.Radius)
		return relaxationOf(model, func(duals []float64, empty bool) *lifted.Leaf {
			return s.problem.leaf(of.multipliers(duals), s.Radius, empty)
		})
	})
	return func(ctx context.Context, lower, upper []float64) ([]float64, *lifted.Leaf) {
		return made()(ctx, lower, upper)
	}
}

// relaxationOf relaxes a model, with other bounds of its first columns, and writes its multipliers as a leaf.
func relaxationOf(model *solver.Model, leaf func(duals []float64, empty bool) *lifted.Leaf) lifted.Relaxation {
	for j := range model.Columns() {
		model.SetInteger(j, false)
	}
	return func(ctx context.Context, lower, upper []float64) ([]float64, *lifted.Leaf) {
		for j := range lower {
			model.SetColumnBounds(j, solver.Between(lower[j], upper[j]))
		}
		result, err := solver.Solve(ctx, model, nil)
		switch {
		case err == nil && result.Status == solver.Infeasible && len(result.Farkas) == model.Rows():
			return nil, leaf(finite(result.Farkas), true)
		case err == nil && result.Status == solver.Optimal && len(result.RowDuals) == model.Rows():
			return result.X, leaf(finite(result.RowDuals), false)
		}
		return nil, nil
	}
}

// proveBound sets a LowerBound that is not proven yet to what the multipliers prove. It costs nothing where the bound is proven.
func (s *Solution) proveBound() {
	if s.LowerBound == (proof.Lower{}) && s.multipliers.Rows != nil {
		s.LowerBound = proof.AtLeast(math.Min(s.provenOf(s.problem).Float(), s.Value))
	}
}

// provenOf is what the multipliers prove of the minimum of a problem that differs from that of the solution in its
// limits alone, by weak duality: in float64, or in fractions where that proves nothing.
func (s *Solution) provenOf(p *Problem) proof.Lower {
	var rows []cut
	y := slices.Clone(s.multipliers.Rows)
	for _, m := range s.multipliers.Robust {
		rows, y = append(rows, cut{m.Exposure, m.Atom}), append(y, -m.Value)
	}
	if model, relaxes := p.epigraphOf(rows, s.Radius); relaxes {
		tangent := slices.Concat(s.X, make([]float64, model.Columns()-len(s.X)))
		if bound, _ := proof.DualBound(model.Program(), tangent, y); bound != (proof.Lower{}) {
			return bound
		}
	}
	if p.dictionary.checkWide() != nil {
		return proof.Lower{}
	}
	leaf := p.leaf(s.multipliers, s.Radius, false)
	return proof.LowerOf(lifted.Bound(p.lifted(s.Radius), &lifted.Decision{X: s.X, Atoms: s.Atoms}, leaf))
}

// compactRelaxation solves the linear relaxation of the full model over a convex set as one program, and leaves in a
// file the points of the set on which its multipliers lean: one for each exposure. It is nil for other models.
func (s *Solution) compactRelaxation(p *lifted.Problem, d *lifted.Decision) lifted.Relaxation {
	if p.Set == nil || !s.Full {
		return nil
	}
	model := s.problem.compact(s.Radius)
	if model == nil {
		return nil
	}
	d.Atoms = slices.Clone(d.Atoms)
	leaf := func(duals []float64, empty bool) *lifted.Leaf {
		return s.problem.leaf(model.multipliers(s.problem, duals, s.Radius, func(u []float64) int {
			_, z := formOf(s.problem.set).InFile([][]float64{u}, nil)
			p.Dictionary.Values = append(p.Dictionary.Values, z[0])
			d.Atoms = append(d.Atoms, p.Dictionary.Atoms)
			p.Dictionary.Atoms++
			return p.Dictionary.Atoms - 1
		}), s.Radius, empty)
	}
	return relaxationOf(model.Model, leaf)
}
