package sparsero_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

const prices = `date,GOOG,GE
2008-09-29,-0.12,-0.07
2008-10-15,-0.08,-0.09
`

func TestReadCSV(t *testing.T) {
	for _, text := range []string{
		prices,
		"\ufeff" + prices,                                // byte order mark of spreadsheet exports
		strings.ReplaceAll(prices, "\n", "\r\n"),         // Windows line ends
		strings.TrimSuffix(prices, "\n"),                 // no line end at the end
		strings.ReplaceAll(prices, ",", ", "),            // spaces after commas
		strings.ReplaceAll(prices, ",", ";"),             // as spreadsheets write where decimals have a comma
		strings.ReplaceAll(prices, ",", "\t"),            // tabs
		strings.ReplaceAll(prices, "-0.07", "\"-0.07\""), // quoted number
	} {
		d, err := sparsero.ReadCSV(strings.NewReader(text), "date")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if !slices.Equal(d.Labels(), []string{"2008-09-29", "2008-10-15"}) || !slices.Equal(d.Columns(), []string{"GOOG", "GE"}) ||
			!mat.Equal(d.Matrix(), mat.NewDense(2, 2, []float64{-0.12, -0.07, -0.08, -0.09})) {
			t.Errorf("%q: labels %v, columns %v, atoms %v", text, d.Labels(), d.Columns(), d.Matrix())
		}
	}
}

func TestReadCSVRejectsBadInput(t *testing.T) {
	for _, test := range []struct {
		name, text, label, want string
	}{
		{"empty", "", "", "the CSV input is empty"},
		{"header only", "a,b\n", "", "a header but no rows"},
		{"ragged, too short", "a,b\n1,2\n3\n", "", "line 3 of the CSV input has 1 fields but the header has 2"},
		{"ragged, too long", "a,b\n1,2,3\n", "", "line 2 of the CSV input has 3 fields but the header has 2"},
		{"text", "a,b\n1,2\n3,high\n", "", `"high" in line 3, column "b" is not a number`},
		{"dates without a label column", prices, "", `"2008-09-29" in line 2, column "date" is not a number`},
		{"decimal comma", "a;b\n1,5;2\n", "", `"1,5" in line 2, column "a" is not a number; write numbers as 1234.5`},
		{"missing", "date,GOOG,GE\nd1,1,2\nd2,,4\n", "date", `missing value in line 3, column "GOOG"`},
		{"NaN", "a,b\n1,NaN\n", "", `missing value in line 2, column "b"`},
		{"NA", "a,b\nna ,1\n", "", `missing value in line 2, column "a"`},
		{"Inf", "a,b\n1,-Inf\n", "", `infinite value "-Inf" in line 2, column "b"`},
		{"overflow", "a\n1e999\n", "", `infinite value "1e999" in line 2, column "a"`},
		{"no such label", prices, "day", `no column "day" among its 3 columns ("date", "GOOG", "GE"); use one of them`},
		{"only labels", "date\n2008-09-29\n", "date", `no numeric column besides "date"`},
		{"missing label", "date,a\n,1\n", "date", `missing label in line 2, column "date"`},
		{"repeated column", "a,a\n1,2\n", "", `columns 1 and 2 of the CSV input are both named "a"`},
		{"unnamed column", "a,\n1,2\n", "", "column 2 of the CSV input has no name"},
		{"stray quote", "a,b\n1,\"2\n", "", "cannot read the CSV input"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := sparsero.ReadCSV(strings.NewReader(test.text), test.label)
			wantError(t, err, test.want)
		})
	}
	_, err := sparsero.ReadCSV(nil, "")
	wantError(t, err, "the reader of the CSV input is nil")
	_, err = sparsero.ReadCSV(iotest.ErrReader(fmt.Errorf("disk gone")), "")
	wantError(t, err, "disk gone")
}

