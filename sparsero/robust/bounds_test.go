package robust

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"gonum.org/v1/gonum/mat"
)

// scalar is min -x over bounds and nominal x + d a x <= 1, or, for an objective, min -x + 10 max(0, d (a x - 1)).
func scalar(t *testing.T, bounds solver.Bounds, d, a, nominal float64, objective bool) *Problem {
	t.Helper()
	region := solver.NewModel("one column")
	region.AddColumn(solver.Column{Bounds: bounds, Cost: -1})
	atoms, err := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{d}), nil)
	if err != nil {
		t.Fatal(err)
	}
	q := sparsero.AffineMap{Matrix: mat.NewDense(1, 1, []float64{a})}
	var p *Problem
	if objective {
		q.Constant = []float64{-1}
		p, err = NewProblem(atoms, region, q)
	} else {
		p, err = NewProblem(atoms, region, sparsero.AffineMap{}, Constraint{Map: q, Nominal: []float64{nominal}, Limit: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// reciprocal is -1/(d a + nominal), the minimum of scalar for a constraint; for an objective it is reciprocal(1, a, 0).
func reciprocal(d, a, nominal float64) *big.Rat {
	v := new(big.Rat).Mul(lifted.Rational(d), lifted.Rational(a))
	return v.Inv(v.Add(v, lifted.Rational(nominal))).Neg(v)
}

// A lower bound is not above the minimum, whatever bounds the column has and whatever cancels in its coefficient. It is near unless a
// finite bound is so large that a rounding error times it counts.
func TestLowerBoundsHoldOverOpenColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	check := func(name string, p *Problem, minimum *big.Rat) {
		t.Helper()
		for _, full := range []bool{false, true} {
			if full && strings.HasPrefix(name, "cancelling") {
				continue // within the tolerance of a constraint there is no minimum
			}
			var s *Solution
			var err error
			if full {
				s, err = p.SolveFull(context.Background(), p.scalarRadius(), nil)
			} else {
				s, err = p.Solve(context.Background(), []int{0}, p.scalarRadius(), nil)
			}
			if err != nil {
				t.Fatalf("%s, full %v: %v", name, full, err)
			}
			least, _ := minimum.Float64()
			huge := p.region.Column(0).Upper() == 1e30
			if lifted.Rational(s.LowerBound.Float()).Cmp(minimum) > 0 || !huge && s.LowerBound.Float() < least-1e-7*math.Abs(least) {
				t.Fatalf("%s, full %v: lower bound %v, minimum %v", name, full, s.LowerBound.Float(), least)
			}
			if !s.FullFeasible() || math.Abs(s.X[0]+least) > 1e-7*math.Abs(least) {
				t.Fatalf("%s, full %v: X %v, minimum %v, feasible %v", name, full, s.X, least, s.FullFeasible())
			}
		}
	}
	bounds := []solver.Bounds{solver.AtLeast(0), solver.AtLeast(-1), {}, solver.Between(0, 1e6), solver.Between(0, 1e30), solver.Between(-1e6, 1e6)}
	for range 100 {
		d, a := 1+random.Float64(), 0.5+random.Float64()
		for k, b := range bounds {
			check(fmt.Sprint("objective ", k, " ", d, a), scalar(t, b, d, a, 0, true), reciprocal(1, a, 0))
			for _, rest := range []float64{1, 0x1p-10} {
				nominal := -(d * a) * (1 - rest)
				check(fmt.Sprint("constraint ", k, " ", d, a, rest), scalar(t, b, d, a, nominal, false), reciprocal(d, a, nominal))
			}
		}
	}
	// All digits of the product cancel but those that are rounded away.
	for _, rest := range []float64{0x1p-30, 0x1p-40} {
		d, a := 1.9083538481100777, 1.2824117920447606
		nominal := -(d * a) * (1 - rest)
		check(fmt.Sprint("cancelling ", rest), scalar(t, solver.AtLeast(0), d, a, nominal, false), reciprocal(d, a, nominal))
	}
}

func (p *Problem) scalarRadius() float64 {
	if p.q.Matrix != nil {
		return 10
	}
	return 1
}

// A finite bound that stands for none loosens no row by more than rounding errors of the row.
func TestHugeBoundsLoosenNoRow(t *testing.T) {
	for _, huge := range []float64{1e12, 1e16, 1e20, 1e30} {
		for _, bounds := range []solver.Bounds{solver.Between(0, huge), solver.Between(-huge, huge)} {
			s, err := scalar(t, bounds, 0.1, 0.3, 0, false).SolveFull(context.Background(), 1, nil)
			if err != nil || !s.FullFeasible() || math.Abs(s.X[0]-100./3) > 1e-9 {
				t.Errorf("constraint over %v: %v, %v", bounds, s, err)
			}
			s, err = scalar(t, bounds, 0.1, 0.3, 0, true).SolveFull(context.Background(), 100, nil)
			if err != nil || math.Abs(s.Value+10./3) > 1e-9 || lifted.Rational(s.LowerBound.Float()).Cmp(reciprocal(1, 0.3, 0)) > 0 {
				t.Errorf("objective over %v: %v, %v", bounds, s, err)
			}
		}
	}
}

// At radius 0 no atom counts, not even one whose support is beyond float64.
func TestRadiusZeroIsTheNominalProblem(t *testing.T) {
	p := scalar(t, solver.AtLeast(0), 1e250, 1, 0, false)
	atoms := p.Dictionary()
	p, err := NewProblem(atoms, p.Region(), sparsero.Identity(1), Constraint{Map: sparsero.Identity(1), Nominal: []float64{1}, Limit: 1e100})
	if err != nil {
		t.Fatal(err)
	}
	for _, chosen := range [][]int{nil, {0}} {
		s, err := p.Evaluate(chosen, 0, []float64{1e100})
		if err != nil {
			t.Fatal(err)
		}
		gap, err := s.GapBound() // +Inf: nothing was solved
		if err != nil || !math.IsInf(gap.Float(), 1) || s.Value != -1e100 || s.FullValue() != -1e100 || s.Constraints[0].Full != 1e100 {
			t.Errorf("atoms %v: %+v, gap %v, %v", chosen, s, gap, err)
		}
	}
}
