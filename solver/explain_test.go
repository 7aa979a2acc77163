package solver_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// restricted returns the model with only these members switched on.
func restricted(m *solver.Model, members []solver.Member) *solver.Model {
	c := m.Clone()
	rows, lower, upper := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, member := range members {
		for _, i := range member.Rows {
			rows[i] = true
		}
		lower[member.Column] = lower[member.Column] || member.Column >= 0 && !member.Upper
		upper[member.Column] = upper[member.Column] || member.Upper
	}
	for i := range c.Rows() {
		if !rows[i] {
			c.SetRowBounds(i, solver.Bounds{})
		}
	}
	for j := range c.Columns() {
		low, high := -inf, inf
		if lower[j] {
			low = c.Column(j).Lower()
		}
		if upper[j] {
			high = c.Column(j).Upper()
		}
		c.SetColumnBounds(j, solver.Between(low, high))
	}
	return c
}

// wholeGroups replaces the rows of each group member by all rows of the group.
func wholeGroups(m *solver.Model, members []solver.Member) []solver.Member {
	out := append([]solver.Member(nil), members...)
	for k, member := range out {
		if !member.Group {
			continue
		}
		out[k].Rows = nil
		for i := range m.Rows() {
			if m.Row(i).Group == member.Name {
				out[k].Rows = append(out[k].Rows, i)
			}
		}
	}
	return out
}

// singly splits the rows of members.
func singly(members []solver.Member) []solver.Member {
	var out []solver.Member
	for _, member := range members {
		if member.Column >= 0 {
			out = append(out, member)
		}
		for _, i := range member.Rows {
			out = append(out, solver.Member{Group: member.Group, Name: member.Name, Rows: []int{i}, Column: -1})
		}
	}
	return out
}

func without(members []solver.Member, k int) []solver.Member {
	return append(append([]solver.Member(nil), members[:k]...), members[k+1:]...)
}

// checkIrreducible fails unless the members contradict each other and no group,
// row or bound of them can be left out.
func checkIrreducible(t rapid.TB, m *solver.Model, c *solver.Conflict) {
	t.Helper()
	for _, member := range c.Members {
		if (member.Column == -1) != (len(member.Rows) > 0) {
			t.Fatalf("rows have no column, and columns no rows: %+v", member)
		}
	}
	feasible := func(members []solver.Member) bool {
		part := restricted(m, members)
		for j := range part.Columns() {
			part.SetCost(j, 0)
		}
		res, err := solver.Solve(context.Background(), part, nil)
		if err != nil || (res.Status != solver.Optimal && res.Status != solver.Infeasible) {
			t.Fatalf("restricted model: %v, %v", res, err)
		}
		return res.Status == solver.Optimal
	}
	for _, members := range [][]solver.Member{wholeGroups(m, c.Members), singly(c.Members)} {
		if feasible(members) {
			t.Fatalf("the conflict is feasible:\n%v", c)
		}
		for k := range members {
			if !feasible(without(members, k)) {
				t.Fatalf("member %d (%s) can be left out of\n%v", k, members[k].Name, c)
			}
		}
	}
}

// TestExplainIrreducible: on random infeasible programs the conflict is
// infeasible, and feasible without any one of its groups, rows or bounds.
func TestExplainIrreducible(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		m := grouped(t, drawnLinear(t))
		res, err := solver.Solve(context.Background(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := solver.Explain(context.Background(), m, nil)
		if res.Status != solver.Infeasible {
			if err == nil {
				t.Fatalf("model is %v, Explain says %v, %v", res.Status, c, err)
			}
			return
		}
		if err != nil || !c.Irreducible || !errors.Is(c, solver.ErrInfeasible) {
			t.Fatalf("%v, %v", c, err)
		}
		found++
		checkIrreducible(t, m, c)
	})
	if found == 0 && !testing.Short() { // short runs draw too few cases to count on one
		t.Error("no infeasible model was drawn")
	}
}

// grouped puts random rows into groups and makes infeasibility more likely.
func grouped(t *rapid.T, m *solver.Model) *solver.Model {
	g := solver.NewModel("grouped")
	for j := range m.Columns() {
		c := m.Column(j)
		c.Name = fmt.Sprintf("x%d", j)
		g.AddColumn(c)
	}
	for i := range m.Rows() {
		r := m.Row(i)
		r.Group = rapid.SampledFrom([]string{"", "", "a", "b", "c"}).Draw(t, "group")
		if rapid.Bool().Draw(t, "flip") {
			r.Bounds = solver.Between(-r.Upper(), -r.Lower())
		}
		g.AddRow(r)
	}
	return g
}

