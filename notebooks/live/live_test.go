package live

import (
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

const (
	twoProjects = `"Model":{"columns":[{"name":"x1","lower":-1,"upper":2,"cost":-3},{"name":"x2","lower":-1,"upper":2,"cost":-3}],
		"rows":[{"name":"budget","upper":2,"columns":[0,1],"values":[1,1]}]}`
	segment = `"Rows":[[1.6,0.1],[0.2,1.5],[1.0,0.9],[-1,0.3],[0.4,0.2]],"Model":{"columns":[{"lower":0,"upper":2,"cost":-1.3},
		{"lower":0,"upper":2,"cost":-1}],"rows":[{"lower":2,"upper":2,"columns":[0,1],"values":[1,1]}]}`
	tolerance = 1e-7 // of the solver
)

// called calls a function as a page does, and returns the answer as it was before it became JSON, which a page can read.
func called[Answer any](t interface{ Fatalf(string, ...any) }, name, request string) Answer {
	if text := Call(name, []byte(request)); !json.Valid(text) || strings.HasPrefix(string(text), `{"Error":`) {
		t.Fatalf("%s: %s", name, text)
	}
	return *functions[name]([]byte(request)).(*Answer)
}

// outputs are the texts that a notebook has printed.
func outputs(t *testing.T, notebook string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", notebook+".ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Cells []struct {
			Outputs []struct {
				Text any
				Data map[string]any
			}
		}
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, cell := range read.Cells {
		for _, output := range cell.Outputs {
			for _, part := range []any{output.Text, output.Data["text/plain"]} {
				lines, ok := part.([]any)
				if !ok {
					lines = []any{part}
				}
				for _, line := range lines {
					if line, ok := line.(string); ok {
						all.WriteString(line)
					}
				}
				all.WriteString("\n")
			}
		}
	}
	return all.String()
}

// TestNumbersOfTheTutorials: what the panels show first stands in the outputs of their notebooks.
func TestNumbersOfTheTutorials(t *testing.T) {
	said := map[string]string{}
	for _, name := range []string{"02_few_directions", "03_value_gap", "23_ladder_in_full", "05_calibration"} {
		said[name] = outputs(t, name)
	}
	prints := func(notebook, format string, values ...any) {
		t.Helper()
		if want := fmt.Sprintf(format, values...); !strings.Contains(said[notebook], want) {
			t.Errorf("%s does not print %q", notebook, want)
		}
	}
	six := called[chosen](t, "choose", `{"Data":"x","Budget":6,"Radius":1,"Direction":[1,0]}`)
	for b, label := range six.Labels {
		prints("02_few_directions", "%d  %s", six.Chosen[b], label)
		prints("02_few_directions", "%.3f", six.Coverage[b])
	}
	prints("02_few_directions", "support %.3f of %.3f, deficit %.3f", six.Support, six.Full, six.Deficit)
	picks, _ := json.Marshal(six.Chosen)
	decided := called[certified](t, "certify", fmt.Sprintf(`{"Data":"x","Radius":1,"Chosen":%s,%s}`, picks, twoProjects))
	prints("02_few_directions", "value %.4f, certificate %.4f", decided.Value, decided.Certificate)
	prints("02_few_directions", "%.3f  %.3f        %.3f", decided.Value, decided.FullValue+decided.Regret, decided.Certificate)
	for _, s := range called[walked](t, "steps", `{"Data":"x","Radius":1,"Budget":20,`+twoProjects+`}`).Steps {
		prints("02_few_directions", "%.3f  %11.6g", s.Value, s.Certificate)
	}

	pair := called[certified](t, "certify", `{"Radius":1,"Chosen":[0,1],`+segment+`}`)
	prints("03_value_gap", "%.3f  %.3f  %.3f   %.3f", pair.FullDeficit, pair.Gap, pair.Certificate, pair.Regret)

	rows := [][]float64{}
	for k, length := range []float64{1.5, 1.7, 1.6, 1.8, 1.5, 1.6, 1.9, 1.75, 1.8, 1.4} {
		sin, cos := math.Sincos(float64(k) * math.Pi / 18)
		rows = append(rows, []float64{length * cos, length * sin})
	}
	fan, _ := json.Marshal(rows)
	found := called[certified](t, "ladder", fmt.Sprintf(`{"Rows":%s,"Radius":1,"Chosen":[0,4,9],"MaxPoints":12,"Matrix":[[1],[-1]],
		"Constant":[0,2],"Model":{"columns":[{"lower":0,"upper":2,"cost":-0.4}]}}`, fan))
	for _, r := range found.Rungs {
		prints("23_ladder_in_full", "%8.6g  %t", r.Bound, r.Ordered)
		prints("23_ladder_in_full", "%s", r.Name)
	}
	prints("23_ladder_in_full", "trivial %.4g", found.Trivial)

	drawn := called[drawn](t, "radii", `{"Samples":1000,"Seed":1,"Alpha":0.05,"Delta":1e-5,"Atoms":2000,"Budget":9}`)
	prints("05_calibration", "rank %d fails", drawn.Rules[1].Rank)
	prints("05_calibration", "%d", drawn.Rules[4].Need)
}

// TestGreedyOfAPageIsGreedy: among the corners of the hull greedy finds what it finds among all atoms, and the proven share is
// no larger than the truth.
func TestGreedyOfAPageIsGreedy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(-3, 3), 2, 2), 1, 30).Draw(t, "atoms")
		budget := rapid.IntRange(1, 4).Draw(t, "budget")
		text, _ := json.Marshal(choice{atoms: atoms{Rows: rows}, Probes: 40, Budget: budget, Radius: 1})
		got := called[chosen](t, "choose", string(text))
		d := must(sparsero.NewDictionary(matrixOf(rows), nil))
		c := must(selection.NewCoverage(d, (&atoms{}).probes(40, 2), nil))
		all := must(selection.Greedy{}.Select(context.Background(), c, min(budget, d.Size())))
		for b := range got.Chosen {
			if math.Abs(c.Value(got.Chosen[:b+1])-all.Coverage[b]) > 1e-12 {
				t.Fatalf("%d corners reach %g, greedy reaches %g", b+1, c.Value(got.Chosen[:b+1]), all.Coverage[b])
			}
			best := must(selection.Exact{}.Select(context.Background(), c, b+1))
			if truth := got.Coverage[b] * c.Full() / c.Value(best.Atoms); got.Proven[b].Float() > truth+1e-9 {
				t.Fatalf("%d corners: proven %g, true %g", b+1, got.Proven[b], truth)
			}
		}
		if more := len(got.Chosen); more < all.Len() && all.Gains[more] > 1e-12 {
			t.Fatalf("%d corners, and the next atom gains %g", more, all.Gains[more])
		}
	})
}

