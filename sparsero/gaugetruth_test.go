package sparsero_test

import (
	"context"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// trueGauge is the gauge in rational arithmetic, nil outside the cone: a point of the
// cone is a combination of linearly independent atoms (Carathéodory), and the least
// combination is one too, so all such systems are solved.
func trueGauge(atoms [][]float64, u []float64) *big.Rat {
	var least *big.Rat
	for mask := range uint(1) << len(atoms) {
		if bits.OnesCount(mask) > len(u) {
			continue
		}
		var chosen [][]float64
		for i, atom := range atoms {
			if mask>>i&1 == 1 {
				chosen = append(chosen, atom)
			}
		}
		weights, unique := solveRational(chosen, u)
		if !unique || slices.ContainsFunc(weights, func(w *big.Rat) bool { return w.Sign() < 0 }) {
			continue
		}
		sum := new(big.Rat)
		for _, w := range weights {
			sum.Add(sum, w)
		}
		if least == nil || sum.Cmp(least) < 0 {
			least = sum
		}
	}
	return least
}

// solveRational solves Σ w_k columns_k = u by Gauss-Jordan elimination; unique is false
// where there is no or more than one solution.
func solveRational(columns [][]float64, u []float64) (w []*big.Rat, unique bool) {
	n := len(columns)
	rows := make([][]*big.Rat, len(u))
	for j := range rows {
		for _, column := range columns {
			rows[j] = append(rows[j], rational(column[j]))
		}
		rows[j] = append(rows[j], rational(u[j]))
	}
	for c := range n {
		pivot := c
		for pivot < len(rows) && rows[pivot][c].Sign() == 0 {
			pivot++
		}
		if pivot == len(rows) {
			return nil, false
		}
		rows[c], rows[pivot] = rows[pivot], rows[c]
		inverse := new(big.Rat).Inv(rows[c][c])
		for r := range rows {
			if r == c {
				continue
			}
			factor := new(big.Rat).Mul(rows[r][c], inverse)
			for k := c; k <= n; k++ {
				rows[r][k] = new(big.Rat).Sub(rows[r][k], new(big.Rat).Mul(factor, rows[c][k]))
			}
		}
	}
	for r := n; r < len(rows); r++ {
		if rows[r][n].Sign() != 0 {
			return nil, false
		}
	}
	for c := range n {
		w = append(w, new(big.Rat).Quo(rows[c][n], rows[c][c]))
	}
	return w, true
}

// Atoms that differ by less than the simplex method tells apart: a point is in the set although the proposed atoms
// reach it at a larger radius alone.
func TestContainsAmongNearlyEqualAtoms(t *testing.T) {
	atoms := [][]float64{{-0.9999999999907939, 3.9999999999969167}, {-1.0000000000045222, 3.999999999935846}, {-1.0000000000034155, 4.0000000000377565},
		{0, 2.000000000023178}, {0, 2.000000000010408}, {0, 2.0000000000006493}}
	u := []float64{-3.00000000001246, 15.999999999930264}
	d, err := sparsero.NewDictionary(mat.NewDense(6, 2, slices.Concat(atoms...)), nil)
	if err != nil {
		t.Fatal(err)
	}
	least, _ := trueGauge(atoms, u).Float64()
	set, err := sparsero.FullSet(d, math.Nextafter(least, math.Inf(1)))
	if err != nil {
		t.Fatal(err)
	}
	if inside, _, err := set.Contains(u); !inside || err != nil {
		t.Errorf("a point with the gauge %v is inside at radius %v: %v, %v", least, set.Radius(), inside, err)
	}
}

// A gauge beyond float64 is no proof that the point is outside the cone.
func TestGaugeBeyondFloat64(t *testing.T) {
	set, err := sparsero.FullSet(newDictionary(t, 1, 1, 1e-300), math.MaxFloat64)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = set.Gauge([]float64{1e50})
	wantError(t, err, "in other units")
	if inside, _, err := set.Contains([]float64{1e50}); inside || err != nil {
		t.Errorf("the point at radius 1e350 is inside at %v: %v, %v", set.Radius(), inside, err)
	}
}

// drawHardSet draws atoms of very different norms, in coordinates of different units,
// nearly equal, repeated and zero ones among them.
func drawHardSet(t *rapid.T, maxDim int) *sparsero.AtomicSet {
	n, p := rapid.IntRange(1, 6).Draw(t, "N"), rapid.IntRange(1, maxDim).Draw(t, "p")
	units := make([]int, p)
	for j := range units {
		units[j] = rapid.SampledFrom([]int{0, 0, 0, -30, 40}).Draw(t, "unit")
	}
	atoms := mat.NewDense(n, p, nil)
	for i := range n {
		size := rapid.SampledFrom([]int{0, 0, 0, 27, -33}).Draw(t, "size")
		twin := i > 0 && rapid.IntRange(0, 3).Draw(t, "twin") == 0
		for j := range p {
			v := math.Ldexp(float64(rapid.IntRange(-5, 5).Draw(t, "entry")), size+units[j])
			if twin {
				v = atoms.At(i-1, j)
				v += float64(rapid.IntRange(0, 2).Draw(t, "steps")) * 0x1p-52 * v
			}
			atoms.Set(i, j, v)
		}
	}
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	return drawSet(t, d)
}

// drawHardPoint draws a point at random, an atom, or a combination of atoms that may
// have been rounded out of their cone.
func drawHardPoint(t *rapid.T, set *sparsero.AtomicSet) []float64 {
	d := set.Dictionary()
	u := d.Atom(rapid.IntRange(0, d.Size()-1).Draw(t, "atom"))
	switch rapid.IntRange(0, 2).Draw(t, "point") {
	case 0:
		weight := rapid.SampledFrom([]float64{0.5, 1.0 / 3, 3}).Draw(t, "weight")
		for j, v := range d.Atom(rapid.IntRange(0, d.Size()-1).Draw(t, "other")) {
			u[j] += weight * v
		}
	case 1:
		for j := range u {
			u[j] = float64(rapid.IntRange(-4, 4).Draw(t, "coordinate")) * max(math.Abs(u[j]), math.Ldexp(1, -40))
		}
	}
	return u
}

// The gauge is the exact one of the numbers as they are, rounded up.
func TestGaugeIsNeverBelowTheTruth(t *testing.T) {
	infinite := 0
	rapid.Check(t, func(t *rapid.T) {
		set := drawHardSet(t, 3)
		u := drawHardPoint(t, set)
		var atoms [][]float64
		for _, i := range set.Atoms() {
			atoms = append(atoms, set.Dictionary().Atom(i))
		}
		truth := trueGauge(atoms, u)
		value, coefficients, err := set.Gauge(u)
		if err != nil {
			t.Fatal(err)
		}
		if truth == nil || math.IsInf(value, 1) {
			if truth != nil || !math.IsInf(value, 1) || coefficients != nil {
				t.Fatalf("gauge %v with %v, truth %v", value, coefficients, truth)
			}
			infinite++
			return
		}
		if rational(value).Cmp(truth) < 0 {
			t.Fatalf("gauge %v below the truth %s", value, truth.FloatString(30))
		}
		if allowed := new(big.Rat).Mul(truth, rational(1+2e-9)); rational(value).Cmp(allowed) > 0 {
			t.Fatalf("gauge %v far above the truth %s", value, truth.FloatString(30))
		}
	})
	if infinite == 0 {
		t.Error("no point outside a cone was drawn")
	}
}

// In more dimensions the value is made in floating point with a proof.
func TestGaugeOfManyCoordinatesIsNeverBelowTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(4, 7).Draw(t, "p")
		atoms := gaussian(p, p, rapid.Uint64().Draw(t, "seed"))
		for j := range p {
			for i, unit := 0, rapid.IntRange(-300, 300).Draw(t, "unit"); i < p; i++ {
				atoms.Set(i, j, math.Ldexp(atoms.At(i, j), unit))
			}
		}
		d, err := sparsero.NewDictionary(atoms, nil)
		if err != nil {
			t.Fatal(err)
		}
		set, err := sparsero.FullSet(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		u, columns := make([]float64, p), make([][]float64, p)
		for i := range p {
			columns[i] = d.Atom(i)
			weight := rapid.Float64Range(0.1, 4).Draw(t, "weight")
			for j, v := range columns[i] {
				u[j] += weight * v
			}
		}
		weights, _ := solveRational(columns, u)
		truth := new(big.Rat)
		for _, w := range weights {
			truth.Add(truth, w)
		}
		value, _, err := set.Gauge(u)
		if err != nil {
			t.Fatal(err)
		}
		if excess := new(big.Rat).Sub(rational(value), truth); excess.Sign() < 0 || excess.Cmp(new(big.Rat).Mul(truth, rational(0x1p-51))) > 0 {
			t.Fatalf("gauge %v, truth %s", value, truth.FloatString(30))
		}
	})
}

