package robust

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"gonum.org/v1/gonum/mat"
)

// drawn draws numbers for problems.
type drawn struct{ *rand.Rand }

// number is a normal draw, a short one, or 0.
func (r drawn) number() float64 {
	switch r.IntN(4) {
	case 0:
		return float64(r.IntN(9) - 4)
	case 1:
		return 0
	}
	return r.NormFloat64()
}

func (r drawn) numbers(n int) []float64 {
	values := make([]float64, n)
	for k := range values {
		values[k] = r.number()
	}
	return values
}

func (r drawn) affine(p, n int) sparsero.AffineMap {
	q := sparsero.AffineMap{Matrix: mat.NewDense(p, n, r.numbers(p*n))}
	if r.IntN(2) == 0 {
		q.Constant = r.numbers(p)
	}
	return q
}

func (r drawn) dictionary(p int) *sparsero.Dictionary {
	for {
		n := 1 + r.IntN(5)
		if d, err := sparsero.NewDictionary(mat.NewDense(n, p, r.numbers(n*p)), nil); err == nil {
			return d
		}
	}
}

// problem draws a linear, quadratic or integer problem, with free columns and robust constraints that share the set or have
// one of their own.
func (r drawn) problem() *Problem {
	n, p := 1+r.IntN(3), 1+r.IntN(3)
	region, integer := solver.NewModel("X"), r.IntN(4) == 0
	for range n {
		bounds := solver.Between(-2+r.number()/4, 3+r.Float64())
		if !integer && r.IntN(4) == 0 {
			bounds = solver.Bounds{}
		} else if r.IntN(4) == 0 {
			bounds = solver.AtLeast(-1)
		}
		region.AddColumn(solver.Column{Bounds: bounds, Cost: r.number(), Integer: integer && r.IntN(2) == 0})
	}
	for range r.IntN(3) {
		row := solver.Row{Bounds: solver.AtMost(2 + r.Float64())}
		for j, v := range r.numbers(n) {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, v)
		}
		region.AddRow(row)
	}
	if r.IntN(3) == 0 && !integer {
		square := r.numbers(n)
		for i := range n {
			region.AddQuadratic(i, i, square[i]*square[i]+float64(r.IntN(2)))
			for j := range i {
				region.AddQuadratic(i, j, 2*square[i]*square[j])
			}
		}
	}
	d, q := r.dictionary(p), sparsero.AffineMap{}
	if r.IntN(4) > 0 {
		q = r.affine(p, n)
	}
	var constraints []Constraint
	for range r.IntN(3) {
		c := Constraint{Map: r.affine(p, n), Limit: 1 + 2*r.Float64()}
		if r.IntN(2) == 0 {
			c.Nominal = r.numbers(n)
		}
		if r.IntN(3) == 0 {
			own := 1 + r.IntN(2)
			c.Dictionary, c.Map, c.Radius = r.dictionary(own), r.affine(own, n), r.Float64()
			c.Name = string(rune('a' + len(constraints)))
		}
		constraints = append(constraints, c)
	}
	problem, err := NewProblem(d, region, q, constraints...)
	if err != nil {
		return nil
	}
	return problem
}

