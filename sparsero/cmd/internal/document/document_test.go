package document

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/sparsero/directions/solver/highs"
)

const columns = `"model": {"columns": [{"name": "x", "lower": 0, "upper": 1, "cost": -3}, {"name": "y", "lower": 0, "upper": 1, "cost": -2}]}`

// reading reads a document whose text stands in a folder with two files of atoms.
func reading(t *testing.T, text string) (*Document, error) {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{"atoms.csv": "y,x\n1,4\n1,3\n", "p.json": text} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Read(filepath.Join(folder, "p.json"))
}

// solved is the optimal value of a document, and the error of what it takes.
func solved(t *testing.T, text string) (float64, error) {
	t.Helper()
	d, err := reading(t, text)
	return solvedDocument(t, d, err)
}

// solvedDocument is the value of a document that was read, or the error of reading it.
func solvedDocument(t *testing.T, d *Document, err error) (float64, error) {
	t.Helper()
	if err != nil {
		return 0, err
	}
	over, err := d.Over(t.Context())
	if err != nil {
		return 0, err
	}
	if over != nil {
		s, err := over.SolveFull(t.Context(), 1, nil)
		if err != nil {
			return 0, err
		}
		return s.Value, nil
	}
	p, _, err := d.Problem(false)
	if err != nil {
		return 0, err
	}
	s, err := p.SolveFull(t.Context(), 1, nil)
	if err != nil {
		return 0, err
	}
	return s.Value, nil
}

// TestForms: the forms of tables, maps, dictionaries and sets, against values by hand.
func TestForms(t *testing.T) {
	const all, limit = `"objective": {"matrix": "identity"}`, `{"name": "c", "nominal": [1, 1], "limit": 1, `
	for text, want := range map[string]float64{
		all + `, "dictionary": [[4, 1], [3, 1]]`:                                                            -1,   // (0, 1) and the null atom
		all + `, "dictionary": "atoms.csv"`:                                                                 -1,   // columns by name
		all + `, "dictionary": {"values": [[4, 1], [3, 1]], "labels": ["a", "b"]}`:                          -1,   //
		`"objective": {"matrix": [[1, 0]]}, "dictionary": {"values": "atoms.csv", "labels": "y"}`:           -2,   // a column fewer
		`"objective": {"matrix": [[1, 0]]}, "dictionary": [[4], [3]]`:                                       -2,   //
		`"objective": {"matrix": [{"columns": [1], "values": [3]}]}, "dictionary": [[1], [-1]]`:             -3,   //
		`"objective": {"matrix": [[0, 0]], "constant": [2]}, "dictionary": [[1], [-1]]`:                     -3,   //
		`"objective": {"constant": [2]}, "dictionary": [[1], [-1]]`:                                         -3,   //
		`"objective": {"constant": [1]}, "dictionary": {"values": [[-1], [-3]], "centred": true}`:           -6,   // the worst of the atoms alone
		`"objective": {"constant": [1]}, "dictionary": [[-1], [-3]]`:                                        -5,   // of the null atom
		`"constraints": [` + limit + `"map": {"matrix": "identity"}, "dictionary": [[1, 1]]}]`:              -1.5, //
		`"constraints": [` + limit + `"map": {"constant": [1]}, "dictionary": [[1]], "radius": 0.5}]`:       -1.5, //
		`"constraints": [` + limit + `"map": {"constant": [1]}}], "set": {"box": {"widths": [0.5]}}`:        -1.5, //
		all + `, "set": {"box": {"widths": [1, 2]}}`:                                                        -2,   //
		all + `, "set": {"budget": {"widths": [1, 1], "gamma": 1}}`:                                         -4,   //
		all + `, "set": {"ball": {"dimension": 2, "radius": 1}}`:                                            -5 + math.Sqrt2,
		all + `, "set": {"ball": {"dimension": 2, "norm": 1, "radius": 1}}`:                                 -4, //
		all + `, "set": {"ball": {"dimension": 2, "norm": null, "radius": 1}}`:                              -3, //
		all + `, "set": {"ellipsoid": {"covariance": [[4, 0], [0, 0.01]], "radius": 1}}`:                    -5 + math.Sqrt(4.01),
		all + `, "set": {"ellipsoid": {"samples": [[0, 0], [2, 0], [0, 2], [2, 2]], "level": 1}}`:           -5 + 2 + 2,
		all + `, "set": {"polyhedron": {"columns": [{"lower": -1, "upper": 1}, {"lower": 0, "upper": 1}]}}`: -3, //
		all + `, "set": {"wasserstein": {"samples": [[1, 0], [1, 2]], "norm": 1, "epsilon": 0.5}}`:          -5 + 2 + 0.5,
		all + `, "set": {"cvar": {"samples": [[1, 0], [2, 1], [0, 0], [1, 1]], "level": 0.5}}`:              -5 + 2.5, // of the worst half
		all + `, "set": {"cvar": {"samples": [[1, 0], [3, 2]], "probabilities": [0.75, 0.25], "level": 0}}`: -5 + 2,   // of the mean
	} {
		value, err := solved(t, "{"+columns+", "+text+"}")
		if err != nil || math.Abs(value-want) > 1e-5 {
			t.Errorf("%s: value %v, want %v; %v", text, value, want, err)
		}
	}
}

