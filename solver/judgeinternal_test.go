package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
)

// TestObjectiveReach: the largest terms of the objective between the bounds are added up; a column without a bound that says
// something counts as 0.
func TestObjectiveReach(t *testing.T) {
	m := NewModel("reach")
	m.AddColumn(Column{Bounds: Between(-2, 8), Cost: -3})
	m.AddColumn(Column{Bounds: Between(-16, 4), Cost: 0.5})
	m.AddColumn(Column{Bounds: AtLeast(1), Cost: 100})
	m.SetOffset(-5)
	m.AddQuadratic(0, 0, 1)
	m.AddQuadratic(1, 1, 2)
	session, err := Open(m, &Options{Backend: InteriorPoint})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := session.objectiveReach(&Result{}), 5+3*8+0.5*16+1*8*8+2*16.*16; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	m.AddRow(Row{Columns: []int{1}, Values: []float64{1024}})
	// Column 0 rests on a bound; the reduced cost of column 1 is rounding beside the terms that it is the sum of.
	resting := &Result{ColumnDuals: []float64{1e-3, 1e-7, 0}, RowDuals: []float64{1e9 / 1024}}
	if got, want := session.objectiveReach(resting), 5+0.5*16+2*16.*16; got != want {
		t.Errorf("beside reduced costs: got %v, want %v", got, want)
	}
}

// TestLeastBound: the smallest side of a column or a row counts, but neither 0, nor infinity, nor one above 1.
func TestLeastBound(t *testing.T) {
	m := NewModel("sides")
	m.AddColumn(Column{Bounds: Between(0, 4)})
	least := []float64{m.leastBound()}
	m.AddColumn(Column{Bounds: AtLeast(-0.75)})
	least = append(least, m.leastBound())
	m.AddRow(Row{Bounds: AtMost(0.125), Columns: []int{0}, Values: []float64{1}})
	if least = append(least, m.leastBound()); !slices.Equal(least, []float64{1, 0.75, 0.125}) {
		t.Errorf("%v", least)
	}
}

// TestSquaresReachWhereTheyOutweighTheSlope: a free column with a square has terms of the size at its own minimum,
// whichever of cost and multipliers makes its slope; without a square it has none.
func TestSquaresReachWhereTheyOutweighTheSlope(t *testing.T) {
	m := NewModel("squares")
	m.AddColumn(Column{Cost: -8})
	m.AddColumn(Column{Bounds: AtLeast(1)})
	m.AddColumn(Column{Cost: 3})
	m.AddRow(Row{Bounds: AtMost(0), Columns: []int{0, 1}, Values: []float64{1, 4}})
	m.AddQuadratic(0, 0, 2)
	m.AddQuadratic(1, 1, 0.5)
	m.AddQuadratic(0, 1, 1)
	session, err := Open(m, &Options{Backend: InteriorPoint})
	if err != nil {
		t.Fatal(err)
	}
	// 8/4 and 4/1 from 0
	if got, want := session.objectiveReach(&Result{RowDuals: []float64{-1}}), 8*2.+2*2*2+0.5*4*4+2*4; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestOptimaAtZero of squares: no term of the objective is left there, and what rounding leaves of the bound is no gap.
func TestOptimaAtZero(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		n, unit, length := 1+random.IntN(4), math.Ldexp(1, random.IntN(80)-40), math.Ldexp(1, random.IntN(80)-40) // of the objective and of the columns
		m := NewModel("better not to begin")
		all := make([]int, n)
		for j := range all {
			all[j] = m.AddColumn(Column{Cost: unit / length * random.NormFloat64()})
			m.AddQuadratic(j, j, unit/length/length*(0.5+random.Float64()))
		}
		for range 6 * n { // a cone, with 0 alone most of the time
			values := make([]float64, n)
			for j := range values {
				values[j] = random.NormFloat64() / length
			}
			m.AddRow(Row{Bounds: AtMost(0), Columns: all, Values: values})
		}
		r, err := Solve(t.Context(), m, nil)
		if err != nil || r.Check() != nil || r.Objective > 0 {
			t.Errorf("seed %d: %v, %v", seed, r, err)
		}
	}
}

