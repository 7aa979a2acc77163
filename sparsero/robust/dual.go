package robust

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// ErrNoDual is wrapped when a problem has no dual of the form that Dual describes.
var ErrNoDual = errors.New("robust: no dual solution")

// Dual is a dual solution of a robust model without integer variables,
//
//	max_{λ, μ}  min_{x in X} b(x) + ⟨u, q(x)⟩,   u = Σ_{i in S} μ_i d_i,  μ >= 0,  Σμ <= r.
//
// Its multipliers say which atoms the value depends on. Source: Proposition D.2.
type Dual struct {
	// Primal is the solution that belongs to it.
	Primal *Solution
	// Relevant are the value-relevant atoms, those with μ_i > 0, in the order of Primal.Atoms (for the full model the
	// order in which cutting planes met them, not that of the dictionary); Mu their multipliers. All other atoms of the
	// model could be dropped: its value would not fall below Value.
	Relevant []int
	Mu       []float64
	// NullMu = r - Σμ >= 0 is the multiplier of the null atom.
	NullMu float64
	// Lambda has one multiplier per row of the region, with the sign convention of solver.Result.
	Lambda []float64
	// Perturbation is u* = Σ μ_i d_i in U_S(r), a worst case at the primal solution that
	// makes the minimum over X as large as possible: with it alone, as [Around] puts it into the
	// nominal part, the problem has the same value. WorstCase is v* = u*/r in conv(S_0), nil if r = 0.
	Perturbation, WorstCase []float64
	// Value is the dual objective, proven from the multipliers and rounded down; it equals the primal value up to that.
	Value proof.Lower
}

func (p *Problem) checkDual() error {
	switch {
	case p.q.Matrix == nil:
		return fmt.Errorf("%w: the objective is certain; give the problem a map q", ErrNoDual)
	case len(p.constraints) > 0:
		return fmt.Errorf("%w: it is defined for a robust objective alone, and this problem has %s; build a problem without any", ErrNoDual, input.Count(len(p.constraints), "robust constraint"))
	case p.region.IsInteger():
		return fmt.Errorf("%w: the region has integer columns, and a mixed-integer program has no such dual; drop the integrality to study its relaxation", ErrNoDual)
	}
	return nil
}

// Dual returns the dual solution that belongs to a solution of the restricted or of the full model; for the full one, atoms
// that cutting planes never needed have multiplier zero. The error wraps ErrNoDual if the region has integer columns, the
// problem robust constraints or a certain objective, the solver returned no multipliers, or the work was cut short.
func (s *Solution) Dual() (*Dual, error) {
	if s == nil || s.problem == nil {
		return nil, fmt.Errorf("%w: no method of Problem returned this solution; use Solve or SolveFull", ErrNoDual)
	}
	p := s.problem
	if err := p.checkDual(); err != nil {
		return nil, err
	}
	n := p.region.Columns()
	found := s.multipliers
	if s.Result == nil || found.Rows == nil || len(s.Result.ColumnDuals) < n {
		return nil, fmt.Errorf("%w: the solver returned no multipliers of atoms: %v; use Solve or SolveFull of a problem over a dictionary", ErrNoDual, s.Result)
	}
	if s.Partial {
		return nil, fmt.Errorf("%w: the work was cut short, and what was found until then is no optimum; give it more time, or raise MaxRounds or the limits of the solver", ErrNoDual)
	}
	d := &Dual{
		Primal: s, NullMu: s.Radius,
		Lambda: found.Rows, Perturbation: make([]float64, p.dictionary.dim), Value: s.LowerBound,
	}
	multipliers, share := make([]float64, len(s.Atoms)), found.share(s.Radius)
	for _, m := range found.Robust {
		multipliers[slices.Index(s.Atoms, m.Atom)] = m.Value
	}
	for k, i := range s.Atoms {
		mu := share * multipliers[k]
		if mu <= 0 || mu <= multiplierNoise*s.Radius && p.isFaint(i, mu) {
			continue
		}
		d.Relevant, d.Mu = append(d.Relevant, i), append(d.Mu, mu)
		d.NullMu -= mu
		for c, v := range p.dictionary.RawRowView(i) {
			d.Perturbation[c] += mu * v
		}
	}
	d.NullMu = math.Max(0, d.NullMu)
	if s.Radius > 0 {
		d.WorstCase = make([]float64, len(d.Perturbation))
		for c, v := range d.Perturbation {
			d.WorstCase[c] = v / s.Radius
		}
	}
	return d, nil
}

