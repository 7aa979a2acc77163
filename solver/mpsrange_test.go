package solver_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

// TestMPSRefusesNumbersThatFilesCallInfinite: from 1e20 on a bound, a side or an offset of a file stands for none.
func TestMPSRefusesNumbersThatFilesCallInfinite(t *testing.T) {
	const largest = 99999999999999983616 // below 1e20
	build := func(bounds, sides solver.Bounds, offset float64) *solver.Model {
		m := solver.NewModel("large")
		m.SetMaximize(true)
		m.SetOffset(offset)
		m.AddColumn(solver.Column{Name: "x", Bounds: bounds, Cost: 1})
		m.AddRow(solver.Row{Name: "r", Bounds: sides, Columns: []int{0}, Values: []float64{1e21}})
		return m
	}
	for _, test := range []struct {
		names string // in the error, "" for none
		model *solver.Model
	}{
		{"", build(solver.Between(-largest, largest), solver.Between(-largest, largest), largest)},
		{"", build(solver.Bounds{}, solver.AtMost(1), 0)},
		{"bound of x", build(solver.Between(0, 1e21), solver.AtMost(1), 0)},
		{"bound of x", build(solver.AtLeast(-1e20), solver.AtMost(1), 0)},
		{"side of r", build(solver.AtMost(1), solver.AtLeast(1e20), 0)},
		{"side of r", build(solver.AtMost(1), solver.Between(-1e22, 1), 0)},
		{"side of r", build(solver.AtMost(1), solver.Between(0, 1e22), 0)},
		{"offset", build(solver.AtMost(1), solver.AtMost(1), -1e20)},
	} {
		var file bytes.Buffer
		err := test.model.WriteMPS(&file)
		if test.names != "" {
			if err == nil || !strings.Contains(err.Error(), test.names) || !strings.Contains(err.Error(), "1e+20") || file.Len() > 0 {
				t.Errorf("%s: error %v", test.names, err)
			}
			continue
		}
		again, readErr := solver.ReadMPS(&file)
		if err != nil || readErr != nil {
			t.Fatal(err, readErr)
		}
		if again.Column(0).Bounds != test.model.Column(0).Bounds || again.Offset() != test.model.Offset() {
			t.Errorf("%v, offset %v; want %v, %v", again.Column(0), again.Offset(), test.model.Column(0), test.model.Offset())
		}
	}
}

// TestMPSLosesNothingInSilence: a second vector of sides, ranges or bounds and an entry that stands where a section begins
// are errors.
func TestMPSLosesNothingInSilence(t *testing.T) {
	const head = "ROWS\n N f\n L r\n L s\nCOLUMNS\n x f 1\n x r 1\n x s 1\n"
	for _, test := range []struct{ want, rest string }{
		{"", "RHS\n A r 5\n A s 6\nRANGES\n B r 1\nBOUNDS\n UP C x 9\n LO C x 1\nENDATA\n"},
		{"", "RHS\n A r 5\n s 6\nBOUNDS\n UP C x 9\n LO x 1\nENDATA\n"},
		{"line 11, column 2: \"B\"", "RHS\n A r 5\n B r 6\nENDATA\n"},
		{"line 11, column 2: \"B\"", "RANGES\n A r 5\n B s 6\nENDATA\n"},
		{"line 11, column 5: \"B\"", "BOUNDS\n UP A x 5\n UP B x 6\nENDATA\n"},
		{"line 9, column 5: \"A\"", "RHS A r 5\nENDATA\n"},
		{"BOUNDS", "BOUNDS UP A x 5\nENDATA\n"},
	} {
		_, err := solver.ReadMPS(strings.NewReader(head + test.rest))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: error %v, want %q", test.rest, err, test.want)
		}
	}
}

// TestMPSKeepsForeignNames: x#0 is no name of WriteMPS.
func TestMPSKeepsForeignNames(t *testing.T) {
	m, err := solver.ReadMPS(strings.NewReader("ROWS\n N f\nCOLUMNS\n x#0 f 1\n x f 1\n #2 f 1\nENDATA\n"))
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []string{"x#0", "x", ""} {
		if name := m.Column(j).Name; name != want {
			t.Errorf("column %d is %q, want %q", j, name, want)
		}
	}
}

// TestMPSText holds the form of the file.
func TestMPSText(t *testing.T) {
	m := solver.NewModel("small model")
	m.SetMaximize(true)
	m.SetOffset(0.1)
	m.AddColumn(solver.Column{Name: "RHS", Bounds: solver.AtMost(-1.0 / 3), Cost: 1})
	m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Integer: true})
	m.AddColumn(solver.Column{Name: "Öl", Bounds: solver.Equal(2)})
	m.AddColumn(solver.Column{Name: "free"})
	m.AddRow(solver.Row{Name: "a", Group: "g", Bounds: solver.Between(1, 3), Columns: []int{0, 1}, Values: []float64{1, 1e-300}})
	m.AddRow(solver.Row{Name: "a", Group: "g", Bounds: solver.Between(-1, 1e-20), Columns: []int{3}, Values: []float64{-2}})
	m.AddRow(solver.Row{Columns: []int{2}, Values: []float64{1}})
	var got bytes.Buffer
	if err := m.WriteMPS(&got); err != nil {
		t.Fatal(err)
	}
	const want = `NAME small%20model
OBJSENSE
 MAX
ROWS
 N #objective
 G g/a
 G g/a#1
 L g/a#1#upper
 N #2
COLUMNS
 %52HS #objective 1
 %52HS g/a 1
 M1 'MARKER' 'INTORG'
 #1 #objective 0
 #1 g/a 1e-300
 M1 'MARKER' 'INTEND'
 %C3%96l #objective 0
 %C3%96l #2 1
 %66ree #objective 0
 %66ree g/a#1 -2
 %66ree g/a#1#upper -2
RHS
 #rhs #objective -0.1
 #rhs g/a 1
 #rhs g/a#1 -1
 #rhs g/a#1#upper 1e-20
RANGES
 #ranges g/a 2
BOUNDS
 MI #bounds %52HS
 UP #bounds %52HS -0.3333333333333333
 LO #bounds #1 0
 PL #bounds #1
 LO #bounds %C3%96l 2
 UP #bounds %C3%96l 2
 MI #bounds %66ree
 PL #bounds %66ree
ENDATA
`
	if got.String() != want {
		t.Errorf("got\n%s", &got)
	}
}
