package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/wholefile"
	"github.com/sparsero/directions/sparsero/robust"
)

// drugProblem has one robust constraint over the corners of a box, tests/published has its optimum.
const drugProblem = `{"model": {"columns": [{"name": "raw I", "lower": 0, "cost": 100}, {"name": "raw II", "lower": 0, "cost": 199.9},
	{"name": "drug I", "lower": 0, "cost": -5500}, {"name": "drug II", "lower": 0, "cost": -6100}],
	"rows": [{"upper": 1000, "columns": [0, 1], "values": [1, 1]}, {"upper": 2000, "columns": [2, 3], "values": [90, 100]},
	{"upper": 800, "columns": [2, 3], "values": [40, 50]}, {"upper": 100000, "columns": [0, 1, 2, 3], "values": [100, 199.9, 700, 800]}]},
	"dictionary": "corners.csv", "constraints": [{"name": "agent", "nominal": [-0.01, -0.02, 0.5, 0.6], "map": {"matrix": [[1, 0, 0, 0], [0, 1, 0, 0]]}, "limit": LIMIT}],
	"demands": {"gap": 1e-6}}`

// TestGapOverAnEllipsoid: a gap that is asked for is met or said to be not, though a row is missed by the solver's tolerance. The optimum
// is that of 20,001 tangents of the ellipsoid as rows, solved by SciPy's HiGHS.
func TestGapOverAnEllipsoid(t *testing.T) {
	folder := t.TempDir()
	over := strings.Replace(strings.Replace(drugProblem, "LIMIT", "0", 1), `"dictionary": "corners.csv"`, `"set": {"ellipsoid": {"covariance": [[25e-10, 0], [0, 16e-8]], "radius": 1}}`, 1)
	file(t, folder, "drug.json", over)
	for gap, code := range map[string]int{"1%": 0, "1e-6": 0, "1e-12": 3} {
		got := read[struct {
			Value, Gap float64
			Met        bool
		}](t, runs(t, folder, "design FOLDER/drug.json -json -o FOLDER/d.json -gap "+gap, code))
		if got.Met != (code == 0) || math.Abs(got.Value+8311.759295) > got.Gap+1e-6 || got.Gap > 0.01 {
			t.Errorf("-gap %s: %+v", gap, got)
		}
	}
}

// TestFilesThatProveLess: the note says so where the tree of a file is too short for what the search of an integer problem proved.
func TestFilesThatProveLess(t *testing.T) {
	if !solvesIntegers {
		t.Skip("items are whole, which needs HiGHS")
	}
	folder := t.TempDir()
	// Thirteen equal items, of which half of one would be left: no relaxation of a small tree excludes it.
	for items, less := range map[int]bool{5: false, 13: true} {
		var columns, indices, weights []string
		for j := range items {
			columns, indices, weights = append(columns, `{"lower": 0, "upper": 1, "cost": -2, "integer": true}`), append(indices, fmt.Sprint(j)), append(weights, "2")
		}
		file(t, folder, "odd.json", fmt.Sprintf(`{"model": {"columns": [%s], "rows": [{"upper": %d, "columns": [%s], "values": [%s]}]},
			"dictionary": {"values": [[1]]}, "objective": {"matrix": [[%s]]}, "radius": 1, "demands": {"gap": 1e-6}}`, strings.Join(columns, ", "), items,
			strings.Join(indices, ", "), strings.Join(weights, ", "), strings.TrimSuffix(strings.Repeat("1, ", items), ", ")))
		got := read[struct {
			Value float64
			Note  string
			Met   bool
		}](t, runs(t, folder, "design FOLDER/odd.json -json -o FOLDER/d.json", 0))
		if strings.Contains(got.Note, "and the file proves less") != less || !got.Met || got.Value != -float64(items/2) {
			t.Errorf("%d items: %+v", items, got)
		}
	}
}