// TestExplainNames: the answer is in the words of the model.
func TestExplainNames(t *testing.T) {
	m := solver.NewModel("portfolio")
	stock := m.AddColumn(solver.Column{Name: "stock", Bounds: solver.AtLeast(0), Cost: 1})
	bond := m.AddColumn(solver.Column{Name: "bond", Bounds: solver.AtLeast(0)})
	cash := m.AddColumn(solver.Column{Name: "cash", Bounds: solver.Between(0, 0.2)})
	m.AddRow(solver.Row{Name: "budget", Bounds: solver.Equal(1), Columns: []int{stock, bond, cash}, Values: []float64{1, 1, 1}})
	m.AddRow(solver.Row{Name: "stock", Group: "limits", Bounds: solver.AtMost(0.5), Columns: []int{stock}, Values: []float64{1}})
	m.AddRow(solver.Row{Name: "bond", Group: "limits", Bounds: solver.AtMost(0.2), Columns: []int{bond}, Values: []float64{1}})
	m.AddRow(solver.Row{Name: "idle", Group: "other", Bounds: solver.AtLeast(0), Columns: []int{stock}, Values: []float64{1}})
	c, err := solver.Explain(context.Background(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkIrreducible(t, m, c)
	want := []string{"budget: stock + bond + cash = 1", "limits/stock: stock <= 0.5", "limits/bond: bond <= 0.2", "upper bound: cash <= 0.2"}
	for _, text := range want {
		if !strings.Contains(c.Error(), text) {
			t.Errorf("%q is missing in\n%v", text, c)
		}
	}
	if strings.Contains(c.Error(), "idle") {
		t.Errorf("idle row in\n%v", c)
	}
}

// TestExplainItself: single contradictions need no solver.
func TestExplainItself(t *testing.T) {
	build := func(c solver.Column, rows ...solver.Row) *solver.Model {
		m := solver.NewModel("self")
		m.AddColumn(c)
		for _, r := range rows {
			m.AddRow(r)
		}
		return m
	}
	free := solver.Column{Name: "x"}
	for _, test := range []struct {
		name  string
		model *solver.Model
		want  string
	}{
		{"crossed column", build(solver.Column{Name: "x", Bounds: solver.Between(2, 1)}), "x >= 2"},
		{"no whole number", build(solver.Column{Name: "x", Bounds: solver.Between(0.2, 0.8), Integer: true}), "whole"},
		{"crossed row", build(free, solver.Row{Name: "r", Bounds: solver.Between(2, 1), Columns: []int{0}, Values: []float64{3}}), "2 <= 3 x <= 1"},
		{"empty row", build(free, solver.Row{Name: "r", Group: "g", Bounds: solver.AtLeast(1)}), "g/r: 0 >= 1"},
	} {
		c, err := solver.Explain(context.Background(), test.model, nil)
		if err != nil || !strings.Contains(c.Error(), test.want) || !c.Irreducible {
			t.Errorf("%s: %v, %v", test.name, c, err)
		}
	}
}

// TestExplainFewSolves: the number of solves follows the size of the answer,
// not of the model.
func TestExplainFewSolves(t *testing.T) {
	m := worstCase(10, drawnCuts(10, 400, 1))
	m.SetColumnBounds(10, solver.Between(-1e6, 0)) // epigraph variable
	m.AddRow(solver.Row{Group: "target", Bounds: solver.AtMost(-40), Columns: []int{10}, Values: []float64{1}})
	c, err := solver.Explain(context.Background(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkIrreducible(t, m, c)
	rows := 0
	for _, member := range c.Members {
		rows += len(member.Rows)
	}
	t.Logf("%d solves for %d members with %d rows", c.Solves, len(c.Members), rows)
	for range 1000 {
		m.AddRow(solver.Row{Columns: []int{0, 1}, Values: []float64{1, 1}}) // without sides
	}
	if again, err := solver.Explain(context.Background(), m, nil); err != nil || again.Solves != c.Solves {
		t.Errorf("%d solves beside rows that say nothing, %d without them, %v", again.Solves, c.Solves, err)
	}
	if c.Solves > 80 {
		t.Errorf("%d solves for a conflict of %d rows", c.Solves, rows)
	}
}

// TestExplainStops: a cancelled search still returns a valid conflict or says
// why there is none.
func TestExplainStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := solver.NewModel("two rows")
	m.AddColumn(solver.Column{})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(1), Columns: []int{0}, Values: []float64{1}})
	m.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{0}, Values: []float64{1}})
	if c, err := solver.Explain(ctx, m, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", c, err)
	}
	broken := solver.NewModel("broken")
	broken.AddColumn(solver.Column{Bounds: solver.Between(math.NaN(), 0)})
	if _, err := solver.Explain(context.Background(), broken, nil); err == nil {
		t.Error("malformed model accepted")
	}
}

