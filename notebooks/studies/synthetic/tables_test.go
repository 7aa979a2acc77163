package synthetic

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/notebooks/studies/internal/paper"
	"github.com/sparsero/directions/notebooks/studies/study"
)

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

// handmade returns the results of 21 seeds in which a quantity takes the values 0, 1, ..., 20.
func handmade(set func(o *Outcome, value float64)) *Results {
	r := &Results{Results: &study.Results[Outcome]{Record: study.Record{Origin: study.Origin{Study: "synthetic"}}}, config: Config{}.withDefaults()}
	for k := range 21 {
		o := Outcome{Seed: uint64(k), Paths: make([]atomPath, len(paths))}
		for p := range o.Paths {
			o.Paths[p].Policy = paths[p].policy
		}
		set(&o, float64(k))
		r.Units = append(r.Units, study.Finished[Outcome]{Result: o})
	}
	return r
}

func TestBandsAndVerdicts(t *testing.T) {
	const vertices = "metric atoms: vertices of conv(D and -D)" // 8 in the paper
	largest := handmade(func(o *Outcome, v float64) { o.LargestOnNet = v })
	above := largest.bands("epsilon", "Quantity", func(o *Outcome, t table) { t.add(o.LargestOnNet+8, vertices) })
	f := largest.bands("epsilon", "Quantity", func(o *Outcome, t table) {
		t.add(o.LargestOnNet, "estimate")
		t.add(o.LargestOnNet+7, vertices)
		t.add(o.LargestOnNet, "max M_N on the circle")
	})
	got := onlyRow(t, f, map[string]string{"Quantity": "estimate"})
	if got["p05"] != 1.0 || got["median"] != 10.0 || got["p95"] != 19.0 || got["paper_value"] != 1.824282 || got["inside"] != "yes" || got["seeds"] != 21 {
		t.Errorf("%v", got)
	}
	if got := onlyRow(t, above, map[string]string{"Quantity": vertices}); got["inside"] != "no" {
		t.Errorf("8 lies below the band from %v: %v", got["p05"], got)
	}
	if got := onlyRow(t, f, map[string]string{"Quantity": vertices}); got["inside"] != "yes" {
		t.Errorf("8 is the lower end of the band: %v", got)
	}
	if got := onlyRow(t, f, map[string]string{"Quantity": "max M_N on the circle"}); got["inside"] != "" {
		t.Errorf("no paper value, no verdict: %v", got)
	}
	for _, test := range []struct {
		text      string
		low, high float64
		want      string
	}{{"0.75", 0.7549, 0.9, "yes"}, {"0.75", 0.7551, 0.9, "no"}, {"", 0, 1, ""}, {"9", 9, 9, "yes"}, {"9", 9.3, 10, "no"}, {"9", math.NaN(), math.NaN(), ""}} {
		if got := verdict(paper.ReadPaper("t\t"+test.text).Number("t"), test.low, test.high); got != test.want {
			t.Errorf("%s in [%v,%v]: %q, want %q", test.text, test.low, test.high, got, test.want)
		}
	}
}

func TestZeroTableCountsMissingAsInfinite(t *testing.T) {
	r := handmade(func(o *Outcome, v float64) {
		o.Paths[0].Zero, o.CoverZero = int(v)+1, 5
		if v < 5 {
			o.Paths[1].Zero = 17 // the other 16 seeds never get there
		}
	})
	f := r.bands("zero", "Policy", zero)
	if got := onlyRow(t, f, map[string]string{"Policy": string(greedyCoverage)}); got["median"] != 11.0 || got["paper_value"] != 9.0 || got["inside"] != "yes" {
		t.Errorf("%v", got)
	}
	got := onlyRow(t, f, map[string]string{"Policy": string(greedyMaxGap)})
	if got["p05"] != 17.0 || !math.IsInf(got["median"].(float64), 1) || got["inside"] != "yes" {
		t.Errorf("%v", got)
	}
}

