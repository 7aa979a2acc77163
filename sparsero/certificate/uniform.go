package certificate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"gonum.org/v1/gonum/floats"
)

// Uniform is the supremum of the alignment deficit over a region,
//
//	U = max_{x in X} Δ_S(q(x)) = max(0, max_{i not in S} U_i),
//	U_i = max { ⟨d_i, q(x)⟩ - t : x in X, t >= 0, t >= ⟨d_j, q(x)⟩ for j in S },
//
// so that r U bounds the value gap of every objective b at once: it is the smallest number with this property. For one
// given b the full model gives the exact gap at less cost.
type Uniform struct {
	// Radius is r.
	Radius float64
	// Value is the deficit at X, a point of the region up to the solver's tolerance.
	Value float64
	// Upper is never exceeded: it is made from the multipliers of the programs by weak duality, so that the solver's errors
	// can only make it larger. It agrees with Value to about 1e-9 relative to the largest alignment over X unless the work
	// is Partial, or the deficit is beyond float64 at the points that were met, as with q(X).
	Upper proof.Upper
	// Bound is r Upper, in units of the objective.
	Bound proof.Upper
	// X attains Value (nil if Value is 0), Direction is q(X), Atom the worst atom there or sparsero.NullAtom.
	X, Direction []float64
	Atom         int
	// Candidates is the number of atoms that stick out of conv(S_0) as X sees it; Solves
	// counts the linear programs that were needed for them.
	Candidates, Solves int
	// Partial tells that the context was cancelled; Upper and Bound still hold.
	Partial bool
}

// uniformTolerance is the accuracy to which U is computed, relative to the largest alignment over X.
const uniformTolerance = 1e-9

// SolveUniform computes the certificate over a polyhedron (columns, bounds and rows of the region; its objective does
// not matter) and an affine q. Integer columns may take fractions, which can only raise the bound. It solves linear programs over one polyhedron of n+1 columns with changing objectives,
// each from the basis of the one before. Atoms in conv(S_0) need none, and the dual solution of every program bounds
// all other atoms, so that in practice few of the at most N are solved.
//
// Errors: a nil or ill-fitting argument, solver.ErrInfeasible, solver.ErrUnbounded. A cancelled context yields a
// Partial certificate whose Bound is valid, or, if the range of X is not known yet, the context's error.
func SolveUniform(ctx context.Context, set *sparsero.AtomicSet, region *solver.Model, q sparsero.AffineMap, o *Options) (*Uniform, error) {
	ctx = input.Context(ctx)
	if err := checkSet(set); err != nil {
		return nil, err
	}
	if err := checkRegion(set.Dictionary(), region, q); err != nil {
		return nil, err
	}
	options, err := o.filled()
	if err != nil {
		return nil, err
	}
	search, err := newUniformSearch(ctx, set, region, q, options)
	if err != nil {
		return nil, err
	}
	if err := search.run(ctx); err != nil {
		return nil, err
	}
	return search.found, nil
}

// uniformSearch keeps an upper bound on U_i for every atom and solves the program
// of the atom with the largest one until none can exceed the best deficit.
type uniformSearch struct {
	set      *sparsero.AtomicSet
	indices  []int
	region   *solver.Model
	box      box
	q        sparsero.AffineMap
	pull     pullback
	chosen   []proof.Affine // of the atoms of the set
	programs *extremes
	upper    []proof.Upper  // on U_i, or 0
	within   *proof.Program // the region, in the box
	size     float64        // about the largest alignment over X
	solved   []bool
	found    *Uniform
}

func newUniformSearch(ctx context.Context, set *sparsero.AtomicSet, region *solver.Model, q sparsero.AffineMap, o Options) (*uniformSearch, error) {
	box, err := boundingBox(ctx, region, o.Solver, false)
	if err != nil {
		return nil, err
	}
	d, within := set.Dictionary(), region.WithoutObjective().Program()
	within.Lower, within.Upper = box.Lower, box.Upper
	s := &uniformSearch{
		set: set, indices: set.Atoms(), region: region, box: box, within: within, q: q, pull: newPullback(d, q),
		upper: make([]proof.Upper, d.Size()), solved: make([]bool, d.Size()),
		found: &Uniform{Radius: set.Radius(), Atom: sparsero.NullAtom},
	}
	for _, i := range s.indices {
		s.chosen = append(s.chosen, s.pull[i])
	}
	s.boundByProjection(ctx)
	s.programs, err = newExtremes(s.model(), o.Solver)
	return s, err
}

// boundByProjection starts the bounds from the projection P of each atom on conv(S_0),
// U_i <= max_{x in box} ⟨d_i - P, q(x)⟩. Projections are those of alignments as functions
// on the box, so that units of coordinates and of columns do not matter. Once the context ends P is 0.
func (s *uniformSearch) boundByProjection(ctx context.Context) {
	n := s.set.Dictionary().Size()
	views := s.views()
	targets := make([][]float64, len(s.indices))
	for k, i := range s.indices {
		targets[k] = views[i]
	}
	distances := make([]proof.Upper, n)
	_ = parallel.Each(context.Background(), n, func(i int) {
		distances[i] = proof.AtMost(0)
		if s.upper[i] = proof.AtMost(0); slices.Contains(s.indices, i) {
			return
		}
		nearest := projection{weights: make([]float64, len(targets))}
		if ctx.Err() == nil {
			nearest = project(targets, views[i])
		}
		s.upper[i] = proof.Relax(s.within, nil, s.chosen, nearest.weights).Maximum(s.pull[i])
		distances[i] = nearest.distance
	})
	for _, distance := range distances {
		if distance.Float() > uniformTolerance*s.size {
			s.found.Candidates++
		}
	}
}