// Units of the atoms, of single coordinates and of the point scale the gauge exactly.
func TestGaugeInOtherUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawHardSet(t, 6)
		u := drawHardPoint(t, set)
		value, coefficients, err := set.Gauge(u)
		if err != nil {
			t.Fatal(err)
		}
		d := set.Dictionary()
		atoms, point := d.Matrix(), slices.Clone(u)
		common := rapid.IntRange(-300, 300).Draw(t, "units of the point")
		own := rapid.IntRange(-300, 300).Draw(t, "units of the atoms")
		for j := range point {
			unit := rapid.IntRange(-300, 300).Draw(t, "units of the coordinate")
			point[j] = math.Ldexp(u[j], common+unit)
			for i := range d.Size() {
				atoms.Set(i, j, math.Ldexp(atoms.At(i, j), own+unit))
			}
		}
		other, err := sparsero.NewDictionary(atoms, nil)
		if err != nil {
			t.Fatal(err)
		}
		scaled, weights, err := newSet(t, other, set.Atoms(), set.Radius()).Gauge(point)
		if err != nil {
			t.Fatal(err)
		}
		if scaled != math.Ldexp(value, common-own) {
			t.Fatalf("gauge %v becomes %v in units of 2^%d and 2^%d", value, scaled, common, own)
		}
		for k := range coefficients {
			if weights[k] != math.Ldexp(coefficients[k], common-own) {
				t.Fatalf("coefficients %v become %v", coefficients, weights)
			}
		}
	})
}

