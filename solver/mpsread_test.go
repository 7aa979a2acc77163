package solver_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// drawnBounds are bounds of every kind, some of which no range gives exactly.
func drawnBounds(t *rapid.T) solver.Bounds {
	a, b := rapid.SampledFrom([]float64{0, 1, -1.0 / 3, 1e-20, 7, -1e15}).Draw(t, "lower"), rapid.SampledFrom([]float64{0, 2, 1e-9, 0.1, 1e15}).Draw(t, "width")
	return rapid.SampledFrom([]solver.Bounds{{}, solver.AtMost(a), solver.AtLeast(a), solver.Equal(a), solver.Between(a, a+b)}).Draw(t, "bounds")
}

// drawnModel has rows, columns, names and numbers of every kind.
func drawnModel(t *rapid.T) *solver.Model {
	m := solver.NewModel(rapid.SampledFrom([]string{"", "two words", "NAME", "größe/2"}).Draw(t, "name"))
	if rapid.Bool().Draw(t, "maximise") {
		m.SetMaximize(true)
	}
	number := rapid.Map(rapid.Int64Range(-1<<53, 1<<53), func(k int64) float64 { return float64(k) / 3 })
	m.SetOffset(number.Draw(t, "offset"))
	taken := map[string]bool{}
	n := rapid.IntRange(1, 4).Draw(t, "columns")
	for range n {
		c := solver.Column{Bounds: drawnBounds(t), Cost: number.Draw(t, "cost"), Integer: rapid.IntRange(0, 3).Draw(t, "integer") == 0}
		if name := rapid.SampledFrom([]string{"", "x", "RHS", "a b", "x#1", "50%", "%41", "ü/ü", "'MARKER'"}).Draw(t, "name"); !taken[name] {
			c.Name, taken[name] = name, true
		}
		if c.Integer && math.Ceil(c.Lower()) > math.Floor(c.Upper()) {
			c.Bounds = solver.AtLeast(0) // no file says that no whole number is left
		}
		m.AddColumn(c)
	}
	for range rapid.IntRange(0, 4).Draw(t, "rows") {
		row := solver.Row{
			Name: rapid.SampledFrom([]string{"", "r", "r", "#objective", "a/b", "r#1"}).Draw(t, "row"), Group: rapid.SampledFrom([]string{"", "", "g h"}).Draw(t, "group"),
			Bounds: drawnBounds(t),
		}
		for j := range n {
			if rapid.Bool().Draw(t, "entry") {
				row.Columns, row.Values = append(row.Columns, j), append(row.Values, number.Draw(t, "value"))
			}
		}
		m.AddRow(row)
	}
	if m.Columns() > 1 && rapid.Bool().Draw(t, "quadratic") {
		sign := 1.0
		if m.Maximizes() {
			sign = -1
		}
		m.AddQuadratic(0, 0, sign/3)
		m.AddQuadratic(0, 1, sign*rapid.SampledFrom([]float64{0.1, -1.0 / 3, 1}).Draw(t, "term"))
		m.AddQuadratic(1, 1, sign*5.1)
	}
	return m
}

func written(t rapid.TB, m *solver.Model) string {
	t.Helper()
	var text bytes.Buffer
	if err := m.WriteMPS(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestMPSComesBack: what is read from the file writes the same file, names and numbers to the last bit.
func TestMPSComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawnModel(t)
		text := written(t, m)
		read, err := solver.ReadMPS(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if strings.Contains(text, "#upper") {
			return // two rows in the place of one
		}
		if again := written(t, read); again != text {
			t.Fatalf("wrote\n%s\nand, once read,\n%s", text, again)
		}
		for j := range m.Columns() {
			if m.Column(j).Name != read.Column(j).Name {
				t.Fatalf("column %q came back as %q", m.Column(j).Name, read.Column(j).Name)
			}
		}
		for i := range m.Rows() {
			if a, b := m.Row(i), read.Row(i); a.Bounds != b.Bounds || a.Group != b.Group || a.Name != b.Name {
				t.Fatalf("row %+v came back as %+v", a, b)
			}
		}
	})
}