// TestCertificatesAddUp: gap and regret are the certificate, and the steps of the loop end at the full value.
func TestCertificatesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-2, 2)
		rows := rapid.SliceOfN(rapid.SliceOfN(number, 2, 2), 3, 12).Draw(t, "atoms")
		text, _ := json.Marshal(rows)
		problem := fmt.Sprintf(`"Rows":%s,"Radius":1,"Model":{"columns":[{"lower":-1,"upper":1,"cost":%g},{"lower":-1,"upper":1,"cost":%g}]}`,
			text, number.Draw(t, "cost"), number.Draw(t, "cost"))
		got := called[certified](t, "certify", `{"Chosen":[0,2],`+problem+`}`)
		certificate := got.Certificate.Float()
		if math.Abs(got.Gap+got.Regret-certificate) > tolerance || got.FullDeficit > got.Gap+tolerance || got.Gap > certificate+tolerance {
			t.Fatalf("%+v", got)
		}
		loop := called[walked](t, "steps", fmt.Sprintf(`{"Budget":%d,`, len(rows))+problem+"}")
		if last := loop.Steps[len(loop.Steps)-1]; !loop.Certified || math.Abs(last.Value-got.FullValue) > 1e-4 { // Design's own tolerance is 1e-6 of the terms
			t.Fatalf("the loop ends at %g, the full value is %g", last.Value, got.FullValue)
		}
	})
}