// TestProblemDocument: the published optimum, a file whose claims are true, flags before demands, and a log that proves nothing while a row is
// violated.
func TestProblemDocument(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "corners.csv", "label,first,second\na,5e-5,4e-4\nb,-5e-5,4e-4\nc,5e-5,-4e-4\nd,-5e-5,-4e-4\n")
	file(t, folder, "drug.json", strings.Replace(drugProblem, "LIMIT", "0", 1))
	file(t, folder, "none.json", strings.Replace(drugProblem, "LIMIT", "-50", 1))
	type answer struct {
		Value, Gap  float64
		Met         bool
		Labels      []string
		Constraints []struct {
			Name           string
			Reaches, Limit float64
		}
	}
	o := runs(t, folder, "design FOLDER/drug.json -o FOLDER/d.json -json", 0)
	got := read[answer](t, o)
	if math.Abs(got.Value+8294.567) > 1e-3 || !got.Met || len(got.Labels) != 1 || len(got.Constraints) != 1 || got.Constraints[0].Name != "agent" || math.Abs(got.Constraints[0].Reaches) > 1e-6 {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(o.stderr, "0 atoms: value -8819.66, a constraint is missed by") {
		t.Error(o.stderr)
	}
	file(t, folder, "far.json", `{"model": {"columns": [{"lower": 0, "upper": 1, "cost": -3}]}, "objective": {"matrix": "identity"}, "dictionary": [[1e200]], "radius": 1e200}`)
	if o := runs(t, folder, "design FOLDER/far.json -o FOLDER/f.json", 0); strings.Contains(o.stderr, "missed") {
		t.Errorf("there is no constraint: %s", o.stderr)
	}
	if full := checked(t, folder+"/d.json").Claims().Full.Float(); math.Abs(full-got.Value) > 1e-6 {
		t.Errorf("the file says %v, the command %v", full, got.Value)
	}
	if words := runs(t, folder, "design FOLDER/drug.json -radius 0 -o FOLDER/d.json", 0).stdout; !strings.Contains(words, "0 atoms at radius 0: costs at most -8819.65") {
		t.Error(words)
	}
	if none := runs(t, folder, "design FOLDER/none.json -o FOLDER/d.json", 1).stderr; !strings.Contains(none, `"agent" without any uncertainty`) {
		t.Error(none)
	}
}

// TestSetsHaveDesignFiles, which verify, report and export take; a certificate in VIPR is refused with words.
func TestSetsHaveDesignFiles(t *testing.T) {
	folder := t.TempDir()
	for _, set := range []string{
		`{"box": {"widths": [1, 2]}}`, `{"budget": {"widths": [1, 2], "gamma": 1.5}}`, `{"ellipsoid": {"covariance": [[2, 1], [1, 3]], "radius": 0.5}}`,
		`{"cvar": {"samples": [[1, 0], [2, 1], [0, 3]], "level": 0.5}}`,
	} {
		file(t, folder, "p.json", `{"model": {"columns": [{"lower": 0, "upper": 2, "cost": -3, "integer": `+fmt.Sprint(solvesIntegers)+`}, {"lower": 0, "upper": 2, "cost": -4}]},
			"objective": {"matrix": "identity"}, "constraints": [{"nominal": [1, 1], "map": {"matrix": "identity"}, "limit": 4}], "set": `+set+`}`)
		runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 0)
		if o := runs(t, folder, "verify FOLDER/d.json", 0); !strings.Contains(o.stdout, "against the whole set") || !strings.Contains(o.stdout, "regret") {
			t.Errorf("%s: %s", set, o.stdout)
		}
		runs(t, folder, "report FOLDER/d.json -to FOLDER/r.html", 0)
		runs(t, folder, "export FOLDER/d.json -to FOLDER/x.csv", 0)
		runs(t, folder, "export FOLDER/d.json -to FOLDER/m.mps", 0)
		if o := runs(t, folder, "export FOLDER/d.json -to FOLDER/p.vipr", 2); !strings.Contains(o.stderr, "convex set") {
			t.Errorf("%s: %s", set, o.stderr)
		}
	}
}

// TestGapIsAShareOfTheValue: an offset that all but cancels the terms makes no gap look smaller.
func TestGapIsAShareOfTheValue(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "off.json", `{"model": {"columns": [{"lower": 0, "cost": 0.5}, {"lower": 0}], "rows": [{"lower": 1, "upper": 1, "columns": [0, 1], "values": [1, 1]}], "offset": -1000},
		"objective": {"matrix": "identity"}, "dictionary": [[1000, 1003], [1003, 1000], [1001, 1002]]}`)
	got := read[struct{ Value, Gap float64 }](t, runs(t, folder, "design FOLDER/off.json -gap 1% -o FOLDER/d.json -json", 0))
	if !(got.Gap <= 0.01*got.Value) || math.Abs(got.Value-1.75) > 0.02 { // (1/2, 1/2)
		t.Errorf("%+v", got)
	}
}

