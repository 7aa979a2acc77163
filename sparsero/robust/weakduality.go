package robust

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/sparsero/directions/sparsero"
)

// leaf holds the multipliers of one application of weak duality, as a design file does.
type leaf struct {
	Rows        []weight       `json:"rows"`
	Objective   []weight       `json:"objective"`
	Constraints []robustWeight `json:"constraints"`
	Tangent     tangent        `json:"tangent,omitempty"`
	Empty       bool           `json:"empty,omitempty"`
}

// tangent is the point at which a quadratic b is replaced by its tangent; nil stands for the decision.
type tangent []*big.Rat

// weight is the multiplier of a row or of an atom.
type weight struct {
	index int
	value *big.Rat
}

// robustWeight is the multiplier of a robust constraint against an atom.
type robustWeight struct {
	constraint int
	weight
}

// newLeaf writes multipliers as a leaf, without those that lean on no bound, and with those of the objective
// scaled to a sum of at most r.
func (e *exactProblem) newLeaf(found multipliers, empty bool) *leaf {
	l := &leaf{Rows: []weight{}, Objective: []weight{}, Constraints: []robustWeight{}, Empty: empty}
	for i, y := range found.Rows {
		if y > 0 && e.rows[i].lower != nil || y < 0 && e.rows[i].upper != nil {
			l.Rows = append(l.Rows, weight{i, rational(y)})
		}
	}
	for _, m := range found.Robust {
		switch {
		case m.Exposure != objectiveExposure:
			l.Constraints = append(l.Constraints, robustWeight{m.Exposure, weight{m.Atom, rational(m.Value)}})
		case !empty:
			l.Objective = append(l.Objective, weight{m.Atom, rational(m.Value)})
		}
	}
	if sum := l.objectiveSum(); sum.Cmp(e.radius) > 0 { // by what the solver's tolerance allows
		share, _ := new(big.Rat).Quo(e.radius, sum).Float64()
		for k := range l.Objective {
			value, _ := l.Objective[k].value.Float64()
			l.Objective[k].value = rational(value * share * (1 - 0x1p-50))
		}
	}
	return l
}

// bound returns the lower bound of weak duality on Φ_N, or for an empty leaf on 0, over the columns given; nil
// where a column without a bound is in the way.
func (e *exactProblem) bound(l *leaf, columns []interval) *big.Rat {
	constant, reduced := e.reduced(l)
	for j, g := range reduced {
		side := columns[j].lower
		if g.Sign() < 0 {
			side = columns[j].upper
		}
		switch {
		case g.Sign() == 0:
		case side == nil:
			return nil
		default:
			addProduct(constant, g, side)
		}
	}
	return constant
}

// reduced returns constant and gradient of the Lagrangian, which is affine in x.
func (e *exactProblem) reduced(l *leaf) (constant *big.Rat, gradient []*big.Rat) {
	if l.Empty {
		constant, gradient = new(big.Rat), make([]*big.Rat, len(e.x))
		for j := range gradient {
			gradient[j] = new(big.Rat)
		}
	} else if l.Tangent != nil {
		constant, gradient = e.tangent(l.Tangent)
	} else {
		constant, gradient = e.tangent(e.x)
	}
	for _, y := range l.Rows {
		side := e.rows[y.index].lower
		if y.value.Sign() < 0 {
			side = e.rows[y.index].upper
		}
		addProduct(constant, y.value, side)
		columns, values := e.problem.region.RowTerms(y.index)
		for k, j := range columns {
			addProduct(gradient[j], new(big.Rat).Neg(y.value), rational(values[k]))
		}
	}
	e.pullBack(e.problem.q, l.Objective, constant, gradient)
	for k := range e.limits {
		e.reduceConstraint(k, l.Constraints, constant, gradient)
	}
	return constant, gradient
}

// reduceConstraint adds robust constraint k.
func (e *exactProblem) reduceConstraint(k int, all []robustWeight, constant *big.Rat, gradient []*big.Rat) {
	c, total := &e.problem.constraints[k], new(big.Rat)
	var atoms []weight
	for _, w := range all {
		if w.constraint != k {
			continue
		}
		total.Add(total, w.value)
		if w.index != sparsero.NullAtom {
			atoms = append(atoms, weight{w.index, new(big.Rat).Mul(w.value, e.radius)})
		}
	}
	addProduct(constant, new(big.Rat).Neg(total), e.limits[k])
	for j, v := range c.Nominal {
		addProduct(gradient[j], total, rational(v))
	}
	e.pullBack(c.Map, atoms, constant, gradient)
}

// pullBack adds ⟨u, q(x)⟩ for the u = Σ value d_i of weighted atoms.
func (e *exactProblem) pullBack(q sparsero.AffineMap, atoms []weight, constant *big.Rat, gradient []*big.Rat) {
	if len(atoms) == 0 {
		return
	}
	p, _ := q.Dims()
	for k := range p {
		u := new(big.Rat)
		for _, w := range atoms {
			addProduct(u, w.value, rational(e.problem.dictionary.RawRowView(w.index)[k]))
		}
		if u.Sign() == 0 {
			continue
		}
		for j, a := range q.Matrix.RawRowView(k) {
			addProduct(gradient[j], u, rational(a))
		}
		if q.Constant != nil {
			addProduct(constant, u, rational(q.Constant[k]))
		}
	}
}

// impliedPasses bounds the passes over the rows in search of implied bounds.
const impliedPasses = 10

// implied is a bound that a row and the bounds of its other columns give a column.
type implied struct {
	row, column int
	upper       bool
}

// findImplied searches the rows for bounds of columns that lack them; each may rest on those before it.
func (e *exactProblem) findImplied() []implied {
	var list []implied
	columns := slices.Clone(e.columns)
	for range impliedPasses {
		before := len(list)
		for i := range e.rows {
			indices, _ := e.problem.region.RowTerms(i)
			for _, j := range indices {
				for _, upper := range [2]bool{false, true} {
					if found := (implied{i, j, upper}); *columns[j].side(upper) == nil && e.imply(found, columns) {
						list = append(list, found)
					}
				}
			}
		}
		if len(list) == before {
			break
		}
	}
	return list
}

// bounded returns the bounds of the columns with implied ones.
func (e *exactProblem) bounded(list []implied) []interval {
	columns := slices.Clone(e.columns)
	for _, bound := range list {
		e.imply(bound, columns)
	}
	return columns
}

// imply sets a bound; false if the row gives none.
func (e *exactProblem) imply(bound implied, columns []interval) bool {
	indices, values := e.problem.region.RowTerms(bound.row)
	own := values[slices.Index(indices, bound.column)]
	high := bound.upper == (own > 0) // the upper side of the row less the least values of the others
	rest := *e.rows[bound.row].side(high)
	if rest == nil {
		return false
	}
	rest = new(big.Rat).Set(rest)
	for k, j := range indices {
		if j == bound.column {
			continue
		}
		other := *columns[j].side(high != (values[k] > 0))
		if other == nil {
			return false
		}
		addProduct(rest, rational(-values[k]), other)
	}
	*columns[bound.column].side(bound.upper) = rest.Quo(rest, rational(own))
	return true
}

// side is the upper or the lower bound.
func (i *interval) side(upper bool) **big.Rat {
	if upper {
		return &i.upper
	}
	return &i.lower
}

// MarshalJSON writes [row, column, 1 for an upper bound or -1 for a lower one].
func (b implied) MarshalJSON() ([]byte, error) {
	side := -1
	if b.upper {
		side = 1
	}
	return json.Marshal([3]int{b.row, b.column, side})
}
