package certificate

import (
	"fmt"
	"math/big"
	"slices"
)

// duality evaluates a proof by weak duality between sides.
type duality struct {
	*sides
	file  *designFile
	table [][]float64 // the dictionary
}

// mostReduced bounds the length of all reduced costs of a leaf in bits.
const mostReduced = 1_000_000_000

// proven is the bound of a part of the tree: a number, nil for none, or that the part is empty.
type proven struct {
	bound *big.Rat
	empty bool
}

// node returns the bound of a branch or a leaf.
func (d *duality) node(n *designProof) (proven, error) {
	if n.Leaf != nil {
		return d.leaf(n.Leaf)
	}
	j, at := n.Branch.Column, exactly(n.Branch.At)
	lower, upper := d.lower[j], d.upper[j]
	if upper == nil || upper.Cmp(at) > 0 {
		d.upper[j] = at
	}
	below, err := d.node(&n.Branch.Below)
	if err != nil {
		return proven{}, err
	}
	d.upper[j] = upper
	if next := new(big.Rat).Add(at, exactly(1)); lower == nil || lower.Cmp(next) < 0 {
		d.lower[j] = next
	}
	above, err := d.node(&n.Branch.Above)
	d.lower[j] = lower
	switch {
	case below.empty || err != nil:
		return above, err
	case above.empty || below.bound == nil:
		return below, nil
	case above.bound == nil || above.bound.Cmp(below.bound) < 0:
		return above, nil
	}
	return below, nil
}

// leaf returns the bound of its multipliers.
func (d *duality) leaf(n *designLeaf) (proven, error) {
	l, err := d.lagrangian(n)
	if err != nil {
		return proven{}, err
	}
	terms := append(l.terms, l.unscaled(l.constant))
	for j, g := range l.reduced {
		side := d.lower[j]
		if g.Sign() < 0 {
			side = d.upper[j]
		}
		switch {
		case g.Sign() == 0:
		case side == nil:
			return proven{}, nil
		case side.Sign() != 0:
			terms = append(terms, new(big.Rat).Mul(l.unscaled(g), side))
		}
	}
	bound := total(terms)
	if n.empty() {
		return proven{empty: bound.Sign() > 0}, nil
	}
	return proven{bound: bound}, nil
}

// lagrangian is what weak duality adds up: reduced costs and a constant, both as multiples of 1/scale, the common
// denominator of the multipliers, and more terms of the constant.
type lagrangian struct {
	scale    *big.Int
	reduced  []*big.Float
	constant *big.Float
	terms    []*big.Rat
}

// scaled returns a multiplier times the scale, a whole number.
func (l *lagrangian) scaled(v *big.Rat) *big.Float {
	whole := new(big.Int).Quo(l.scale, v.Denom())
	return new(big.Float).SetPrec(big.MaxPrec).SetInt(whole.Mul(whole, v.Num()))
}

func (l *lagrangian) unscaled(v *big.Float) *big.Rat {
	return new(big.Rat).Quo(asFraction(v), new(big.Rat).SetInt(l.scale))
}

// lagrangian adds up the terms of b, which is 0 for an empty leaf, and of all multipliers.
func (d *duality) lagrangian(n *designLeaf) (*lagrangian, error) {
	point := n.Tangent
	if point == nil {
		point = fractions(d.file.Decision)
	}
	l := &lagrangian{scale: n.denominator(point), reduced: dyadics(make([]float64, len(point))), constant: dyadic(0)}
	if l.scale.BitLen()*len(point) > mostReduced {
		return nil, notCheckable("the common denominator of a leaf has %d bits, too many for %d columns", l.scale.BitLen(), len(point))
	}
	if !n.empty() {
		l.addCost(&d.file.Model, point)
	}
	for _, m := range n.Rows {
		if err := d.addRow(l, m); err != nil {
			return nil, err
		}
	}
	return l, d.addAtoms(l, n)
}

// addCost adds the tangent of b at a point z: that of v x_i x_j is v (z_j x_i + z_i x_j - z_i z_j).
func (l *lagrangian) addCost(model *designModel, z []*big.Rat) {
	for _, q := range model.Quadratic {
		value := dyadic(q.Value)
		l.reduced[q.I].Add(l.reduced[q.I], dyadic(0).Mul(value, l.scaled(z[q.J])))
		l.reduced[q.J].Add(l.reduced[q.J], dyadic(0).Mul(value, l.scaled(z[q.I])))
	}
	l.terms = append(l.terms, exactly(model.Offset))
	for j := range z { // the gradient of the quadratic part times z is twice its value
		if l.reduced[j].Sign() != 0 {
			half := new(big.Rat).Mul(l.unscaled(l.reduced[j]), big.NewRat(-1, 2))
			l.terms = append(l.terms, half.Mul(half, z[j]))
		}
		cost := l.scaled(exactly(1))
		l.reduced[j].Add(l.reduced[j], cost.Mul(cost, dyadic(model.Columns[j].Cost)))
	}
}