// TestGapOfNothing: what rounding leaves of the costs on the way to 0 is no gap; a share that is, beside costs of 5e8,
// stays one.
func TestGapOfNothing(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "still.json", `{"model": {"columns": [{"lower": -2, "upper": 1.5}]}, "objective": {"matrix": [[5.3]]}, "dictionary": [[3.1], [-3.7]]}`)
	got := read[struct{ Value, Gap float64 }](t, runs(t, folder, "design FOLDER/still.json -o FOLDER/d.json -json", 0))
	if !(math.Abs(got.Value) <= 1e-13 && got.Gap <= 1e-13) {
		t.Errorf("%+v", got)
	}
	file(t, folder, "lever.json", `{"model": {"columns": [{"lower": 0, "upper": 1e8, "cost": -0.001}, {"lower": 1, "upper": 1, "cost": 0.5}]}, "demands": {"budget": 1},
		"objective": {"matrix": "identity"}, "set": {"ellipsoid": {"covariance": [[25, 0.1], [0.1, 0.01]], "radius": 1}}}`)
	runs(t, folder, "design FOLDER/lever.json -o FOLDER/d.json", 3)
}

// TestNullAtomIsWarnedOf where it decides and the atoms do not surround it, and nowhere else.
func TestNullAtomIsWarnedOf(t *testing.T) {
	folder := t.TempDir()
	const begin = `{"model": {"columns": [{"lower": 0, "upper": 2, "cost": 1}, {"lower": 0, "upper": 2, "cost": 1}]}, "objective": {"matrix": "identity"}, "dictionary": `
	const own = `"constraints": [{"name": "k", "map": {"constant": [1]}, "limit": 9, "dictionary": [[1], [-1]]}]`
	for text, warned := range map[string]bool{
		`[[-3, -1], [-1, -3]]`: true,
		`[[3, 1], [1, 3]]`:     false, // nothing is at stake
		`{"values": [[-3, -1], [-1, -3]], "centred": true}`: false,
		`[[-3, -1], [3, 1]]`:           false,
		`[[3, 1], [1, 3], [-4, -4]]`:   false,
		`[[-3, -1], [-1, -3]], ` + own: true, // whatever atoms a row has
		`[[-3, -1], [3, 1]], ` + own:   false,
	} {
		file(t, folder, "p.json", begin+text+"}")
		if o := runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 0); strings.Contains(o.stderr, "warning: ") != warned {
			t.Errorf("%s: %s", text, o.stderr)
		}
	}
	file(t, folder, "p.json", begin+`[[-3, -1], [-1, -3]], "samples": [[-2, -1], [-2, -2], [-1, -2]], "demands": {"violations": 0.9, "delta": 0.5}}`)
	if o := runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 0); strings.Contains(o.stderr, "centred") {
		t.Errorf("centred, which does not go with violations, is advised: %s", o.stderr)
	}
}

// TestNoBestDecision: the code is 1 and the next step one that the problem has, over a set, too, and where atoms would bound what
// has no minimum without them.
func TestNoBestDecision(t *testing.T) {
	folder := t.TempDir()
	const objective = `"objective": {"matrix": "identity"}, `
	const cap = `{"model": {"columns": [{"lower": 1, "upper": 2}]}, "constraints": [{"name": "cap", "map": {"matrix": "identity"}, "limit": 1}], `
	for text, want := range map[string]string{
		cap + `"set": {"box": {"widths": [2]}}}`:                                                               "relax their limits, or lower the radius",
		cap + `"set": {"box": {"widths": [2]}}, "demands": {"budget": 2}}`:                                     "relax their limits, or lower the radius",
		cap + `"dictionary": [[2]]}`:                                                                           "the largest feasible radius is 0.5",
		`{"model": {"columns": [{"lower": 2, "upper": 1}]}, ` + objective + `"set": {"box": {"widths": [2]}}}`: "check the bounds and rows of the region",
		`{"model": {"columns": [{"lower": 0, "cost": -1}]}, ` + objective + `"dictionary": [[2]]}`:             "give finite bounds to column 0",
	} {
		file(t, folder, "p.json", text)
		if o := runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 1); !strings.Contains(o.stderr, want) || strings.Contains(o.stderr, "-violations") {
			t.Errorf("%s: %s", text, o.stderr)
		}
	}
}

