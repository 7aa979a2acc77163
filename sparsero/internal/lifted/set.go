package lifted

import (
	"fmt"
	"math/big"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
)

// Set is a convex set { M z : z in Z } in the place of the hull of the atoms, which are points z of Z. Z is a polyhedron in a box,
// or, where it has no bounds, the unit ball.
type Set struct {
	Map   []Entries `json:"map"`   // M, with a row for each coordinate of q, over those of z; none for the identity
	Lower []float64 `json:"lower"` // of the coordinates of z; none for ‖z‖₂ <= 1
	Upper []float64 `json:"upper"`
	Rows  []Row     `json:"rows"`
	// Support has a list for the objective and one for each robust constraint, or is empty: a multiplier for each of
	// Rows, which lean on the upper side above 0 and on the lower one below. They bound the support of Z at the
	// decision.
	Support [][]float64 `json:"support"`
}

// check ends the check of a set for atoms of a dimension, and of so many robust constraints, that does not fit together.
func (s *Set) check(dimension, constraints int) {
	for k, row := range s.Map {
		entries("row of the map of the set", k, row.Columns, row.Values, dimension)
	}
	Need(len(s.Lower) == len(s.Upper), "the set has %d lower bounds and %d upper ones", len(s.Lower), len(s.Upper))
	length("bounds of the set", len(s.Lower), dimension)
	Need(len(s.Lower) > 0 || len(s.Rows) == 0, "the set has rows and no bounds")
	for i, row := range s.Rows {
		entries("row of the set", i, row.Columns, row.Values, dimension)
	}
	length("support of the set", len(s.Support), 1+constraints)
	for _, multipliers := range s.Support {
		Need(len(multipliers) == len(s.Rows), "the support of the set has %d multipliers for %d rows", len(multipliers), len(s.Rows))
		for i, y := range multipliers {
			Need(y == 0 || s.Rows[i].side(y > 0) != nil, "the support of the set leans on a bound that row %d does not have", i)
		}
	}
}

// side is the upper side, or the lower one, nil for none.
func (r *Row) side(upper bool) *float64 {
	if upper {
		return r.Upper
	}
	return r.Lower
}

// CheckAtoms ends the check of a decision with an atom that is no point of the set.
func (p *Problem) CheckAtoms(d *Decision) {
	if p.Set == nil {
		return
	}
	for _, i := range d.Atoms {
		Ensure(p.Set.contains(dyadics(p.Dictionary.Values[i])), "set", fmt.Sprintf("with atom %d", i), "that is no point of it")
	}
}

func (s *Set) contains(z []*big.Float) bool {
	if len(s.Lower) == 0 {
		return squared(z).Cmp(dyadic(1)) <= 0
	}
	within := func(value *big.Float, lower, upper *float64) bool {
		return (lower == nil || value.Cmp(dyadic(*lower)) >= 0) && (upper == nil || value.Cmp(dyadic(*upper)) <= 0)
	}
	for j, v := range z {
		if !within(v, &s.Lower[j], &s.Upper[j]) {
			return false
		}
	}
	for _, row := range s.Rows {
		if !within(addDot(dyadic(0), row.Columns, row.Values, z), row.Lower, row.Upper) {
			return false
		}
	}
	return true
}

func squared(z []*big.Float) *big.Float {
	sum := dyadic(0)
	for _, v := range z {
		add(sum, product(v, v))
	}
	return sum
}

// above returns a number that no ⟨z, t⟩ over Z exceeds: the norm of t, rounded up, or the bound of weak duality
//
//	Σ_i y_i side_i + Σ_j max{ g_j z_j : lower_j <= z_j <= upper_j },   g = t - Σ_i y_i a_i.
func (s *Set) above(t []*big.Float, multipliers []float64) *big.Float {
	if len(s.Lower) == 0 {
		return rootAbove(squared(t))
	}
	g := exact.NewLagrangian(len(t)) // of the least -⟨z, t⟩
	for j, v := range t {
		g.Of(j).Neg(v)
	}
	for i, y := range multipliers {
		if row := &s.Rows[i]; y != 0 {
			g.Take(dyadic(-y), &proof.Row{Columns: row.Columns, Values: row.Values}, dyadic(*row.side(y > 0)))
		}
	}
	for j := range t {
		g.AddLeast(j, dyadic(s.Lower[j]), dyadic(s.Upper[j]))
	}
	return g.Constant.Neg(g.Constant)
}

// rootBits are the binary digits that a root has behind those of its argument.
const rootBits = 128

// rootAbove is the root of n/d, in lowest terms, rounded up to a whole number over 2^rootBits d.
func rootAbove(v *big.Float) *big.Float {
	f := fraction(v)
	scaled := new(big.Int).Mul(f.Num(), f.Denom())
	scaled.Lsh(scaled, 2*rootBits)
	root := new(big.Int).Sqrt(scaled)
	if new(big.Int).Mul(root, root).Cmp(scaled) < 0 {
		root.Add(root, big.NewInt(1))
	}
	below := new(big.Int).Lsh(f.Denom(), rootBits) // a power of two
	above := dyadic(0).SetInt(root)
	return above.SetMantExp(above, 1-below.BitLen())
}

// mapped tells that M is not the identity.
func (s *Set) mapped() bool { return s != nil && len(s.Map) > 0 }

// coordinates is the number of those of q.
func (p *Problem) coordinates() int {
	if p.Set.mapped() {
		return len(p.Set.Map)
	}
	return p.Dictionary.Dimension
}

// Points are the atoms, or M z for the points z of a set, rounded.
func (p *Problem) Points() [][]float64 {
	if !p.Set.mapped() {
		return p.Dictionary.Values
	}
	points := make([][]float64, len(p.Dictionary.Values))
	for i, z := range p.Dictionary.Values {
		for _, row := range p.Set.Map {
			v, _ := addDot(dyadic(0), row.Columns, row.Values, dyadics(z)).Float64()
			points[i] = append(points[i], v)
		}
	}
	return points
}

// direction returns M'q(x), in the coordinates of the atoms from one on; of a set in all of them.
func (p *Problem) direction(q *Map, x []*big.Float) (first int, s []*big.Float) {
	first, s = q.first(), q.direction(x)
	if p.Set == nil {
		return first, s
	}
	t := dyadics(make([]float64, p.Dictionary.Dimension))
	for k, v := range s {
		row := Entries{[]int{first + k}, []float64{1}}
		if p.Set.mapped() {
			row = p.Set.Map[first+k]
		}
		for e, j := range row.Columns {
			add(t[j], product(v, dyadic(row.Values[e])))
		}
	}
	return 0, t
}

// worst returns a number that max(0, ⟨d, q(x)⟩) does not exceed for any point d of the set, or the largest over all atoms; the
// objective has the place 0.
func (p *Problem) worst(q *Map, place int, x []*big.Float) *big.Float {
	first, t := p.direction(q, x)
	if p.Set == nil {
		return worst(p.Dictionary.Values, first, t)
	}
	var multipliers []float64
	if len(p.Set.Support) > 0 {
		multipliers = p.Set.Support[place]
	}
	if above := p.Set.above(t, multipliers); above.Sign() > 0 {
		return above
	}
	return dyadic(0)
}
