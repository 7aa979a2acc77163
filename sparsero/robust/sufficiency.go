package robust

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Sufficiency tells whether atoms S give the full robust value, by three tests of increasing power. Each implies the next.
type Sufficiency struct {
	// RelevantHull is the paper's condition: every value-relevant atom of one dual
	// solution lies in conv(S_0), decided exactly. Source: Theorem D.4.
	RelevantHull bool
	// WorstCase asks only that v* = u*/r of that dual solution lies in conv(S_0), which
	// is all that the proof of the theorem uses, up to the accuracy of dual solutions.
	WorstCase bool
	// Equal is the exact condition: min Φ_S = min Φ_N, up to the tolerance, which holds
	// if and only if some dual optimum has v* in conv(S_0). Witness is such a v*: the
	// one of the restricted model (nil unless Equal, or at radius 0).
	Equal   bool
	Witness []float64
	// Gap is min Φ_N - min Φ_S, both at the better of the decisions that the two solves
	// found; Full and Restricted are the two dual solutions.
	Gap              float64
	Full, Restricted *Dual
}

// Sufficiency runs the three tests. The errors are those of Solve, SolveFull and Solution.Dual.
func (p *Problem) Sufficiency(ctx context.Context, indices []int, radius float64, o *Options) (*Sufficiency, error) {
	ctx = input.Context(ctx)
	if err := p.checkDual(); err != nil {
		return nil, err
	}
	dual := func(s *Solution, err error) (*Dual, error) {
		if err != nil {
			return nil, err
		}
		return s.Dual()
	}
	restricted, err := dual(p.Solve(ctx, indices, radius, o))
	if err != nil {
		return nil, err
	}
	full, err := dual(p.SolveFull(ctx, radius, o))
	if err != nil {
		return nil, err
	}
	set, _ := p.restrictedSet(indices, radius) // of atoms and a radius that Solve took
	// What one solve left open the other may have found.
	least := math.Min(restricted.Primal.Value, p.Objective(set, full.Primal.X))
	s := &Sufficiency{
		Full: full, Restricted: restricted, Gap: math.Min(full.Primal.Value, restricted.Primal.FullValue()) - least,
		WorstCase: true,
	}
	outside, err := set.Outside(ctx, full.Relevant)
	if err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	s.RelevantHull = len(outside) == 0
	if full.WorstCase != nil && !s.RelevantHull {
		_, distance := newCoordinateUnits(set).project(full.WorstCase)
		s.WorstCase = distance.Float() <= solutionTolerance
	}
	options, err := o.withDefaults()
	if s.Equal = s.Gap <= options.Tolerance*full.Primal.size; s.Equal {
		s.Witness = restricted.WorstCase
	}
	return s, err
}

// coordinateUnits measures every coordinate in a power of two near its largest size: all
// numbers are finite, and nothing refuses them.
type coordinateUnits struct {
	set       *sparsero.AtomicSet // in these units
	exponents []int
}

func newCoordinateUnits(set *sparsero.AtomicSet) *coordinateUnits {
	atoms := set.Dictionary().Matrix()
	n, p := atoms.Dims()
	units := &coordinateUnits{exponents: make([]int, p)}
	for j := range p {
		column := mat.Col(nil, j, atoms)
		_, units.exponents[j] = math.Frexp(floats.Norm(column, math.Inf(1)))
		for i := range n {
			atoms.Set(i, j, math.Ldexp(column[i], -units.exponents[j]))
		}
	}
	d, _ := sparsero.NewDictionary(atoms, nil)
	units.set, _ = sparsero.NewAtomicSet(d, set.Atoms(), 1)
	return units
}

// project returns what is left of a point after projecting it on conv(S_0) in these units, and its length.
func (u *coordinateUnits) project(point []float64) (residual []float64, distance proof.Upper) {
	scaled := make([]float64, len(point))
	for j, v := range point {
		scaled[j] = math.Ldexp(v, -u.exponents[j])
	}
	_, residual, distance, _ = certificate.Project(u.set, scaled)
	return residual, distance
}