// denominator is the common one of all multipliers and of a point.
func (n *designLeaf) denominator(point []*big.Rat) *big.Int {
	common := big.NewInt(1)
	for _, v := range point {
		common = leastCommon(common, v.Denom())
	}
	for _, list := range [][]designPair{n.Rows, n.Objective} {
		for _, m := range list {
			common = leastCommon(common, m.Value.Denom())
		}
	}
	for _, m := range n.Constraints {
		common = leastCommon(common, m.Value.Denom())
	}
	return common
}

// addRow adds y (side - <a, x>).
func (d *duality) addRow(l *lagrangian, m designPair) error {
	if m.Value.Sign() == 0 {
		return nil
	}
	row, side := &d.file.Model.Rows[m.Index], d.lower[len(d.file.Decision)+m.Index]
	if m.Value.Sign() < 0 {
		side = d.upper[len(d.file.Decision)+m.Index]
	}
	if side == nil {
		return falseProof("it leans on a bound that row %d does not have", m.Index)
	}
	l.terms = append(l.terms, new(big.Rat).Mul(m.Value, side))
	factor := l.scaled(new(big.Rat).Neg(m.Value))
	for k, j := range row.Columns {
		l.reduced[j].Add(l.reduced[j], dyadic(0).Mul(factor, dyadic(row.Values[k])))
	}
	return nil
}

// addAtoms adds <u, q(x)> for the mixture u of atoms that the objective has, and for each robust constraint
// the sum of its multipliers times <nominal, x> - limit, and r <u, q(x)> for its mixture.
func (d *duality) addAtoms(l *lagrangian, n *designLeaf) error {
	mixed, sum, err := d.mixture(l, n.Objective)
	if err != nil {
		return err
	}
	if sum.Cmp(exactly(d.file.Radius)) > 0 {
		return falseProof("the multipliers of a leaf's atoms add up to more than the radius")
	}
	if d.file.Objective != nil {
		l.addMap(d.file.Objective, mixed)
	}
	grouped := make([][]designPair, len(d.file.Constraints))
	for _, m := range n.Constraints {
		grouped[m.Constraint] = append(grouped[m.Constraint], designPair{m.Index, m.Value})
	}
	radius, limits := dyadic(d.file.Radius), d.upper[len(d.upper)-len(grouped):]
	for k := range grouped {
		if mixed, sum, err = d.mixture(l, grouped[k]); err != nil {
			return err
		}
		for i := range mixed {
			mixed[i].Mul(mixed[i], radius)
		}
		constraint := &d.file.Constraints[k]
		l.addMap(&constraint.designMap, mixed)
		addMultiple(l.reduced, l.scaled(sum), constraint.Nominal)
		l.terms = append(l.terms, sum.Neg(sum.Mul(sum, limits[k])))
	}
	return nil
}

// mixture returns the scaled sum of the atoms by their multipliers and the sum of the multipliers.
func (d *duality) mixture(l *lagrangian, multipliers []designPair) (mixed []*big.Float, sum *big.Rat, err error) {
	mixed, sum = dyadics(make([]float64, d.file.Dictionary.Dimension)), new(big.Rat)
	for _, m := range multipliers {
		if m.Value.Sign() < 0 {
			return nil, nil, falseProof("the multiplier of atom %d is negative", m.Index)
		}
		if m.Index >= 0 && m.Value.Sign() > 0 && !slices.Contains(d.file.Chosen, m.Index) {
			return nil, nil, falseProof("it leans on atom %d, which is not chosen", m.Index)
		}
		sum.Add(sum, m.Value)
		if m.Index >= 0 {
			addMultiple(mixed, l.scaled(m.Value), d.table[m.Index])
		}
	}
	return mixed, sum, nil
}

// addMap adds <mixed, q(x)>.
func (l *lagrangian) addMap(q *designMap, mixed []*big.Float) {
	for k, row := range q.Matrix {
		addMultiple(l.reduced, mixed[k], row)
	}
	addDot(l.constant, q.Constant, mixed)
}

func falseProof(format string, arguments ...any) error {
	return &FalseClaimError{"proof", "one by weak duality", fmt.Sprintf(format, arguments...)}
}