// TestOptimaOfSquaresWithoutSlope: where no cost pulls, the multipliers that an interior point method leaves at 0 prove
// less than none.
func TestOptimaOfSquaresWithoutSlope(t *testing.T) {
	for _, maximize := range []bool{false, true} {
		for _, slope := range []float64{3, -4, 0.1, 1e6} {
			for _, square := range []float64{0.5, 8, 0.002} {
				m := NewModel("nothing pulls")
				m.SetMaximize(maximize)
				m.AddColumn(Column{Bounds: AtMost(3)})
				m.AddColumn(Column{Bounds: Equal(0), Cost: -4})
				m.AddRow(Row{Bounds: Equal(0), Columns: []int{0}, Values: []float64{slope}})
				m.AddQuadratic(0, 0, square*m.sign())
				r, err := Solve(t.Context(), m, nil)
				if err != nil || r.Check() != nil || r.Objective != 0 || r.minimised(m).Float() != 0 {
					t.Fatalf("slope %v, square %v: %v, %v", slope, square, r, err)
				}
				if err := m.CheckOptimality(r.X, r.RowDuals, r.ColumnDuals, 1e-9, 1e-9); err != nil {
					t.Errorf("slope %v, square %v: %v", slope, square, err)
				}
			}
		}
	}
}

// TestABoundFarAwayIsNone: the multipliers of this optimum prove nothing, as a rounding error is in the way of the free
// column. A bound without them, which is far away, does not take optimum and multipliers away.
func TestABoundFarAwayIsNone(t *testing.T) {
	m := NewModel("a free column")
	m.AddColumn(Column{Bounds: AtMost(0), Cost: -4e6})
	m.AddColumn(Column{Bounds: AtLeast(-0.85), Cost: 3e-6})
	m.AddColumn(Column{Bounds: AtLeast(0), Cost: 0.17})
	m.AddColumn(Column{})
	m.AddRow(Row{Bounds: AtLeast(0), Columns: []int{0, 2, 3}, Values: []float64{5, 3, -2. / 3}})
	m.AddQuadratic(0, 0, 1.334)
	m.AddQuadratic(1, 1, 0.001)
	m.AddQuadratic(2, 2, 0.001)
	r, err := Solve(t.Context(), m, nil)
	if err != nil || r.Status != Optimal || r.RowDuals == nil {
		t.Errorf("%v with the multipliers %v, %v", r, r.RowDuals, err)
	}
}

// TestFarBoundsHideNothing: bounds of 2^66 and 2^53, beside which a value at its bound once counted as 0 and a distance of 2/3 as rounding.
func TestFarBoundsHideNothing(t *testing.T) {
	far := NewModel("a value at its bound")
	far.AddColumn(Column{Bounds: Between(-0x1p66, 1.5), Cost: -2})
	far.AddColumn(Column{Bounds: Between(-1, 2), Cost: 2})
	far.AddColumn(Column{Bounds: Between(-1.5, 4), Cost: 2})
	costly := NewModel("a cost that is small in units of the bounds")
	costly.AddColumn(Column{Bounds: AtLeast(-1.5), Cost: 0.5})
	costly.AddColumn(Column{Cost: -1})
	costly.AddColumn(Column{Bounds: Between(0.5, 0x1p53), Cost: 0.25})
	costly.AddRow(Row{Bounds: AtMost(-0.5), Columns: []int{0}, Values: []float64{0x1p53}})
	costly.AddRow(Row{Columns: []int{0, 1, 2}, Values: []float64{1e15, 1e210, -2}})
	costly.AddRow(Row{Bounds: Between(-2, -1), Columns: []int{1}, Values: []float64{-1.5}})
	for m, want := range map[*Model]float64{far: -8, costly: 0.125 - 0.75 - 4./3} {
		r, err := Solve(t.Context(), m, &Options{Backend: Exact})
		if err != nil || r.Status != Optimal || math.Abs(r.Objective-want) > 1e-9 {
			t.Errorf("%v, %v, want the objective %v", r, err, want)
		}
	}
}

// TestAPointIsStrongerThanAWord: a model of which a point is known is not infeasible, whatever the backend says.
func TestAPointIsStrongerThanAWord(t *testing.T) {
	m := NewModel("one column")
	m.AddColumn(Column{Bounds: Between(0, 3), Cost: 1})
	s, err := Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for said, want := range map[Status]string{
		Infeasible: "infeasible, but there is a point", InfeasibleOrUnbounded: "infeasible or unbounded, but there is a point", Limit: "",
	} {
		r := &Result{Status: said}
		s.conclude(r, []float64{2}, proof.AtLeast(0))
		if r.Status != FeasibleLimit || r.Objective != 2 || !strings.HasSuffix(r.Detail, want) || want == "" && r.Detail != "" {
			t.Errorf("%v: %v", said, r)
		}
	}
}

// Whole columns that are within a millionth of a whole number are moved to it, no column leaves its bounds, and others
// stay where they are.
func TestPointsAreSettled(t *testing.T) {
	m := NewModel("points")
	for _, whole := range []bool{true, true, false, false} {
		m.AddColumn(Column{Bounds: Between(0, 5), Integer: whole})
	}
	x := []float64{3 - 9e-7, 3 - 1.1e-6, 3 - 9e-7, 5 + 1e-9}
	if m.settle(x); !slices.Equal(x, []float64{3, 3 - 1.1e-6, 3 - 9e-7, 5}) {
		t.Errorf("settled at %v", x)
	}
	if !m.whole([]float64{1, 2, 0.5, 0.5}) || m.whole([]float64{1, 2.5, 0, 0}) {
		t.Error("whole columns alone have to be whole")
	}
}

