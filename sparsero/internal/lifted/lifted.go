package lifted

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
)

// program is a problem in the form in which its lower bounds are proven: the program
//
//	min b(x) + r t   over x in X, t >= 0,
//	    s = q(x), and z_k = ⟨Nominal_k, x⟩, v_k = q_k(x), w_k = r v_k for each robust constraint k,
//	    ⟨d_i, s⟩ <= t, and z_k + ⟨d_i, w_k⟩ <= Limit_k, z_k <= Limit_k for the chosen atoms i.
//
// Every coefficient is a number of the problem as it stands, so that weak duality for this program is weak duality for
// the problem, without any rounding. The columns x come first, then t; all behind t are free, and each has a row that
// defines it. Over a set with a map M, s and v_k are M'q and M'q_k, and columns of their own stand for q and q_k. As
// the multiplier of a definition leaves nothing of the column that it defines, s, z_k, v_k and w_k of all k take the
// same columns, one after the other.
type program struct {
	problem   *Problem
	decision  *Decision    // whose atoms have rows
	point     []*big.Float // at which b is replaced by its tangent where a leaf names no point
	curvature *Curvature
	sides     sides     // of the columns x, the rows of X and the robust constraints
	across    []Entries // the columns of M, in the columns of q
}

// lift takes the sides of an evaluation as they are.
func (e *evaluation) lift(c *Curvature) *program {
	l := &program{problem: e.Problem, decision: e.decision, point: e.x, curvature: c, sides: e.sides}
	if e.Set.mapped() {
		l.across = make([]Entries, e.Dictionary.Dimension)
		for k, row := range e.Set.Map {
			for entry, j := range row.Columns {
				l.across[j].Columns, l.across[j].Values = append(l.across[j].Columns, l.mapped()+len(l.across)+k), append(l.across[j].Values, row.Values[entry])
			}
		}
	}
	return l
}

// worst is the column t, behind which stand z, the first of w, and the first of s and v. Those of q follow where there is a map M.
func (l *program) worst() int   { return len(l.problem.Model.Columns) }
func (l *program) nominal() int { return l.worst() + 1 }
func (l *program) scaled() int  { return l.nominal() + 1 }
func (l *program) mapped() int  { return l.scaled() + l.problem.Dictionary.Dimension }

// with returns the same with the curvature and the implied bounds of a proof.
func (l *program) with(p *Proof) *program {
	with := *l
	with.curvature, with.sides = p.Curvature, l.sides.clone()
	for _, b := range p.Implied {
		missing := with.imply(b)
		ensureProof(!missing, fmt.Sprintf("the implied bound %v rests on one that is not there", b))
	}
	return &with
}

// narrowed is the part of the problem in which a side of a column is moved inwards.
func (l *program) narrowed(column, side int, to *big.Float) *program {
	part := *l
	part.sides = l.sides.clone()
	part.sides.narrow(column, side, to)
	return &part
}

// narrow moves a side inwards.
func (s sides) narrow(place, side int, to *big.Float) {
	if known := s[side][place]; known == nil || known.Cmp(to) == beyond[side] {
		s[side][place] = to
	}
}

// open lists the columns among x and t, which comes behind x, that lack the bound on which their reduced cost leans by a leaf.
func (l *program) open(leaf *Leaf) (columns []int) {
	g := l.lagrangian(leaf)
	for j := range l.worst() {
		if sign := g.Of(j).Sign(); sign != 0 && l.sides[sideOf(sign < 0)][j] == nil {
			columns = append(columns, j)
		}
	}
	if g.Of(l.worst()).Sign() < 0 {
		columns = append(columns, l.worst())
	}
	return columns
}

// reduced returns the reduced costs of some columns among x and t by a leaf.
func (l *program) reduced(leaf *Leaf, columns []int) []*big.Rat {
	g, scale := l.lagrangian(leaf), fraction(leaf.Scale.float())
	reduced := make([]*big.Rat, len(columns))
	for k, j := range columns {
		reduced[k] = fraction(g.Of(j))
		reduced[k].Quo(reduced[k], scale)
	}
	return reduced
}

