package certificate

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// Uniform is the supremum of the alignment deficit over a region,
//
//	U = max_{x in X} Δ_S(q(x)) = max(0, max_{i not in S} U_i),
//	U_i = max { ⟨d_i, q(x)⟩ - t : x in X, t >= 0, t >= ⟨d_j, q(x)⟩ for j in S },
//
// so that r U bounds the value gap of every objective b at once: it is the
// smallest number with this property. For one given b the full model gives the
// exact gap at less cost.
type Uniform struct {
	// Radius is r.
	Radius float64
	// Value is a deficit that is attained, at X; Upper is proven never to be exceeded.
	// They agree to about 1e-7 relative to 1+U unless the work is Partial.
	Value, Upper float64
	// Bound is r Upper, in units of the objective.
	Bound float64
	// X attains Value (nil if Value is 0), Direction is q(X), Atom the worst atom there
	// or sparsero.NullAtom.
	X, Direction []float64
	Atom         int
	// Candidates is the number of atoms outside conv(S_0); Solves counts the linear
	// programs that were needed for them.
	Candidates, Solves int
	// Elapsed is the wall-clock time.
	Elapsed time.Duration
	// Partial tells that the context was cancelled; Upper and Bound still hold.
	Partial bool
}

// UniformOptions are the settings of NewUniform. The zero value works.
type UniformOptions struct {
	// Solver is passed to the solver; nil means its defaults.
	Solver *solver.Options
	// Integers keeps the integrality of the region. By default it is dropped, which
	// can only raise the bound and keeps the programs linear.
	Integers bool
	// Progress, if not nil, is called after each linear program with their number so
	// far and the bounds on U.
	Progress func(solves int, value, upper float64)
}

// uniformTolerance is the relative accuracy to which U is computed; linear
// programs are solved to about this accuracy.
const uniformTolerance = 1e-7

// NewUniform computes the certificate over a polyhedron (columns, bounds and rows of
// the region; its objective does not matter) and an affine q. It solves linear programs over
// one polyhedron of n+1 columns with changing objectives, each from the basis of
// the one before. Atoms in conv(S_0) need none, and the dual solution of
// every program bounds all other atoms, so that in practice few of the at most
// N are solved.
//
// Errors: a nil or ill-fitting argument, *EmptyRegionError, *UnboundedRegionError.
// A cancelled context yields a Partial certificate whose Bound is valid, or, if
// the range of X is not known yet, the context's error.
func NewUniform(ctx context.Context, set *sparsero.AtomicSet, region *solver.Model, q sparsero.AffineMap, o *UniformOptions) (*Uniform, error) {
	if err := checkSet(set); err != nil {
		return nil, err
	}
	if err := checkRegion(set.Dictionary(), region, q); err != nil {
		return nil, err
	}
	if o == nil {
		o = &UniformOptions{}
	}
	started := time.Now()
	search, err := newUniformSearch(ctx, set, region, q, o)
	if err != nil {
		return nil, err
	}
	defer search.programs.close()
	if err := search.run(ctx); err != nil {
		return nil, err
	}
	search.found.Elapsed = time.Since(started)
	return search.found, nil
}

// uniformSearch keeps an upper bound on U_i for every atom and solves the program
// of the atom with the largest one until none can exceed the best deficit.
type uniformSearch struct {
	set      *sparsero.AtomicSet
	indices  []int
	region   *solver.Model
	box      Box
	q        sparsero.AffineMap
	pull     *pulledBack
	programs *extremes
	upper    []float64 // upper bound on U_i, -Inf for atoms that cannot matter
	solved   []bool
	found    *Uniform
	options  *UniformOptions
}

func newUniformSearch(ctx context.Context, set *sparsero.AtomicSet, region *solver.Model, q sparsero.AffineMap, o *UniformOptions) (*uniformSearch, error) {
	box, err := finiteBox(ctx, region, o.Solver)
	if err != nil {
		return nil, err
	}
	d := set.Dictionary()
	s := &uniformSearch{
		set: set, indices: set.Indices(), region: region, box: box, q: q, pull: newPulledBack(d, q), options: o,
		upper: make([]float64, d.Size()), solved: make([]bool, d.Size()),
		found: &Uniform{Radius: set.Radius(), Atom: sparsero.NullAtom},
	}
	s.boundByProjection()
	s.programs, err = newExtremes(s.model(), o.Solver)
	return s, err
}

