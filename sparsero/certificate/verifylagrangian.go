package certificate

import (
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// addCost adds b, unless it counts as 0, or its tangent at a point z, by default the decision: that of v x_i x_j is
// v (z_j x_i + z_i x_j - z_i z_j).
func (d *duality) addCost(l vector, tangent any, empty bool) {
	z := make([]*big.Rat, len(d.decision))
	for j, x := range d.decision {
		z[j] = exactly(x)
	}
	if tangent != nil {
		for j, value := range tuple(tangent, "tangent", len(z)) {
			z[j] = multiplier(value)
		}
	}
	if empty {
		return
	}
	l.addConstant(exactly(1), exactly(d.offset))
	l.add(exactly(1), nil, d.costs)
	for _, q := range d.quadratic {
		l.add(z[q.j], []int{q.i}, []float64{q.value})
		l.add(z[q.i], []int{q.j}, []float64{q.value})
		l.addConstant(new(big.Rat).Mul(z[q.i], z[q.j]), exactly(-q.value))
	}
}

// addRows adds y (side - <a, x>) for each row with a multiplier.
func (d *duality) addRows(l vector, n object) {
	for _, entry := range list(n, "rows") {
		pair := tuple(entry, "the multiplier of a row", 2)
		i, y := index(pair[0], "a row of a leaf", 0, len(d.rows)), multiplier(pair[1])
		if y.Sign() == 0 {
			continue
		}
		side := d.exact[sideOf(y.Sign() < 0)][len(d.costs)+i]
		ensureProof(side != nil, fmt.Sprintf("it leans on a bound that row %d does not have", i))
		l.addConstant(y, side)
		l.add(new(big.Rat).Neg(y), d.rows[i].columns, d.rows[i].values)
	}
}

// ofObjective stands for the objective among the robust constraints.
const ofObjective = -1

// mixture is a sum of atoms by their multipliers, and the sum of these.
type mixture struct {
	atoms vector
	total *big.Rat
}

// addAtoms adds <u, q(x)> for the mixture u of atoms that the objective has, and for each robust constraint the sum of
// its multipliers times <nominal, x> - limit, and r <u, q(x)> for its mixture.
func (d *duality) addAtoms(l vector, n object, empty bool) {
	mixtures := map[int]*mixture{ofObjective: {zeros(d.dimension), new(big.Rat)}}
	for _, entry := range list(n, "objective") {
		pair := tuple(entry, "the multiplier of an atom", 2)
		d.mix(mixtures[ofObjective], index(pair[0], "an atom of a leaf", 0, d.atoms), multiplier(pair[1]))
	}
	for _, entry := range list(n, "constraints") {
		triple := tuple(entry, "the multiplier of a constraint", 3)
		k := index(triple[0], "a constraint of a leaf", 0, len(d.constraints))
		if mixtures[k] == nil {
			mixtures[k] = &mixture{zeros(d.dimension), new(big.Rat)}
		}
		d.mix(mixtures[k], index(triple[1], "an atom of a leaf", -1, d.atoms), multiplier(triple[2]))
	}
	for _, k := range slices.Sorted(maps.Keys(mixtures)) {
		m := mixtures[k]
		if k != ofObjective {
			c := &d.constraints[k]
			l.addMap(c, m.atoms, exactly(d.radius))
			l.add(m.total, nil, c.nominal)
			l.addConstant(m.total, new(big.Rat).Neg(d.exact[upperSide][len(d.costs)+len(d.rows)+k]))
		} else if d.objective != nil && !empty {
			ensureProof(m.total.Cmp(exactly(d.radius)) <= 0, "the multipliers of a leaf's atoms add up to more than the radius")
			l.addMap(d.objective, m.atoms, exactly(1))
		} else {
			ensureProof(m.total.Sign() == 0, "a leaf leans on atoms that cost nothing")
		}
	}
}

// mix adds a multiple of an atom; the null atom is -1.
func (d *duality) mix(m *mixture, atom int, factor *big.Rat) {
	ensureProof(factor.Sign() >= 0, fmt.Sprintf("the multiplier of atom %d is negative", atom))
	m.total.Add(m.total, factor)
	if atom >= 0 && factor.Sign() > 0 {
		ensureProof(slices.Contains(d.chosen, atom), fmt.Sprintf("it leans on atom %d, which is not chosen", atom))
		m.atoms.add(factor, nil, d.table[atom])
	}
}

// vector holds sums of fractions. As a Lagrangian it has the reduced costs of the columns and, at its end, the constant.
type vector []*big.Rat

func (l vector) reduced() vector    { return l[:len(l)-1] }
func (l vector) constant() *big.Rat { return l[len(l)-1] }

func (l vector) addConstant(a, b *big.Rat) {
	l.constant().Add(l.constant(), new(big.Rat).Mul(a, b))
}

// addMap adds a multiple of <u, q(x)> to a Lagrangian.
func (l vector) addMap(q *designMap, u vector, factor *big.Rat) {
	for k, v := range u {
		product := new(big.Rat).Mul(factor, v)
		l.add(product, nil, q.matrix[k])
		if len(q.constant) > 0 {
			l.addConstant(product, exactly(q.constant[k]))
		}
	}
}

func zeros(n int) vector {
	v := make(vector, n)
	for j := range v {
		v[j] = new(big.Rat)
	}
	return v
}

// mostBits bounds the length of all numbers of a vector.
const mostBits = 4_000_000_000

// checkLength ends the check where a number is too long to be one of so many.
func checkLength(v *big.Rat, places int) {
	need(v.Num().BitLen()+v.Denom().BitLen() <= mostBits/places, "numbers of the proof grow too long")
}

// add adds a multiple of values, which belong to some columns, or to all for nil.
func (l vector) add(factor *big.Rat, columns []int, values []float64) {
	for k, value := range values {
		j := k
		if columns != nil {
			j = columns[k]
		}
		if value == 0 || factor.Sign() == 0 {
			continue
		}
		l[j].Add(l[j], new(big.Rat).Mul(factor, exactly(value)))
		checkLength(l[j], len(l))
	}
}

// mostDigits bounds the characters of a fraction.
const mostDigits = 100_000

var fraction = regexp.MustCompile(`^-?[0-9a-fA-F]+/0*[1-9a-fA-F][0-9a-fA-F]*$`)

// multiplier reads a number, or a fraction of two hexadecimal integers.
func multiplier(value any) *big.Rat {
	if number, isNumber := value.(float64); isNumber {
		return exactly(number)
	}
	text := as[string](value, "a multiplier")
	need(len(text) <= mostDigits && fraction.MatchString(text), "a multiplier is no fraction of two hexadecimal integers within %d digits", mostDigits)
	above, below, _ := strings.Cut(text, "/")
	numerator, _ := new(big.Int).SetString(above, 16)
	denominator, _ := new(big.Int).SetString(below, 16)
	return new(big.Rat).SetFrac(numerator, denominator)
}