// TestWrongDocuments: errors name the place and what to write.
func TestWrongDocuments(t *testing.T) {
	for text, want := range map[string]string{
		`{"modle": {}}`:                       `"model"`,
		`{"columns": []}`:                     `"model"`,
		`{"scenarios": []}`:                   `"dictionary"`,
		`{"demands": {"epsilon": 1}}`:         `"epsilon"`,
		`{"demands": {"alpha": 1}}`:           `"violations"`,
		`{"weather": 1}`:                      "dictionary, dimension",
		`{"set": {"budget": {"width": [1]}}}`: `"widths"`,
		`{"dictionary": {"label": ["a"]}}`:    `"labels"`,
		`{"model": {"columns": [{"lb": 0}]}}`: `"lower"`,
		`{"dictionary": [[1, null]]}`:         "dictionary[0][1] is null",
		`{"MODEL": "m.mps"}`:                  `"model"`,
		`{"radius": 1, "radius": 2}`:          "radius stands twice",
		`{"radius": 1, "Radius": 2}`:          `Radius is unknown; write "radius"`,
		`{` + columns + `, "objective": {"matrix": "identity"}, "dictionary": [[1], [2]]}`: "1 columns and the model 2",
		`{"radius": Infinity}`:              "there is no Infinity",
		`{"dictionary": [[1, "a"]]}`:        `the row "[1, \"a\"]" is no list of numbers`,
		`{"gap": 0.01}`:                     `under "demands"`,
		`{"constraints": [{"limit": "0"}]}`: "constraints.limit is a string; give a number",
		`{"demands": {"gap": "1%"}}`:        "write 1% as 0.01",
		`{` + columns + `, "constraints": [{"map": {"constant": [1]}, "limit": 1, "dictionary": [[1]]}], "dictionary": [[1, 2]]}`: "nothing takes the dictionary",
		`{"radius": "3"}`: "quotes",
		`{"demands": {"budgets": {"objective": null}}}`:                   "demands.budgets.objective is null",
		`{"demands": {"budgets": {"lower": null}}}`:                       "demands.budgets.lower is null",
		`{"objective": {"matrix": [{"columns": [0], "values": [null]}]}}`: "objective.matrix[0].values[0] is null",
		`{"set": {"ball": {"norm": 0}}}`:                                  "norm is 0",
		`{} {}`:                                                           "JSON",
		`[]`:                                                              "p.json",
		`{}`:                                                              "model",
		`{"model": "none.mps"}`:                                           "none.mps",
		`{` + columns + `}`:                                               "objective",
		`{` + columns + `, "objective": {}}`:                              `{"matrix": "identity"}`,
		`{` + columns + `, "objective": {"matrix": "identity"}}`:                                                                       "dictionary",
		`{` + columns + `, "objective": {"matrix": "none.csv"}}`:                                                                       "none.csv",
		`{` + columns + `, "objective": {"matrix": [[1]]}}`:                                                                            "row 0",
		`{` + columns + `, "objective": {"matrix": [{"columns": [2], "values": [1]}]}}`:                                                "column 2",
		`{` + columns + `, "objective": {"matrix": "identity"}, "dictionary": [[1, 2], [3]]}`:                                          "row 1",
		`{` + columns + `, "objective": {"matrix": [{"columns": [0, 0], "values": [1, 2]}]}}`:                                          "column 0 twice",
		`{` + columns + `, "objective": {"matrix": "identity"}, "samples": [[1, 2]], "dictionary": [[1, 2]]}`:                          "violations",
		`{` + columns + `, "objective": {"matrix": "identity"}, "set": {"ellipsoid": {"samples": [[1, 2]], "level": 1, "radius": 2}}}`: "one of the two pairs",
		`{` + columns + `, "constraints": [{"map": {"constant": [1]}, "limit": 1, "radius": 0, "dictionary": [[1]]}]}`:                 "radius 0",
		`{` + columns + `, "objective": {"matrix": "identity"}, "dictionary": {"values": "atoms.csv", "labels": "z"}}`:                 `no column "z"`,
		`{` + columns + `, "objective": {"matrix": "identity"}, "dictionary": {"values": [[1, 2]], "labels": "z"}}`:                    "list the labels",
		`{` + columns + `, "objective": {"matrix": "identity"}, "dictionary": []}`:                                                     "dictionary",
		`{` + columns + `, "objective": {"matrix": "identity"}, "dictionary": [[1, 2]], "set": {}}`:                                    "dictionary",
		`{` + columns + `, "objective": {"matrix": "identity"}, "set": {}}`:                                                            "wasserstein",
		`{` + columns + `, "objective": {"matrix": "identity"}, "set": {"box": {"widths": [1, 1], "gamma": 1}}}`:                       "gamma",
		`{` + columns + `, "objective": {"matrix": "identity"}, "set": {"ellipsoid": {}}}`:                                             "covariance",
		`{` + columns + `, "objective": {"matrix": "identity"}, "set": {"wasserstein": {"epsilon": 1}}}`:                               `"samples"`,
		`{` + columns + `, "constraints": [{"name": "saw", "limit": 1}]}`:                                                              "constraint 0 saw",
		`{` + columns + `, "constraints": [{"map": {"constant": [1]}, "limit": null}]}`:                                                "limit",
		`{` + columns + `, "constraints": [{"map": {"constant": [1]}, "limit": 1, "dictionary": {"values": [[1]], "centred": true}}]}`: "centred",
	} {
		if _, err := solved(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %s", text, err, want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	d, err := reading(t, fmt.Sprintf(`{%s, "objective": {"matrix": "identity"}, "dictionary": {"values": [[1, 2], [2, 1]], "centred": true}}`, columns))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Problem(true); err == nil || !strings.Contains(err.Error(), "centred and violations") {
		t.Errorf("a promise about new draws for atoms measured from their mean: %v", err)
	}
	d, err = reading(t, fmt.Sprintf(`{%s, "objective": {"matrix": "identity"}, "dictionary": [[1, 2]], "samples": "none.csv"}`, columns))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Problem(true); !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), "samples") != 1 {
		t.Errorf("samples that are not there: %v", err)
	}
}
