package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/wholefile"
	"github.com/sparsero/directions/sparsero/robust"
)

// TestMain makes this binary the command itself where a test starts it as a process.
func TestMain(m *testing.M) {
	if os.Getenv("SPARSERO_IS_THE_COMMAND") != "" {
		main()
	}
	os.Exit(m.Run())
}

// outcome is what a command did.
type outcome struct {
	code           int
	stdout, stderr string
}

// ofGo are names, and steps, that messages of the command leave to programs in Go.
var ofGo = regexp.MustCompile(`(robust|solver|highs|datasets|convex|calibration|designfile|selection): |\b(robust|solver|highs|datasets|sparsero|convex|calibration|math|Problem|Solution|Dictionary|\w*Options)\.[A-Z]|` +
	`\b(Dates|Since|Until|LoadReturns|Availability|RowBudgets|AsSampled|ExplainFull|New[A-Z]\w+|AddColumn)\b|chosen atoms and solve`)

// sparseroCommand runs a command line in a folder of its own; FOLDER stands for it.
func sparseroCommand(t *testing.T, folder, line string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	arguments := strings.Fields(line)
	for k := range arguments {
		arguments[k] = strings.ReplaceAll(arguments[k], "FOLDER", folder)
	}
	code := run(t.Context(), arguments, &stdout, &stderr)
	if found := ofGo.FindString(stderr.String()); found != "" {
		t.Errorf("sparsero %s: %q in %s", line, found, &stderr)
	}
	return outcome{code, stdout.String(), stderr.String()}
}

// runs runs a command that has to end with a code.
func runs(t *testing.T, folder, line string, code int) outcome {
	t.Helper()
	o := sparseroCommand(t, folder, line)
	if o.code != code {
		t.Fatalf("sparsero %s: exit code %d, want %d\n%s%s", line, o.code, code, o.stdout, o.stderr)
	}
	return o
}

// read decodes what a command printed with -json.
func read[T any](t *testing.T, o outcome) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(o.stdout), &value); err != nil {
		t.Fatalf("%v\n%s", err, o.stdout)
	}
	return value
}