// boundByProjection starts the bounds from the projection P of each atom on conv(S_0),
// U_i <= max_{x in box} ⟨d_i - P, q(x)⟩, and rules out the atoms inside it.
func (s *uniformSearch) boundByProjection() {
	d := s.set.Dictionary()
	chosen := membership(d.Size(), s.indices)
	inside := insideDistance * d.MaxNorm()
	inParallel(d.Size(), func(i int) {
		s.upper[i] = math.Inf(-1)
		if chosen[i] {
			return
		}
		projection := project(d, s.indices, d.RawRowView(i))
		if projection.Distance > inside {
			s.upper[i] = s.pull.maximum(i, s.pull.combine(s.indices, projection.Weights), nil, s.box)
		}
	})
	for _, upper := range s.upper {
		if !math.IsInf(upper, -1) {
			s.found.Candidates++
		}
	}
}

// model is the polyhedron of all U_i: x in X, t >= 0, t - ⟨d_j, q(x)⟩ >= 0.
func (s *uniformSearch) model() *solver.Model {
	m := polyhedron(s.region, s.options.Integers)
	t := m.AddColumn(solver.Column{Lower: 0, Upper: math.Inf(1), Cost: -1})
	for _, j := range s.indices {
		row := solver.Row{Lower: s.pull.constants[j], Upper: math.Inf(1), Columns: []int{t}, Values: []float64{1}}
		for c, v := range s.pull.rows[j] {
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
		next, upper := s.mostPromising()
		s.found.Upper = math.Max(s.found.Value, upper)
		s.found.Bound = s.found.Radius * s.found.Upper
		if s.options.Progress != nil && s.found.Solves > 0 {
			s.options.Progress(s.found.Solves, s.found.Value, s.found.Upper)
		}
		if upper <= s.found.Value+uniformTolerance*(1+s.found.Value) {
			return nil
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

// mostPromising returns the atom with the largest bound.
func (s *uniformSearch) mostPromising() (atom int, upper float64) {
	atom, upper = sparsero.NullAtom, math.Inf(-1)
	for i, u := range s.upper {
		if u > upper {
			atom, upper = i, u
		}
	}
	return atom, upper
}

// solve computes U_i, updates the best deficit from its maximiser and all bounds
// from its dual solution.
func (s *uniformSearch) solve(ctx context.Context, i int) error {
	costs := append(append([]float64(nil), s.pull.rows[i]...), -1)
	result, err := s.programs.maximise(ctx, costs, fmt.Sprintf("the deficit of atom %d", i))
	if err != nil {
		return err
	}
	if result.X == nil {
		return nil // cancelled; the bounds stand as they are
	}
	s.found.Solves++
	s.visit(result.X[:s.region.Columns()])
	bound := result.Objective
	if result.Status != solver.Optimal {
		bound = result.Bound
	}
	if !math.IsNaN(bound) {
		s.upper[i] = math.Min(s.upper[i], bound+s.pull.constants[i])
	}
	s.solved[i] = ctx.Err() == nil
	if result.RowDuals != nil {
		s.boundByDuals(result.RowDuals)
	}
	return nil
}

// visit evaluates Δ_S at a point of X.
func (s *uniformSearch) visit(x []float64) {
	direction := s.q.Apply(x)
	deficit := s.set.AlignmentDeficit(direction)
	if deficit > s.found.Value {
		s.found.Value = deficit
		s.found.X, s.found.Direction = append([]float64(nil), x...), direction
		s.found.Atom, _ = s.set.Dictionary().ActiveAtom(direction)
	}
}

// boundByDuals uses that any weights w >= 0, Σw <= 1 on S and any multipliers y of the
// region's rows give a bound on every U_k,
//
//	U_k <= Σ_i max(y_i lower_i, y_i upper_i) + max_{x in box} ⟨d_k - Σ_j w_j d_j, q(x)⟩ - ⟨y, Bx⟩,
//
// with equality for the atom whose program gave w and y.
func (s *uniformSearch) boundByDuals(duals []float64) {
	rows := s.region.Rows()
	weights := make([]float64, len(s.indices))
	total := 0.0
	for k := range weights {
		weights[k] = math.Max(0, -duals[rows+k])
		total += weights[k]
	}
	if total > 1 {
		for k := range weights {
			weights[k] /= total
		}
	}
	combined := s.pull.combine(s.indices, weights)
	rowPart := newLagrangian(s.region, duals[:rows])
	for k := range s.upper {
		if s.upper[k] > s.found.Value {
			s.upper[k] = math.Min(s.upper[k], s.pull.maximum(k, combined, rowPart, s.box))
		}
	}
}