// TestCalibrationOnScaledData checks the difference between the rules: with
// samples ten times larger, the radius of a sound rule is ten times larger and
// its violations stay; an additive rule adds the same number and violates more.
func TestCalibrationOnScaledData(t *testing.T) {
	r := mustRun(t, testConfig, testData)
	rose := 0
	for _, finished := range r.Units {
		o := finished.Result
		half := len(o.Calibration) / 2
		for k, c := range o.Calibration[:half] {
			scaled := o.Calibration[half+k]
			if c.Scale != 1 || scaled.Scale != 10 || c.Method != scaled.Method || c.B != scaled.B || c.Refused != scaled.Refused {
				t.Fatalf("settings %+v and %+v do not belong together", c, scaled)
			}
			switch {
			case c.Method.additive():
				if !close(scaled.Radius, 10*c.Quantile+c.Correction) || scaled.Violation < c.Violation {
					t.Errorf("seed %d: %+v became %+v", o.Seed, c, scaled)
				}
				if scaled.Violation > c.Violation {
					rose++
				}
			case !close(scaled.Radius, 10*c.Radius) || scaled.Violation != c.Violation:
				t.Errorf("seed %d: %+v became %+v", o.Seed, c, scaled)
			}
		}
	}
	if rose == 0 {
		t.Error("scaling never raised a violation of an additive rule")
	}
}

// TestViolationsFromTheirDefinition recomputes radius and violations of the
// additive rule by sorting and counting.
func TestViolationsFromTheirDefinition(t *testing.T) {
	o := mustRun(t, testConfig, testData).Units[1].Result
	u := mustUnit(t, o.Seed)
	s, err := paths[0].rule.Select(t.Context(), u.coverage, testConfig.SearchBudget)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, c := range o.Calibration {
		if c.Scale != 1 || c.Method != split && c.Method != conformal {
			continue
		}
		var sample []float64
		for j := range 400 {
			sample = append(sample, restricted(u.data.Dictionary, s.Atoms[:c.B], u.data.Calibration.RawRowView(j)))
		}
		slices.Sort(sample)
		radius := sample[int(math.Ceil(400*(1-c.Alpha)-1e-9))-1] + math.Sqrt(math.Log(2/c.Delta)/800)
		if c.Method == conformal {
			radius = sample[int(math.Ceil(401*(1-c.Alpha)-1e-9))-1]
		}
		above := 0
		for j := range 300 {
			if restricted(u.data.Dictionary, s.Atoms[:c.B], u.data.Test.RawRowView(j)) > radius*(1+1e-9) {
				above++
			}
		}
		if !close(c.Radius, radius) || !close(c.Violation, float64(above)/300) {
			t.Errorf("%+v: radius %v, violation %v", c, radius, float64(above)/300)
		}
		checked++
	}
	if checked != 48 {
		t.Errorf("%d settings were checked, want 48", checked)
	}
}

func TestCalibrationSummaries(t *testing.T) {
	r := handmade(func(o *Outcome, v float64) {
		o.Calibration = []ablationCell{
			{Scale: 1, B: 9, Alpha: 0.05, Delta: 1e-5, Method: dkwUnion, Quantile: 4, Correction: 0.2, Radius: 4.2, Violation: 0.03},
			{Scale: 1, B: 9, Alpha: 0.05, Delta: 1e-5, Method: split, Quantile: 4, Correction: 0.1, Radius: 4.1, Violation: 0.06},
			{Scale: 1, B: 19, Alpha: 0.1, Delta: 1e-5, Method: dkwUnion, Quantile: 4, Correction: 0.4, Radius: 4.4, Violation: 0.02},
			{Scale: 1, B: 19, Alpha: 0.1, Delta: 1e-5, Method: split, Quantile: 4, Correction: 0.1, Radius: 4.1, Violation: 0.08},
			{Scale: 1, B: 19, Alpha: 0.1, Delta: 1e-5, Method: theorem32, Refused: true},
		}
	})
	for quantity, want := range map[string]float64{"Mean corr.": 0.3, "Mean radius": 4.3, "Mean viol.": 0.025, "Mean gap": -0.05, "Max gap": -0.02, "Min gap": -0.08, "Settings": 2} {
		got := onlyRow(t, r.bands("calibration_delta", "Scale,Method,delta,Quantity", byDelta), map[string]string{"Scale": "1", "Method": string(dkwUnion), "delta": "1e-05", "Quantity": quantity})
		if !close(got["median"].(float64), want) {
			t.Errorf("%s: %v, want %v", quantity, got, want)
		}
	}
	refused := onlyRow(t, r.bands("calibration_budget", "Scale,B,Method,Quantity", r.byBudget), map[string]string{"Scale": "1", "B": "19", "Method": string(theorem32), "Quantity": "Mean radius"})
	if refused["seeds"] != 0 || refused["median"] != nil {
		t.Errorf("a refused rule has a radius: %v", refused)
	}
}

