package gauge

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// checkState compares what a program keeps with what it stands for.
func checkState(t *testing.T, g *Program) {
	t.Helper()
	var atoms []int
	for r, k := range g.basis.columns {
		if k >= 0 {
			atoms = append(atoms, g.pool[k].atom)
		}
		if k < 0 && k != -1-r || k >= 0 && (g.pool[k].row != r) {
			t.Fatalf("row %d of the basis holds column %d", r, k)
		}
	}
	if got := g.Basis(); !slices.Equal(got, atoms) {
		t.Fatalf("the atoms %v are said to be in the basis, want %v", got, atoms)
	}
	if n := len(g.pool); len(g.data) != n*g.dim || len(g.reduced) != n || len(g.moves) != n || len(g.all) != n || g.basis.pivots >= g.dim {
		t.Fatalf("%d columns, %d numbers, %d and %d and %d more, %d pivots", n, len(g.data), len(g.reduced), len(g.moves), len(g.all), g.basis.pivots)
	}
	held := 0
	for _, in := range g.inPool {
		if in {
			held++
		}
	}
	for k, c := range g.pool {
		column, largest, lossy := g.data[k*g.dim:][:g.dim], 0.0, false
		for j, v := range g.atoms.Atom(c.atom) {
			lossy = lossy || math.Ldexp(column[j], g.units[j]+c.exponent) != v
			largest = max(largest, math.Abs(column[j]))
		}
		if lossy != c.lossy {
			t.Fatalf("column %d is %v for the atom %v, lossy %v", k, column, g.atoms.Atom(c.atom), c.lossy)
		}
		if !(largest >= 0.5 && largest < 1) || !g.inPool[c.atom] || c.shift != 0 || c.cost != math.Ldexp(1, -c.exponent) || int(g.all[k]) != k ||
			c.row != -1 && g.basis.columns[c.row] != k {
			t.Fatalf("column %d: %+v, the largest entry %v", k, c, largest)
		}
		price := c.cost - floats.Dot(column, g.y)
		if size := c.cost + floats.Norm(g.y, 1); math.Abs(price-g.reduced[k]) > 1e-10*size || c.row >= 0 && math.Abs(price) > 1e-10*size {
			t.Fatalf("column %d has the reduced cost %v, kept as %v", k, price, g.reduced[k])
		}
	}
	if held != len(g.pool) {
		t.Fatalf("%d atoms are marked, %d columns", held, len(g.pool))
	}
}

// checkNear compares the atoms near the point with their definition: those beyond the lowest of 256 equal levels up to
// the largest alignment beyond which lie at most 10 p.
func checkNear(t *testing.T, g *Program) {
	t.Helper()
	prices := make([]float64, len(g.prices))
	g.atoms.Alignments(prices, g.unscaled(g.point))
	beyond := func(level float64) (found []int) {
		for k, v := range prices {
			if v > level {
				found = append(found, k)
			}
		}
		return found
	}
	step := 1
	for ; len(beyond(float64(step)/256*slices.Max(prices))) > 10*g.dim; step++ {
	}
	if want := beyond(float64(step) / 256 * slices.Max(prices)); !slices.Equal(g.near, want) {
		t.Fatalf("%d atoms are near, want %d", len(g.near), len(want))
	}
}

// widest is how well three corrections tell a weight, relative to the sum.
const widest = 0x1p-89

// checkOptimal checks that the multipliers prove the sum of the weights to be the least one.
func checkOptimal(t *testing.T, g *Program, u []float64) {
	t.Helper()
	c, ok := g.Combination()
	if !ok {
		t.Fatal("the weights are not proven")
	}
	sum, products := floats.Sum(c.High), make([]float64, g.atoms.Size())
	g.atoms.Alignments(products, g.Multipliers())
	if largest := slices.Max(products); largest > 1+1e-9 || math.Abs(floats.Dot(u, g.Multipliers())-sum) > 1e-9*sum {
		t.Fatalf("weights that sum to %v, multipliers that give %v with the largest product 1%+g", sum, floats.Dot(u, g.Multipliers()), largest-1)
	}
	var positive []int
	for i, weight := range c.High {
		if weight > 1e-20*sum {
			positive = append(positive, c.Atoms[i])
		}
		if weight < -1e-20*sum || c.Error[i] > widest*sum {
			t.Fatalf("weight %v of atom %d, within %v", weight, c.Atoms[i], c.Error[i])
		}
	}
	if got := g.Positive(); !slices.Equal(got, positive) {
		t.Fatalf("the atoms %v are said to have weights above 0, want %v", got, positive)
	}
}

