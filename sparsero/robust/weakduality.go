package robust

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/sparsero/directions/sparsero"
)

// leaf holds the multipliers of one application of weak duality.
type leaf struct {
	terms   []term
	tangent []*big.Rat // the point at which a quadratic b is replaced by its tangent; nil stands for the decision
	empty   bool       // it shows that no decision is feasible
}

// term is the multiplier of a row of the region, or of an exposure against an atom.
type term struct {
	cut   // for a row the index stands in the place of the atom
	value *big.Rat
}

// ofRegion stands in the place of an exposure for the rows of the region.
const ofRegion = objectiveExposure - 1

// newLeaf writes multipliers as a leaf, without those that lean on no bound, and with those of the objective
// scaled to a sum of at most r.
func (e *exactProblem) newLeaf(found multipliers, empty bool) *leaf {
	l := &leaf{empty: empty}
	for i, y := range found.Rows {
		if side := e.sides[e.row(i)]; y > 0 && side[0] != nil || y < 0 && side[1] != nil {
			l.terms = append(l.terms, term{cut{ofRegion, i}, rational(y)})
		}
	}
	for _, m := range found.Robust {
		if m.Exposure != objectiveExposure || !empty {
			l.terms = append(l.terms, term{cut{m.Exposure, m.Atom}, rational(m.Value)})
		}
	}
	sum := new(big.Rat)
	for _, t := range l.terms {
		if t.exposure == objectiveExposure {
			sum.Add(sum, t.value)
		}
	}
	if sum.Cmp(e.radius) > 0 { // by what the solver's tolerance allows
		share, _ := new(big.Rat).Quo(e.radius, sum).Float64()
		for k, t := range l.terms {
			if t.exposure == objectiveExposure {
				value, _ := t.value.Float64()
				l.terms[k].value = rational(value * share * (1 - 0x1p-50))
			}
		}
	}
	return l
}

// bound returns the lower bound of weak duality on Φ_N, or for an empty leaf on 0; nil where a column without a bound
// is in the way.
func (e *exactProblem) bound(l *leaf) *big.Rat {
	bound, reduced := e.lagrangian(l)
	for j, g := range reduced {
		side := e.sides[j][0]
		if g.Sign() < 0 {
			side = e.sides[j][1]
		}
		switch {
		case g.Sign() == 0:
		case side == nil:
			return nil
		default:
			addProduct(bound, g, side)
		}
	}
	return bound
}

// lagrangian returns constant and gradient of the Lagrangian, which is affine in x and t.
func (e *exactProblem) lagrangian(l *leaf) (constant *big.Rat, gradient []*big.Rat) {
	switch {
	case l.empty:
		constant, gradient = new(big.Rat), zeros(len(e.x)+1)
	case l.tangent != nil:
		constant, gradient = e.tangent(l.tangent)
	default:
		constant, gradient = e.tangent(e.x)
	}
	common, terms := wholeTerms(l.terms)
	offset, slope := new(big.Rat), zeros(len(gradient))
	for _, t := range terms {
		if t.exposure != ofRegion {
			continue
		}
		side := e.sides[e.row(t.atom)][0]
		if t.value.Sign() < 0 {
			side = e.sides[e.row(t.atom)][1]
		}
		addProduct(offset, t.value, side)
		columns, values := e.problem.region.RowTerms(t.atom)
		for k, j := range columns {
			addProduct(slope[j], t.value, rational(-values[k]))
		}
	}
	for _, exposure := range e.problem.exposures() {
		e.addExposure(exposure, terms, offset, slope)
	}
	constant.Add(constant, offset.Quo(offset, common))
	for j, v := range slope {
		gradient[j].Add(gradient[j], v.Quo(v, common))
	}
	return constant, gradient
}

// wholeTerms returns the terms times a common denominator of their values: sums of whole numbers spare the search for common
// divisors of long fractions.
func wholeTerms(terms []term) (common *big.Rat, whole []term) {
	denominator := big.NewInt(1)
	for _, t := range terms {
		denominator = leastCommonMultiple(denominator, t.value.Denom())
	}
	common, whole = new(big.Rat).SetInt(denominator), slices.Clone(terms)
	for k, t := range terms {
		whole[k].value = new(big.Rat).Mul(t.value, common)
	}
	return common, whole
}

// addExposure adds ⟨u, q(x)⟩ for the mixture u of atoms that an exposure has, for a robust constraint times r. The sum of
// the multipliers it adds times -t for the objective, and times ⟨nominal, x⟩ - limit for a constraint.
func (e *exactProblem) addExposure(exposure int, terms []term, constant *big.Rat, gradient []*big.Rat) {
	factor, total, q := rational(1), new(big.Rat), e.problem.exposureMap(exposure)
	if exposure != objectiveExposure {
		factor = e.radius
	}
	u := make([]big.Rat, e.problem.dictionary.Dim())
	for _, t := range terms {
		if t.exposure != exposure {
			continue
		}
		total.Add(total, t.value)
		if t.atom != sparsero.NullAtom {
			for k, v := range e.problem.dictionary.RawRowView(t.atom) {
				addProduct(&u[k], t.value, rational(v))
			}
		}
	}
	for k := range u {
		v := u[k].Mul(&u[k], factor)
		if v.Sign() == 0 {
			continue
		}
		for j, a := range q.Matrix.RawRowView(k) {
			addProduct(gradient[j], v, rational(a))
		}
		if q.Constant != nil {
			addProduct(constant, v, rational(q.Constant[k]))
		}
	}
	if exposure == objectiveExposure {
		t := gradient[len(e.x)]
		t.Sub(t, total)
		return
	}
	addProduct(constant, total.Neg(total), e.sides[e.limit(exposure)][1])
	for j, v := range e.problem.constraints[exposure].Nominal {
		addProduct(gradient[j], total, rational(-v))
	}
}

// MarshalJSON writes a leaf as FORMAT.md of package certificate prescribes it.
func (l *leaf) MarshalJSON() ([]byte, error) {
	form := struct {
		Rows        [][]any `json:"rows"`
		Objective   [][]any `json:"objective"`
		Constraints [][]any `json:"constraints"`
		Tangent     []any   `json:"tangent,omitempty"`
		Empty       bool    `json:"empty,omitempty"`
	}{[][]any{}, [][]any{}, [][]any{}, nil, l.empty}
	for _, t := range l.terms {
		pair := []any{t.atom, multiplierJSON(t.value)}
		switch t.exposure {
		case ofRegion:
			form.Rows = append(form.Rows, pair)
		case objectiveExposure:
			form.Objective = append(form.Objective, pair)
		default:
			form.Constraints = append(form.Constraints, append([]any{t.exposure}, pair...))
		}
	}
	for _, v := range l.tangent {
		form.Tangent = append(form.Tangent, multiplierJSON(v))
	}
	return json.Marshal(form)
}

// multiplierJSON is a number, or a fraction of hexadecimal integers where no float64 will do.
func multiplierJSON(v *big.Rat) any {
	if x, exact := v.Float64(); exact && (x != 0 || v.Sign() == 0) { // it calls an underflow exact
		return x
	}
	return v.Num().Text(16) + "/" + v.Denom().Text(16)
}