// TestBudgetsOfRows: where they stand in the way of the gap they are named, and an atom that they leave out is no sign of the null atom.
func TestBudgetsOfRows(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "p.json", `{"model": {"columns": [{"lower": 0, "upper": 1}, {"lower": 0, "upper": 1}], "rows": [{"lower": 1, "columns": [0, 1], "values": [1, 1]}]},
		"objective": {"matrix": "identity"}, "dictionary": [[1, 0], [0, 1]], "demands": {"budgets": {"objective": 1}, "gap": 0.001}}`)
	if o := runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 3); !strings.Contains(o.stderr, "allow more in budgets") || strings.Contains(o.stderr, "warning: ") {
		t.Error(o.stderr)
	}
	if o := runs(t, folder, "design FOLDER/p.json -budget 1 -o FOLDER/d.json", 3); !strings.Contains(o.stderr, "-budget, which is for all rows together") {
		t.Error(o.stderr)
	}
	// A row that is missed no gap excuses, and the answer says so in words of the command.
	file(t, folder, "row.json", `{"model": {"columns": [{"lower": 0, "upper": 1, "cost": -1}]}, "dictionary": [[1], [2]],
		"constraints": [{"name": "cap", "map": {"matrix": "identity"}, "limit": 1}], "demands": {"budgets": {"cap": 0}}}`)
	if o := runs(t, folder, "design FOLDER/row.json -o FOLDER/d.json", 3); !strings.Contains(o.stderr, "a larger -gap where no row is missed") || ofGo.MatchString(o.stdout) {
		t.Error(o.stderr, o.stdout)
	}
	for flag, value := range map[string]string{"split": "50,25,25", "returns": "", "stress-days": "3", "since": "2015-01-01"} {
		if o := runs(t, folder, strings.TrimSpace("design -"+flag+" "+value)+" -o FOLDER/d.json FOLDER/p.json", 2); !strings.Contains(o.stderr, "-"+flag+" is for files of prices") {
			t.Error(o.stderr)
		}
	}
}

// TestRemediesNameKeys: what stands in the way of a promise or a budget is said by the names of flags and keys.
func TestRemediesNameKeys(t *testing.T) {
	folder := t.TempDir()
	without := func(err error) string { // the name of the package
		_, words, _ := strings.Cut(err.Error(), ": ")
		return words
	}
	draws := "a,b\n"
	for k := range 200 {
		draws += []string{"0.1,0.1\n", "0.1,-0.1\n"}[k%2]
	}
	file(t, folder, "draws.csv", draws)
	const begin = `{"model": {"columns": [{"name": "x", "lower": 0, "upper": 9, "cost": 1}]},
		"constraints": [{"name": "demand", "nominal": [-1], "map": {"constant": [1, 1]}, "limit": -4, "dictionary": [[1, 1], [0, 1]]}], `
	for text, want := range map[string]string{
		`"samples": "draws.csv", "demands": {"violations": 0.2}}`:   without(calibration.ErrInfiniteRadius),
		`"demands": {"violations": 0.2}}`:                           without(robust.ErrNoPromise),
		`"samples": [[1, 1]], "demands": {"violations": 0.2}}`:      without(calibration.ErrReuse),
		`"demands": {"gap": 1}}`:                                    "write 0.01",
		`"demands": {"budgets": {"demandd": 1}}}`:                   `["demand"]`,
		`"demands": {"budgets": {"demand": 1}, "violations": 0.1}}`: "budgets",
	} {
		file(t, folder, "p.json", begin+text)
		if o := runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 2); !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %s", text, o.stderr)
		}
	}
	file(t, folder, "p.json", strings.Replace(begin, `"limit": -4`, `"limit": -9`, 1)+`"samples": "draws.csv", "demands": {"violations": 0.2, "radii": [1]}}`)
	if o := runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 1); !strings.Contains(o.stderr, "largest feasible radius") || !strings.Contains(o.stderr, "with -radii") {
		t.Error(o.stderr)
	}
	file(t, folder, "p.json", begin+`"samples": "draws.csv", "demands": {"violations": 0.2, "radii": [0.5, 1]}}`)
	if o := runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 0); !strings.Contains(o.stdout, "a new draw puts demand above") {
		t.Error(o.stdout)
	}
}

// solvesIntegers tells whether the command has HiGHS.
var solvesIntegers bool

// TestExampleOfThePage: the document that PROBLEM.md shows is one.
func TestExampleOfThePage(t *testing.T) {
	if !solvesIntegers {
		t.Skip("chairs are whole, which needs HiGHS")
	}
	page, err := os.ReadFile("PROBLEM.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```json\n")
	text, _, _ = strings.Cut(text, "```")
	folder := t.TempDir()
	file(t, folder, "hours.csv", "label,chairs,tables\nknots,0.4,0\nblunt,0.2,0.5\n")
	file(t, folder, "problem.json", text)
	if o := runs(t, folder, "design FOLDER/problem.json -o FOLDER/d.json", 0); !strings.Contains(o.stdout, "saw reaches") {
		t.Error(o.stdout)
	}
}

