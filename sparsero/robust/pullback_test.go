package robust

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// The error that a map is said to make is not below the true one in any coefficient, and small
// beside its terms.
func TestErrorsOfMaps(t *testing.T) {
	const size = 80
	random := rand.New(rand.NewPCG(1, 1))
	matrix := mat.NewDense(size, size, nil)
	matrix.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() * math.Ldexp(1, random.IntN(60)-30) }, matrix)
	q := newPullback(sparsero.AffineMap{Matrix: matrix})
	atom := make([]float64, size)
	for k := range atom {
		atom[k] = random.NormFloat64()
	}
	sums := make([]directed.Sum, size)
	q.sums(atom, sums)
	rational := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	for j := range sums {
		exact, terms := new(big.Rat), 0.0
		for k, v := range atom {
			exact.Add(exact, new(big.Rat).Mul(rational(v), rational(matrix.At(k, j))))
			terms += math.Abs(v * matrix.At(k, j))
		}
		value, bound := sums[j].Rounded()
		missed := new(big.Rat).Sub(exact, rational(value))
		if missed.Abs(missed).Cmp(rational(bound)) > 0 || bound > 1e-12*terms {
			t.Errorf("coefficient %d is off by %s, said is %g of terms %g", j, missed.FloatString(20), bound, terms)
		}
	}
}

// A bound that stands for none, 2^60 beside 1 and 2, does not count as what terms may reach; 2^20 times the median does.
func TestReachLeavesFarTermsOut(t *testing.T) {
	for far, want := range map[float64]float64{0x1p60: 3, 0x1p21: 3 + 0x1p21, 0x1p22: 3} {
		region := solver.NewModel("X")
		for _, bound := range []float64{1, 2, far, math.Inf(1)} {
			region.AddColumn(solver.Column{Bounds: solver.Between(-bound/2, bound)})
		}
		d, err := sparsero.NewDictionary(mat.NewDense(1, 4, []float64{0, 0, 0, 1}), nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewProblem(d, region, sparsero.AffineMap{}, Constraint{Nominal: []float64{1, 1, -1, 1}, Map: sparsero.Identity(4)})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.rowReach(p.robustRow(cut{0, 0}, 1)); got != want {
			t.Errorf("a term of %g: reach %v, want %v", far, got, want)
		}
	}
}

// What cancellation left of a coefficient, 1e-10 of the largest or less, is no term unless its column makes it one.
func TestReachLeavesCancelledTermsOut(t *testing.T) {
	for _, test := range []struct {
		value, bound float64
		counts       bool
	}{
		{0x1p-30, 1, true}, {-0x1p-30, 1, true}, {0x1p-32, 1, true}, {0x1p-34, 1, false}, {0x1p-40, 1, false}, {0x1p-40, 0x1p20, true},
		{1, 0x1p-40, true}, {0x1p-40, 0x1p5, false}, {1, 0, false}, {0x1p-32, 0x1p-5, true}, {0x1p-34, 0x1p-5, false},
	} {
		region := solver.NewModel("X")
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 0.5)})
		region.AddColumn(solver.Column{Bounds: solver.Between(-test.bound/2, test.bound)})
		want := 2.0
		if test.counts {
			want += math.Abs(test.value) * test.bound
		}
		row := solver.Row{Bounds: solver.AtMost(-1), Columns: []int{0, 1}, Values: []float64{1, test.value}}
		if got := (&Problem{region: region}).rowReach(row); got != want {
			t.Errorf("%+v: reach %v, want %v", test, got, want)
		}
	}
}

// A rounded coefficient of a column of one sign, without a bound on the other side, is rounded so that the row admits all that the
// exact one admits.
func TestRowsOfColumnsOfOneSign(t *testing.T) {
	for sign, bounds := range map[float64]solver.Bounds{1: solver.AtLeast(0), -1: solver.AtMost(0)} {
		random, rounded := rand.New(rand.NewPCG(7, 7)), 0
		for range 100 {
			atom, coefficients := make([]float64, 3), make([]float64, 3)
			exact := new(big.Rat)
			for k := range atom {
				atom[k], coefficients[k] = random.NormFloat64(), random.NormFloat64()
				exact.Add(exact, new(big.Rat).Mul(new(big.Rat).SetFloat64(atom[k]), new(big.Rat).SetFloat64(coefficients[k])))
			}
			region := solver.NewModel("X")
			region.AddColumn(solver.Column{Bounds: bounds})
			d, err := sparsero.NewDictionary(mat.NewDense(1, 3, atom), nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := NewProblem(d, region, sparsero.AffineMap{Matrix: mat.NewDense(3, 1, coefficients)})
			if err != nil {
				t.Fatal(err)
			}
			row, holds := p.relaxed(cut{objectiveExposure, 0}, 1, make([]directed.Sum, 1))
			beyond := new(big.Rat).SetFloat64(row.Values[0])
			if beyond.Sub(beyond, exact); !holds || float64(beyond.Sign())*sign > 0 || row.Upper() != 0 {
				t.Fatalf("%v: the coefficient exceeds the exact one by %s, relaxes %v", bounds, beyond.FloatString(30), holds)
			}
			rounded += beyond.Sign()
		}
		if rounded == 0 {
			t.Errorf("%v: no coefficient was rounded", bounds)
		}
	}
}
