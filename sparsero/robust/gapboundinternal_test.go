package robust

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// at is a solution with another decision.
func at(t interface{ Fatal(...any) }, s *Solution, x []float64) *Solution {
	moved, err := s.within(s.problem, x, s.problem.exposeAll(x))
	if err != nil {
		t.Fatal(err)
	}
	return moved
}

// oneColumn solves a problem without an effect of uncertainty, of one column x and one row, the sides of value x.
func oneColumn(t *testing.T, column solver.Column, sides solver.Bounds, value float64) *Solution {
	t.Helper()
	region := solver.NewModel("X")
	region.AddColumn(column)
	region.AddRow(solver.Row{Bounds: sides, Columns: []int{0}, Values: []float64{value}})
	d, err := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{0}), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(d, region, sparsero.Identity(1))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(t.Context(), nil, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGapBoundLeansOnNoRowThatIsMissed: without a multiplier of x <= 1 the bound of min -x over x >= 0 is that of the x that the row
// implies, and X = 1.5 misses the row.
func TestGapBoundLeansOnNoRowThatIsMissed(t *testing.T) {
	s := oneColumn(t, solver.Column{Bounds: solver.AtLeast(0), Cost: -1}, solver.AtMost(1), 1)
	s.multipliers.Rows[0], s.LowerBound = 0, proof.Lower{}
	s.proveBound()
	beyond := at(t, s, []float64{1.5})
	if gap, err := beyond.GapBound(); err != nil || math.Abs(s.LowerBound.Float()+1) > 1e-15 || gap.Float() < 0 || gap.Float() > 1e-15 {
		t.Errorf("the value gap is 0 wherever the row stands, the bound is %v beside a lower bound of %v (%v)", gap, s.LowerBound, err)
	}
}

// TestGapBoundMovesNoRowThatIsKept: X = 3 keeps x >= 1, so that min x stays 1 beside it and X is 2 above that.
func TestGapBoundMovesNoRowThatIsKept(t *testing.T) {
	for _, sign := range []float64{1, -1} { // -x <= -1 says the same
		sides := solver.AtLeast(1)
		if sign < 0 {
			sides = solver.AtMost(-1)
		}
		s := oneColumn(t, solver.Column{Bounds: solver.Between(0, 10), Cost: 1}, sides, sign)
		s.X = []float64{3}
		s = at(t, s, s.X)
		if bound := s.lowerBoundAt(s); math.Abs(bound.Float()-1) > 1e-9 {
			t.Errorf("the lower bound is %v, want 1", bound)
		}
		if gap, err := s.GapBound(); err != nil || math.Abs(gap.Float()-2) > 1e-9 {
			t.Errorf("X = 3 is 2 above the minimum, the bound is %v (%v)", gap, err)
		}
	}
}

// TestLowerBoundsOfMovedProblems are not above the minima in fractions, whatever multipliers and decision.
func TestLowerBoundsOfMovedProblems(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := drawImplying(t)
		atoms, radius := rapid.SliceOfDistinct(rapid.IntRange(0, p.dictionary.size-1), rapid.ID[int]).Draw(t, "S"), float64(rapid.IntRange(0, 4).Draw(t, "2r"))/2
		s, err := p.Solve(context.Background(), atoms, radius, nil)
		if err != nil || s.multipliers.Rows == nil {
			return // infeasible or unbounded
		}
		for i := range s.multipliers.Rows {
			if rapid.Bool().Draw(t, "no multiplier") {
				s.multipliers.Rows[i] = 0
			}
		}
		s.LowerBound = proof.Lower{}
		s.proveBound()
		x := quarters(t, p.region.Columns(), 0, 12, "x")
		beyond := at(t, s, x)
		bound := beyond.lowerBoundAt(beyond)
		moved := movedByHand(p, radius, x)
		restricted, full := minimum(moved, atoms, radius), minimum(moved, rank.Indices[int](p.dictionary.size), radius)
		switch {
		case restricted == nil && bound != (proof.Lower{}), restricted != nil && lifted.Rational(math.Max(-math.MaxFloat64, bound.Float())).Cmp(restricted) > 0:
			t.Fatalf("lower bound %v of the moved problem, whose minimum is %v", bound, restricted)
		case restricted == nil || bound == (proof.Lower{}):
			seen["nothing proven"]++
			return
		}
		gap, claimed := new(big.Rat).Sub(full, restricted), beyond.fullUpper(radius).Plus(bound.Negated())
		if lifted.Rational(claimed.Float()).Cmp(gap) < 0 {
			t.Fatalf("gap bound %v, the value gap is %v", claimed, gap)
		}
		if lifted.Rational(s.LowerBound.Float()).Cmp(restricted) > 0 {
			seen["LowerBound is none of the moved problem"]++
		}
	})
	t.Log(seen)
	if seen["LowerBound is none of the moved problem"] == 0 {
		t.Error("no decision missed a row that matters")
	}
}