func file(t *testing.T, folder, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fixtures fills a folder with prices, atoms, probes, samples and models.
func fixtures(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	table, err := datasets.GeneratePrices(datasets.GeneratedPricesOptions{Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	var prices strings.Builder
	prices.WriteString("date," + strings.Join(table.Tickers, ",") + "\n")
	for i, day := range table.Dates {
		prices.WriteString(day.Format(time.DateOnly))
		for _, price := range table.Prices.RawRowView(i) {
			if math.IsNaN(price) {
				prices.WriteString(",")
			} else {
				fmt.Fprintf(&prices, ",%v", price)
			}
		}
		prices.WriteString("\n")
	}
	file(t, folder, "prices.csv", prices.String())
	for seed, name := range []string{"atoms", "probes", "samples"} {
		rows, err := datasets.Gaussian(60*(seed+1), 3, uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		text := "label,u,v,w\n"
		for i := range 60 * (seed + 1) {
			text += fmt.Sprintf("row %d,%v,%v,%v\n", i, rows.At(i, 0), rows.At(i, 1), rows.At(i, 2))
		}
		file(t, folder, "named"+name+".csv", text)
		plain := "u,v,w\n"
		for i := range 60 * (seed + 1) {
			plain += fmt.Sprintf("%v,%v,%v\n", rows.At(i, 0), rows.At(i, 1), rows.At(i, 2))
		}
		file(t, folder, name+".csv", plain)
	}
	const columns = `{"name": "<b>two words</b>", "lower": 0, "upper": 1, "cost": -1}, {"name": "Öl", "lower": 0, "upper": 1, "cost": -2}, {"lower": 0, "upper": 1, "cost": -3, "integer": %v}`
	file(t, folder, "model.json", fmt.Sprintf(`{"name": "m", "columns": [`+columns+`]}`, false))
	file(t, folder, "model.mps", "NAME m\nROWS\n N cost\nCOLUMNS\n x cost -1\n %C3%96l cost -2\n z cost -3\nBOUNDS\n UP b x 1\n UP b %C3%96l 1\n UP b z 1\nENDATA\n")
	file(t, folder, "broken.mps", "ROWS\n N cost\nCOLUMNS\n x price -1\nENDATA\n")
	file(t, folder, "integer.json", fmt.Sprintf(`{"name": "m", "columns": [`+columns+`]}`, true))
	file(t, folder, "empty.json", `{"columns": [{"lower": 2, "upper": 1}, {"lower": 0, "upper": 1}, {"lower": 0, "upper": 1}]}`)
	file(t, folder, "open.json", `{"columns": [{"lower": null, "cost": 1}, {"lower": 0, "upper": 1}, {"lower": 0, "upper": 1}]}`)
	return folder
}

// TestDesignOfPrices is tutorial 01 with demands: the file is valid, and says what the command said.
func TestDesignOfPrices(t *testing.T) {
	folder := fixtures(t)
	type designed struct {
		Met      bool
		Atoms    []int
		Labels   []string
		Decision []float64
		Value    float64
		Gap      float64
		Note     string
	}
	got := read[designed](t, runs(t, folder, "design FOLDER/prices.csv -gap 1% -violations 5% -o FOLDER/d.json -json", 0))
	if total := sum(got.Decision); !got.Met || len(got.Atoms) > 8 || len(got.Labels) != len(got.Atoms) || math.Abs(total-1) > 1e-9 || got.Gap > 0.01*got.Value {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(got.Note, "were kept fresh for a guarantee, 500 stayed unseen") {
		t.Errorf("the note does not say how the days were used: %s", got.Note)
	}
	file := checked(t, filepath.Join(folder, "d.json"))
	if stated := file.Content().Provenance; !slices.Equal(stated.Seeds, []designfile.Seed{{"split", "1"}}) || stated.Note != got.Note || len(stated.Promises) == 0 {
		t.Errorf("%+v", stated)
	}
	if full := file.Claims().Full.Float(); math.Abs(full-got.Value) > 1e-9 {
		t.Errorf("the file says %v, the command %v", full, got.Value)
	}
	valid := runs(t, folder, "verify FOLDER/d.json", 0)
	if !strings.Contains(valid.stdout, "against all 500 atoms") {
		t.Error(valid.stdout)
	}

	again := runs(t, folder, "design FOLDER/prices.csv -gap 0.01 -violations 0.05 -o FOLDER/d.json", 0)
	if !strings.Contains(again.stdout, strings.Join(got.Labels, ", ")) || !strings.Contains(again.stdout, "Provided that") {
		t.Error(again.stdout)
	}
	first := runs(t, folder, "design FOLDER/prices.csv -gap 1% -radius 0.5 -o FOLDER/e.json", 0)
	if !strings.Contains(first.stdout, "at radius 0.5") || !strings.Contains(first.stderr, "more against all atoms") {
		t.Error(first.stdout, first.stderr)
	}
}

// checked reads a design file whose claims are true.
func checked(t *testing.T, path string) *designfile.Checked {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := designfile.Verify(bytes.NewReader(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// TestDemandsThatAreNotMet: the code is 3, the error says what would help, and the best answer is in the file.
func TestDemandsThatAreNotMet(t *testing.T) {
	folder := fixtures(t)
	for line, want := range map[string]string{
		"design FOLDER/prices.csv -violations 1% -radii 1 -o FOLDER/d.json":                  "second part of -split 50,25,25",
		"design FOLDER/prices.csv -violations 0.1% -o FOLDER/d.json":                         "larger radii",
		"design FOLDER/prices.csv -budget 1 -o FOLDER/d.json":                                "-budget",
		"design FOLDER/prices.csv -budget 1 -violations 5% -o FOLDER/d.json":                 "choose 4 atoms at radius 0.6, or accept what is reached\n",
		"design FOLDER/atoms.csv -model FOLDER/model.json -budget 1 -gap 0 -o FOLDER/d.json": "budget exhausted; allow more with -budget",
		"design FOLDER/prices.csv -gap 1e-300 -o FOLDER/d.json":                              "gap left by the solver; allow a larger -gap",
		"design FOLDER/atoms.csv -model FOLDER/model.json -violations 0.5% -o FOLDER/d.json": "violation",
	} {
		os.Remove(filepath.Join(folder, "d.json"))
		if o := runs(t, folder, line, 3); !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %s", line, o.stderr)
		}
		runs(t, folder, "verify FOLDER/d.json", 0)
	}
	file(t, folder, "one.csv", "x\n1\n")
	line := "select FOLDER/atoms.csv FOLDER/probes.csv -budget 4 -rule random -o FOLDER/c.npy -share "
	if o := runs(t, folder, line+"99%", 3); !strings.Contains(o.stderr, "-share 99% is not proven") || !strings.Contains(o.stdout, "proven: ") {
		t.Errorf("%s%s", o.stdout, o.stderr)
	}
	runs(t, folder, line+"1%", 0)
	swap := strings.ReplaceAll(line, "random", "swap") + "100%" // of sums that float64 has rounded
	if o := runs(t, folder, swap, 3); strings.Contains(o.stderr, "-rule") || !strings.Contains(o.stderr, "ask for less") {
		t.Error(o.stderr)
	}
	if o := runs(t, folder, "select FOLDER/one.csv FOLDER/one.csv", 2); !strings.Contains(o.stderr, "exceeds the 1 atom of") {
		t.Error(o.stderr)
	}
}

// TestModels: models of the user, with fresh draws, with many atoms, without a solution.
func TestModels(t *testing.T) {
	folder := fixtures(t)
	base := "design FOLDER/namedatoms.csv -o FOLDER/d.json -model FOLDER/"
	for _, line := range []string{"model.json", "model.json -gap 0.1%", "model.json -radius 0.5", "model.json -violations 30%"} {
		o := runs(t, folder, base+line, 0)
		if !strings.Contains(o.stdout, "Öl: ") || !strings.Contains(o.stdout, "column 2: ") {
			t.Errorf("%s: %s", line, o.stdout)
		}
		runs(t, folder, "verify FOLDER/d.json", 0)
	}
	if o := runs(t, folder, "design FOLDER/atoms.csv -o FOLDER/d.json -model FOLDER/model.mps", 0); !strings.Contains(o.stdout, "Öl: ") {
		t.Error(o.stdout)
	}
	if o := runs(t, folder, "design FOLDER/atoms.csv -model FOLDER/broken.mps", 2); !strings.Contains(o.stderr, `line 4, column 4: row "price"`) {
		t.Error(o.stderr)
	}
	// So many atoms that the design file does not hold them.
	many, err := datasets.Gaussian(70_000, 3, 5)
	if err != nil {
		t.Fatal(err)
	}
	fail(wholefile.Write(filepath.Join(folder, "many.npy"), func(w io.Writer) error { return input.WriteMatrix(w, many) }))
	o := runs(t, folder, "design FOLDER/many.npy -o FOLDER/d.json -model FOLDER/model.json", 0)
	beside := besideDesign(t, o.stdout, "70000 x 3")
	runs(t, folder, "verify FOLDER/d.json", 2)
	runs(t, folder, "verify FOLDER/d.json FOLDER/"+beside, 0)
	runs(t, folder, "verify FOLDER/d.json FOLDER/many.npy", 0)
	runs(t, folder, "export FOLDER/d.json FOLDER/many.npy -to FOLDER/m.mps", 0)
	runs(t, folder, "report FOLDER/d.json FOLDER/many.npy -to FOLDER/r.html", 0)

	if o := runs(t, folder, base+"empty.json", 1); !strings.Contains(o.stderr, "column 0 <= 1") || strings.Count(o.stderr, "infeasible") != 1 {
		t.Error(o.stderr)
	}
	if o := runs(t, folder, base+"open.json", 1); !strings.Contains(o.stderr, "finite bounds") {
		t.Error(o.stderr)
	}
}

// TestExport: another solver's view of the design, and the decision with all digits.
func TestExport(t *testing.T) {
	folder := fixtures(t)
	runs(t, folder, "design FOLDER/atoms.csv -model FOLDER/model.json -o FOLDER/d.json", 0)
	s, err := robust.SolutionOf(checked(t, filepath.Join(folder, "d.json")))
	if err != nil {
		t.Fatal(err)
	}
	x := s.X
	runs(t, folder, "export FOLDER/d.json -to FOLDER/m.mps", 0)
	model, err := s.Problem().Model(s.Atoms, s.Radius)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := model.WriteMPS(&want); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(folder, "m.mps")); !bytes.Equal(got, want.Bytes()) || !bytes.Contains(got, []byte("%3Cb%3Etwo%20words%3C%2Fb%3E")) {
		t.Errorf("%s", got)
	}
	runs(t, folder, "export FOLDER/d.json -to FOLDER/proof.vipr", 0)
	if got, _ := os.ReadFile(filepath.Join(folder, "proof.vipr")); !bytes.Contains(got, []byte("\nVER 1.0\nVAR 4\nx0 x1 x2 t\n")) || !bytes.HasSuffix(got, []byte(" } -1\n")) {
		t.Errorf("%s", got)
	}
	runs(t, folder, "export -to FOLDER/x.csv FOLDER/d.json", 0)
	csv := fmt.Sprintf("label,value\n<b>two words</b>,%v\nÖl,%v\ncolumn 2,%v\n", x[0], x[1], x[2])
	if got, _ := os.ReadFile(filepath.Join(folder, "x.csv")); string(got) != csv {
		t.Errorf("%s, want %s", got, csv)
	}
	runs(t, folder, "export FOLDER/d.json FOLDER/atoms.csv -to FOLDER/x.npy", 0)
	if got, _ := os.ReadFile(filepath.Join(folder, "x.npy")); len(got) != 128+8*3 {
		t.Errorf("%q", got)
	}
	runs(t, folder, "export FOLDER/d.json -to FOLDER/x.json", 0)
	var object struct {
		Columns  []string
		Decision []float64
	}
	if got, _ := os.ReadFile(filepath.Join(folder, "x.json")); json.Unmarshal(got, &object) != nil || !slices.Equal(object.Decision, x) || object.Columns[1] != "Öl" {
		t.Errorf("%s", got)
	}
}

// TestReport: the page stands alone, names what was chosen, and is written for true files only.
func TestReport(t *testing.T) {
	folder := fixtures(t)
	for _, line := range []string{"design FOLDER/prices.csv -violations 5%", "design FOLDER/atoms.csv -model FOLDER/model.json"} {
		runs(t, folder, line+" -o FOLDER/d.json", 0)
		runs(t, folder, "report FOLDER/d.json -to FOLDER/r.html", 0)
		text, _ := os.ReadFile(filepath.Join(folder, "r.html"))
		page := string(text)
		for _, none := range []string{" src=", "<link", "@import", "<b>two", "ZgotmplZ", "<nil>", "%!"} {
			if strings.Contains(page, none) {
				t.Errorf("the page of %q holds %q", line, none)
			}
		}
		var f struct{ Seal string }
		data, _ := os.ReadFile(filepath.Join(folder, "d.json"))
		if json.Unmarshal(data, &f) != nil || !strings.Contains(page, f.Seal) || !strings.Contains(page, "verify.py d.json") || strings.Count(page, `<script type="application/json">`) != 2 || !strings.Contains(page, "The decision costs at most") ||
			!strings.Contains(page, "not checked, but for labels, names, seeds and notes") {
			t.Errorf("the page of %q lacks the seal, a checker, a statement or what is not checked:\n%s", line, page)
		}
	}
	data, _ := os.ReadFile(filepath.Join(folder, "d.json"))
	file(t, folder, "false.json", strings.Replace(string(data), `"radius": 1`, `"radius": 0.5`, 1))
	os.Remove(filepath.Join(folder, "r.html"))
	runs(t, folder, "report FOLDER/false.json -to FOLDER/r.html", 1)
	if _, err := os.Stat(filepath.Join(folder, "r.html")); err == nil {
		t.Error("a page about a false file was written")
	}
	o := runs(t, folder, "verify FOLDER/false.json -json", 1)
	got := read[struct {
		Valid          bool
		Claim, Claimed string
	}](t, o)
	if got.Valid || got.Claim == "" || !strings.Contains(o.stderr, got.Claimed) {
		t.Errorf("%+v, %s", got, o.stderr)
	}
}

// TestSolutionFilesOfTheLibrary: a file of Solution.Save is checked, exported and reported as well.
func TestSolutionFilesOfTheLibrary(t *testing.T) {
	folder := fixtures(t)
	runs(t, folder, "design FOLDER/atoms.csv -model FOLDER/model.json -o FOLDER/d.json", 0)
	d, err := robust.SolutionOf(checked(t, filepath.Join(folder, "d.json")))
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Problem().Solve(t.Context(), d.Atoms, 0.5, &robust.Options{Solver: &solver.Options{}})
	if err == nil {
		err = s.Save(filepath.Join(folder, "s.json"), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	runs(t, folder, "verify FOLDER/s.json", 0)
	runs(t, folder, "export FOLDER/s.json -to FOLDER/m.mps", 0)
	runs(t, folder, "report FOLDER/s.json -to FOLDER/r.html", 0)
}

// selected is what select prints.
type selected struct {
	Atoms    []int
	Labels   []string
	Coverage []float64
}

// TestSelect: every rule, and what comes back from the files.
func TestSelect(t *testing.T) {
	folder := fixtures(t)
	for rule := range rules(0, nil) {
		got := read[selected](t, runs(t, folder, "select FOLDER/namedatoms.csv FOLDER/probes.csv -budget 4 -json -rule "+rule, 0))
		if len(got.Atoms) == 0 || len(got.Atoms) > 4 || got.Labels[0] != fmt.Sprintf("row %d", got.Atoms[0]) {
			t.Errorf("%s: %+v", rule, got)
		}
	}
	greedy := read[selected](t, runs(t, folder, "select FOLDER/atoms.csv FOLDER/probes.csv -budget 4 -json -o FOLDER/c.npy", 0))
	if words := runs(t, folder, "select FOLDER/atoms.csv FOLDER/probes.csv -budget 4 -rule swap -share 0.9", 0).stdout; !strings.Contains(words, "proven: the choice covers at least 9") {
		t.Error(words)
	}
	// What is written are the atoms themselves, bit by bit, for the next command.
	all, err := sparsero.LoadDictionary(filepath.Join(folder, "namedatoms.csv"))
	if err != nil {
		t.Fatal(err)
	}
	runs(t, folder, "select FOLDER/namedatoms.csv FOLDER/probes.csv -budget 4 -o FOLDER/c.csv", 0)
	for name, labelled := range map[string]bool{"c.npy": false, "c.csv": true} {
		few, err := sparsero.LoadDictionary(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		for k, atom := range greedy.Atoms {
			if !slices.Equal(few.Atom(k), all.Atom(atom)) || labelled && few.Label(k) != all.Label(atom) {
				t.Errorf("%s: row %d is %s %v, want %s %v", name, k, few.Label(k), few.Atom(k), all.Label(atom), all.Atom(atom))
			}
		}
	}
	// A NumPy file is read piece by piece.
	runs(t, folder, "select FOLDER/c.npy FOLDER/probes.csv -budget 2 -o FOLDER/two.npy", 0)
	two, four := must(sparsero.LoadDictionary(filepath.Join(folder, "two.npy"))), must(sparsero.LoadDictionary(filepath.Join(folder, "c.npy")))
	if !slices.Equal(two.Atom(0), four.Atom(0)) || !slices.Equal(two.Atom(1), four.Atom(1)) {
		t.Errorf("of %v the first two are %v", four.Matrix(), two.Matrix())
	}
	again := runs(t, folder, "select FOLDER/c.npy FOLDER/probes.csv -budget 4 -o FOLDER/c.json", 0)
	if data, _ := os.ReadFile(filepath.Join(folder, "c.json")); !strings.Contains(string(data), `"Atoms":[0,1,2,3]`) {
		t.Errorf("%s\n%s", data, again.stdout)
	}
	if table := runs(t, folder, "select FOLDER/atoms.csv FOLDER/probes.csv -budget 4", 0).stdout; strings.Count(table, "\n") < 5 || !strings.Contains(table, "optimality_ratio") {
		t.Error(table)
	}
}

// TestHelp: every command explains its flags.
func TestHelp(t *testing.T) {
	if o := runs(t, "", "help", 0); !strings.Contains(o.stdout, "verify design.json") || !strings.Contains(o.stdout, "130") {
		t.Error(o.stdout)
	}
	for name := range verbs {
		if o := runs(t, "", name+" -h", 0); !strings.Contains(o.stdout, "-json") || !strings.Contains(o.stdout, "sparsero "+name+" ") || strings.Contains(o.stdout, "exit codes:") || o.stderr != "" {
			t.Errorf("%s: %s%s", name, o.stdout, o.stderr)
		}
	}
}

// TestDoubtfulReturns are warned of, as prices are, and usual ones are not.
func TestDoubtfulReturns(t *testing.T) {
	write := func(folder string, scale, once float64) {
		random, text := rand.New(rand.NewPCG(7, 1)), "date,A,B,C,D\n"
		for day := range 1000 {
			text += time.Date(2015, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
			for asset := range 4 {
				value := scale * random.NormFloat64()
				if day == 500 && asset == 2 && once != 0 {
					value = once
				}
				text += fmt.Sprintf(",%.6f", value)
			}
			text += "\n"
		}
		file(t, folder, "r.csv", text)
	}
	for _, c := range []struct {
		scale, once float64
		want        string
	}{{0.01, 0, ""}, {0.1, 0, "divide them by 100 if they are percent"}, {0.01, -0.5, "split 2 for 1"}, {0.01, 36, "correct the cell"}} {
		folder := t.TempDir()
		write(folder, c.scale, c.once)
		o := sparseroCommand(t, folder, "design FOLDER/r.csv -returns -gap 10% -violations 20% -o FOLDER/d.json")
		if warned := strings.Contains(o.stderr, "warning: "); warned != (c.want != "") || !strings.Contains(o.stderr, c.want) {
			t.Errorf("scale %g, once %g: %s, want %q", c.scale, c.once, o.stderr, c.want)
		}
	}
}

// TestWorstDaysFitIntoTheFile: of many assets fewer days are taken, unless somebody asked for a number.
func TestWorstDaysFitIntoTheFile(t *testing.T) {
	for _, c := range []struct{ stress, assets, want int }{{stressDays, 30, 500}, {stressDays, 400, 500}, {stressDays, 450, 444}, {600, 450, 600}} {
		if got := (&priceFile{stress: c.stress}).worstDays(c.assets); got != c.want {
			t.Errorf("%d days of %d assets: %d, want %d", c.stress, c.assets, got, c.want)
		}
	}
}