// TestBoundsOfFilesAreThoseInMemory: the fraction that a proof in memory proves is that of the file, and that of weak
// duality for the atoms as functions of x, which knows nothing of lifted columns.
func TestBoundsOfFilesAreThoseInMemory(t *testing.T) {
	problems := 10_000
	if testing.Short() {
		problems = 200
	}
	seen := map[string]int{}
	for seed := uint64(0); seen["problems"] < problems; seed++ {
		r := drawn{rand.New(rand.NewPCG(seed, 29))}
		p := r.problem()
		if p == nil {
			continue
		}
		atoms := r.Perm(p.dictionary.size)[:1+r.IntN(p.dictionary.size)]
		s, err := p.Solve(context.Background(), atoms, r.Float64(), nil)
		if err != nil {
			if errors.Is(err, solver.ErrUnsupported) {
				seen["left to HiGHS"]++
			} else if !errors.Is(err, solver.ErrUnbounded) && !errors.Is(err, solver.ErrInfeasible) && !errors.Is(err, solver.ErrNumericalTrouble) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			continue
		}
		seen["problems"]++
		content, err := s.content(nil)
		if err != nil {
			t.Fatal(err)
		}
		if content.Proof == nil {
			seen["without a bound"]++
			continue
		}
		memory := lifted.Evaluate(&content.Problem, &content.Decision, content.Proof).Lower
		var file bytes.Buffer
		if err := content.Write(&file); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		read, err := designfile.Verify(&file, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		found := read.Content()
		if memory == nil || found.Proof == nil {
			if memory != nil || found.Proof != nil {
				t.Fatalf("seed %d: bound %v in memory, proof %v in the file", seed, memory, found.Proof)
			}
			seen["without a bound"]++
			continue
		}
		filed := lifted.Evaluate(&found.Problem, &found.Decision, found.Proof).Lower
		plain := plainBound(&found.Problem, &found.Decision, found.Proof)
		if filed == nil || filed.Cmp(memory) != 0 || plain == nil || plain.Cmp(memory) != 0 {
			t.Fatalf("seed %d: bound %v in memory, %v in the file, %v by atoms", seed, memory, filed, plain)
		}
		for name, is := range map[string]bool{
			"branched": len(found.Proof.Branches) > 0, "quadratic": found.Proof.Curvature != nil, "constrained": len(found.Problem.Constraints) > 0,
			"implied": len(found.Proof.Implied) > 0, "scaled": found.Proof.Leaves[0].Scale != lifted.Leaf{}.Scale && rationalOf(found.Proof.Leaves[0].Scale).Cmp(lifted.Rational(1)) != 0,
		} {
			if is {
				seen[name]++
			}
		}
	}
	t.Log(seen)
	for _, name := range []string{"branched", "quadratic", "constrained", "implied", "scaled"} {
		if seen[name] == 0 && (name != "branched" || seen["left to HiGHS"] == 0) || seen["without a bound"] > seen["problems"]/4 {
			t.Errorf("%v: too few are %s, or have a bound", seen, name)
		}
	}
}

// rationalOf reads a number by its text, as others would.
func rationalOf(n lifted.Number) *big.Rat {
	data, _ := n.MarshalJSON()
	if text := bytes.Trim(data, `"`); len(text) < len(data) {
		whole, _ := new(big.Int).SetString(string(text), 16)
		return new(big.Rat).SetInt(whole)
	}
	v, _ := new(big.Rat).SetString(string(data))
	nearest, _ := v.Float64()
	return lifted.Rational(nearest)
}

// plainBound evaluates a proof by weak duality over x and t alone, where each atom is a function of x.
func plainBound(p *lifted.Problem, d *lifted.Decision, proof *lifted.Proof) *big.Rat {
	n := len(p.Model.Columns)
	sides := make([][2]*big.Rat, n)
	for j, c := range p.Model.Columns {
		sides[j] = [2]*big.Rat{sideOf(c.Lower), sideOf(c.Upper)}
	}
	for _, b := range proof.Implied {
		plainImply(p, sides, b)
	}
	var least *big.Rat
	var visit func(node int, sides [][2]*big.Rat) bool
	visit = func(node int, sides [][2]*big.Rat) bool {
		if node >= len(proof.Branches) {
			leaf := &proof.Leaves[node-len(proof.Branches)]
			bound := plainLeaf(p, d, proof.Curvature, leaf, sides)
			if leaf.Empty {
				return bound != nil && bound.Sign() > 0
			}
			if bound != nil && (least == nil || bound.Cmp(least) < 0) {
				least = bound
			}
			return bound != nil
		}
		b := proof.Branches[node]
		below, above := append([][2]*big.Rat{}, sides...), append([][2]*big.Rat{}, sides...)
		if at := lifted.Rational(float64(b[1])); below[b[0]][1] == nil || below[b[0]][1].Cmp(at) > 0 {
			below[b[0]][1] = at
		}
		if at := lifted.Rational(float64(b[1] + 1)); above[b[0]][0] == nil || above[b[0]][0].Cmp(at) < 0 {
			above[b[0]][0] = at
		}
		return visit(b[2], below) && visit(b[3], above)
	}
	if !visit(0, sides) {
		return nil
	}
	return least
}

func sideOf(v *float64) *big.Rat {
	if v == nil {
		return nil
	}
	return lifted.Rational(*v)
}

// plainImply gives a column the bound that a row implies, rounded outwards.
func plainImply(p *lifted.Problem, sides [][2]*big.Rat, b lifted.Implied) {
	row, own := p.Model.Rows[b[0]], 0.0
	for k, j := range row.Columns {
		if j == b[1] {
			own = row.Values[k]
		}
	}
	high := (b[2] > 0) == (own > 0)
	rest := sideOf(row.Lower)
	if high {
		rest = sideOf(row.Upper)
	}
	for k, j := range row.Columns {
		if j == b[1] || row.Values[k] == 0 {
			continue
		}
		end := sides[j][0]
		if high != (row.Values[k] > 0) {
			end = sides[j][1]
		}
		lifted.AddProduct(rest, lifted.Rational(-row.Values[k]), end)
	}
	rest.Quo(rest, lifted.Rational(own))
	near, _ := rest.Float64()
	if math.IsInf(near, 0) {
		return
	}
	if lifted.Rational(near).Cmp(rest)*b[2] < 0 {
		near = math.Nextafter(near, math.Inf(b[2]))
	}
	sides[b[1]][(1+b[2])/2] = lifted.Rational(near)
}

// plainLeaf is the least value of the cost and of what the rows take off it between the sides, nil for none.
func plainLeaf(p *lifted.Problem, d *lifted.Decision, c *lifted.Curvature, l *lifted.Leaf, sides [][2]*big.Rat) *big.Rat {
	n, scale := len(p.Model.Columns), rationalOf(l.Scale)
	value := func(v lifted.Number) *big.Rat { return new(big.Rat).Quo(rationalOf(v), scale) }
	g, constant, z := lifted.Zeros(n), new(big.Rat), rationals(d.X, lifted.Rational)
	for j, v := range l.Tangent {
		z[j] = value(v)
	}
	if !l.Empty {
		constant = lifted.Rational(p.Model.Offset)
		for j, column := range p.Model.Columns {
			g[j] = lifted.Rational(column.Cost)
		}
		for k, v := range p.Model.Quadratic.Values {
			i, j := p.Model.Quadratic.I[k], p.Model.Quadratic.J[k]
			lifted.AddProduct(g[i], lifted.Rational(v), z[j])
			lifted.AddProduct(g[j], lifted.Rational(v), z[i])
			lifted.AddProduct(constant, lifted.Rational(-v), new(big.Rat).Mul(z[i], z[j]))
		}
	}
	for k, i := range l.Rows.Of {
		y, row := value(l.Rows.Values[k]), p.Model.Rows[i]
		side := row.Lower
		if y.Sign() < 0 {
			side = row.Upper
		}
		if y.Sign() != 0 {
			lifted.AddProduct(constant, y, sideOf(side))
		}
		for e, j := range row.Columns {
			lifted.AddProduct(g[j], y, lifted.Rational(-row.Values[e]))
		}
	}
	atom := func(q *lifted.Map, i int, weight *big.Rat) { // adds weight <d_i, q(x)>
		for k, v := range p.Dictionary.Values[i] {
			share := new(big.Rat).Mul(weight, lifted.Rational(v))
			row, own := q.Row(k)
			for e, j := range row.Columns {
				lifted.AddProduct(g[j], share, lifted.Rational(row.Values[e]))
			}
			lifted.AddProduct(constant, share, lifted.Rational(own))
		}
	}
	left := lifted.Rational(p.Radius)
	for k, i := range l.Objective.Of {
		mu := value(l.Objective.Values[k])
		left.Sub(left, mu)
		atom(p.Objective, i, mu)
	}
	if left.Sign() < 0 {
		return nil
	}
	for k, m := range l.Constraints {
		for e, i := range m.Of {
			nu := value(m.Values[e])
			lifted.AddProduct(constant, nu, lifted.Rational(-p.Constraints[k].Limit))
			for j, v := range p.Constraints[k].Nominal {
				lifted.AddProduct(g[j], nu, lifted.Rational(v))
			}
			if i >= 0 {
				atom(&p.Constraints[k].Map, i, new(big.Rat).Mul(nu, lifted.Rational(p.Radius)))
			}
		}
	}
	slack := make([]float64, n)
	if c != nil && !l.Empty {
		for k, j := range c.Columns {
			slack[j] = c.Slack[k]
		}
	}
	for j, cost := range g {
		var least *big.Rat
		for side, end := range sides[j] {
			if slack[j] == 0 && (cost.Sign() == 0 || (cost.Sign() < 0) != (side == 1)) {
				continue
			}
			if end == nil {
				return nil
			}
			at, away := new(big.Rat).Mul(cost, end), new(big.Rat).Sub(end, z[j])
			lifted.AddProduct(at, lifted.Rational(-slack[j]), away.Mul(away, away))
			if least == nil || at.Cmp(least) < 0 {
				least = at
			}
		}
		if least != nil {
			constant.Add(constant, least)
		}
	}
	return constant
}