// checkSeparated checks that the directions of one word and of two keep the point away from all atoms, those of the
// basis by the share of a shift that is promised.
func checkSeparated(t *testing.T, g *Program, a Answer, u []float64) {
	t.Helper()
	product := func(v []float64, w Pair) float64 {
		sum := new(big.Rat)
		for j, x := range v {
			word := new(big.Rat).Add(rational(w.High[j]), rational(w.Low[j]))
			sum.Add(sum, word.Mul(word, rational(x)))
		}
		value, _ := sum.Float64()
		return value
	}
	size := floats.Norm(g.basis.row(a.Row), math.Inf(1))
	for words, share := range []float64{0x1p-30, 0x1p-84} {
		w := g.Direction(a, words == 1)
		height := product(u, w)
		if whole := math.Ldexp(math.Abs(floats.Dot(g.basis.row(a.Row), g.point)), g.unit); !(height >= 0.4*whole) || height > 1.1*whole+1e-12*size {
			t.Fatalf("%d words: the point has the height %v, of %v before the shift", words+1, height, whole)
		}
		for k, c := range g.pool {
			value := product(g.atoms.Atom(c.atom), w) * c.cost
			if value > 2*leastMove*size {
				t.Fatalf("%d words: product %v with atom %d", words+1, value, c.atom)
			}
			shift := share * size / floats.Norm(g.y, math.Inf(1))
			shift = min(shift, math.Abs(floats.Dot(g.basis.row(a.Row), g.point)/floats.Dot(g.y, g.point))/2)
			if c.row >= 0 && c.row != a.Row && !math.IsNaN(shift) && (words == 1 && height > 0x1p-10 || words == 0 && shift > 0x1p-45*size) {
				if want := -shift * c.cost; !(value <= 0.7*want && value >= 1.4*want) {
					t.Fatalf("%d words: product %v with column %d of the basis, want %v", words+1, value, k, want)
				}
			}
		}
	}
}

// Every proposal is what it claims to be, without any help from exact arithmetic, and costs what it has cost before:
// normal atoms and small whole numbers, where many ratios tie; all atoms as columns and few of them; points inside and
// outside.
func TestProposalsNeedNoHelp(t *testing.T) {
	for _, test := range []struct {
		name                      string
		n, p, points              int
		whole                     bool // numbers
		pivots, columns, pricings int
	}{
		{"normal, few", 60, 8, 60, false, 630, 60, 0},
		{"whole numbers, few", 60, 8, 60, true, 592, 60, 0},
		{"a cone, few", 12, 10, 60, false, 74, 12, 0},
		{"normal, many", 1000, 12, 30, false, 942, 1229, 73},
		{"whole numbers, many", 1000, 12, 30, true, 877, 1080, 69},
		{"half a space, many", 600, 5, 60, false, 562, 1029, 175},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := rand.New(rand.NewPCG(uint64(test.n), uint64(test.p)))
			number := func() float64 {
				if test.whole {
					return float64(source.IntN(7) - 3)
				}
				return source.NormFloat64()
			}
			atoms := rows{test.p, make([]float64, test.n*test.p)}
			for k := range atoms.data {
				atoms.data[k] = number()
				if test.name == "half a space, many" && k%test.p == 0 {
					atoms.data[k] = math.Abs(atoms.data[k])
				}
			}
			g, u := New(atoms, test.p), make([]float64, test.p)
			inside := 0
			for range test.points {
				for j := range u {
					u[j] = number()
				}
				switch answer := g.Solve(context.Background(), u); answer.Outcome {
				case Inside:
					inside++
					checkOptimal(t, g, u)
				case Outside:
					checkSeparated(t, g, answer, u)
				default:
					t.Fatal("a point is given up")
				}
				if checkState(t, g); !g.whole {
					checkNear(t, g)
				}
			}
			t.Log(inside, "inside")
			for _, count := range []struct {
				name      string
				got, want int
			}{{"pivots", g.Pivots, test.pivots}, {"columns", g.Columns, test.columns}, {"looks at all atoms", g.Pricings, test.pricings}} {
				if math.Abs(float64(count.got-count.want)) > 0.05*float64(count.want) {
					t.Errorf("%d %s, want about %d", count.got, count.name, count.want)
				}
			}
		})
	}
}

// What loses digits in the units of the program proves nothing, and the rest does.
func TestNumbersThatLoseDigitsProveNothing(t *testing.T) {
	const odd = 3 * math.SmallestNonzeroFloat64
	for _, test := range []struct {
		atom, point float64
		proven      bool
	}{{0, 1, true}, {0x1p-30, 1, true}, {2 * odd, 1, true}, {odd, 1, false}, {0, odd, false}} {
		g := New(rows{2, []float64{1, 0, test.atom, 1}}, 2)
		for _, before := range []float64{test.point, 1} { // which leaves both atoms in the basis
			g.Solve(context.Background(), []float64{before, 1})
			answer := g.Solve(context.Background(), []float64{test.point, 1})
			checkState(t, g)
			if _, ok := g.Combination(); answer.Outcome != Inside || ok != test.proven {
				t.Errorf("%+v after %v: outcome %v, proven %v", test, before, answer.Outcome, ok)
			}
		}
	}
}