// The frame of a dictionary has its names, labels and numbers.
func TestFrameHoldsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 5, 4)
		names := d.Columns()
		if rapid.Bool().Draw(t, "labelled") {
			names = append([]string{"label"}, names...)
			labels := make([]string, d.Size())
			for i := range labels {
				labels[i] = fmt.Sprintf("day %d", i)
			}
			var err error
			if d, err = sparsero.NewDictionary(d.Matrix(), &sparsero.DictionaryOptions{Labels: labels}); err != nil {
				t.Fatal(err)
			}
		}
		frame := d.Frame()
		if !slices.Equal(frame.Names(), names) || len(names) > d.Dim() && !slices.Equal(frame.Col("label").Records(), d.Labels()) {
			t.Fatalf("%v of %v", frame, d.Matrix())
		}
		for j, name := range d.Columns() {
			if !slices.Equal(frame.Col(name).Float(), mat.Col(nil, j, d.Matrix())) {
				t.Fatalf("column %s of %v is not that of %v", name, frame, d.Matrix())
			}
		}
	})
}

// A dictionary survives the way through CSV bit by bit; what would not is refused.
func TestWriteCSVRoundTrip(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		d := drawNamed(t)
		var text bytes.Buffer
		if err := d.WriteCSV(&text); err != nil {
			if text.Len() > 0 || !strings.Contains(err.Error(), "a name or a label of the dictionary") {
				t.Fatalf("%d bytes written, error %v", text.Len(), err)
			}
			return
		}
		path := filepath.Join(folder, "atoms.csv")
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		back, err := sparsero.LoadDictionary(path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(back.Labels(), d.Labels()) || !slices.Equal(back.Columns(), d.Columns()) || !sameBits(back.Matrix(), d.Matrix()) {
			t.Fatalf("got %v back from %v", back.Frame(), d.Frame())
		}
	})
}

// A line end of two characters comes back as one, in a label as in a name: refused, and nothing is written.
func TestWriteCSVRefusesNamesThatChange(t *testing.T) {
	for name, options := range map[string]*sparsero.DictionaryOptions{
		"label": {Labels: []string{"a\r\nb", "c"}}, "column": {Columns: []string{"x\r\ny", "z"}},
		"coordinate that is taken for labels": {Columns: []string{"label", "y"}},
		"no CSV: twice label":                 {Labels: []string{"a", "b"}, Columns: []string{"x", "label"}},
		"no CSV: empty label":                 {Labels: []string{"", "b"}},
		"no CSV: no header":                   {Columns: []string{"1", "2"}},
		"no CSV: no UTF-8":                    {Columns: []string{"\xff", "\xfe"}},
	} {
		d, err := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 2, 3, 4}), options)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		err = d.WriteCSV(&text)
		if err == nil || text.Len() > 0 || strings.Contains(err.Error(), "does not fit into CSV") != strings.HasPrefix(name, "no CSV: ") {
			t.Errorf("%s: %d bytes written, error %v", name, text.Len(), err)
		}
	}
}

