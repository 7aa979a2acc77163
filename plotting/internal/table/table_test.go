package table

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/solver/proof"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func frame() dataframe.DataFrame {
	return dataframe.New(
		series.New([]string{"greedy", "max-gap", "random"}, series.String, "policy"),
		series.New([]int{5, 12, 60}, series.Int, "atoms"),
		series.New([]float64{0.98765, 0.5, -0.0123}, series.Float, "coverage"),
	)
}

func TestTextOfFrame(t *testing.T) {
	table, err := New(frame(), &Options{Title: "Policies"})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"Policies",
		"policy   atoms  coverage",
		"───────  ─────  ────────",
		"greedy       5    0.9877",
		"max-gap     12    0.5000",
		"random      60   -0.0123",
		"",
	}, "\n")
	if got := table.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNumbers: digits after the point follow the largest value of a column.
func TestNumbers(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		name   string
		values []float64
		want   []string
	}{
		{"integers stay integers", []float64{1, 20, -3}, []string{"1", "20", "-3"}},
		{"four significant digits of the largest", []float64{12.3456, 0.5}, []string{"12.35", "0.50"}},
		{"large values lose the point", []float64{12345.6, 99999.9}, []string{"12346", "100000"}},
		{"a span of many decades: each on its own scale", []float64{1234.5, 0.00012}, []string{"1234", "0.00012"}},
		{"tiny values need an exponent", []float64{1.5e-9, 2e-9}, []string{"1.500e-09", "2.000e-09"}},
		{"huge values need an exponent", []float64{1e12, 2.5e12 + 0.5}, []string{"1.000e+12", "2.500e+12"}},
		{"whole numbers have all their digits", []float64{1234567891, -1<<53 + 1, 0}, []string{"1234567891", "-9007199254740991", "0"}},
		{"but those that float64 does not hold", []float64{1 << 53, 5}, []string{"9.007e+15", "5"}},
		{"and those beside others", []float64{1234567891, 0.5}, []string{"1.235e+09", "0.5"}},
		{"NaN and infinities are written", []float64{1.5, nan, inf, -inf}, []string{"1.500", "NaN", "∞", "-∞"}},
		{"nothing but NaN", []float64{nan, nan}, []string{"NaN", "NaN"}},
		{"zeros", []float64{0, math.Copysign(0, -1)}, []string{"0", "0"}},
		{"no negative zero after rounding", []float64{100.5, -0.01}, []string{"100.5", "-0.01"}},
		{"one value", []float64{3.14159}, []string{"3.142"}},
	} {
		c := column{numbers: test.values}
		c.choose(defaultDigits, len(test.values), largestWhole)
		for i, want := range test.want {
			if got := c.cell(i); got != want {
				t.Errorf("%s: value %v is written %q, want %q", test.name, test.values[i], got, want)
			}
		}
	}
}

// TestNumbersAtBars: bars leave no room for more than nine digits.
func TestNumbersAtBars(t *testing.T) {
	if got := strings.Join(Numbers([]float64{123456789, 5}, 3), " ") + " " + Numbers([]float64{1234567891}, 3)[0]; got != "123456789 5 1.23e+09" {
		t.Error(got)
	}
}

// TestRoundingKeepsSignificance: the largest value of a column is written with a relative
// error below half a unit of its last digit.
func TestRoundingKeepsSignificance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e8, 1e8).Filter(func(v float64) bool { return math.Abs(v) > 1e-8 }).Draw(t, "value")
		digits := rapid.IntRange(1, 12).Draw(t, "digits")
		c := column{numbers: []float64{v}}
		c.choose(digits, 1, largestWhole)
		var back float64
		if _, err := fmt.Sscan(c.cell(0), &back); err != nil {
			t.Fatalf("%q is not a number: %v", c.cell(0), err)
		}
		if math.Abs(back-v) > 0.51*math.Pow(10, float64(magnitude(v)+1-digits)) {
			t.Fatalf("%g with %d digits is written %q", v, digits, c.cell(0))
		}
	})
}