// views returns every atom as the vector of its alignment on the box: the gradient in units
// of its width, and twice the value at its middle.
func (s *uniformSearch) views() [][]float64 {
	n := s.region.Columns()
	views := make([][]float64, len(s.upper))
	for i := range views {
		views[i] = make([]float64, n+1)
		reach := 0.0
		for j, g := range s.pull[i].Low {
			views[i][j] = g * (s.box.Upper[j] - s.box.Lower[j])
			views[i][n] += g * (s.box.Upper[j] + s.box.Lower[j])
			reach += math.Abs(views[i][j])
		}
		views[i][n] += 2 * s.pull[i].ConstantLow
		s.size = max(s.size, (reach+math.Abs(views[i][n]))/2)
	}
	return views
}

// model is the polyhedron of all U_i: x in X, t >= 0, t - ⟨d_j, q(x)⟩ >= 0. Without chosen
// atoms there is no t, whose cost of 1 would be in units that no row relates to the atoms.
func (s *uniformSearch) model() *solver.Model {
	m := polyhedron(s.region)
	if len(s.indices) == 0 {
		return m
	}
	t := m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -1})
	for _, f := range s.chosen {
		row := solver.Row{Bounds: solver.AtLeast(f.ConstantLow), Columns: []int{t}, Values: []float64{1}}
		for c, v := range f.Low {
			if v != 0 {
				row.Columns, row.Values = append(row.Columns, c), append(row.Values, -v)
			}
		}
		m.AddRow(row)
	}
	return m
}

func (s *uniformSearch) run(ctx context.Context) error {
	for {
		next := 0
		for i, upper := range s.upper {
			if upper.Float() > s.upper[next].Float() {
				next = i
			}
		}
		upper := math.Max(s.found.Value, s.upper[next].Float())
		s.claim(proof.AtMost(upper))
		if upper <= s.found.Value+uniformTolerance*s.size {
			if err := s.checkNotEmpty(ctx); err != nil {
				return err
			}
			return s.dropInner(ctx)
		}
		if ctx.Err() != nil {
			s.found.Partial = true
			return nil
		}
		if s.solved[next] {
			return nil // its program is solved: the rest is the solver's own tolerance
		}
		if err := s.solve(ctx, next); err != nil {
			return err
		}
	}
}

// claim says that no deficit exceeds a bound.
func (s *uniformSearch) claim(upper proof.Upper) {
	s.found.Upper = upper
	s.found.Bound = s.found.Upper.Times(s.found.Radius)
}

// checkNotEmpty returns the error of an empty region where no program has met it yet.
func (s *uniformSearch) checkNotEmpty(ctx context.Context) error {
	if s.found.Solves > 0 {
		return nil
	}
	_, err := s.programs.maximise(ctx, make([]float64, s.region.Columns()), "a point of the region")
	return err
}

// solve computes U_i, updates the best deficit from its maximiser and all bounds from its dual solution.
func (s *uniformSearch) solve(ctx context.Context, i int) error {
	result, err := s.programs.maximise(ctx, s.pull[i].Low, fmt.Sprintf("the deficit of atom %d", i))
	if err != nil {
		return err
	}
	if result.X == nil {
		return nil // cancelled; the bounds stand as they are
	}
	s.found.Solves++
	s.visit(result.X[:s.region.Columns()])
	s.solved[i] = ctx.Err() == nil
	if result.RowDuals != nil {
		s.boundByDuals(result.RowDuals)
	}
	return nil
}

// dropInner finds that the certificate is 0 where it is: no deficit was met, and the
// atoms whose bounds are left within rounding of 0 lie in conv(S_0).
func (s *uniformSearch) dropInner(ctx context.Context) error {
	if s.found.Value > 0 || s.found.Upper == proof.AtMost(0) {
		return nil
	}
	gauge, err := sparsero.NewGauge(s.set)
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	for i, upper := range s.upper {
		if upper.Float() <= 0 {
			continue
		}
		value, _, err := gauge.Of(ctx, s.set.Dictionary().RawRowView(i))
		if err != nil || value > 1 {
			return nil // the bounds stand as they are
		}
	}
	s.claim(proof.AtMost(0))
	return nil
}

// visit evaluates Δ_S at a point of X. One beyond float64 says nothing, as q(x) may be beyond it where Δ_S is not.
func (s *uniformSearch) visit(x []float64) {
	direction := s.q.Apply(x)
	deficit := s.set.AlignmentDeficit(direction)
	if deficit > s.found.Value && !math.IsInf(deficit, 1) {
		s.found.Value = deficit
		s.found.X, s.found.Direction = append([]float64(nil), x...), direction
		s.found.Atom, _ = s.set.Dictionary().ActiveAtom(direction)
	}
}

// boundByDuals bounds every U_k by the dual solution of one program, which is sharp for its atom.
func (s *uniformSearch) boundByDuals(duals []float64) {
	floats.Scale(-1, duals) // those of a minimisation
	rows := s.region.Rows()
	relaxed := proof.Relax(s.within, duals[:rows], s.chosen, duals[rows:])
	for k, upper := range s.upper {
		if upper.Float() > s.found.Value {
			s.upper[k] = proof.Least(upper, relaxed.Maximum(s.pull[k]))
		}
	}
}