// Cases that were wrong: norms that spread over 1e8, and coordinates in different units.
func TestGaugeAmongVeryDifferentNorms(t *testing.T) {
	d := newDictionary(t, 4, 2, 1e9, 0, 0, 0.5, 1e-3, 1e9, 1e-9, 1e-9)
	for _, test := range []struct {
		name    string
		indices []int
		u       []float64
		want    float64
	}{
		{"off the only ray", []int{0}, []float64{0, 0.5}, math.Inf(1)},
		{"an atom of a small norm", []int{0, 1, 2, 3}, []float64{1e-9, 1e-9}, 2e-18},
		{"its own atom", []int{3}, []float64{1e-9, 1e-9}, 1},
		{"nearly on the ray", []int{1}, []float64{1e-9, 1}, math.Inf(1)},
	} {
		value, _, err := newSet(t, d, test.indices, 1).Gauge(test.u)
		if err != nil || value != test.want && !(math.Abs(value-test.want) <= 1e-9*test.want) {
			t.Errorf("%s: gauge %v (%v), want %v", test.name, value, err, test.want)
		}
	}
}

// A gauge that is opened once gives what single calls give, and obeys its context.
func TestGaugeOfManyPoints(t *testing.T) {
	set := newSet(t, newDictionary(t, 3, 2, 1, 0, 0, 1, -1, -1), []int{0, 1, 2}, 1)
	gauge, err := sparsero.NewGauge(set)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range [][]float64{{1, 1}, {0, 0}, {-0.3, 0.7}, {2, -5}} {
		value, _, err := gauge.Of(context.Background(), u)
		alone, _, aloneErr := set.Gauge(u)
		if err != nil || aloneErr != nil || value != alone {
			t.Errorf("u = %v: %v (%v), alone %v (%v)", u, value, err, alone, aloneErr)
		}
	}
	if _, _, err := gauge.Of(context.Background(), []float64{1, 2 * solver.MaxCoefficient}); err == nil {
		t.Error("a number beyond the largest gives a value")
	}
	if value, _, err := gauge.Of(context.Background(), []float64{1, 1}); err != nil || math.IsNaN(value) {
		t.Errorf("after a number that was refused: %v, %v", value, err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := gauge.Of(cancelled, []float64{1, 1}); err == nil {
		t.Error("a cancelled context gives a value")
	}
	_, err = sparsero.NewGauge(nil)
	wantError(t, err, "set is nil")
}
