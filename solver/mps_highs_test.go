//go:build cgo

package solver_test

import (
	"bytes"
	"context"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// readByHighs solves what HiGHS reads from the MPS form of a model.
func readByHighs(t rapid.TB, m *solver.Model) *binding.RawSolution {
	t.Helper()
	var text bytes.Buffer
	if err := m.WriteMPS(&text); err != nil {
		t.Fatal(err)
	}
	return textByHighs(t, text.String())
}

// textByHighs solves what HiGHS reads.
func textByHighs(t rapid.TB, text string) *binding.RawSolution {
	t.Helper()
	raw := binding.NewRawModel()
	raw.SetBoolOption("output_flag", false)
	raw.SetStringOption("presolve", "off")
	if err := raw.ReadModel(strings.NewReader(text)); err != nil {
		t.Fatalf("HiGHS cannot read the file: %v\n%s", err, text)
	}
	solution, err := raw.Solve()
	runtime.KeepAlive(raw)
	if err != nil && strings.Contains(err.Error(), "warning") {
		t.Skip("HiGHS did read the file, but solved it with a warning")
	} else if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return solution
}

// drawnNames are names of every kind, some of them twice.
var drawnNames = rapid.SampledFrom([]string{"", "x", "x", "two words", "Größe", "RHS", "COLUMNS", "ENDATA", "NAME", "OBJSENSE", "MAX", "MIN", "ROWS", "BOUNDS", "QUADOBJ", "N", "G", "FR", "UP", "name", "Rhs", "rows", "SETS", "QSECTION", "DELAYEDROWS", "SOS", "PWLOBJ", "INDICATORS", "LAZYCONS", "a%20b", "#1", "$", "*", "1", "-inf", "'MARKER'", "tab\tand\nline", "RANGES", "BOUND"})

// named is a copy of a model with drawn names.
func named(t *rapid.T, m *solver.Model) *solver.Model {
	c := solver.NewModel(drawnNames.Draw(t, "name"))
	c.SetMaximize(m.Maximizes())
	c.SetOffset(m.Offset())
	taken := map[string]bool{}
	for j := range m.Columns() {
		column := m.Column(j)
		if name := drawnNames.Draw(t, "column"); !taken[name] {
			column.Name = name
			taken[name] = true
		}
		c.AddColumn(column)
	}
	for i := range m.Rows() {
		row := m.Row(i)
		row.Name, row.Group = drawnNames.Draw(t, "row"), rapid.SampledFrom([]string{"", "", "G/1"}).Draw(t, "group")
		c.AddRow(row)
	}
	return c
}

// binds tells whether any row has a bound.
func binds(m *solver.Model) bool {
	for i := range m.Rows() {
		if m.RowBounds(i) != (solver.Bounds{}) {
			return true
		}
	}
	return false
}

// TestMPSHasTheSameOptimum: HiGHS finds in the file what the model says.
func TestMPSHasTheSameOptimum(t *testing.T) {
	useHighs(t)
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		if rapid.Bool().Draw(t, "integer") {
			m, _, _ = drawInteger(t)
		}
		m = named(t, m)
		if !binds(m) {
			t.Skip("the binding panics without rows, and HiGHS reads no free ones")
		}
		want, err := solver.Solve(context.Background(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.WriteMPS(io.Discard); err != nil && want.Status == solver.Infeasible {
			return // no whole number lies between the bounds of a column
		}
		got := readByHighs(t, m)
		if optimal := want.Status == solver.Optimal; optimal != (got.Status == binding.Optimal) {
			t.Fatalf("HiGHS says %v, the model is %v", got.Status, want.Status)
		} else if optimal && math.Abs(got.Objective-want.Objective) > 1e-6*(1+math.Abs(want.Objective)) {
			t.Fatalf("HiGHS finds %v in the file, the model has %v", got.Objective, want.Objective)
		}
	})
}

// TestMPSQuadratic: min x² + xy + 2y² - 3x + 7 over x + y <= 1 in whole.
func TestMPSQuadratic(t *testing.T) {
	m := solver.NewModel("quadratic")
	x := m.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(-1, 1), Cost: -3})
	y := m.AddColumn(solver.Column{Name: "y", Bounds: solver.Between(-1, 1)})
	m.AddQuadratic(x, x, 1)
	m.AddQuadratic(x, y, 1)
	m.AddQuadratic(y, y, 2)
	m.SetOffset(7)
	m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{x, y}, Values: []float64{1, 1}})
	want := solve(t, m, nil)
	if got := readByHighs(t, m); math.Abs(got.Objective-want.Objective) > 1e-6 {
		t.Errorf("HiGHS finds %v in the file, the model has %v", got.Objective, want.Objective)
	}
}

// TestMPSRefuses says why.
func TestMPSRefuses(t *testing.T) {
	crossed := solver.NewModel("crossed")
	crossed.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(2, 1)})
	between := solver.NewModel("between whole numbers")
	between.AddColumn(solver.Column{Name: "x", Bounds: solver.Equal(-0.33), Integer: true})
	broken := solver.NewModel("broken")
	broken.AddColumn(solver.Column{Cost: math.NaN()})
	for want, err := range map[string]error{
		"no value within its bounds [2, 1]":         crossed.WriteMPS(&bytes.Buffer{}),
		"no value within its bounds [-0.33, -0.33]": between.WriteMPS(&bytes.Buffer{}),
		"NaN":    broken.WriteMPS(&bytes.Buffer{}),
		"writer": crossed.WriteMPS(nil),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// TestForeignMPSAsHighs: what files leave to the reader is read as HiGHS reads it.
func TestForeignMPSAsHighs(t *testing.T) {
	useHighs(t)
	const head = "NAME m\nROWS\n N c\n L a\n G b\n E e\nCOLUMNS\n x c -1 a 2\n x b 1\n M 'MARKER' 'INTORG'\n k c -3 a 1\n k e 1\n M 'MARKER' 'INTEND'\n y c 2 b 1\n y e 1.5\n"
	for name, tail := range map[string]string{
		"an integer column without bounds": "RHS\n r a 7.5 e 2.5\n",
		"its upper bound alone":            "RHS\n r a 7.5 e 5\nBOUNDS\n UP b k 4.5\n",
		"ranges on all kinds":              "RHS\n r a 7 b -1\n r e 3\nRANGES\n g a 6.5 b 3\n g e -2\nBOUNDS\n UP b k 9\n",
		"a positive range of an equation":  "RHS\n r a 7 e 3\nRANGES\n g e 2\nBOUNDS\n PL b k\n",
		"no names of vectors":              "RHS\n a 7 e 3\nBOUNDS\n UP k 4\n FX y 2\n",
		"the offset and bounds of 1e30":    "RHS\n r c 4 a 7\nBOUNDS\n UP b x 1e30\n LO b y -2\n",
	} {
		text := head + tail + "ENDATA\n"
		m, err := solver.ReadMPS(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, want := solve(t, m, nil), textByHighs(t, text)
		if want.Status != binding.Optimal || math.Abs(got.Objective-want.Objective) > 1e-7 {
			t.Errorf("%s: ours %v, HiGHS %v %v", name, got.Objective, want.Status, want.Objective)
		}
	}
}
