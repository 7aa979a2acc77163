package exact

import (
	"math"
	"math/big"

	"github.com/sparsero/directions/solver/internal/program"
)

// variable is a column (0 to n-1) or the activity of a row (n to n+m-1), in units in
// which its bounds are whole numbers.
type variable struct {
	lower, upper *big.Int // nil if infinite
}

// tableau expresses the basic variables by the nonbasic ones,
//
//	basic[i] = Σ_k entries[i][k]/denominator nonbasic[k],
//
// with the objective as the last row. Entries are whole numbers throughout.
type tableau struct {
	variables       []variable
	columns         int
	basic, nonbasic []int // variables
	value           []*big.Int
	entries         [][]*big.Int
	denominator     *big.Int
	rowShift        []int // activities are multiplied by 2^rowShift
	costShift       int
	boundShift      int // and all variables by 2^boundShift
	pivots          int
	conflict        int // row of the tableau that no values within the bounds satisfy
	below           bool
	ray             int // column of the tableau along which the objective falls for ever
	rising          bool
}

func newTableau(p *program.Program) *tableau {
	n := len(p.Cost)
	t := &tableau{columns: n, denominator: big.NewInt(1), rowShift: make([]int, len(p.Rows)), conflict: -1, ray: -1}
	for _, c := range p.Cost {
		t.costShift = denominator(t.costShift, c)
	}
	for j := range n {
		t.boundShift = denominator(denominator(t.boundShift, p.Lower[j]), p.Upper[j])
	}
	for i, r := range p.Rows {
		for _, v := range r.Values {
			t.rowShift[i] = denominator(t.rowShift[i], v)
		}
		need := denominator(denominator(0, r.Lower), r.Upper)
		t.boundShift = max(t.boundShift, need-t.rowShift[i])
	}
	for j := range n {
		t.variables = append(t.variables, t.bounded(p.Lower[j], p.Upper[j], 0))
		t.nonbasic = append(t.nonbasic, j)
	}
	for i, r := range p.Rows {
		t.variables = append(t.variables, t.bounded(r.Lower, r.Upper, t.rowShift[i]))
		t.basic = append(t.basic, n+i)
		t.entries = append(t.entries, wholes(n, r.Columns, r.Values, t.rowShift[i]))
	}
	all := make([]int, n)
	for j := range all {
		all[j] = j
	}
	t.entries = append(t.entries, wholes(n, all, p.Cost, t.costShift))
	for _, v := range t.nonbasic {
		t.value = append(t.value, t.variables[v].start())
	}
	return t
}

func wholes(n int, columns []int, values []float64, shift int) []*big.Int {
	entries := make([]*big.Int, n)
	for j := range entries {
		entries[j] = new(big.Int)
	}
	for k, j := range columns {
		entries[j] = whole(values[k], shift)
	}
	return entries
}

func (t *tableau) bounded(lower, upper float64, shift int) variable {
	var v variable
	if !math.IsInf(lower, 0) {
		v.lower = whole(lower, shift+t.boundShift)
	}
	if !math.IsInf(upper, 0) {
		v.upper = whole(upper, shift+t.boundShift)
	}
	return v
}

// start is the value of a nonbasic variable: a bound, or 0 where there is none.
func (v variable) start() *big.Int {
	switch {
	case v.lower != nil:
		return v.lower
	case v.upper != nil:
		return v.upper
	}
	return new(big.Int)
}

// pivot exchanges basic variable r for nonbasic variable k, which leaves r at value.
func (t *tableau) pivot(r, k int, value *big.Int) {
	pivot := t.entries[r][k]
	row := t.entries[r]
	product := new(big.Int)
	for i, entries := range t.entries {
		if i == r {
			continue
		}
		factor := entries[k]
		for l, entry := range entries {
			if l == k {
				continue
			}
			next := new(big.Int).Mul(entry, pivot)
			if factor.Sign() != 0 && row[l].Sign() != 0 {
				next.Sub(next, product.Mul(factor, row[l]))
			}
			entries[l] = next.Quo(next, t.denominator)
		}
	}
	for l := range row {
		if l != k {
			row[l] = new(big.Int).Neg(row[l])
		}
	}
	row[k] = t.denominator
	t.denominator = pivot
	if pivot.Sign() < 0 {
		t.denominator = new(big.Int).Neg(pivot)
		for _, entries := range t.entries {
			for l, entry := range entries {
				entries[l] = new(big.Int).Neg(entry)
			}
		}
	}
	t.basic[r], t.nonbasic[k] = t.nonbasic[k], t.basic[r]
	t.value[k] = value
	t.pivots++
}

// basicValue returns the value of basic variable i times the denominator.
func (t *tableau) basicValue(i int) *big.Int {
	sum, product := new(big.Int), new(big.Int)
	for k, entry := range t.entries[i] {
		if entry.Sign() != 0 && t.value[k].Sign() != 0 {
			sum.Add(sum, product.Mul(entry, t.value[k]))
		}
	}
	return sum
}