// A limit proves no gap.
func TestLimitsLeaveTheGapOpen(t *testing.T) {
	session, err := Open(strip(1, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []Status{Limit, FeasibleLimit} {
		r := newResult(session.model, "test")
		r.Status, r.Gap, r.X = status, 0, make([]float64, session.model.Columns())
		if err := session.judge(t.Context(), r); err != nil || !math.IsInf(r.Gap, 1) {
			t.Errorf("%v: gap %v, %v", status, r.Gap, err)
		}
	}
}

// A model with whole columns and no costs is not unbounded, whatever a backend says.
func TestWithoutCostsNothingIsUnbounded(t *testing.T) {
	m := strip(1, 1)
	for j := range m.columns {
		m.SetCost(j, 0)
	}
	session, err := Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	session.model.SetInteger(0, true)
	for _, status := range []Status{Unbounded, InfeasibleOrUnbounded} {
		r := newResult(session.model, "test")
		r.Status = status
		if err := session.judge(t.Context(), r); err != nil || r.Status != NumericalTrouble {
			t.Errorf("%v becomes %v, %v", status, r.Status, err)
		}
	}
}

// Rows of one group stand together, others each for itself, even under one name.
func TestGroupsAreMerged(t *testing.T) {
	members := []Member{{Name: "a", Rows: []int{0}}, {Name: "g", Group: true, Rows: []int{1}}, {Name: "a", Rows: []int{2}}, {Name: "g", Group: true, Rows: []int{3}}}
	if got := merged(members); len(got) != 3 || !slices.Equal(got[1].Rows, []int{1, 3}) || !slices.Equal(got[2].Rows, []int{2}) {
		t.Errorf("%+v", got)
	}
}

// What exact arithmetic decides counts the constant of the objective: 7 + x over x >= 2, and 7 - x over x <= -2.
func TestExactDecisionsCountTheConstant(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		m := NewModel("constant")
		m.AddColumn(Column{Bounds: Between(math.Min(2*sign, 5*sign), math.Max(2*sign, 5*sign)), Cost: sign})
		m.SetOffset(7)
		session, err := Open(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		session.judging = true
		r := newResult(session.model, "test")
		if !session.decideExactly(t.Context(), r) || r.Status != Optimal || r.Objective != 9 || r.Lower != proof.AtLeast(9) || r.Upper != proof.AtMost(9) && !math.IsInf(r.Upper.Float(), 1) || r.Gap != 0 {
			t.Errorf("sign %v: %v, bounds %v and %v", sign, r, r.Lower, r.Upper)
		}
	}
}

// A point that is not whole, or breaks a row once it is, gives way to one that the proof finds.
func TestPointsThatAreNoAnswer(t *testing.T) {
	for name, x := range map[string][]float64{"not whole": {0.5, 1}, "breaks the row": {0, 0}} {
		m := NewModel("points")
		m.AddColumn(Column{Bounds: Between(0, 3), Cost: 2})
		m.AddColumn(Column{Bounds: Between(0, 3), Cost: 3})
		m.AddRow(Row{Bounds: AtLeast(1.5), Columns: []int{0, 1}, Values: []float64{1, 1}})
		session, err := Open(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		session.model.SetInteger(0, true)
		r := newResult(session.model, "test")
		r.Status, r.X = Optimal, x
		if err := session.judge(t.Context(), r); err != nil || r.Status != Optimal || !slices.Equal(r.X, []float64{1, 0.5}) || r.Lower != proof.AtLeast(3.5) {
			t.Errorf("%s: %v, %v, at %v, at least %v", name, r, err, r.X, r.Lower)
		}
	}
}

// Both bounds of a column that can take no value contradict each other.
func TestBothBoundsOfAColumnContradict(t *testing.T) {
	for _, whole := range []bool{true, false} {
		m := NewModel("nothing")
		bounds := Between(0.75, 0.25)
		if whole {
			bounds = Between(0.25, 0.75)
		}
		m.AddColumn(Column{Bounds: bounds, Integer: whole})
		conflict, reason := m.contradiction()
		if conflict == nil || len(conflict.Members) != 2 || conflict.Members[0].Upper || !conflict.Members[1].Upper || conflict.Integrality != whole || strings.Contains(reason, "whole") != whole {
			t.Errorf("whole %t: %+v, %s", whole, conflict, reason)
		}
	}
}
