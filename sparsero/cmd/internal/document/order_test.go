package document

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// orders solves a document in a folder with tables whose columns stand in the order x, y of the model or the other way round.
func orders(t *testing.T, text string) (right, turned float64, err error) {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{
		"right.csv": "x,y\n1,7\n3,9\n2,9\n", "turned.csv": "y,x\n7,1\n9,3\n9,2\n", "rightmap.csv": "x,y\n3,0.5\n", "turnedmap.csv": "y,x\n0.5,3\n",
		"rightspread.csv": "x,y\n4,1\n1,9\n", "turnedspread.csv": "y,x\n9,1\n1,4\n", "rightrows.csv": "label,x,y\ny,1,4\nx,4,1\n", "turnedrows.csv": "label,y,x\nx,1,9\ny,4,1\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	value := func(with string) float64 {
		path := filepath.Join(folder, "p.json")
		if err := os.WriteFile(path, []byte("{"+model+", "+strings.ReplaceAll(text, "FILE", with)+"}"), 0o600); err != nil {
			t.Fatal(err)
		}
		d, failed := Read(path)
		v, failed := solvedDocument(t, d, failed)
		if failed != nil {
			err = failed
		}
		return v
	}
	return value("right"), value("turned"), err
}

const model = `"model": {"columns": [{"name": "x", "lower": 0, "upper": 1, "cost": -4}, {"name": "y", "lower": 0, "upper": 1, "cost": -2}],
	"rows": [{"lower": 1, "columns": [0, 1], "values": [1, 1]}]}`

// TestTablesGoByName: a table in another order than the model's gives the same value, whatever it holds.
func TestTablesGoByName(t *testing.T) {
	const identity, row = `"objective": {"matrix": "identity"}, `, `"constraints": [{"name": "saw", "nominal": [1, 1], "map": {"matrix": "identity"}, "limit": 8, `
	for _, text := range []string{
		identity + `"dictionary": "FILE.csv"`,
		identity + `"dictionary": {"values": "FILE.csv", "centred": true}`,
		identity + `"set": {"wasserstein": {"samples": "FILE.csv", "epsilon": 0.1}}`,
		identity + `"set": {"ellipsoid": {"samples": "FILE.csv", "level": 1}}`,
		identity + `"set": {"ellipsoid": {"covariance": "FILEspread.csv", "radius": 1}}`,
		`"objective": {"matrix": "FILEmap.csv"}, "dictionary": [[1], [2]]`,
		row + `"dictionary": "FILE.csv"}]`,
		row + `"radius": 0.5, "dictionary": {"values": "FILE.csv"}}]`,
		strings.TrimSuffix(row, ", ") + `}], "dictionary": "FILE.csv"`,
		strings.TrimSuffix(row, ", ") + `}], "set": {"wasserstein": {"samples": "FILE.csv", "epsilon": 0.1}}`,
	} {
		right, turned, err := orders(t, text)
		if err != nil || math.Abs(right-turned) > 1e-6 || right == 0 {
			t.Errorf("%s: values %v and %v, %v", text, right, turned, err)
		}
	}
	for text, want := range map[string][]string{ // maps that are written in the order of the file
		identity + `"constraints": [{"name": "k", "map": {"matrix": [[1, 0], [0, 0]]}, "limit": 50}], "dictionary": "FILE.csv"`: {"objective", "constraint 0 k"},
		`"objective": {"matrix": "identity", "constant": [1, 0]}, "dictionary": "FILE.csv"`:                                     {"objective"},
		`"objective": {"constant": [0, 0]}, ` + strings.TrimSuffix(row, ", ") + `}], "dictionary": "FILE.csv"`:                  {"constraint 0 saw", "objective"},
		identity + `"set": {"ellipsoid": {"covariance": "FILErows.csv", "radius": 1}}`:                                          {"labelled"},
		identity + `"set": {"polyhedron": {"columns": [{"name": "y", "lower": 0}, {"name": "x", "lower": 0}]}}`:                 {"polyhedron"},
	} {
		_, _, err := orders(t, text)
		for _, word := range want {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("%s: error %v, want one with %q", text, err, word)
			}
		}
	}
}

