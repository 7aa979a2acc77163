//go:build cgo

package solver_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"pgregory.net/rapid"
)

// bestMixed enumerates the integer columns and solves the rest with the pure-Go
// simplex. The status is Optimal, Infeasible or Unbounded.
func bestMixed(t rapid.TB, m *solver.Model) (best float64, status solver.Status) {
	relaxed := solver.NewModel("relaxed")
	relaxed.SetMaximize(m.Maximizes())
	relaxed.SetOffset(m.Offset())
	var integers []int
	for j := range m.Columns() {
		c := m.Column(j)
		if c.Integer {
			integers = append(integers, j)
		}
		c.Integer = false
		relaxed.AddColumn(c)
	}
	for i := range m.Rows() {
		relaxed.AddRow(m.Row(i))
	}
	status = solver.Infeasible
	var visit func(k int)
	visit = func(k int) {
		if k < len(integers) {
			c := m.Column(integers[k])
			for v := math.Ceil(c.Lower()); v <= c.Upper(); v++ {
				relaxed.SetColumnBounds(integers[k], solver.Equal(v))
				visit(k + 1)
			}
			return
		}
		res, err := solver.Solve(context.Background(), relaxed, &solver.Options{Backend: solver.Exact})
		switch {
		case err != nil:
			t.Fatalf("%v", err)
		case res.Status == solver.Unbounded:
			status = solver.Unbounded
		case res.Status == solver.Optimal && status != solver.Unbounded:
			worse := res.Objective > best
			if m.Maximizes() {
				worse = res.Objective < best
			}
			if status == solver.Infeasible || !worse {
				best, status = res.Objective, solver.Optimal
			}
		}
	}
	visit(0)
	return best, status
}

// someIntegers makes bounded columns of a random model integer.
func someIntegers(t *rapid.T, m *solver.Model) *solver.Model {
	out := solver.NewModel("mixed")
	out.SetMaximize(m.Maximizes())
	out.SetOffset(m.Offset())
	count := 0
	for j := range m.Columns() {
		c := m.Column(j)
		if c.Upper()-c.Lower() <= 5 && count < 4 && rapid.Bool().Draw(t, "integer") {
			c.Integer = true
			count++
		}
		out.AddColumn(c)
	}
	for i := range m.Rows() {
		r := m.Row(i)
		r.Group = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "group")
		out.AddRow(r)
	}
	return out
}

// TestMixedIntegerAgainstEnumeration, unbounded continuous parts included.
func TestMixedIntegerAgainstEnumeration(t *testing.T) {
	useHighs(t)
	counts := map[solver.Status]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := someIntegers(t, drawnLinear(t))
		res := solveWith(t, m, highs.Backend{})
		counts[res.Status]++
		want, status := bestMixed(t, m)
		if res.Status != status {
			t.Fatalf("want %v, got %v", status, res)
		}
		if status != solver.Optimal {
			return
		}
		if math.Abs(res.Objective-want) > 1e-5*(1+math.Abs(want)) {
			t.Fatalf("want %v, got %v", want, res)
		}
		if worst, where := m.Violation(res.X); worst > 1e-6 {
			t.Fatalf("%s violated by %g", where, worst)
		}
	})
	t.Log(counts)
}

// TestIntegerSessionsFollowChanges: rows and bounds can change between integer
// solves.
func TestIntegerSessionsFollowChanges(t *testing.T) {
	useHighs(t)
	rapid.Check(t, func(t *rapid.T) {
		m := someIntegers(t, drawnLinear(t))
		session, err := solver.Open(m, &solver.Options{Backend: highs.Backend{}})
		if err != nil {
			t.Fatal(err)
		}
		inside := make([]float64, m.Columns())
		for range 3 {
			row := drawnRow(t, m, inside, rapid.IntRange(-3, 3))
			m.AddRow(row)
			got, err := session.Solve(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			want := solveWith(t, m, highs.Backend{})
			if got.Status != want.Status || math.Abs(got.Objective-want.Objective) > 1e-5*(1+math.Abs(want.Objective)) {
				t.Fatalf("session: %v\nfresh: %v", got, want)
			}
		}
	})
}

// TestExplainInteger: models whose relaxation is feasible are explained by integrality, and the conflict is irreducible,
// however many rows take no part, whether one row shows it at once or a search does.
func TestExplainInteger(t *testing.T) {
	useHighs(t)
	for text, values := range map[string][]float64{"2 x + 2 y": {2, 2}, "1.5 x + 1.25 y": {1.5, 1.25}} {
		m := solver.NewModel("parity")
		x := m.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, 4), Integer: true})
		y := m.AddColumn(solver.Column{Name: "y", Bounds: solver.Between(0, 4), Integer: true})
		for k := range 9 {
			m.AddRow(solver.Row{Name: "idle", Bounds: solver.AtLeast(0), Columns: []int{x, y}, Values: []float64{1, float64(k)}})
			if k == 4 {
				m.AddRow(solver.Row{Name: "even", Bounds: solver.Equal(0.5), Columns: []int{x, y}, Values: values})
			}
		}
		c, err := solver.Explain(context.Background(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Integrality || !c.Irreducible || len(c.Members) != 1 || !strings.Contains(c.Error(), "even: "+text+" = 0.5") {
			t.Errorf("got %v", c)
		}
	}
}