// direction returns a direction in these units as one of the atoms as they are, with a
// largest entry of about 1 in these units.
func (u *coordinateUnits) direction(v []float64) []float64 {
	_, size := math.Frexp(floats.Norm(v, math.Inf(1)))
	direction := make([]float64, len(v))
	for j, x := range v {
		direction[j] = math.Ldexp(x, -size-u.exponents[j])
	}
	return direction
}

// ErrSufficient is returned by NoFreeLunch when S loses nothing for any problem.
var ErrSufficient = errors.New("robust: the chosen atoms suffice for every problem")

// FreeLunch is an instance on which a set S of atoms loses as much as one likes.
type FreeLunch struct {
	// Problem has n = 1, X = {1}, b = 0 and q(1) = Direction.
	Problem *Problem
	// Radius is the radius at which the loss is at least the one asked for.
	Radius float64
	// Atom is the one farthest outside conv(S_0), in units in which every coordinate has a
	// largest size of about 1; Direction separates it from that hull, and
	// Deficit = Δ_S(Direction) > 0.
	Atom      int
	Direction []float64
	Deficit   float64
}

// NoFreeLunch builds a problem on which the atoms S lose at least the given
// amount, min Φ_N - min Φ_S >= loss > 0. It exists if and only if
//
//	conv{d_i : i in S_0} ⊊ conv{d_i : i in [N]_0}:
//
// the null atom belongs to both hulls. (Without it the statement is false: for d_2 = d_1/2 and
// S = {1} the hulls of the bare atoms differ, yet no problem loses anything.) The hulls are
// compared exactly; where they are equal the error is ErrSufficient. Source: Theorem D.5 with the hypothesis corrected. The
// loss is reached by a large radius; Inflation measures S without regard to scale.
func NoFreeLunch(d *sparsero.Dictionary, indices []int, loss float64) (*FreeLunch, error) {
	if d == nil {
		return nil, errors.New("robust: dictionary is nil; build one with sparsero.NewDictionary")
	}
	set, err := sparsero.NewAtomicSet(d, indices, 1)
	if err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) || loss <= 0 {
		return nil, fmt.Errorf("robust: loss %v is not a finite number > 0; give the value gap that the instance should have", loss)
	}
	all, _ := sparsero.FullSet(d, 1) // of a dictionary that is not empty
	outside, err := set.Outside(context.Background(), all.Atoms())
	if err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	if len(outside) == 0 {
		return nil, ErrSufficient
	}
	f := farthestAtom(set, outside)
	f.Radius = loss / f.Deficit * deficitMargin
	if math.IsInf(f.Radius, 1) || f.Deficit == 0 {
		return nil, fmt.Errorf("robust: atom %d is outside the hull of the chosen atoms by so little that no finite radius gives the loss %v; ask for a smaller loss, or add the atom", f.Atom, loss)
	}
	region := solver.NewModel("X = {1}")
	region.AddColumn(solver.Column{Name: "x", Bounds: solver.Equal(1)})
	f.Problem, err = NewProblem(d, region, sparsero.AffineMap{Matrix: mat.NewDense(d.Dim(), 1, slices.Clone(f.Direction))})
	return f, err
}

// farthestAtom finds the atom that is farthest from conv(S_0) among those outside, and the direction that separates it.
func farthestAtom(set *sparsero.AtomicSet, outside []int) *FreeLunch {
	units := newCoordinateUnits(set)
	f, most := &FreeLunch{Atom: outside[0]}, 0.0
	for _, i := range outside {
		residual, distance := units.project(set.Dictionary().RawRowView(i))
		if distance.Float() <= most {
			continue
		}
		direction := units.direction(residual)
		if deficit := set.AlignmentDeficit(direction); deficit > 0 {
			f.Atom, f.Direction, f.Deficit, most = i, direction, deficit, distance.Float()
		}
	}
	return f
}