// TestMultipliersBeyondFloat64AreProvenInFractions: of min x over 1e20 <= x <= 1e20 both terms are beyond float64 for a
// multiplier of 1e300, and their sum is not.
func TestMultipliersBeyondFloat64AreProvenInFractions(t *testing.T) {
	s := oneColumn(t, solver.Column{Bounds: solver.Between(0, 1e20), Cost: 1}, solver.AtLeast(1e20), 1)
	s.multipliers.Rows[0] = 1e300
	if bound := s.provenOf(s.problem); bound.Float() != 1e20 {
		t.Errorf("the minimum is 1e20, the bound %v", bound)
	}
}

func quarters(t *rapid.T, n, from, to int, label string) []float64 {
	values := make([]float64, n)
	for k := range values {
		values[k] = float64(rapid.IntRange(from, to).Draw(t, label)) / 4
	}
	return values
}

// drawImplying draws columns x >= 0 to which a row with multiples of 1/4 gives upper bounds, another row, and perhaps a robust constraint,
// so that all sums are exact in float64.
func drawImplying(t *rapid.T) *Problem {
	n, p, atoms := rapid.IntRange(1, 3).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "p"), rapid.IntRange(1, 4).Draw(t, "N")
	region := solver.NewModel("X")
	budget, other := solver.Row{Bounds: solver.AtMost(1), Values: quarters(t, n, 1, 4, "budget")}, solver.Row{Bounds: solver.Between(-1, 1), Values: quarters(t, n, -4, 4, "row")}
	for j, cost := range quarters(t, n, -8, 4, "cost") {
		region.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: cost})
		budget.Columns, other.Columns = append(budget.Columns, j), append(other.Columns, j)
	}
	region.AddRow(budget)
	region.AddRow(other)
	d, err := sparsero.NewDictionary(mat.NewDense(atoms, p, quarters(t, atoms*p, -4, 4, "atoms")), nil)
	if err != nil {
		t.Fatal(err)
	}
	affine := func() sparsero.AffineMap {
		return sparsero.AffineMap{Matrix: mat.NewDense(p, n, quarters(t, p*n, -4, 4, "q")), Constant: quarters(t, p, -2, 2, "c")}
	}
	var constraints []Constraint
	if rapid.Bool().Draw(t, "constraint") {
		constraints = []Constraint{{Nominal: quarters(t, n, -2, 4, "nominal"), Map: affine(), Limit: 1}}
	}
	problem, err := NewProblem(d, region, affine(), constraints...)
	if err != nil {
		t.Fatal(err)
	}
	return problem
}

// movedByHand is a problem whose limits are moved to a decision, in sums that float64 holds.
func movedByHand(p *Problem, radius float64, x []float64) *Problem {
	moved := *p
	moved.region, moved.constraints = p.region.Clone(), slices.Clone(p.constraints)
	for i := range p.region.Rows() {
		at, given := p.region.Activity(i, x), p.region.RowBounds(i)
		moved.region.SetRowBounds(i, solver.Between(math.Min(given.Lower(), at), math.Max(given.Upper(), at)))
	}
	for k := range p.constraints {
		c := &moved.constraints[k]
		worst := math.Max(0, slices.Max(p.Dictionary().Alignments(nil, c.Map.Apply(x))))
		nominal := 0.0
		for j, v := range c.Nominal {
			nominal += v * x[j]
		}
		c.Limit = math.Max(c.Limit, nominal+radius*worst)
	}
	return &moved
}

// minimum is min Φ_S in fractions, nil for none.
func minimum(p *Problem, atoms []int, radius float64) *big.Rat {
	model, _ := p.epigraphOf(slices.Concat(p.nominalCuts(), p.cutsOf(atoms)), radius)
	return exact.Solve(context.Background(), model.Program()).Objective
}

// TestProductsBelowFloat64AreInTheValue: 2^-600 x is below float64 at x = 2^-500, and not its product with y = 2^600.
func TestProductsBelowFloat64AreInTheValue(t *testing.T) {
	region := solver.NewModel("squares")
	region.AddColumn(solver.Column{})
	region.AddColumn(solver.Column{})
	region.AddQuadratic(0, 0, 0x1p100)
	region.AddQuadratic(1, 1, 0x1p-600)
	region.AddQuadratic(0, 1, 0x1p-600)
	region.SetOffset(-0x1p-900)
	p := &Problem{region: region}
	if sum, _ := p.nominal(objectiveExposure, []float64{0x1p-500, 0x1p600}); sum.Upper() <= 0x1p600 {
		t.Errorf("the value is 2^600 + 2^-500, and not at most %x", sum.Upper())
	}
}
