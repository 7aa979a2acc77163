package robust

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// Sufficiency tells whether atoms S give the full robust value, by three tests of
// increasing power. Each implies the next.
type Sufficiency struct {
	// RelevantHull is the paper's condition: every value-relevant atom of one dual
	// solution lies in conv(S_0). Source: Theorem D.4.
	RelevantHull bool
	// WorstCase asks only that v* = u*/r of that dual solution lies in conv(S_0), which
	// is all that the proof of the theorem uses.
	WorstCase bool
	// Equal is the exact condition: min Φ_S = min Φ_N, up to the tolerance, which holds
	// if and only if some dual optimum has v* in conv(S_0). Witness is such a v*: the
	// one of the restricted model (nil unless Equal, or at radius 0).
	Equal   bool
	Witness []float64
	// Gap is min Φ_N - min Φ_S; Full and Restricted are the two dual solutions.
	Gap              float64
	Full, Restricted *Dual
}

// hullTolerance is the distance from conv(S_0), relative to the largest norm of
// an atom, within which a point counts as inside; dual solutions are no more accurate.
const hullTolerance = 1e-7

// Sufficiency runs the three tests. The errors are those of Dual.
func (p *Problem) Sufficiency(ctx context.Context, indices []int, radius float64, o *Options) (*Sufficiency, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	restricted, err := p.Dual(ctx, indices, radius, o)
	if err != nil {
		return nil, err
	}
	full, err := p.FullDual(ctx, radius, o)
	if err != nil {
		return nil, err
	}
	set, err := p.restrictedSet(indices, radius)
	if err != nil {
		return nil, err
	}
	s := &Sufficiency{
		Full: full, Restricted: restricted, Gap: full.Primal.Value - restricted.Primal.Value,
		RelevantHull: true, WorstCase: true,
	}
	for _, i := range full.Relevant {
		inside, err := insideHull(set, p.Dictionary.RawRowView(i))
		if err != nil {
			return nil, err
		}
		s.RelevantHull = s.RelevantHull && inside
	}
	if full.WorstCase != nil {
		if s.WorstCase, err = insideHull(set, full.WorstCase); err != nil {
			return nil, err
		}
	}
	if s.Equal = s.Gap <= 10*options.slack(full.Primal.Value); s.Equal {
		s.Witness = restricted.WorstCase
	}
	return s, nil
}

func insideHull(set *sparsero.AtomicSet, point []float64) (bool, error) {
	projection, err := certificate.Project(set, point)
	if err != nil {
		return false, fmt.Errorf("robust: %w", err)
	}
	return projection.Distance <= hullTolerance*set.Dictionary().MaxNorm(), nil
}

// ErrSufficient is returned by NoFreeLunch when S loses nothing for any problem.
var ErrSufficient = errors.New("robust: the chosen atoms suffice for every problem")

// FreeLunch is an instance on which a set S of atoms loses as much as one likes.
type FreeLunch struct {
	// Problem has n = 1, X = {1}, b = 0 and q(1) = Direction.
	Problem *Problem
	// Radius is the radius at which the loss is at least the one asked for.
	Radius float64
	// Atom is the one farthest outside conv(S_0), Direction separates it from that
	// hull, and Deficit = Δ_S(Direction) > 0.
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
// S = {1} the hulls of the bare atoms differ, yet no problem loses anything.) Otherwise the
// error is ErrSufficient. Source: Theorem D.5 with the hypothesis corrected. The
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
		return nil, fmt.Errorf("robust: loss %v is not a finite number > 0; give the value gap that the instance shall have", loss)
	}
	hulls, err := certificate.NewHausdorff(set, 1)
	if err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	if hulls.Distance <= hullTolerance*d.MaxNorm() {
		return nil, ErrSufficient
	}
	projection, err := certificate.Project(set, d.RawRowView(hulls.Atom))
	if err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	f := &FreeLunch{Atom: hulls.Atom, Direction: projection.Residual, Deficit: set.AlignmentDeficit(projection.Residual)}
	f.Radius = loss / f.Deficit
	region := solver.NewModel("X = {1}")
	region.AddColumn(solver.Column{Name: "x", Lower: 1, Upper: 1})
	f.Problem, err = NewProblem(d, region, sparsero.AffineMap{Matrix: mat.NewDense(d.Dim(), 1, slices.Clone(f.Direction))})
	return f, err
}