func TestLongAndWideTablesAreCapped(t *testing.T) {
	m := mat.NewDense(126, 30, nil)
	for _, test := range []struct {
		o    *Options
		want string
		rows int
	}{
		{nil, "20 of 126 rows, 12 of 31 columns", 20},
		{&Options{Rows: 126, Columns: 31}, "", 126},
		{&Options{Rows: 1, Columns: 31}, "1 of 126 rows", 1},
		{&Options{Rows: 1000, Columns: 1}, "1 of 31 columns", 126},
	} {
		table, err := New(m, test.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.caption(); got != test.want {
			t.Errorf("caption %q, want %q", got, test.want)
		}
		all := table.HTML()
		if first, opened, folded := strings.Cut(all, "<details>"); folded != (test.rows > foldedRows) {
			t.Errorf("%d rows, folded: %v", test.rows, folded)
		} else if folded {
			if got := strings.Count(first, "<tr>") - 1; got != foldedRows {
				t.Errorf("%d rows are shown, want %d", got, foldedRows)
			}
			all = opened
		}
		if got := strings.Count(all, "<tr>") - 1; got != test.rows {
			t.Errorf("%d rows in HTML, want %d", got, test.rows)
		}
		if rows, columns := table.rows, len(table.columns); rows != 126 || columns != 31 {
			t.Errorf("dims %d×%d, want 126×31 with the row labels", rows, columns)
		}
	}
}

// hostile are texts that break carelessly written HTML.
var hostile = []string{
	`<script>alert("x")</script>`, `</table></div>`, `"><img src=x onerror=alert(1)>`, `a & b`, `'quoted'`, "two\nlines\tand a tab", `株 Ünïcødé Ω`, `{{template}}`, `</script><b>`,
}

// TestHTMLIsEscapedAndWellFormed: with hostile names, labels, units, titles and cells the
// fragment parses as XML and holds no element that we did not write.
func TestHTMLIsEscapedAndWellFormed(t *testing.T) {
	for _, text := range hostile {
		df := dataframe.New(series.New([]string{text, "b"}, series.String, text), series.New([]float64{1, 2}, series.Float, "x"))
		table, err := New(df, &Options{Title: text, Labels: []string{text, text}, Rows: 1})
		if err != nil {
			t.Fatal(err)
		}
		table.show = 2
		elements := parse(t, table.HTML())
		for name := range elements {
			if !strings.Contains(" div table caption thead tbody tr th td strong p small details summary ", " "+name+" ") {
				t.Errorf("text %q puts an element <%s> into the table", text, name)
			}
		}
	}
}

// TestTextsOfNumbersAlignRight: so do bounds, which are texts on their safe side; one word among them, and labels, stay left.
func TestTextsOfNumbersAlignRight(t *testing.T) {
	type row struct {
		Bound proof.Upper
		Rank  string
	}
	for _, test := range []struct {
		ranks         [2]string
		shown, inHTML string
	}{
		{[2]string{"3", "-12"}, "1    0.3     3\n2   +Inf   -12\n", `<td align="right" style="text-align:right">3</td>`},
		{[2]string{"3", "few"}, "1    0.3  3\n2   +Inf  few\n", `<td align="left" style="text-align:left">3</td>`},
	} {
		table, err := New([]row{{proof.AtMost(0.3), test.ranks[0]}, {proof.Upper{}, test.ranks[1]}}, &Options{Labels: []string{"1", "2"}})
		if err != nil {
			t.Fatal(err)
		}
		if shown := table.String(); !strings.HasSuffix(shown, test.shown) {
			t.Errorf("shown as\n%s, want it to end with\n%s", shown, test.shown)
		}
		if html := table.HTML(); !strings.Contains(html, test.inHTML) || !strings.Contains(html, `<td align="right" style="text-align:right">+Inf</td>`) {
			t.Errorf("%s\nlacks %s", html, test.inHTML)
		}
	}
}

func parse(t *testing.T, fragment string) map[string]int {
	t.Helper()
	elements := map[string]int{}
	decoder := xml.NewDecoder(strings.NewReader(fragment))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return elements
		}
		if err != nil {
			t.Fatalf("the fragment is not well formed: %v\n%s", err, fragment)
		}
		if start, ok := token.(xml.StartElement); ok {
			elements[start.Name.Local]++
		}
	}
}

