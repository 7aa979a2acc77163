package integer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
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

// handmade returns the results of a study of four seeds and three budgets with
// one protocol, in which only the first policy does something: its states are
// given per seed, "i" infeasible, "v" violated, "r" robust.
func handmade(states map[uint64]string, baseline, full map[uint64]bool) *Results {
	r := &Results{
		Results: &study.Results[Outcome]{Record: study.Record{Origin: study.Origin{Study: "integer"}}},
		config:  Config{Seeds: []Seeds{{First: 0, Count: 4}}, Budgets: []int{1, 2, 5}, Protocols: []Protocol{Nested}, Draws: 4},
	}
	for seed := range uint64(4) {
		o := Outcome{Seed: seed, Atoms: 9, Nominal: true, Full: full[seed], Baseline: baseline[seed], Decisions: 10 * int(seed)}
		for k, policy := range Nested.policies() {
			run := policyRun{Protocol: Nested, Policy: policy, NonNested: int(seed)}
			for b := range 3 {
				state := states[seed][b]
				if k > 0 {
					state = 'i'
				}
				run.Cells = append(run.Cells, cell{Feasible: state != 'i', HeldOut: state == 'r', Dictionary: state == 'r'})
			}
			o.Runs = append(o.Runs, run)
		}
		o.Random = []randomCells{{Protocol: Nested, Feasible: []int{4, 4, 2}, HeldOut: []int{int(seed), 4, 0}}}
		r.Units = append(r.Units, study.Finished[Outcome]{Unit: string(rune('0' + seed)), Result: o})
	}
	return r
}

func fourSeeds() *Results {
	return handmade(
		map[uint64]string{0: "vrr", 1: "rvi", 2: "ivv", 3: "vvr"},
		map[uint64]bool{0: true, 1: true, 2: true}, map[uint64]bool{0: true, 1: true, 2: true, 3: true})
}

func TestSuccessAndBaselineTables(t *testing.T) {
	f := frameOf(fourSeeds().Tables(), "success")
	want := [][3]float64{{100. / 3, 100. / 3, 100. / 3}, {100. / 3, 0, 100. / 3}, {100. / 3, 100. / 3, 100. / 3}} // success, infeasible, dictionary over 3 baseline seeds
	for k, budget := range []int{1, 2, 5} {
		values := f.Maps()[k]
		if values["B"] != fmt.Sprint(budget) || values["Policy"] != string(greedyMaxGap) || values["paper_value"] != []float64{40.6, 51.6, 59.4}[k] {
			t.Errorf("row %d: %v", k, values)
		}
		for c, name := range []string{"Success (%)", "Infeasible (%)", "Dictionary (%)"} {
			if math.Abs(values[name].(float64)-want[k][c]) > 1e-9 {
				t.Errorf("B = %d: %s = %v, want %v", budget, name, values[name], want[k][c])
			}
		}
	}
	b := frameOf(fourSeeds().Tables(), "baseline")
	if got := onlyRow(t, b, map[string]string{"Measure": "feasible with the full dictionary, zero violations"}); got["Value"] != 3.0 || got["paper_value"] != 64.0 {
		t.Errorf("baseline row %v", got)
	}
	if got := onlyRow(t, b, map[string]string{"Measure": "median number of decisions feasible without atoms"}); got["Value"] != 15.0 {
		t.Errorf("median row %v, want 15", got)
	}
}

func TestOnsetTable(t *testing.T) {
	got := onlyRow(t, fourSeeds().Onset(), map[string]string{"Policy": string(greedyMaxGap)})
	// Onsets of the three baseline seeds: 2, 1, none.
	for name, want := range map[string]any{
		"Robust Rate": "2/3", "paper_value Robust Rate": "58/64", "Median B*": 1.5, "paper_value Median B*": 2.0,
		"Mean": 1.5, "paper_value Mean": 6.3, "Std.": math.Sqrt(0.5), "paper_value Std.": 8.3, "Censored median B*": 2.0,
	} {
		if value, ok := got[name].(float64); ok {
			if math.Abs(value-want.(float64)) > 1e-9 {
				t.Errorf("%s = %v, want %v", name, value, want)
			}
		} else if got[name] != want {
			t.Errorf("%s = %v, want %v", name, got[name], want)
		}
	}
	never := onlyRow(t, fourSeeds().Onset(), map[string]string{"Policy": string(maxGammaSum)})
	if never["Robust Rate"] != "0/3" || !math.IsInf(never["Censored median B*"].(float64), 1) {
		t.Errorf("a policy that never certifies: %v", never)
	}
}

func TestRandomTable(t *testing.T) {
	values := frameOf(fourSeeds().Tables(), "random").Maps()
	// Baseline seeds 0, 1, 2 succeed in 0, 1, 2 of 4 draws at B = 1.
	if got := values[0]; got["Success (%)"] != 25.0 || got["Std"] != 25.0 || got["Reps/seed"] != 4 || got["Infeasible (%)"] != 0.0 {
		t.Errorf("B = 1: %v", got)
	}
	if got := values[2]; got["Success (%)"] != 0.0 || got["Infeasible (%)"] != 50.0 || got["paper_value"] != 37.2 || got["paper_value Std"] != 29.8 {
		t.Errorf("B = 5: %v", got)
	}
}