// TestExplainAmongRows: among the rows named, none of the answer can be left out, and the others
// are not needed; bounds stay.
func TestExplainAmongRows(t *testing.T) {
	infeasible := 0
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		if solveWith(t, m, solver.Exact).Status != solver.Infeasible {
			return
		}
		var rows []int
		for i := range m.Rows() {
			if rapid.IntRange(0, 2).Draw(t, "named") > 0 {
				rows = append(rows, i)
			}
		}
		without := func(rows []int) solver.Status {
			c := m.Clone()
			for _, i := range rows {
				c.SetRowBounds(i, solver.Bounds{})
			}
			return solveWith(t, c, solver.Exact).Status
		}
		if without(rows) == solver.Infeasible {
			return
		}
		conflict, err := solver.Explain(context.Background(), m, nil, rows...)
		if err != nil {
			t.Fatal(err)
		}
		infeasible++
		var needed []int
		for _, member := range conflict.Members {
			needed = append(needed, member.Rows...)
		}
		unneeded := slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return slices.Contains(needed, i) })
		if without(unneeded) != solver.Infeasible {
			t.Fatalf("%v of %v is feasible", needed, rows)
		}
		for _, i := range needed {
			if without(append(slices.Clone(unneeded), i)) == solver.Infeasible {
				t.Fatalf("%v of %v: row %d is not needed", needed, rows, i)
			}
		}
	})
	if infeasible == 0 {
		t.Error("no infeasible model was drawn")
	}
	if _, err := solver.Explain(context.Background(), twoColumns(), nil, 3); err == nil || !strings.Contains(err.Error(), "row 3") {
		t.Errorf("row out of range: %v", err)
	}
}

// A contradiction of the relaxation is called one: over whole numbers 2.5x = 3 alone is impossible, so that x <= 1 could be left out.
func TestExplainSaysWhereNoColumnNeedsToBeWhole(t *testing.T) {
	for _, whole := range []bool{false, true} {
		m := solver.NewModel("half")
		m.AddColumn(solver.Column{Name: "x", Bounds: solver.AtMost(1), Integer: whole})
		m.AddRow(solver.Row{Bounds: solver.Equal(3), Columns: []int{0}, Values: []float64{2.5}})
		conflict, err := solver.Explain(context.Background(), m, nil)
		if err != nil || len(conflict.Members) != 2 || conflict.Integrality || !conflict.Irreducible {
			t.Fatalf("%v, %v", conflict, err)
		}
		if says := strings.Contains(conflict.Error(), "even where no column has to be whole"); says != whole {
			t.Errorf("whole %v: %v", whole, conflict)
		}
	}
}