// Unit vectors that an atom has not taken over prove nothing unless their weights are 0, exactly.
func TestUnitVectorsProveNothing(t *testing.T) {
	g := New(rows{2, []float64{3, 0, 0, 3}}, 2)
	g.unit, g.lossy = g.scale(g.point, []float64{1, 0})
	if _, ok := g.Combination(); ok {
		t.Error("a unit vector is an atom")
	}
	for k, u := range [][]float64{{6, 0}, {0, 6}} {
		if g.Solve(context.Background(), u); g.basis.columns[1-k] >= 0 {
			t.Fatal("both atoms are in the basis")
		}
		if c, ok := g.Combination(); !ok || len(c.Atoms) != 1 || c.Atoms[0] != k {
			t.Errorf("%v: %v, %v", u, c, ok)
		}
		if got := g.Positive(); !slices.Equal(got, []int{k}) {
			t.Errorf("%v: the atoms %v have weights above 0", u, got)
		}
		g.restart()
	}
}

// While the dual method runs, reduced costs are those of the shifted costs, and none is below 0.
func TestShiftsKeepReducedCosts(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 9))
	const n, p = 2000, 10
	atoms := rows{p, make([]float64, n*p)}
	for k := range atoms.data {
		atoms.data[k] = source.NormFloat64()
	}
	u, shifts, refreshes := make([]float64, p), 0, 0
	for range 20 {
		for j := range u {
			u[j] = source.NormFloat64()
		}
		g := New(atoms, p)
		g.unit, g.lossy = g.scale(g.point, u)
		g.approach()
		s := &search{Program: g, left: 1000, x: make([]float64, p), step: make([]float64, p)}
		for r := s.leaving(); r >= 0; r = s.leaving() {
			shifted, sign := false, math.Copysign(1, s.x[r])
			entering := s.enteringDual(r, sign, &shifted)
			if shifted {
				shifts++
			}
			if entering < 0 || !s.pivot(context.Background(), r, entering) {
				t.Fatal("the point is in the cone")
			}
			if g.basis.pivots == 0 {
				refreshes++
			}
			for k, c := range g.pool {
				if got, want := g.reduced[k], c.cost+c.shift-floats.Dot(g.data[k*p:][:p], g.y); math.Abs(got-want) > 1e-9 || got < -1e-8 {
					t.Fatalf("column %d has the reduced cost %v, want %v, shift %v", k, got, want, c.shift)
				}
			}
		}
		s.unshift()
		checkState(t, g)
	}
	if shifts == 0 || refreshes == 0 {
		t.Errorf("%d shifts, %d inverses computed anew", shifts, refreshes)
	}
}

// A direction is moved less where the point is so near the atoms that it would be lost.
func TestDirectionsToAPointNearTheAtoms(t *testing.T) {
	source := rand.New(rand.NewPCG(2, 3))
	for p := 3; p < 20; p += 2 {
		atoms, u := rows{p, make([]float64, (p-1)*p)}, make([]float64, p)
		for k := range atoms.data {
			atoms.data[k] = source.NormFloat64()
		}
		for j := range u {
			u[j] = 1e-10 * source.NormFloat64()
			for k := range p - 1 {
				u[j] += atoms.Atom(k)[j] / 3
			}
		}
		g := New(atoms, p)
		answer := g.Solve(context.Background(), u)
		if answer.Outcome != Outside {
			t.Fatalf("p = %d: outcome %v", p, answer.Outcome)
		}
		checkSeparated(t, g, answer, u)
	}
}

// TestLowWordsBelowFloat64ProveNothing: the second word of a third of 2^-1000 has lost digits, that of 2^-900 has not.
func TestLowWordsBelowFloat64ProveNothing(t *testing.T) {
	for exponent, proven := range map[int]bool{900: true, 1000: false} {
		g := New(rows{1, []float64{math.Ldexp(3, exponent)}}, 1)
		answer := g.Solve(context.Background(), []float64{1})
		if _, ok := g.Combination(); answer.Outcome != Inside || ok != proven {
			t.Errorf("2^-%d: outcome %v, proven %v", exponent, answer.Outcome, ok)
		}
	}
}

// An exchanged column makes the inverse that of the new basis, whatever its numbers, ones among them.
func TestExchangesKeepTheInverse(t *testing.T) {
	b := newBasis(3)
	columns := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	for _, exchange := range []struct {
		row    int
		column []float64
	}{{0, []float64{1, 1, 1}}, {1, []float64{0, 1, 1}}, {2, []float64{-1, 2, 4}}, {0, []float64{1, 1, 2}}, {1, []float64{2, 1, 1}}} {
		step := make([]float64, 3)
		b.times(step, exchange.column)
		b.exchange(exchange.row, exchange.row, step)
		columns.SetCol(exchange.row, exchange.column)
		var product mat.Dense
		product.Mul(b.inverse, columns)
		for i := range 3 {
			for j := range 3 {
				if want := map[bool]float64{true: 1}[i == j]; math.Abs(product.At(i, j)-want) > 1e-13 {
					t.Fatalf("column %v in row %d: %v", exchange.column, exchange.row, mat.Formatted(&product))
				}
			}
		}
	}
}