// TestMPSSameBits: the same method finds the same optimum, to the last bit, in the model that came back.
func TestMPSSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		text := written(t, m)
		if strings.Contains(text, "#upper") {
			return
		}
		read, err := solver.ReadMPS(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		o := &solver.Options{Backend: solver.PureGo}
		a, errA := solver.Solve(t.Context(), m, o)
		b, errB := solver.Solve(t.Context(), read, o)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if a.Status != b.Status || math.Float64bits(a.Objective) != math.Float64bits(b.Objective) && !math.IsNaN(a.Objective) {
			t.Fatalf("%v, came back as %v", a, b)
		}
	})
}

// fixedModel has its fields at fixed columns, a range on each kind of row, and what readers take for granted.
const fixedModel = `* a comment
NAME          BLANKS
ROWS
 N  COST
 L  LIM-ONE
 E  MY-EQ
 G  LOW
COLUMNS
    X-ONE     COST               1.5   LIM-ONE            1.0
    X-ONE     LOW                1.0
    MARKER                 'MARKER'                 'INTORG'
    YTWO      COST              -2.0   MY-EQ              1.0
    MARKER                 'MARKER'                 'INTEND'
RHS
    RHS       LIM-ONE            4.0   MY-EQ              1.0
    RHS       LOW               -1.0   COST              -3.0
RANGES
    RNG       LIM-ONE            2.5   MY-EQ             -1.0
BOUNDS
 UP BND       X-ONE              4.0
ENDATA
`

// TestMPSFixed reads fixed format whose names hold no blanks.
func TestMPSFixed(t *testing.T) {
	m, err := solver.ReadMPS(strings.NewReader(fixedModel))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.ColumnNames(); got[0] != "X-ONE" || m.Row(1).Name != "MY-EQ" {
		t.Errorf("names %q, %q", got, m.Row(1).Name)
	}
	for i, want := range []solver.Bounds{solver.Between(1.5, 4), solver.Between(0, 1), solver.AtLeast(-1)} {
		if m.RowBounds(i) != want {
			t.Errorf("row %d has the bounds %v", i, m.RowBounds(i))
		}
	}
	if y := m.Column(1); !y.Integer || y.Upper() != 1 || m.Offset() != 3 {
		t.Errorf("%+v, offset %v", y, m.Offset())
	}
	m.SetInteger(1, false) // whose relaxation has the same optimum
	if got, err := solver.Solve(t.Context(), m, nil); err != nil || math.Abs(got.Objective-(1.5*1.5-2+3)) > 1e-9 {
		t.Errorf("optimum %v, want 3.25: %v", got, err)
	}
}

// TestByteOrderMark: editors of Windows begin files with one, which no one sees.
func TestByteOrderMark(t *testing.T) {
	m, err := solver.ReadMPS(strings.NewReader("\ufeff" + fixedModel))
	if err != nil {
		t.Fatal(err)
	}
	text, err := m.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	again := &solver.Model{}
	if err := again.UnmarshalJSON(append([]byte("\ufeff"), text...)); err != nil || again.String() != m.String() {
		t.Errorf("%v, %v", again, err)
	}
}

// TestMPSQuadraticForms: a triangle and the whole of H are the same objective.
func TestMPSQuadraticForms(t *testing.T) {
	const head = "ROWS\n N c\nCOLUMNS\n x c -1\n y c 0\n"
	triangle, _ := solver.ReadMPS(strings.NewReader(head + "QUADOBJ\n x x 2\n x y 1\n y y 4\nENDATA\n"))
	whole, err := solver.ReadMPS(strings.NewReader(head + "QMATRIX\n x x 2\n x y 1\n y x 1\n y y 4\nENDATA\n"))
	if err != nil || triangle == nil {
		t.Fatal(err)
	}
	if a, b := written(t, triangle), written(t, whole); a != b || !strings.Contains(a, " x x 2\n x y 1\n") {
		t.Errorf("%s\n%s", a, b)
	}
}