// TestWordsWithHyphensStayWhole: a narrow page breaks sentences, and neither days nor exponents.
func TestWordsWithHyphensStayWhole(t *testing.T) {
	table, err := New([]struct{ Cell string }{{"1990-12-31"}, {"a sub-set of all"}, {"8.640e-05"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	html := table.HTML()
	for _, whole := range []string{"1990-12-31", "8.640e-05"} {
		if !strings.Contains(html, `white-space:nowrap">`+whole) {
			t.Errorf("%s may be broken: %s", whole, html)
		}
	}
	if strings.Contains(html, `nowrap">a`) {
		t.Errorf("the sentence cannot be broken: %s", html)
	}
}

// TestRoundingErrorsReadAsZero: beside numbers that are 10^12 times as large a number is what rounding left of 0.
func TestRoundingErrorsReadAsZero(t *testing.T) {
	for _, test := range []struct {
		smallest float64
		want     string
	}{{7.1e-15, " 0.00"}, {7.1e-9, "7.100e-09"}} {
		table, err := New([]struct{ Left float64 }{{64.42}, {13.02}, {test.smallest}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if shown := table.String(); !strings.HasSuffix(strings.TrimSpace(shown), test.want) {
			t.Errorf("%v is not shown as %s:\n%s", test.smallest, test.want, shown)
		}
	}
}

func TestHTMLAligns(t *testing.T) {
	table, err := New(frame(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<td align="right" style="text-align:right">5</td>`,
		`<td align="left" style="text-align:left">greedy</td>`,
		`<th align="right" style="text-align:right">coverage</th>`,
	} {
		if !strings.Contains(table.HTML(), want) {
			t.Errorf("the fragment lacks %s", want)
		}
	}
	again, err := New(frame(), nil)
	if err != nil || again.HTML() != table.HTML() {
		t.Error("the same table gives different HTML in a second call")
	}
}

func TestSources(t *testing.T) {
	type row struct {
		Name   string
		Radius float64 `table:"r,mm"`
		Cost   float64 `table:",$"`
		Time   time.Duration
		hidden int
	}
	rows := []row{{"a", 1.5, 2.5, time.Second, 0}, {"b", 2.5, 3.5, time.Minute, 0}}
	df := frame()
	for _, test := range []struct {
		name string
		data any
		want string // the first two lines
	}{
		{"frame", df, "policy   atoms  coverage\n"},
		{"matrix", mat.NewDense(1, 2, []float64{1, 2}), "    c0  c1\n"},
		{"vector", mat.NewVecDense(2, []float64{1, 2}), "    c0\n"},
		{"structs", rows, "Name  r [mm]  Cost [$]  Time\n"},
		{"rows", [][]float64{{1, 2}, {3, 4}}, "c0  c1\n"},
		{"frame method", framed{df}, "policy   atoms  coverage\n"},
	} {
		table, err := New(test.data, nil)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := table.String(); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: got\n%s\nwant it to start with %q", test.name, got, test.want)
		}
	}
}

// TestKindsOfNumbers: fields of every type of number but the complex ones are numbers, under other names, too.
func TestKindsOfNumbers(t *testing.T) {
	type count uint16
	type row struct {
		Signed   int8
		Unsigned count
		Single   float32
		Complex  complex64
	}
	table, err := New([]row{{-3, 7, 0.5, 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{-3, 7, 0.5} {
		if got := table.columns[j].numbers; len(got) != 1 || got[0] != want {
			t.Errorf("column %s holds %v, want %v", table.columns[j].name, got, want)
		}
	}
	if c := table.columns[3]; c.numbers != nil || c.text[0] != "(1+0i)" {
		t.Errorf("the complex column holds %v and %q", c.numbers, c.text)
	}
}

type framed struct{ df dataframe.DataFrame }

func (f framed) Frame() dataframe.DataFrame { return f.df }

func TestEmptyTables(t *testing.T) {
	type row struct {
		Name  string
		Value float64
	}
	filtered := frame().Filter(dataframe.F{Colname: "atoms", Comparator: series.Greater, Comparando: 1000})
	for name, data := range map[string]any{"structs": []row{}, "matrix": &mat.Dense{}, "filtered frame": filtered} {
		table, err := New(data, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.Contains(table.String(), "0 rows") || !strings.Contains(table.HTML(), "0 rows") {
			t.Errorf("%s: nothing says that there are no rows:\n%s", name, table.String())
		}
		parse(t, table.HTML())
	}
}

func TestBadInput(t *testing.T) {
	type nothing struct{ hidden int }
	var missing *mat.Dense
	for _, test := range []struct {
		name string
		data any
		o    *Options
		want string
	}{
		{"nil", nil, nil, "data is nil"},
		{"nil pointer", missing, nil, "data is nil"},
		{"broken frame", dataframe.New(), nil, "carries an error"},
		{"ragged rows", [][]float64{{1, 2}, {3}}, nil, "row 1 has 1 values"},
		{"no rows", [][]float64{}, nil, "rows"},
		{"no exported fields", []nothing{{1}}, nil, "no exported fields"},
		{"a number", 3, nil, "cannot show data of type int"},
		{"negative rows", frame(), &Options{Rows: -1}, "rows -1"},
		{"too many digits", frame(), &Options{Digits: 18}, "digits 18"},
		{"short header", frame(), &Options{Header: []string{"a"}}, "header has 1 names for 3 columns"},
		{"short labels", frame(), &Options{Labels: []string{"a"}}, "labels has 1 names for 3 rows"},
		{"unknown format", frame(), &Options{Formats: map[string]string{"x": "%.1f"}}, `formats names column "x"`},
		{"format of text", frame(), &Options{Formats: map[string]string{"policy": "%.1f"}}, `"policy"`},
		{"wrong format", frame(), &Options{Formats: map[string]string{"coverage": "%d"}}, `"%d"`},
	} {
		_, err := New(test.data, test.o)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "table: ") {
			t.Errorf("%s: error %v, want one that starts with the package and contains %q", test.name, err, test.want)
		}
	}
}

// ExampleNew shows a slice of structs with units in the header.
func ExampleNew() {
	type run struct {
		Policy    string  `table:"policy"`
		Time      float64 `table:"time,ms"`
		AtFullGap bool
	}
	t, err := New([]run{{"greedy", 12.3456, true}, {"max-gap", 4.5, false}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(t)
	// Output:
	// policy   time [ms]  At full gap
	// ───────  ─────────  ───────────
	// greedy       12.35  true
	// max-gap       4.50  false
}

// TestMissing: the text for NaN stands in the shown table.
func TestMissing(t *testing.T) {
	table, err := New([][]float64{{1.5}, {math.NaN()}}, &Options{Missing: "–"})
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{table.String(), table.HTML()} {
		if !strings.Contains(shown, "–") || strings.Contains(shown, ">NaN<") || strings.Contains(shown, "NaN\n") {
			t.Errorf("shown as\n%s\nwant – in place of NaN", shown)
		}
	}
}

// TestRenamedColumns: two columns of a frame that have one name, which gota's Rename can give, keep their own cells.
func TestRenamedColumns(t *testing.T) {
	table, err := New(frame().Rename("atoms", "coverage"), nil)
	if err != nil || !strings.Contains(table.String(), "greedy       5   0.9877\n") {
		t.Errorf("%v\n%s", err, table)
	}
}

// TestMissingCells: a cell without a value is written as Missing says, in columns of text and of truth values too.
func TestMissingCells(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader("name,atoms,met,share\na,1,true,1.5\nNA,NA,NA,NA\n"))
	for missing, want := range map[string]string{"": "NaN NaN NaN NaN", "none": "none none none none"} {
		table, err := New(df, &Options{Missing: missing})
		if said := strings.Join(strings.Fields(table.String()), " "); err != nil || !strings.HasSuffix(said, want) {
			t.Errorf("Missing %q: %v\n%s", missing, err, table)
		}
	}
}
