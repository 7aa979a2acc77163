package scaling

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// frameOf returns the rows of a table of a study by the end of its name.
func frameOf(tables []study.Table, name string) dataframe.DataFrame {
	k := slices.IndexFunc(tables, func(t study.Table) bool { return strings.HasSuffix(t.Name, "_"+name) })
	return tables[k].Frame
}

// onlyRow returns the only row of a frame with the given values in the given columns.
func onlyRow(t testing.TB, f dataframe.DataFrame, match map[string]string) map[string]any {
	t.Helper()
	for name, want := range match {
		f = f.Filter(dataframe.F{Colname: name, Comparator: series.Eq, Comparando: want})
	}
	if f.Err != nil || f.Nrow() != 1 {
		t.Fatalf("not one row with %v: %v", match, f)
	}
	return f.Maps()[0]
}

// handmade returns the results of five seeds at the paper's sizes, of which seed
// k reaches the target with 10 + k atoms; the last one does not.
func handmade() *Results {
	c := Config{Budgets: []int{1}, Densities: []float64{0.0005}, Epsilons: []float64{1}, MaxBudget: 1}.withDefaults()
	r := &Results{Results: &study.Results[Outcome]{Record: study.Record{Origin: study.Origin{Study: "scaling"}}}, config: c}
	for k := range 5 {
		o := Outcome{Source: "single", Seed: uint64(k), Robust: []float64{0.5}}
		for _, atoms := range c.Sizes {
			s := sizeOutcome{Atoms: atoms, CertAcc: []float64{0.6}, Without: []int{100 * (k + 1)}, With: []int{0}}
			for _, choice := range choosing {
				path := atomPath{Policy: choice.policy, Selection: []float64{0.5}, Reporting: []float64{0.4}, Penalty: []float64{0.9},
					Inflation: []float64{0}, CertAcc: [][]float64{{0.7}}, Inflated: [][]float64{{0}}}
				if k < 4 {
					path.SelectionReach, path.ReportingReach = 10+k, 20+k
				}
				s.Paths = append(s.Paths, path)
			}
			s.Paths = append(s.Paths,
				atomPath{Policy: randomPolicy, Reporting: []float64{0.1}, Penalty: []float64{0.5}, CertAcc: [][]float64{{0.8}}},
				atomPath{Policy: leastAligned, Penalty: []float64{0.1}, CertAcc: [][]float64{{0.9}}})
			o.Sizes = append(o.Sizes, s)
		}
		r.Units = append(r.Units, study.Finished[Outcome]{Result: o})
	}
	return r
}

func TestMinimumTable(t *testing.T) {
	f := frameOf(handmade().Tables(), "minimum")
	for atoms, paper := range map[string]float64{"2000": 10, "5000": 15, "10000": 20, "15000": 30} {
		got := onlyRow(t, f, map[string]string{"N": atoms, "Policy": string(greedyCoverage), "Directions": onReporting})
		if got["paper_value"] != paper || got["q25"] != 21.0 || got["median"] != 22.0 || got["q75"] != 23.0 || got["reached (%)"] != 80.0 || got["values"] != 5 {
			t.Errorf("N = %s: %v", atoms, got)
		}
	}
	bound := onlyRow(t, f, map[string]string{"N": "2000", "Policy": anyPolicy})
	if !math.IsInf(bound["median"].(float64), 1) || bound["reached (%)"] != 0.0 || bound["paper_value"] != nil {
		t.Errorf("%v", bound)
	}
}

func TestRandomTable(t *testing.T) {
	f := frameOf(handmade().Tables(), "random")
	for quantity, want := range map[string]float64{
		"measured without replacement":                            300,
		"measured with replacement":                               math.Inf(1),
		"ceil(tau N), one critical atom without replacement":      14850,
		"ln(1-tau)/ln(1-1/N), one critical atom with replacement": 69075.25017914322,
	} {
		got := onlyRow(t, f, map[string]string{"N": "15000", "Quantity": quantity})
		if v := got["median"].(float64); v != want && !near(v, want) || got["paper_value"] != 69075.0 {
			t.Errorf("%s: %v", quantity, got)
		}
	}
}

func TestCertifiedAndPenaltyTables(t *testing.T) {
	r := handmade()
	greedy := onlyRow(t, frameOf(r.Tables(), "certified"), map[string]string{"N": "2000", "Policy": string(greedyCoverage)})
	if greedy["CertAcc_S"] != 0.7 || greedy["CertAcc_D"] != 0.6 || greedy["CertAcc inflated"] != 0.0 || greedy["Ball"] != 0.5 {
		t.Errorf("%v", greedy)
	}
	worst := onlyRow(t, frameOf(r.Tables(), "certified"), map[string]string{"N": "2000", "Policy": string(leastAligned)})
	if worst["CertAcc_S"] != 0.9 || worst["CertAcc inflated"] != nil {
		t.Errorf("%v", worst)
	}
	inflation := onlyRow(t, frameOf(r.Tables(), "penalty"), map[string]string{"N": "2000", "Policy": string(greedyMaxGap), "Quantity": "inflation"})
	if !math.IsInf(inflation["median"].(float64), 1) {
		t.Errorf("%v", inflation)
	}
}

// TestTables checks the list as a whole, on real and on empty results.
func TestTables(t *testing.T) {
	c := testConfig
	c.Data = "generated stand-in features"
	r := mustRun(t, c, testSources()...)
	var rows []int
	for _, table := range r.Tables() {
		if table.Frame.Err != nil || !strings.HasPrefix(table.Name, "scaling_") || !strings.HasSuffix(table.Title, " (generated stand-in features).") {
			t.Errorf("table %s, %q: %v", table.Name, table.Title, table.Frame.Err)
		}
		rows = append(rows, table.Frame.Nrow())
	}
	// Two sources and sizes; of three densities 0.2 is beyond MaxBudget at N = 90;
	// five curves; five budgets of Minimum, four of Random; 4 budgets with 6
	// penalties, or 2 radii and 4 policies.
	want := []int{14, 2 * 5 * 5, 2 * 2 * 4 * 5, 2 * 2 * 5, 2 * 2 * 4, 2 * 2 * 4 * 6, 2 * 2 * 4 * 2 * 4, 3 * 2 * 2}
	if !slices.Equal(rows, want) {
		t.Errorf("rows of the tables %v, want %v", rows, want)
	}
	empty := &Results{Results: &study.Results[Outcome]{Record: study.Record{Origin: study.Origin{Study: "scaling"}}}, config: r.config}
	for _, table := range empty.Tables() {
		if table.Frame.Err != nil {
			t.Errorf("table %s of no results: %v", table.Name, table.Frame.Err)
		}
	}
}