// TestTables checks the list as a whole, on real and on empty results.
func TestTables(t *testing.T) {
	real := mustRun(t, testConfig, testData)
	var rows []int
	for _, table := range real.Tables() {
		if table.Frame.Err != nil || !strings.HasPrefix(table.Name, "synthetic_") || table.Title == "" {
			t.Errorf("table %s: %v", table.Name, table.Frame.Err)
		}
		rows = append(rows, table.Frame.Nrow())
	}
	// 7 policies, 2 budgets; 5 representative budgets up to 9, 3 of the
	// decomposition; 4 methods, 9 budgets, F and G; 2 scales, 2 budgets, 12 levels, 7 methods.
	want := []int{14, 5, 9, 5 * 6, 5 * 4, 4 * 9 * 2, 10, 2 * 4, 2 * 3 * 8, 6, 2 * 7, 2 * 2 * 12 * 7 * 6, 2 * 7 * 3 * 7, 2 * 2 * 7 * 7, 6}
	if !slices.Equal(rows, want) {
		t.Errorf("rows of the tables %v, want %v", rows, want)
	}
	empty := &Results{Results: &study.Results[Outcome]{Record: study.Record{Origin: study.Origin{Study: "synthetic"}}}, config: real.config}
	for _, table := range empty.Tables() {
		if table.Frame.Err != nil {
			t.Errorf("table %s of no results: %v", table.Name, table.Frame.Err)
		}
	}
}

// TestTrajectoriesHaveThePointsOfThePaper: 124 points, and the printed ones in their places.
func TestTrajectoriesHaveThePointsOfThePaper(t *testing.T) {
	r := handmade(func(o *Outcome, v float64) {
		for p := range o.Paths {
			o.Paths[p].F, o.Paths[p].G = slices.Repeat([]float64{v}, 31), slices.Repeat([]float64{-v}, 31)
		}
	})
	f := r.bands("trajectories", "Policy,B,Quantity", r.trajectories)
	if f.Nrow() != 2*124 {
		t.Errorf("%d rows, want F and G of 124 points", f.Nrow())
	}
	for _, test := range []struct {
		policy   Policy
		quantity string
		paper    float64
	}{{greedyCoverage, "F_ratio", 0.9989}, {greedyCoverage, "G_ratio", 0.2097}, {greedyMaxGap, "F_ratio", 0.7371}, {greedyMaxGap, "G_ratio", 0.6568}} {
		got := onlyRow(t, f, map[string]string{"Policy": string(test.policy), "B": "5", "Quantity": test.quantity})
		if got["paper_value"] != test.paper || math.Abs(got["median"].(float64)) != 10 {
			t.Errorf("%v: %v", test, got)
		}
	}
	if got := onlyRow(t, f, map[string]string{"Policy": "TopAct", "B": "31", "Quantity": "G_ratio"}); got["seeds"] != 21 {
		t.Errorf("%v", got)
	}
}