// TestMPSMalformed: each is refused with line and column.
func TestMPSMalformed(t *testing.T) {
	const head = "NAME m\nROWS\n N c\n L r\nCOLUMNS\n x c 1 r 2\n"
	for text, want := range map[string]string{
		"":                                        "line 0, column 1: ",
		" x c 1\n":                                "line 1, column 2: \"x\"",
		"SOS\n":                                   "line 1, column 1: section \"SOS\"",
		"ROWS\n Q c\n":                            "line 2, column 2: the kind \"Q\"",
		"ROWS\n N c\n L c\n":                      "line 3, column 4: row \"c\"",
		"ROWS\n N c d\n":                          "line 2, column 2: ",
		head + " x q 1\n":                         "line 7, column 4: row \"q\"",
		head + " x c 1\n":                         "line 7, column 4: column \"x\"",
		head + " y c 1\n x r 1\n":                 "line 8, column 2: column \"x\"",
		head + " y c 1,5\n":                       "line 7, column 6: \"1,5\"",
		head + " y c 1 r\n":                       "line 7, column 2: ",
		head + " M 'MARKER' 'INT'\n":              "line 7, column 13: ",
		head + "RHS b\n":                          "line 7, column 5: \"b\" stands beside",
		head + "RHS\n b r 1\n a c 1\n":            "line 9, column 2: \"a\" begins a second vector",
		head + "RHS\n b r\n b r 1 c 1 1\n":        "line 8",
		head + "RANGES\n b c 1\n":                 "line 8, column 4: row \"c\"",
		head + "BOUNDS\n UP b y 1\n":              "line 8, column 7: column \"y\"",
		head + "BOUNDS\n UP b x -1\n":             "line 8, column 9: column \"x\"",
		head + "BOUNDS\n XX b x 1\n":              "line 8, column 2: the kind \"XX\"",
		head + "BOUNDS\n UP\n":                    "line 8, column 2: ",
		head + "QUADOBJ\n x y 1\n":                "line 8, column 4: column \"y\"",
		head + "OBJSENSE\n UP\n":                  "line 8, column 2: the sense \"UP\"",
		head + "RHS\n b r 1\n":                    "ENDATA",
		head + "BOUNDS\n UP b x 1_0\nENDATA\n":    "\"1_0\"",
		head + "BOUNDS\n UP b x 0x1p3\nENDATA\n":  "\"0x1p3\"",
		head + "BOUNDS\n UP b x 1e-400\nENDATA\n": "\"1e-400\"",
		head + "BOUNDS\n UP b x nan\nENDATA\n":    "\"nan\"",
		head + "RHS\n b r 1e999999999\nENDATA\n":  "1e999999999",
	} {
		_, err := solver.ReadMPS(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := solver.ReadMPS(nil); err == nil {
		t.Error("a nil reader")
	}
}

// FuzzReadMPS: no text is a panic, and what is read comes back from what it writes.
func FuzzReadMPS(f *testing.F) {
	f.Add(fixedModel)
	f.Add("ROWS\n N c\nCOLUMNS\n x c 1\nQUADOBJ\n x x 2\nENDATA\n")
	f.Add("OBJSENSE MAX\nROWS\n L r\n N c\n N d\nCOLUMNS\n x r 1 c 1\nRHS\n r 1e30\nBOUNDS\n BV b x\nENDATA\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := solver.ReadMPS(strings.NewReader(text))
		if err != nil {
			return
		}
		var first bytes.Buffer
		if m.WriteMPS(&first) != nil {
			return // bounds that cross
		}
		read, err := solver.ReadMPS(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, &first)
		}
		if read.Columns() != m.Columns() || read.Rows() < m.Rows() {
			t.Fatalf("%v came back as %v", m, read)
		}
	})
}