// TestOwnTable: the design file of the playground passes both checkers, and a table of values is read as one of prices is.
func TestOwnTable(t *testing.T) {
	market, err := datasets.GeneratePrices(datasets.GeneratedPricesOptions{Seed: 2, Days: 2000})
	if err != nil {
		t.Fatal(err)
	}
	prices := "date," + strings.Join(market.Tickers, ",")
	for i, day := range market.Dates {
		prices += "\n" + day.Format(time.DateOnly)
		for _, price := range mat.Row(nil, i, market.Prices) {
			prices += "," + strings.ReplaceAll(fmt.Sprint(price), "NaN", "")
		}
	}
	demands := ownTable{Gap: 0.01, Violation: 0.1, Delta: 0.001, Most: 0.25}
	text, _ := json.Marshal(demands)
	got := called[owned](t, "own", string(text))
	demands.CSV = &prices
	text, _ = json.Marshal(demands)
	read := called[owned](t, "own", string(text))
	read.File = got.File // but for times
	if !reflect.DeepEqual(read, got) {
		t.Errorf("prices that are read give %v at %g, those generated %v at %g", read.Shares, read.Value, got.Shares, got.Value)
	}
	if got.Missed != "" || got.Above.Rate > 0.1 || math.Abs(mat.Sum(mat.NewVecDense(len(got.Shares), got.Shares))-1) > 1e-9 {
		t.Errorf("missed %q, %v above the promise, shares %v", got.Missed, got.Above, got.Shares)
	}
	if _, err := designfile.Verify(strings.NewReader(got.File), nil); err != nil {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "design.json")
	if err := os.WriteFile(path, []byte(got.File), 0o600); err != nil {
		t.Fatal(err)
	}
	if python, err := exec.LookPath("python3"); err == nil {
		if said, err := exec.Command(python, "../../sparsero/designfile/verify.py", path).CombinedOutput(); err != nil {
			t.Errorf("verify.py: %v\n%s", err, said)
		}
	}
	values := "a,b\n" + strings.Repeat("1,2\n-1,3\n0,0.5\n2,-1\n", 30)
	text, _ = json.Marshal(ownTable{CSV: &values, Gap: 0.01, Violation: 0.2, Delta: 0.1, Most: 0.9})
	if got := called[owned](t, "own", string(text)); got.Rows != 120 || strings.Join(got.Columns, "") != "ab" || len(got.Outcomes) != got.Unseen {
		t.Errorf("%d rows of %v, %d outcomes of %d", got.Rows, got.Columns, len(got.Outcomes), got.Unseen)
	}
}

// TestLevelOfAPage: the cost that a page guarantees is that of the promise in the file, which terms that cancel leave above
// the certified one.
func TestLevelOfAPage(t *testing.T) {
	random, table := rand.New(rand.NewPCG(1, 3)), "a,b"
	for i := range 400 {
		table += fmt.Sprintf("\n%d,%.4f", i, random.NormFloat64())
	}
	text, _ := json.Marshal(ownTable{CSV: &table, Gap: 0.01, Violation: 0.3, Delta: 0.1, Most: 0.6})
	got := called[owned](t, "own", string(text))
	_, promise, _ := strings.Cut(got.File, "objective above ")
	level, _, _ := strings.Cut(promise, " ")
	if want, err := strconv.ParseFloat(level, 64); err != nil || got.Value.Float() != want {
		t.Errorf("%v costs %.17g, the promise is about %s", got.Shares, got.Value, level)
	}
}