// bound returns what no cost of a feasible x is below by a leaf, and for an empty one what 0 is not below, so that none is
// feasible if that is above 0; nil where a column without a bound is in the way.
func (l *program) bound(leaf *Leaf) *big.Rat { return l.least(l.lagrangian(leaf), leaf) }

// bounds are those of the columns of X, infinite for none.
func (l *program) bounds() (lower, upper []float64) {
	of := func(side int) []float64 {
		bounds := make([]float64, l.worst())
		for j, v := range l.sides[side][:l.worst()] {
			if bounds[j] = math.Inf(beyond[side]); v != nil {
				bounds[j], _ = v.Float64()
			}
		}
		return bounds
	}
	return of(lowerSide), of(upperSide)
}

// lagrangian is the cost less the multiples of rows that a leaf takes, affine in x and t, times the scale of the leaf.
func (l *program) lagrangian(leaf *Leaf) *lagrangian {
	columns := l.mapped() + len(l.across) + l.problem.coordinates()
	g := &lagrangian{exact.NewLagrangian(columns), dyadic(0)}
	if !leaf.Empty {
		l.addCost(g, leaf)
	}
	l.takeRows(g, leaf)
	l.takeAtoms(g, leaf)
	return g
}

// addCost adds r t and b, or its tangent at a point: that of v x_i x_j is v (z_j x_i + z_i x_j - z_i z_j).
func (l *program) addCost(g *lagrangian, leaf *Leaf) {
	scale, model := leaf.Scale.float(), &l.problem.Model
	add(g.Constant, product(scale, dyadic(model.Offset)))
	for j, c := range model.Columns {
		add(g.Of(j), product(scale, dyadic(c.Cost)))
	}
	if l.problem.Objective != nil {
		add(g.Of(l.worst()), product(scale, dyadic(l.problem.Radius)))
	}
	q := &model.Quadratic
	if len(q.Values) == 0 {
		return
	}
	z := l.tangent(leaf)
	for k, v := range q.Values {
		value, i, j := dyadic(v), q.I[k], q.J[k]
		add(g.Of(i), product(value, z[j]))
		add(g.Of(j), product(value, z[i]))
		g.squared.Sub(g.squared, product(value, product(z[i], z[j])))
	}
}

// add adds a number to a sum.
func add(sum, v *big.Float) { sum.Add(sum, v) }

// tangent is the point at which b is replaced by its tangent, times the scale of the leaf.
func (l *program) tangent(leaf *Leaf) []*big.Float {
	z := make([]*big.Float, len(l.point))
	for j := range z {
		if len(leaf.Tangent) > 0 {
			z[j] = leaf.Tangent[j].float()
		} else {
			z[j] = product(leaf.Scale.float(), l.point[j])
		}
	}
	return z
}

// takeRows adds y (side - <a, x>) for each row of X with a multiplier.
func (l *program) takeRows(g *lagrangian, leaf *Leaf) {
	for k, i := range leaf.Rows.Of {
		y := leaf.Rows.Values[k].float()
		if y.Sign() == 0 {
			continue
		}
		side := l.sides[sideOf(y.Sign() < 0)][l.worst()+i]
		ensureProof(side != nil, fmt.Sprintf("it leans on a bound that row %d does not have", i))
		row := &l.problem.Model.Rows[i]
		g.Take(y, &proof.Row{Columns: row.Columns, Values: row.Values}, side)
	}
}

// takeAtoms adds what the rows of atoms miss their upper sides by, times the multipliers.
func (l *program) takeAtoms(g *lagrangian, leaf *Leaf) {
	if l.takeEach(g, leaf.Objective, l.worst(), -1, l.mapped(), dyadic(0)); l.problem.Objective != nil {
		l.takeMap(g, l.problem.Objective)
	}
	for k, m := range leaf.Constraints {
		if len(m.Of) == 0 {
			continue
		}
		l.takeEach(g, m, l.nominal(), 1, l.scaled(), l.sides[upperSide][l.worst()+len(l.problem.Model.Rows)+k])
		for i := range l.problem.Dictionary.Dimension {
			g.define(l.scaled()+i, Entries{[]int{l.mapped() + i}, []float64{l.problem.Radius}}, 0)
		}
		l.takeMap(g, &l.problem.Constraints[k].Map)
		g.define(l.nominal(), dense(l.problem.Constraints[k].Nominal), 0)
	}
}