// TestBlocksAreHandedOver: dictionaries of constraints, whose blocks no file of the user has, are a file beside the design where they are
// too large for it, and the note says so.
func TestBlocksAreHandedOver(t *testing.T) {
	folder := t.TempDir()
	for seed, name := range []string{"a.npy", "b.npy"} {
		rows, err := datasets.Gaussian(300, 200, uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		fail(wholefile.Write(filepath.Join(folder, name), func(w io.Writer) error { return input.WriteMatrix(w, rows) }))
	}
	constant := "[1" + strings.Repeat(", 0", 199) + "]"
	row := func(name string) string {
		return fmt.Sprintf(`{"name": %q, "nominal": [1], "map": {"constant": %s}, "limit": 50, "dictionary": %q}`, name, constant, name+".npy")
	}
	file(t, folder, "p.json", `{"model": {"columns": [{"lower": 0, "upper": 1, "cost": -1}]}, "constraints": [`+row("a")+", "+row("b")+"]}")
	got := read[struct{ Note string }](t, runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json -json", 0))
	beside := besideDesign(t, got.Note, "600 x 400")
	runs(t, folder, "verify FOLDER/d.json", 2)
	runs(t, folder, "verify FOLDER/d.json FOLDER/"+beside, 0)
	before := content(t, folder, beside)
	file(t, folder, "q.json", `{"model": {"columns": [{"lower": 0, "upper": 1, "cost": -1}]}, "constraints": [`+row("b")+", "+row("a")+"]}")
	other := read[struct{ Note string }](t, runs(t, folder, "design FOLDER/q.json -o FOLDER/d.json -json", 0))
	if name := besideDesign(t, other.Note, "600 x 400"); name == beside || !bytes.Equal(content(t, folder, beside), before) {
		t.Errorf("other atoms are in %s, and those of the first design in %s", name, beside)
	}
}

// content returns the bytes of a file.
func content(t *testing.T, folder, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// besideDesign returns the name of the file beside the design d.json that holds so many atoms, by a note.
func besideDesign(t *testing.T, note, size string) string {
	t.Helper()
	found := regexp.MustCompile(size + ` numbers, are not in the design file but in (d\.atoms-[0-9a-f]{8}\.npy)`).FindStringSubmatch(note)
	if found == nil {
		t.Fatalf("the note is %q", note)
	}
	return found[1]
}

// TestReportSaysABoundOnce: a bound that is checked is not rounded up again, and one point of a set is no plural.
func TestReportSaysABoundOnce(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "p.json", `{"model": {"columns": [{"lower": 1, "upper": 2, "cost": 0.1}]}, "objective": {"matrix": "identity"}, "set": {"box": {"widths": [0.2]}}, "demands": {"budget": 1}}`)
	runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 0)
	runs(t, folder, "report FOLDER/d.json -to FOLDER/r.html", 0)
	text, _ := os.ReadFile(filepath.Join(folder, "r.html"))
	bounds := regexp.MustCompile(`at most 0\.3\d*`).FindAllString(string(text), -1)
	if slices.Sort(bounds); len(slices.Compact(bounds)) != 1 || !strings.Contains(string(text), "Chosen: 1 point of") {
		t.Errorf("bounds %q in %s", bounds, text[:min(len(text), 2000)])
	}
}

// TestReportSaysWhatIsDrawn: without atoms, or where rows alone are uncertain, nothing is drawn of how atoms align, and the page says nothing
// of it; beside robust rows it says whose alignments are drawn.
func TestReportSaysWhatIsDrawn(t *testing.T) {
	folder := t.TempDir()
	const uncertain, row = `"objective": {"matrix": "identity"}`, `"constraints": [{"name": "cap", "map": {"matrix": "identity"}, "limit": 2}]`
	for parts, want := range map[string][3]bool{uncertain: {false, true, false}, row: {false, false, false}, uncertain + ", " + row: {false, true, true}, uncertain + `, "radius": 0`: {true, false, false}} {
		file(t, folder, "p.json", `{"model": {"columns": [{"lower": 1, "upper": 3, "cost": -1}]}, "dictionary": [[0.5], [1]], `+parts+"}")
		runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", 0)
		runs(t, folder, "report FOLDER/d.json -to FOLDER/r.html", 0)
		text, _ := os.ReadFile(filepath.Join(folder, "r.html"))
		for k, words := range []string{"chosen: none", "Drawn is how much", "a worst atom of its own"} {
			if strings.Contains(string(text), words) != want[k] {
				t.Errorf("the page of %s holds %q: %v", parts, words, !want[k])
			}
		}
	}
}
