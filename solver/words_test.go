package solver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// TestConflictsPrintRows with signs, coefficients other than 1 and sides as they are, the first terms alone of a long row.
func TestConflictsPrintRows(t *testing.T) {
	for _, test := range []struct {
		row  solver.Row
		want string
	}{
		{solver.Row{Bounds: solver.AtLeast(7), Columns: []int{0, 1, 2, 3}, Values: []float64{-1, 2.5, -1, 1}}, "-a + 2.5 b - c + d >= 7"},
		{solver.Row{Bounds: solver.AtMost(-7), Columns: []int{0, 1}, Values: []float64{1, -0.25}}, "a - 0.25 b <= -7"},
		{solver.Row{Bounds: solver.Equal(0.5), Columns: []int{0}, Values: []float64{-3}}, "-3 a = 0.5"},
		{solver.Row{Bounds: solver.AtLeast(7), Columns: []int{0, 1}, Values: []float64{0.5, 0.25}}, "0.5 a + 0.25 b >= 7"},
		{solver.Row{Bounds: solver.Between(7, 9), Columns: []int{3}, Values: []float64{1}}, "7 <= d <= 9"},
		{solver.Row{Bounds: solver.AtLeast(1)}, "0 >= 1"},
		{solver.Row{Bounds: solver.AtLeast(1), Columns: []int{0, 1, 2, 3, 4, 5}, Values: []float64{1, 1, 1, 1, 1, 1}}, "a + b + c + d + e + f >= 1"},
		{
			solver.Row{Bounds: solver.AtLeast(1), Columns: []int{0, 1, 2, 3, 4, 5, 6}, Values: []float64{1, 1, 1, 1, 1, 1, 1}},
			"a + b + c + d + e + f + ... (7 terms) >= 1",
		},
	} {
		m := solver.NewModel("fixed")
		for _, name := range "abcdefg" {
			m.AddColumn(solver.Column{Name: string(name), Bounds: solver.Equal(0)})
		}
		test.row.Name, test.row.Group = "row", "both"
		m.AddRow(test.row)
		m.AddRow(solver.Row{Name: "idle", Group: "both", Columns: []int{1}, Values: []float64{2}})
		c, err := solver.Explain(context.Background(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := "\n  both/row: " + test.want + "\n"; !strings.Contains(c.Error()+"\n", want) || strings.Contains(c.Error(), "idle") {
			t.Errorf("%q is missing, or the row without sides is not, in\n%v", want, c)
		}
		for _, member := range c.Members {
			if member.Column < 0 && (!member.Group || member.Name != "both") {
				t.Errorf("%+v does not name the group of its row", member)
			}
		}
	}
}

// TestModelsComeBackFromJSON as the same MPS and JSON, whatever the model held that reads them.
func TestModelsComeBackFromJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, read := drawnModel(t), drawnModel(t)
		text, err := json.Marshal(m)
		if err == nil {
			err = json.Unmarshal(text, read)
		}
		again, failed := json.Marshal(read)
		if err != nil || failed != nil || string(again) != string(text) || written(t, read) != written(t, m) {
			t.Fatalf("%v, %v: %s came back as %s", err, failed, text, again)
		}
	})
	for _, text := range []string{`{"sense": "max"}`, `{"quadratic": [[0, 0, 1]]}`, `{"rows": [{"columns": [0], "values": [1]}]}`} {
		if err := new(solver.Model).UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s is a model", text)
		}
	}
	wrong := solver.NewModel("wrong")
	wrong.AddColumn(solver.Column{Cost: math.NaN()})
	if _, err := json.Marshal(wrong); err == nil {
		t.Error("a cost that is no number has JSON")
	}
}

// TestRecessionTellsUnboundedness of feasible models: its minimum is negative where the objective improves without end.
func TestRecessionTellsUnboundedness(t *testing.T) {
	seen := map[solver.Status]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := solver.NewModel("small")
		m.SetMaximize(rapid.Bool().Draw(t, "maximise"))
		small := rapid.Map(rapid.IntRange(-2, 2), func(k int) float64 { return float64(k) })
		sides := func() solver.Bounds { // around 0
			return rapid.SampledFrom([]solver.Bounds{{}, solver.AtMost(1), solver.AtLeast(-1), solver.Equal(0), solver.Between(-1, 2)}).Draw(t, "sides")
		}
		for range 2 {
			m.AddColumn(solver.Column{Bounds: sides(), Cost: small.Draw(t, "cost")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "rows") {
			m.AddRow(solver.Row{Bounds: sides(), Columns: []int{0, 1}, Values: []float64{small.Draw(t, "a"), small.Draw(t, "b")}})
		}
		result, err := solver.Solve(context.Background(), m, nil)
		steepest, failed := solver.Solve(context.Background(), m.Recession(), nil)
		if err != nil || failed != nil || steepest.Status != solver.Optimal {
			t.Fatalf("%v, %v, %v", err, failed, steepest)
		}
		if seen[result.Status]++; (steepest.Objective < -1e-9) != (result.Status == solver.Unbounded) {
			t.Fatalf("%v, and the steepest direction has %v", result.Status, steepest.Objective)
		}
	})
	if seen[solver.Optimal] == 0 || seen[solver.Unbounded] == 0 {
		t.Error(seen)
	}
}

// TestPureGoOpensEveryContinuousModel, linear and quadratic, and refuses what is none and missing options.
func TestPureGoOpensEveryContinuousModel(t *testing.T) {
	for quadratic, want := range map[float64]float64{0: -4, 1: -1} { // x² - 2x
		m := solver.NewModel("parabola")
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 2), Cost: -2})
		m.AddQuadratic(0, 0, quadratic)
		result, err := solver.Solve(context.Background(), m, &solver.Options{Backend: solver.PureGo})
		if err != nil || math.Abs(result.Objective-want) > 1e-6 {
			t.Errorf("x² times %v: %v, %v", quadratic, result, err)
		}
		if _, err := solver.PureGo.Open(m, nil); err == nil {
			t.Error("no options are accepted")
		}
	}
	if _, err := solver.PureGo.Open(nil, &solver.Options{}); err == nil {
		t.Error("no model is accepted")
	}
}

// TestStatusesHaveWords although they are none of the known ones.
func TestStatusesHaveWords(t *testing.T) {
	for s := solver.Status(-1); s < 10; s++ {
		if known := s >= 0 && s < 8; strings.HasPrefix(s.String(), "Status(") == known || !known && s.String() != fmt.Sprintf("Status(%d)", s) {
			t.Errorf("status %d is %q", s, s)
		}
	}
}

// TestOptimalityNeedsAllNumbers: too few or too many of any kind are an error, not a panic.
func TestOptimalityNeedsAllNumbers(t *testing.T) {
	m := solver.NewModel("two by one")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	for _, count := range [][3]int{{2, 1, 2}, {1, 1, 2}, {3, 1, 2}, {2, 0, 2}, {2, 2, 2}, {2, 1, 1}, {2, 1, 3}} {
		err := m.CheckOptimality(make([]float64, count[0]), make([]float64, count[1]), make([]float64, count[2]), 1e-7, 1e-7)
		if fits := count == [3]int{2, 1, 2}; (err == nil) != fits || !fits && !errors.Is(err, solver.ErrNumericalTrouble) {
			t.Errorf("%v: %v", count, err)
		}
	}
}