// takeEach adds what the rows of some atoms miss a side by, times the multipliers. A row leads from the column of its
// side, t or z, to those of its direction, where the null atom -1 has no entries.
func (l *program) takeEach(g *lagrangian, m Multipliers, of int, coefficient float64, first int, side *big.Float) {
	columns := []int{of}
	for k := range l.problem.Dictionary.Dimension {
		columns = append(columns, first+k)
	}
	for k, atom := range m.Of {
		y, values := m.Values[k].float(), []float64{coefficient}
		ensureProof(y.Sign() >= 0, fmt.Sprintf("the multiplier of atom %d is negative", atom))
		if y.Sign() == 0 {
			continue
		}
		ensureProof(atom < 0 || slices.Contains(l.decision.Atoms, atom), fmt.Sprintf("it leans on atom %d, which is not chosen", atom))
		if atom >= 0 {
			values = append(values, l.problem.Dictionary.Values[atom]...)
		}
		g.Take(dyadic(0).Neg(y), &proof.Row{Columns: columns[:len(values)], Values: values}, side)
	}
}

// takeMap takes the definitions of the direction of a map.
func (l *program) takeMap(g *lagrangian, q *Map) {
	for j, of := range l.across {
		g.define(l.mapped()+j, of, 0)
	}
	for k := range l.problem.coordinates() {
		entries, constant := q.Row(k)
		g.define(l.mapped()+len(l.across)+k, entries, constant)
	}
}

// least returns the least value of a Lagrangian between the sides of the columns, nil for none. Where b is convex only with
// a slack, its tangent lies above it by at most the slack times the squared distance from the point: what is left is concave,
// and least at one of the sides.
func (l *program) least(g *lagrangian, leaf *Leaf) *big.Rat {
	concave := map[int]float64{}
	var z []*big.Float
	if l.curvature != nil && !leaf.Empty {
		z = l.tangent(leaf)
		for k, j := range l.curvature.Columns {
			concave[j] = l.curvature.Slack[k]
		}
	}
	if g.Of(l.worst()).Sign() < 0 {
		return nil // t has no upper bound
	}
	for j := range l.worst() {
		lower, upper := l.sides[lowerSide][j], l.sides[upperSide][j]
		if slack := concave[j]; slack > 0 {
			if lower == nil || upper == nil {
				return nil
			}
			g.addConcave(j, slack, leaf.Scale.float(), z[j], lower, upper)
		} else if !g.AddLeast(j, lower, upper) {
			return nil
		}
	}
	scale := fraction(leaf.Scale.float())
	bound := fraction(g.squared)
	bound.Quo(bound, scale)
	bound.Add(bound, fraction(g.Constant))
	return bound.Quo(bound, scale)
}

// lagrangian has a part of its constant in the square of the unit of the rest.
type lagrangian struct {
	*exact.Lagrangian
	squared *big.Float
}

// dense are the entries of a list of values for all columns.
func dense(values []float64) (of Entries) {
	for j, v := range values {
		of.Columns, of.Values = append(of.Columns, j), append(of.Values, v)
	}
	return of
}

// define takes the multiple of the row column = <entries, x> + constant that leaves nothing of the column.
func (g *lagrangian) define(column int, of Entries, constant float64) {
	y := g.Of(column)
	if y.Sign() == 0 {
		return
	}
	for k, j := range of.Columns {
		add(g.Of(j), product(y, dyadic(of.Values[k])))
	}
	add(g.Constant, product(y, dyadic(constant)))
	y.SetInt64(0)
}

// addConcave adds the least value of cost x - slack (x - z)² between two sides; z and the cost are times the scale.
func (g *lagrangian) addConcave(j int, slack float64, scale, z, lower, upper *big.Float) {
	at := func(x *big.Float) *big.Float {
		scaled := product(scale, x)
		away := dyadic(0).Sub(scaled, z)
		value := product(g.Of(j), scaled)
		return value.Sub(value, product(dyadic(slack), product(away, away)))
	}
	least := at(lower)
	if other := at(upper); other.Cmp(least) < 0 {
		least = other
	}
	g.squared.Add(g.squared, least)
}