// TestExplainAmongRowsOverIntegers: two rows contradict each other, and over whole points one of them the rest alone.
func TestExplainAmongRowsOverIntegers(t *testing.T) {
	useHighs(t)
	m := solver.NewModel("one of two")
	for range 2 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true})
	}
	for _, bounds := range []solver.Bounds{solver.AtLeast(0.5), solver.AtMost(0.75), solver.AtLeast(0.9)} {
		m.AddRow(solver.Row{Bounds: bounds, Columns: []int{0, 1}, Values: []float64{1, 1}})
	}
	c, err := solver.Explain(context.Background(), m, nil, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Integrality || !c.Irreducible || len(c.Members) != 1 || c.Members[0].Rows[0] != 1 {
		t.Errorf("got %v", c)
	}
}

// evenRow makes every coefficient even and the sides odd, which no whole point
// can meet as an equation.
func evenRow(r solver.Row) solver.Row {
	for k := range r.Values {
		r.Values[k] *= 2
	}
	r.Bounds = solver.Between(2*r.Lower()+1, 2*r.Upper()+1)
	return r
}

func TestExplainIntegerIrreducible(t *testing.T) {
	useHighs(t)
	needed := 0
	rapid.Check(t, func(t *rapid.T) {
		m := solver.NewModel("parity")
		inside := make([]float64, rapid.IntRange(1, 4).Draw(t, "columns"))
		for range inside {
			m.AddColumn(solver.Column{Bounds: solver.Between(-2, 2), Integer: rapid.IntRange(0, 4).Draw(t, "kind") > 0})
		}
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			row := drawnRow(t, m, inside, rapid.IntRange(-2, 2))
			row.Group = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "group")
			if rapid.Bool().Draw(t, "even") {
				row = evenRow(row)
			}
			m.AddRow(row)
		}
		if r, err := solver.Solve(context.Background(), m, nil); err != nil || r.X != nil {
			return
		}
		c, err := solver.Explain(context.Background(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Integrality {
			return // the linear case is tested in package solver
		}
		needed++
		for dropped := -1; dropped < len(c.Members); dropped++ {
			part := m.Clone()
			keep := map[int]bool{}
			atLeast, atMost := map[int]bool{}, map[int]bool{}
			for k, member := range c.Members {
				if k == dropped {
					continue
				}
				for _, i := range member.Rows {
					keep[i] = true
				}
				atLeast[member.Column], atMost[member.Column] = atLeast[member.Column] || !member.Upper, atMost[member.Column] || member.Upper
			}
			for i := range part.Rows() {
				if !keep[i] {
					part.SetRowBounds(i, solver.Bounds{})
				}
			}
			for j := range part.Columns() {
				column := part.Column(j)
				lower, upper := column.Lower(), column.Upper()
				if !column.Integer && !atLeast[j] {
					lower = -inf
				}
				if !column.Integer && !atMost[j] {
					upper = inf
				}
				part.SetColumnBounds(j, solver.Between(lower, upper))
				part.SetCost(j, 0)
			}
			if infeasible := solveWith(t, part, highs.Backend{}).Status == solver.Infeasible; infeasible != (dropped < 0) {
				t.Fatalf("without member %d infeasible: %v\n%v", dropped, infeasible, c)
			}
		}
	})
	if needed == 0 && !testing.Short() { // about one draw in twenty needs integrality
		t.Error("no conflict by integrality was drawn")
	}
}

// TestHighsProofWithoutGap: of many points within the default gap a negative RelativeGap finds the best.
func TestHighsProofWithoutGap(t *testing.T) {
	if testing.Short() {
		t.Skip("proves a large tree")
	}
	useHighs(t)
	random := rand.New(rand.NewPCG(4, 2)) // a draw where the first point within the gap is not the best
	m := solver.NewModel("near ties")
	m.SetMaximize(true)
	var count, weight solver.Row
	for j := range 40 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: 1e7 + float64(random.IntN(30)), Integer: true})
		count.Columns, count.Values = append(count.Columns, j), append(count.Values, 1)
		weight.Columns, weight.Values = append(weight.Columns, j), append(weight.Values, float64(10+random.IntN(90)))
	}
	count.Bounds, weight.Bounds = solver.AtMost(12), solver.AtMost(300)
	m.AddRow(count)
	m.AddRow(weight)
	loose, strict := solve(t, m, nil), solve(t, m, &solver.Options{RelativeGap: -1})
	if strict.Objective <= loose.Objective {
		t.Errorf("default gap: %v\nno gap: %v", loose, strict)
	}
}