// TestBoundsWithoutAnEnd: a free column, and numbers of bounds and sides that stand for none from 1e20 on; those of a coefficient
// are what they are.
func TestBoundsWithoutAnEnd(t *testing.T) {
	const text = "NAME ends\nROWS\n N cost\n L most\n G least\nCOLUMNS\n x cost 1e21 most 1\n y most 1 least 1\n" +
		"RHS\n rhs most 1e20 least -1e20\nBOUNDS\n UP b x 3\n FR b x\n UP b y 1e20\n LO b y -1e20\nENDATA\n"
	m, err := solver.ReadMPS(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, bounds := range []solver.Bounds{m.Column(0).Bounds, m.Column(1).Bounds, m.RowBounds(0), m.RowBounds(1)} {
		if !math.IsInf(bounds.Lower(), -1) || !math.IsInf(bounds.Upper(), 1) {
			t.Errorf("an end in %v", bounds)
		}
	}
	if cost := m.Column(0).Cost; cost != 1e21 {
		t.Errorf("the cost is %v", cost)
	}
}

// TestMPSBounds: each kind of bound by itself, and two of a column in either order.
func TestMPSBounds(t *testing.T) {
	const head = "NAME m\nROWS\n N c\n L r\nCOLUMNS\n x c 1 r 2\nBOUNDS\n"
	infinite := math.Inf(1)
	for text, want := range map[string]struct {
		lower, upper float64
		integer      bool
	}{
		" UP b x 0\n": {0, 0, false}, " UP b x 7\n": {0, 7, false}, " LO b x -2\n": {-2, infinite, false}, " LO b x -2\n UP b x -1\n": {-2, -1, false},
		" MI b x\n UP b x -1\n": {-infinite, -1, false}, " MI b x\n": {-infinite, infinite, false}, " FX b x 3\n": {3, 3, false}, " FR b x\n": {-infinite, infinite, false},
		" UP b x 4\n PL b x\n": {0, infinite, false}, " BV b x\n": {0, 1, true}, " LI b x 2\n": {2, infinite, true}, " UI b x 2\n": {0, 2, true},
		" UP b x 4\n LO b x 1\n": {1, 4, false}, " UP x 5\n": {0, 5, false}, " FR b x 9\n": {-infinite, infinite, false},
	} {
		m, err := solver.ReadMPS(strings.NewReader(head + text + "ENDATA\n"))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if c := m.Column(0); c.Lower() != want.lower || c.Upper() != want.upper || c.Integer != want.integer {
			t.Errorf("%q: from %v to %v, integer %v, want %+v", text, c.Lower(), c.Upper(), c.Integer, want)
		}
	}
}

// The sense may stand beside its section, and a name that this package did not write keeps its signs of per cent.
func TestMPSAsOthersWriteIt(t *testing.T) {
	for _, sense := range []string{"OBJSENSE MAX\n", "OBJSENSE\n MAX\n"} {
		m, err := solver.ReadMPS(strings.NewReader("NAME 50%\n" + sense + "ROWS\n N c\n L r%zz\nCOLUMNS\n x%2 c 1 r%zz 1\nRHS\n b r%zz 2\nENDATA\n"))
		if err != nil {
			t.Fatal(err)
		}
		if !m.Maximizes() || m.Name() != "50%" || m.Row(0).Name != "r%zz" || m.Column(0).Name != "x%2" {
			t.Errorf("%q: read %v, row %q, column %q", sense, m, m.Row(0).Name, m.Column(0).Name)
		}
	}
	m, err := solver.ReadMPS(strings.NewReader("ROWS\n N c\nCOLUMNS\n x c 1\nBOUNDS\n LO b x 0\n UP b x -1\nENDATA\n"))
	if err != nil || m.Column(0).Lower() != 0 || m.Column(0).Upper() != -1 {
		t.Errorf("bounds that are both given: %v, %v", m, err)
	}
}

// No number is written as a negative zero.
func TestMPSWithoutNegativeZeros(t *testing.T) {
	zero := math.Copysign(0, -1)
	m := solver.NewModel("zeros")
	m.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(zero, 1), Cost: 1})
	m.AddColumn(solver.Column{Name: "y", Bounds: solver.Between(-1, zero), Cost: 1})
	m.AddColumn(solver.Column{Name: "z", Bounds: solver.Equal(zero), Cost: 1})
	if text := written(t, m); strings.Contains(text, "-0") {
		t.Error(text)
	}
}