// TestSmallTables: two, three and four columns leave something to choose at the limit of 25 % that a page begins with; a
// column of names is read as such; one column leaves no choice.
func TestSmallTables(t *testing.T) {
	for columns, want := range map[int]float64{2: 1, 3: 2. / 3, 4: 0.5, 5: 0.25} {
		random := rand.New(rand.NewPCG(1, uint64(columns)))
		table := "name"
		for j := range columns {
			table += fmt.Sprintf(",c%d", j)
		}
		for i := range 80 {
			table += fmt.Sprintf("\nn%d", i)
			for range columns {
				table += fmt.Sprintf(",%.3f", random.NormFloat64())
			}
		}
		text, _ := json.Marshal(ownTable{CSV: &table, Gap: 0.01, Violation: 0.3, Delta: 0.1, Most: 0.25})
		got := called[owned](t, "own", string(text))
		if got.Most != want || len(got.Columns) != columns || got.Shares == nil || slices.Max(got.Shares) > want+1e-9 {
			t.Errorf("%d columns: limit %g, want %g; fractions %v of %v", columns, got.Most, want, got.Shares, got.Columns)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, separator := range []string{",", ";", "\t"} { // names in the first column, and days
		for _, first := range []string{"name", "date"} {
			table := strings.ReplaceAll(first+",a,b", ",", separator)
			for day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2020; day = day.AddDate(0, 0, 1) {
				table += fmt.Sprintf("\n%[1]s%[2]s%.6[3]f%[2]s%.6[4]f", day.Format(time.DateOnly), separator, 2+random.Float64(), 2+random.Float64())
			}
			text, _ := json.Marshal(ownTable{CSV: &table, Gap: 0.01, Violation: 0.3, Delta: 0.1, Most: 1})
			if got := called[owned](t, "own", string(text)); !slices.Equal(got.Columns, []string{"a", "b"}) || got.Rows != map[string]int{"name": 366, "date": 365}[first] {
				t.Errorf("%q, separated by %q: %d rows of %v", first, separator, got.Rows, got.Columns)
			}
		}
	}
	for _, first := range []string{"Label", "day"} { // of numbers
		table := first + ",a,b"
		for i := range 30 { // every ninth has the values of the one before it, an atom those of a sample
			values := rand.New(rand.NewPCG(3, uint64(i-i/9)))
			table += fmt.Sprintf("\n%d,%.3f,%.3f", 20200101+i, values.Float64(), values.Float64())
		}
		text, _ := json.Marshal(ownTable{CSV: &table, Gap: 0.01, Violation: 0.5, Delta: 0.2, Most: 1})
		if got := called[owned](t, "own", string(text)); !slices.Equal(got.Columns, []string{"a", "b"}) {
			t.Errorf("%s: columns %v, fractions %v", first, got.Columns, got.Shares)
		}
	}
	one := "a\n" + strings.Repeat("1\n", 30)
	text, _ := json.Marshal(ownTable{CSV: &one, Most: 1})
	if said := string(Call("own", text)); !strings.Contains(said, "2 columns to choose between") {
		t.Error(said)
	}
}

// TestRefusals: a request that makes no sense has an answer that says so.
func TestRefusals(t *testing.T) {
	for _, test := range [][3]string{
		{"nothing", `{}`, "no function"}, {"choose", `{"Rows":`, "unexpected EOF"}, {"choose", `{"Colour":1}`, "unknown field"},
		{"choose", `{}`, "no numbers"}, {"choose", `{"Rows":[[1,2],[3]]}`, "row 1 has 1 numbers"}, {"atoms", `{"Data":"y"}`, "no tutorial"},
		{"choose", `{"Rows":[[1,2]],"Radius":1}`, "probe directions"}, {"choose", `{"Rows":[[1,2]],"Probes":8,"Radius":-1,"Budget":1}`, "radius"},
		{"choose", `{"Rows":[[1,2]],"Probes":8,"Moved":{"1":[0,0]},"Budget":1}`, "atom 1 of 1"},
		{"certify", `{"Rows":[[1,2]],"Radius":1}`, "no model"}, {"radii", `{"Samples":0}`, "0 samples"}, {"radii", `{"Samples":9,"Alpha":2,"Delta":0.1}`, "lpha"},
		{"own", `{"CSV":"a,b\n1,2\n","Most":1}`, "at least 20 rows"}, {"own", `{"CSV":"a\nx\n"}`, "line"}, {"atoms", `{"CSV":"a,b\n1\n"}`, "line"},
	} {
		if said := string(Call(test[0], []byte(test[1]))); !strings.HasPrefix(said, `{"Error":`) || !strings.Contains(said, test[2]) {
			t.Errorf("%s %s: %s; want %q", test[0], test[1], said, test[2])
		}
	}
}

// TestColoursOfThePanels: the style sheet names colours of plotting/style alone, but for its greys and its words in darker shades.
func TestColoursOfThePanels(t *testing.T) {
	sheet, err := os.ReadFile("../tools/book/assets/live/live.css")
	if err != nil {
		t.Fatal(err)
	}
	for name, colour := range map[string]color.NRGBA{
		"few": style.Blue, "all": style.Grey, "direction": style.Vermillion, "point": style.Green, "taken": style.Blue,
		"summit": style.Purple, "missed": style.Orange,
	} {
		if want := "--" + name + ": " + style.Hex(colour) + ";"; !strings.Contains(string(sheet), want) {
			t.Errorf("live.css lacks %s", want)
		}
	}
}