// isFaint tells whether an atom of some weight changes no cost by more than a rounding error, as atoms of any size may.
func (p *Problem) isFaint(atom int, weight float64) bool {
	costs, _ := p.pullbacks[objectiveExposure+1].of(p.dictionary.RawRowView(atom))
	for j, v := range costs {
		if weight*math.Abs(v) > multiplierNoise*math.Abs(p.region.Column(j).Cost) {
			return false
		}
	}
	return true
}

// Reduce moves the multipliers to as few atoms as possible, which it returns with theirs, without changing the function
// x ↦ ⟨u, q(x)⟩: for q(x) = M'x + c at most rank [M' c] <= min(p, n+1) atoms remain (Carathéodory's theorem), and they
// alone give the full value as far as Value equals the primal one. All of this holds up to 1e-9 of the terms of
// ⟨u, q(x)⟩: a cost that is smaller beside them may lose the atom that outweighs it. With integer variables it is false.
// It panics for a Dual that Solution.Dual did not return.
func (d *Dual) Reduce() (atoms []int, mu []float64) {
	if d.Primal == nil || d.Primal.problem == nil || len(d.Relevant) != len(d.Mu) {
		panic("robust: this Dual belongs to no problem; use what Solution.Dual returned")
	}
	p := d.Primal.problem
	columns, sizes := make([][]float64, len(d.Relevant)), make([]float64, p.region.Columns()+1)
	for k, i := range d.Relevant {
		atom := p.dictionary.RawRowView(i)
		coefficients, constant := p.pullbacks[objectiveExposure+1].of(atom)
		columns[k] = append(coefficients, constant)
		raiseToTerms(sizes, p.q, atom, d.Mu[k])
	}
	kept, mu := caratheodory(columns, sizes, d.Mu)
	for _, position := range kept {
		atoms = append(atoms, d.Relevant[position])
	}
	return atoms, mu
}

// raiseToTerms raises each size to the terms that an atom of some weight has in the
// coefficients and the constant of ⟨atom, q(x)⟩.
func raiseToTerms(sizes []float64, q sparsero.AffineMap, atom []float64, weight float64) {
	n := len(sizes) - 1
	for i, v := range atom {
		factor := math.Abs(weight * v)
		for j, a := range q.Matrix.RawRowView(i) {
			sizes[j] = math.Max(sizes[j], factor*math.Abs(a))
		}
		if q.Constant != nil {
			sizes[n] = math.Max(sizes[n], factor*math.Abs(q.Constant[i]))
		}
	}
}

// caratheodory moves positive weights to linearly independent columns without changing Σ weights[k] columns[k] and without
// raising Σ weights, to a vertex of a linear program. Each coordinate of the columns is measured in its size: that of the
// terms it was summed from. It returns the positions that keep a weight and their weights: all where the solver gives up.
func caratheodory(columns [][]float64, sizes, weights []float64) (kept []int, moved []float64) {
	shares := solver.NewModel("shares of the weights")
	for _, w := range weights {
		shares.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: w})
	}
	for i, size := range sizes {
		var row solver.Row
		sum := 0.0
		for k, column := range columns {
			if v := weights[k] * (column[i] / size); math.Abs(v) > sumNoise {
				row.Columns, row.Values = append(row.Columns, k), append(row.Values, v)
				sum += v
			}
		}
		row.Bounds = solver.Equal(sum)
		shares.AddRow(row)
	}
	result, err := solver.Solve(context.Background(), shares, nil)
	for k, w := range weights {
		share := 1.0
		if err == nil && result.X != nil {
			share = result.X[k]
		}
		if share > 0 {
			kept, moved = append(kept, k), append(moved, share*w)
		}
	}
	return kept, moved
}