// Rows that contradict each other alone are named before rows that do so with bounds.
func TestRowsBeforeBounds(t *testing.T) {
	m := solver.NewModel("plan")
	for _, name := range []string{"x1", "x2"} {
		m.AddColumn(solver.Column{Name: name, Bounds: solver.Between(0, 4)})
	}
	m.AddRow(solver.Row{Name: "demand", Bounds: solver.AtLeast(9), Columns: []int{0, 1}, Values: []float64{1, 1}})
	m.AddRow(solver.Row{Name: "capacity", Bounds: solver.AtMost(6), Columns: []int{0, 1}, Values: []float64{1, 1}})
	conflict, err := solver.Explain(context.Background(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(conflict.Members) != 2 || conflict.Members[0].Name != "demand" || conflict.Members[1].Name != "capacity" || !conflict.Irreducible {
		t.Errorf("%v", conflict)
	}
}

// failing is a backend that breaks after some solves.
type failing struct{ left *int }

var errBroken = errors.New("broken")

func (f failing) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	if *f.left--; *f.left < 0 {
		return nil, errBroken
	}
	return solver.Exact.Open(m, o)
}

// TestExplainPassesErrorsOn: whenever the backend breaks, Explain says so.
func TestExplainPassesErrorsOn(t *testing.T) {
	m := solver.NewModel("three rows")
	m.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
	for _, bounds := range []solver.Bounds{solver.AtMost(-1), solver.AtLeast(5), solver.AtMost(3)} {
		m.AddRow(solver.Row{Bounds: bounds, Columns: []int{0}, Values: []float64{1}})
	}
	whole := 1000
	conflict, err := solver.Explain(context.Background(), m, &solver.Options{Backend: failing{&whole}})
	if err != nil || conflict.Solves < 4 {
		t.Fatalf("%v, %v", conflict, err)
	}
	for left := range conflict.Solves {
		if _, err := solver.Explain(context.Background(), m, &solver.Options{Backend: failing{&left}}); !errors.Is(err, errBroken) {
			t.Errorf("broken after %d solves: %v", left, err)
		}
	}
	relaxation := 1 // has a point, so that the whole numbers are asked for next
	options := &solver.Options{Backend: failing{&relaxation}}
	if c, err := solver.Explain(context.Background(), oneHalf(), options); !errors.Is(err, errBroken) {
		t.Errorf("broken before whole numbers: %v, %v", c, err)
	}
}

// TestConflictsDoNotFollowTheModel: what contradicted stands in the error whatever becomes of the model.
func TestConflictsDoNotFollowTheModel(t *testing.T) {
	for _, upper := range []float64{1, -1} { // the second at sight
		m := solver.NewModel("changing")
		m.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, upper)})
		row := m.AddRow(solver.Row{Name: "r", Bounds: solver.AtLeast(5), Columns: []int{0}, Values: []float64{1}})
		c, err := solver.Explain(context.Background(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := c.Error()
		m.SetRowBounds(row, solver.AtLeast(0))
		m.SetColumnBounds(0, solver.Bounds{})
		if after := c.Error(); after != before {
			t.Errorf("%s\nbecame\n%s", before, after)
		}
	}
}

// TestConflictsMadeByHand: one that no search found prints the names of its members.
func TestConflictsMadeByHand(t *testing.T) {
	c := &solver.Conflict{Members: []solver.Member{{Name: "x", Upper: true}, {Name: "budget", Rows: []int{3}, Column: -1}}}
	if text := c.Error(); !strings.Contains(text, "\n  x\n  budget") || !strings.Contains(text, "these 2 constraints") {
		t.Error(text)
	}
	for _, irreducible := range []bool{false, true} {
		c := &solver.Conflict{Members: c.Members[1:], Irreducible: irreducible}
		if text := c.Error(); !strings.Contains(text, "one constraint contradicts itself:\n  budget") {
			t.Error(text)
		}
	}
}

// oneHalf has the point (1/2, 1/2) alone, and no whole one.
func oneHalf() *solver.Model {
	m := solver.NewModel("one half")
	for range 2 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true})
	}
	m.AddRow(solver.Row{Bounds: solver.Equal(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	m.AddRow(solver.Row{Bounds: solver.Equal(0), Columns: []int{0, 1}, Values: []float64{1, -1}})
	return m
}

// TestConflictsThatAreNotKnownToBeSmall: where no answer tells whether a row can be left out, it stays, and the conflict does not
// claim that every row is needed.
func TestConflictsThatAreNotKnownToBeSmall(t *testing.T) {
	m := oneHalf()
	for answers, irreducible := range map[int]bool{2: false, 100: true} {
		backend := &tired{left: answers}
		c, err := solver.Explain(t.Context(), m, &solver.Options{Backend: backend})
		if err != nil || len(c.Members) != 2 || !c.Integrality || c.Irreducible != irreducible {
			t.Errorf("after %d answers: %+v, %v", answers, c, err)
		}
	}
}

// tired says that integer models are infeasible, so often, and then nothing; of others it tells the truth.
type tired struct{ left int }

func (b *tired) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	if !m.IsInteger() {
		return solver.DualSimplex.Open(m, o)
	}
	if b.left--; b.left < 0 {
		return trouble{}, nil
	}
	return claims{status: solver.Infeasible}, nil
}