func TestAllSeedsTable(t *testing.T) {
	f := frameOf(fourSeeds().Tables(), "all_seeds")
	got := onlyRow(t, f, map[string]string{"Policy": string(greedyMaxGap), "Baseline": "feasible, zero violations"})
	if got["Full feasible"] != "2/3 (66.7%)" || got["Full infeasible"] != "1/1 (100.0%)" || got["Total certified"] != "3/4 (75.0%)" || got["Not certified"] != "1/4 (25.0%)" {
		t.Errorf("%v", got)
	}
	if got["paper_value Full infeasible"] != "3/36 (8.3%)" {
		t.Errorf("paper value %v", got["paper_value Full infeasible"])
	}
	got = onlyRow(t, f, map[string]string{"Policy": string(greedyMaxGap), "Baseline": "feasible"})
	if got["Full feasible"] != "3/4 (75.0%)" || got["Full infeasible"] != "0/0" {
		t.Errorf("%v", got)
	}
}

func TestMonotonicityAndPairedTables(t *testing.T) {
	got := onlyRow(t, frameOf(fourSeeds().Tables(), "monotonicity"), map[string]string{"Policy": string(greedyMaxGap), "Evaluated on": "held-out"})
	if got["Population"] != 3 || got["Seeds losing a success"] != 1 || got["Non-nested steps"] != 1.0 { // seeds 0, 1, 2
		t.Errorf("%v", got)
	}
	got = onlyRow(t, frameOf(fourSeeds().Tables(), "monotonicity"), map[string]string{"Policy": string(greedyMaxGap), "Evaluated on": "dictionary"})
	if got["Population"] != 4 || got["Seeds losing a success"] != 1 {
		t.Errorf("%v", got)
	}
	got = onlyRow(t, frameOf(fourSeeds().Tables(), "paired"), map[string]string{"Policy": string(greedyMaxGap), "Against": string(maxGammaSum)})
	if got["Earlier"] != 2 || got["Tie"] != 1 || got["Later"] != 0 {
		t.Errorf("%v", got)
	}
}

func TestPairedTakesRankingsOfTheSameRadius(t *testing.T) {
	o := &Outcome{}
	for _, protocol := range (Config{}).withDefaults().Protocols {
		for _, policy := range protocol.policies() {
			o.Runs = append(o.Runs, policyRun{Protocol: protocol, Policy: policy})
		}
	}
	for _, test := range []struct {
		protocol Protocol
		policy   Policy
		want     Protocol
	}{
		{Nested, maxGammaSum, Nested}, {CalibratedAfter, greedyMaxGap, CalibratedAfter}, {CalibratedAfter, maxGammaNominal, CalibratedAfter},
		{Independent, greedyCoverage, Independent}, {Independent, maxGammaSum, Nested},
		{calibratedThroughout, greedyMaxGap, calibratedThroughout}, {calibratedThroughout, maxGammaSum, CalibratedAfter},
	} {
		if got := o.run(test.protocol, test.policy); got.Protocol != test.want || got.Policy != test.policy {
			t.Errorf("%s, %s: %s of %s, want %s", test.protocol, test.policy, got.Policy, got.Protocol, test.want)
		}
	}
	o.Runs = []policyRun{{Protocol: Independent, Policy: greedyMaxGap}}
	if o.run(Independent, maxGammaSum) != nil {
		t.Error("a ranking was found though no protocol runs it")
	}
}

func TestInstancesAndOutcomesTables(t *testing.T) {
	r := fourSeeds()
	got := onlyRow(t, r.Outcomes(), map[string]string{"Seed": "1", "Policy": string(greedyMaxGap)})
	if got["B=1"] != "robust" || got["B=2"] != "violated" || got["B=5"] != "infeasible" || got["B*"] != 1.0 || got["Baseline"] != true {
		t.Errorf("%v", got)
	}
	if f := r.Instances(); f.Err != nil || f.Nrow() != 4 {
		t.Errorf("%v (%v)", f, f.Err)
	}
}

// TestTables checks the list as a whole, on real, pooled and empty results.
func TestTables(t *testing.T) {
	real := mustRun(t, testConfig, testFamily)
	empty := &Results{Results: &study.Results[Outcome]{Record: study.Record{Origin: study.Origin{Study: "integer"}}}, config: real.config}
	var rows []int
	for _, table := range real.Tables() {
		if table.Frame.Err != nil || table.Frame.Nrow() == 0 || !strings.HasPrefix(table.Name, "integer_") || table.Title == "" {
			t.Errorf("table %s: %d rows, %v", table.Name, table.Frame.Nrow(), table.Frame.Err)
		}
		rows = append(rows, table.Frame.Nrow())
	}
	// 3 groups of seeds; 14 runs; 3 budgets; 2 random runs; 12 seeds.
	if want := []int{15, 3 * 14 * 3, 3 * 14, 3 * 2 * 3, 3 * 14 * 2, 3 * 14 * 2, 3 * 4 * 7, 12, 12 * 14}; !slices.Equal(rows, want) {
		t.Errorf("rows of the tables %v, want %v", rows, want)
	}
	for _, table := range empty.Tables() {
		if table.Frame.Err != nil {
			t.Errorf("table %s of no results: %v", table.Name, table.Frame.Err)
		}
	}
}

func TestMedianAndSpread(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		values []float64
		want   float64
	}{{[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}, {[]float64{1, inf, inf}, inf}, {[]float64{1, inf}, inf}, {[]float64{inf, inf}, inf}, {[]float64{1, 2, inf}, 2}} {
		if got := tally.Median(test.values); got != test.want {
			t.Errorf("median(%v) = %v, want %v", test.values, got, test.want)
		}
	}
	if !math.IsNaN(tally.Median(nil)) {
		t.Error("the median of nothing must be NaN")
	}
}