// TestRowsOfAMatrixAreNamed: the labels of a matrix's rows are the names of the coordinates that atoms and samples have.
func TestRowsOfAMatrixAreNamed(t *testing.T) {
	const dictionary = `"dictionary": {"values": [[1, 2]], "columns": ["a", "b"]}`
	for text, right := range map[string]bool{
		`"objective": {"matrix": "ab.csv"}, ` + dictionary: true, `"objective": {"matrix": "ba.csv"}, ` + dictionary: false,
		`"objective": {"matrix": "ba.csv"}, "dictionary": [[1, 2]]`:                                                            true,
		`"constraints": [{"map": {"matrix": "ba.csv"}, "limit": 9, ` + dictionary + `}]`:                                       false,
		`"constraints": [{"map": {"matrix": "ab.csv"}, "limit": 9}, {"map": {"matrix": "ba.csv"}, "limit": 9}], ` + dictionary: false,
	} {
		folder := t.TempDir()
		for name, content := range map[string]string{"ab.csv": ",x,y\na,1,0\nb,0,1\n", "ba.csv": ",x,y\nb,0,1\na,1,0\n", "p.json": "{" + model + ", " + text + "}"} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d, err := Read(filepath.Join(folder, "p.json"))
		if err == nil {
			_, _, err = d.Problem(false)
		}
		if (err == nil) != right || err != nil && !strings.Contains(err.Error(), "labelled") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestNamesThatNobodyGave: the numbers of coordinates are no names, so that the order of rows without a header counts.
func TestNamesThatNobodyGave(t *testing.T) {
	atoms, err := sparsero.NewDictionary(mat.NewDense(1, 2, []float64{1, 2}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, columns := range [][]string{{"u1", "u0"}, {"u1", "u2"}} {
		if got, err := Matched(atoms, columns, ""); err != nil || got != atoms {
			t.Errorf("%q: %v, %v", columns, got, err)
		}
	}
}

// TestSamplesGoByName: fresh draws come in the order of the atoms, by the names of atoms, own dictionaries' too, or of the model.
func TestSamplesGoByName(t *testing.T) {
	const identity, own = `"objective": {"matrix": "identity"}, `, `, "constraints": [{"name": "k", "map": {"constant": [1]}, "limit": 9, "dictionary": {"values": [[1]], "columns": ["z"]}}]`
	for text, want := range map[string]string{
		identity + `"dictionary": "atoms.csv", "samples": "draws.csv"`:                                                                 "x 1",
		identity + `"dictionary": [[1, 2], [2, 1]], "samples": "draws.csv"`:                                                            "x 1",
		identity + `"dictionary": "atoms.csv", "samples": [[1, 2]]`:                                                                    "x 1",
		`"objective": {"matrix": [[1, 0], [0, 1]]}, "dictionary": {"values": [[1, 2]], "columns": ["y", "x"]}, "samples": "draws.csv"`: "x 2",
		identity + `"dictionary": "atoms.csv", "samples": "half.csv"`:                                                                  "half.csv",
		identity + `"dictionary": [[1, 2], [2, 1]], "samples": "joint.csv"` + own:                                                      "x 1",
		identity + `"dictionary": "atoms.csv", "samples": "joint.csv"` + own:                                                           "x 1",
	} {
		folder := t.TempDir()
		for name, content := range map[string]string{
			"atoms.csv": "y,x\n1,4\n1,3\n", "draws.csv": "y,x\n2,1\n", "half.csv": "y,a\n2,1\n", "joint.csv": "k: z,y,x\n5,2,1\n", "p.json": "{" + model + ", " + text + "}",
		} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d, err := Read(filepath.Join(folder, "p.json"))
		if err != nil {
			t.Fatal(err)
		}
		_, draws, err := d.Problem(true)
		switch {
		case err == nil && want == "half.csv":
			t.Errorf("%s: columns of which the model knows a part are read", text)
		case err != nil && !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v, want %s", text, err, want)
		case err == nil && (want == "x 1") != (draws.At(0, 0) == 1):
			t.Errorf("%s: draws %v, want %s", text, mat.Formatted(draws), want)
		}
	}
}

// TestCovarianceWithoutLabels: the numbers of rows are no labels, whatever the columns are called.
func TestCovarianceWithoutLabels(t *testing.T) {
	names := []string{"d1", "d0"}
	spread, err := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{2, 1, 1, 3}), &sparsero.DictionaryOptions{Columns: names})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := (&order{names: names}).covariance(spread, ""); err != nil || got != spread {
		t.Errorf("%v, %v", got, err)
	}
}
