package features_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/mat"
)

func TestTables(t *testing.T) {
	for name, text := range map[string]string{
		"label last":      "a,b,species\n1,2,dog\n3,4,cat\n",
		"label first":     "species,a,b\ndog,1,2\ncat,3,4\n",
		"label between":   "a,species,b\n1,dog,2\n3,cat,4\n",
		"from Windows":    "\ufeffspecies,a,b\r\ndog,1,2\r\ncat,3,4\r\n",
		"spaces":          "a, b, species\n1, 2 , dog \n3, 4, cat\n",
		"no line end":     "a,b,species\n1,2,dog\n3,4,cat",
		"scientific form": "a,b,species\n1e0,0.2e1,dog\n3,4.,cat\n",
	} {
		s, err := features.ReadCSV(strings.NewReader(text), "pets", "species")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Name != "pets" || s.Classes != [2]string{"cat", "dog"} || !slices.Equal(s.Y, []float64{1, -1}) || !mat.Equal(s.X, mat.NewDense(2, 2, []float64{1, 2, 3, 4})) {
			t.Errorf("%s: %v labelled %v", name, s, s.Y)
		}
	}
	numbers, err := features.ReadCSV(strings.NewReader("y,a\n10,1\n9,2\n10.0,3\n"), "numbers", "y")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(numbers.Y, []float64{1, -1, 1}) { // 9 < 10, though "10" < "9"
		t.Errorf("labels %v, want 1 -1 1", numbers.Y)
	}
}

// A set goes through a frame and comes back the same.
func TestFrameRoundTrip(t *testing.T) {
	s, err := features.StandIn(features.StandInOptions{Examples: 20, Features: 5})
	if err != nil {
		t.Fatal(err)
	}
	back, err := features.FromFrame(s.Frame(), s.Name, "class")
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(back.X, s.X) || !slices.Equal(back.Y, s.Y) || back.Classes != s.Classes {
		t.Errorf("%v came back as %v", s, back)
	}
}

// Labels of a float column keep all their digits.
func TestFrameLabelsKeepTheirDigits(t *testing.T) {
	frame := dataframe.New(series.New([]float64{2e-9, 1e-9}, series.Float, "y"), series.New([]int{7, 8}, series.Int, "a"))
	s, err := features.FromFrame(frame, "x", "y")
	if err != nil {
		t.Fatal(err)
	}
	if s.Classes != [2]string{"1e-09", "2e-09"} || !slices.Equal(s.Y, []float64{1, -1}) || s.X.At(1, 0) != 8 {
		t.Errorf("%v labelled %v", s, s.Y)
	}
}

func TestBadTables(t *testing.T) {
	csv := func(text string) error { _, err := features.ReadCSV(strings.NewReader(text), "pets", "y"); return err }
	frame := func(columns ...series.Series) error {
		_, err := features.FromFrame(dataframe.New(columns...), "pets", "y")
		return err
	}
	y := series.New([]string{"cat", "dog"}, series.String, "y")
	_, nilReader := features.ReadCSV(nil, "pets", "y")
	for _, test := range []struct {
		name string
		err  error
		says []string
	}{
		{"nil reader", nilReader, []string{`the reader of the table "pets" is nil`, "open a file"}},
		{"empty CSV", csv(""), []string{`"pets" is empty`, "give a header line"}},
		{"header only", csv("a,y\n"), []string{"no rows", "give one example per row"}},
		{"no label column", csv("a,b,c,d,e\n1,2,3,4,5\n"), []string{`no column "y"`, "among its 5 columns", `("a", "b", ..., "e")`, "use one of them"}},
		{"only labels", csv("y\ncat\ndog\n"), []string{"no numeric column besides", "give at least one"}},
		{"ragged", csv("a,y\n1,cat\n2\n"), []string{"line 3", "1 fields", "give one field per column"}},
		{"an open quote", csv("\"a,y\n"), []string{"header", "repair"}},
		{"missing feature", csv("a,y\n1,cat\n,dog\n"), []string{`line 3, column "a"`, "missing value", "drop the line"}},
		{"NaN feature", csv("a,y\n1,cat\nNaN,dog\n"), []string{`line 3, column "a"`, "missing value"}},
		{"infinite feature", csv("a,y\n1,cat\n-inf,dog\n"), []string{`"-inf" in line 3, column "a"`, "drop the line"}},
		{"text feature", csv("a,y\none,cat\n2,dog\n"), []string{`"one" in line 2, column "a" is not a number`, "correct the cell"}},
		{"missing label", csv("a,y\n1,cat\n2,\n"), []string{"missing label in line 3", "fill it"}},
		{"one class", csv("a,y\n1,cat\n2,cat\n"), []string{"all 2 labels are \"cat\"", `table "pets"`, "give examples of two"}},
		{"three classes", csv("a,y\n1,cat\n2,dog\n3,emu\n"), []string{`("cat", "dog", "emu", ...)`, "choose"}},
		{"empty frame", frame(), []string{"pets"}},
		{"frame without labels", frame(series.New([]float64{1}, series.Float, "a")), []string{`no column "y"`, `1 columns ("a")`}},
		{"missing value in a frame", frame(y, series.New([]any{1.0, nil}, series.Float, "a")), []string{"missing value in row 1", `column "a"`, "drop the row"}},
		{"infinite value in a frame", frame(y, series.New([]float64{math.Inf(1), 0}, series.Float, "a")), []string{"infinite value +Inf in row 0", "drop the row"}},
		{"text in a frame", frame(y, series.New([]string{"one", "two"}, series.String, "a")), []string{`column "a" of the table "pets" holds string values`, "make it numeric"}},
		{"missing label in a frame", frame(series.New([]any{"cat", nil}, series.String, "y"), series.New([]float64{1, 2}, series.Float, "a")), []string{"missing label in row 1", "fill it"}},
	} {
		t.Run(test.name, func(t *testing.T) { expectError(t, test.err, test.says...) })
	}
}