// drawNamed draws a dictionary of any finite numbers, with and without labels and names.
func drawNamed(t *rapid.T) *sparsero.Dictionary {
	n, p := rapid.IntRange(1, 4).Draw(t, "N"), rapid.IntRange(1, 3).Draw(t, "p")
	value := rapid.OneOf(rapid.Float64Range(-1e150, 1e150), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 5e-324, 1e-7, 1e150, 0.1}))
	var options sparsero.DictionaryOptions
	if rapid.Bool().Draw(t, "labelled") {
		options.Labels = rapid.SliceOfN(rapid.String(), n, n).Draw(t, "labels")
	}
	if rapid.Bool().Draw(t, "named") {
		name := rapid.OneOf(rapid.StringN(1, 3, -1), rapid.SampledFrom([]string{"label", "label_", "x"}))
		options.Columns = rapid.SliceOfNDistinct(name, p, p, rapid.ID).Draw(t, "columns")
	}
	d, err := sparsero.NewDictionary(mat.NewDense(n, p, rapid.SliceOfN(value, n*p, n*p).Draw(t, "atoms")), &options)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func sameBits(a, b *mat.Dense) bool {
	return slices.EqualFunc(a.RawMatrix().Data, b.RawMatrix().Data, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// The label column keeps its name, and gives way to a coordinate of that name.
func TestFrameLabelColumn(t *testing.T) {
	d, err := sparsero.ReadCSV(strings.NewReader(prices), "date")
	if err != nil {
		t.Fatal(err)
	}
	closure := d.AntipodalClosure()
	if names := newDictionary(t, 1, 1, 1).AntipodalClosure().Frame().Names(); !slices.Equal(names, []string{"label", "u0"}) {
		t.Errorf("columns %v", names)
	}
	unlabelled, err := sparsero.ReadCSV(strings.NewReader("x\n1\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	if names := unlabelled.AntipodalClosure().Frame().Names(); !slices.Equal(names, []string{"label", "x"}) {
		t.Errorf("columns %v", names)
	}
	if names := closure.Frame().Names(); !slices.Equal(names, []string{"date", "GOOG", "GE"}) {
		t.Errorf("columns %v", names)
	}
	if labels := closure.Frame().Col("date").Records(); labels[2] != "-2008-09-29" {
		t.Errorf("labels %v", labels)
	}
	clash, err := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1}),
		&sparsero.DictionaryOptions{Columns: []string{"label"}, Labels: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	if names := clash.Frame().Names(); !slices.Equal(names, []string{"label_", "label"}) {
		t.Errorf("columns %v", names)
	}
	twice, err := sparsero.NewDictionary(mat.NewDense(1, 2, []float64{1, 2}),
		&sparsero.DictionaryOptions{Columns: []string{"label_", "label"}, Labels: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	if names := twice.Frame().Names(); !slices.Equal(names, []string{"label__", "label_", "label"}) {
		t.Errorf("columns %v", names)
	}
}

func ExampleReadCSV() {
	days := `date,GOOG,GE
2008-09-29,-0.12,-0.07
2008-10-15,-0.08,-0.09
`
	d, err := sparsero.ReadCSV(strings.NewReader(days), "date")
	if err != nil {
		fmt.Println(err)
		return
	}
	worst, loss := d.ActiveAtom([]float64{-1, -1})
	fmt.Printf("%d days, %d stocks, worst day for both: %s (%.2f)\n", d.Size(), d.Dim(), d.Label(worst), loss)
	_, err = sparsero.ReadCSV(strings.NewReader("date,GOOG\n2008-09-29,\n"), "date")
	fmt.Println(err)
	// Output:
	// 2 days, 2 stocks, worst day for both: 2008-09-29 (0.19)
	// sparsero: missing value in line 2, column "GOOG"; drop the line or fill the value
}

func TestReadCSVWantsNamesOfColumns(t *testing.T) {
	for text, atoms := range map[string]int{
		"1.5,2\n3,4\n":            -1, // an atom where names belong
		"label,1.5,2\na,3,4\n":    1,  // codes beside the name of the labels
		"0,1\n3.5,4\n":            1,  // names that count the columns
		"1,2,3\n3,4,5\n6,7,8.5\n": 2,
		"label,0,1\na,3,4\n":      1,
		"x,2\n3,4\n":              1,
		"1.5,return\n0.25,0.5\n":  1,
	} {
		label := ""
		if strings.HasPrefix(text, "label") {
			label = "label"
		}
		d, err := sparsero.ReadCSV(strings.NewReader(text), label)
		switch {
		case atoms < 0 && (err == nil || !strings.Contains(err.Error(), "holds only numbers")):
			t.Errorf("%q: error = %v", text, err)
		case atoms > 0 && (err != nil || d.Size() != atoms):
			t.Errorf("%q: %v, want %d atoms", text, err, atoms)
		}
	}
}

// Labels come first, in the column that they were read from.
// A label column of another name is called label, as LoadDictionary reads it.
func TestWriteCSVNamesTheLabels(t *testing.T) {
	d, err := sparsero.ReadCSV(strings.NewReader("x,name\n1,a\n"), "name")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := d.WriteCSV(&text); err != nil || text.String() != "label,x\na,1\n" {
		t.Errorf("%q, %v", text.String(), err)
	}
}

// Atoms are written to the last digit.
func TestWriteCSVText(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 0.1 + 0x1p-54, -2, 1e300}),
		&sparsero.DictionaryOptions{Labels: []string{"oil", "rates"}, Columns: []string{"x", "y"}})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := d.WriteCSV(&text); err != nil || text.String() != "label,x,y\noil,1,0.10000000000000006\nrates,-2,1e+300\n" {
		t.Errorf("%q, %v", text.String(), err)
	}
}
