package main

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero/study"
	"github.com/sparsero/directions/sparsero/study/synthetic"
)

// TestStoredSyntheticTablesAreReproduced computes two seeds of each synthetic
// study again and compares them with the stored rows.
func TestStoredSyntheticTablesAreReproduced(t *testing.T) {
	for name, source := range map[string]datasets.XShapeOptions{"synthetic": {}, "synthetic_lobes": {Mechanism: datasets.Lobes}} {
		config := synthetic.Config{Name: name, First: 41, Seeds: 2, Draws: 1}
		results, err := synthetic.Run(context.Background(), source, config, study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		compared := false
		for _, table := range results.Tables() {
			if strings.HasSuffix(table.Name, "_seeds") {
				compareRows(t, table, bySeed(t, readTable(t, filepath.Join(stored, table.Name+".csv"))))
				compared = true
			}
		}
		if !compared {
			t.Errorf("%s has no table of seeds", name)
		}
	}
}

// TestStatementsAboutTheSyntheticStudy looks up, in the stored tables, the
// numbers that the documentation of package synthetic states, rounded as there.
func TestStatementsAboutTheSyntheticStudy(t *testing.T) {
	for _, s := range []struct {
		table  string
		match  []string // cells that the row must contain
		column string
		want   string
	}{
		{"synthetic_alignment", []string{"Pearson correlation of F and -G"}, "median", "0.80"},
		{"synthetic_alignment", []string{"Spearman correlation of F and -G"}, "median", "0.92"},
		{"synthetic_alignment", []string{"Pearson correlation of F and -G", "0.8554"}, "inside", "yes"},
		{"synthetic_alignment", []string{"Spearman correlation of F and -G", "0.9617"}, "inside", "yes"},
		{"synthetic_lobes_alignment", []string{"Pearson correlation of F and -G"}, "median", "0.86"},
		{"synthetic_lobes_alignment", []string{"Spearman correlation of F and -G"}, "median", "0.95"},
		{"synthetic_lobes_alignment", []string{"Pearson correlation of F and -G"}, "inside", "yes"},
		{"synthetic_lobes_alignment", []string{"Spearman correlation of F and -G"}, "inside", "yes"},
		{"synthetic_alignment", []string{"number of divergence budgets"}, "median", "4"},
		{"synthetic_alignment", []string{"largest divergence budget"}, "median", "4"},
		{"synthetic_zero", []string{"Greedy Coverage"}, "median", "8"},
		{"synthetic_zero", []string{"Greedy MaxGap"}, "median", "25"},
		{"synthetic_zero", []string{"Greedy MaxGap"}, "p05", "18"},
		{"synthetic_zero", []string{"Greedy MaxGap"}, "p95", "32"},
		{"synthetic_zero", []string{"Greedy MaxGap, ties by coverage"}, "median", "9"},
		{"synthetic_zero", []string{"Set cover"}, "median", "8"},
		{"synthetic_lobes_zero", []string{"Greedy MaxGap"}, "p05", "13"},
		{"synthetic_lobes_zero", []string{"Greedy MaxGap"}, "p95", "36"},
		{"synthetic_refinement", []string{"26", "estimate"}, "median", "2.75"},
		{"synthetic_refinement", []string{"801", "estimate"}, "median", "1.46"},
		{"synthetic_epsilon", []string{"true radius / estimate"}, "median", "1.07"},
		{"synthetic_epsilon", []string{"true radius / estimate"}, "p95", "1.48"},
		{"synthetic_epsilon", []string{"mean nearest net distance"}, "median", "0.0093"},
		{"synthetic_epsilon", []string{"mean nearest net distance"}, "inside", "no"},
		{"synthetic_decomposition", []string{"Greedy Coverage", "9", "+ 2 true radius"}, "median", "3.33"},
		{"synthetic_decomposition", []string{"Greedy Coverage", "9", "trivial bound on the circle"}, "median", "3.74"},
		{"synthetic_decomposition", []string{"Greedy Coverage", "9", "exact certificate on the circle"}, "median", "0.02"},
		{"synthetic_decomposition", []string{"Greedy Coverage", "9", "exact certificate on the circle"}, "p95", "2.87"},
		{"synthetic_geometry", []string{"vertices of conv(D and 0)"}, "median", "9"},
		{"synthetic_geometry", []string{"atoms active on T"}, "median", "8"},
		{"synthetic_lobes_geometry", []string{"vertices of conv(D and -D)"}, "median", "7"},
		{"synthetic_calibration", []string{"1", "9", "0.05", "1e-05", "DKW union", "Quantile"}, "inside", "yes"},
		{"synthetic_calibration", []string{"1", "9", "0.05", "1e-05", "DKW union", "Viol."}, "median", "0.034"},
		{"synthetic_calibration", []string{"1", "9", "0.05", "1e-05", "DKW union", "Viol."}, "inside", "no"},
		{"synthetic_calibration", []string{"1", "9", "0.05", "1e-05", "Split", "Viol."}, "median", "0.042"},
		{"synthetic_calibration", []string{"1", "9", "0.05", "1e-05", "Split", "Above alpha (%)"}, "median", "19"},
		{"synthetic_calibration", []string{"1", "9", "0.05", "1e-05", "DKW union", "Above alpha (%)"}, "median", "2"},
		{"synthetic_calibration", []string{"10", "9", "0.05", "1e-05", "DKW union", "Above alpha (%)"}, "median", "41"},
		{"synthetic_calibration_budget", []string{"1", "9", "Theorem 3.2", "Settings"}, "p95", "0"},
		{"synthetic_calibration_budget", []string{"1", "29", "Order statistic, fixed set", "Settings"}, "median", "11"},
		{"synthetic_calibration_budget", []string{"1", "29", "Envelope", "Settings"}, "median", "11"},
	} {
		got := lookUp(t, s.table, s.match, s.column)
		if number, err := strconv.ParseFloat(got, 64); err == nil {
			_, decimals, _ := strings.Cut(s.want, ".")
			got = strconv.FormatFloat(number, 'f', len(decimals), 64)
		}
		if got != s.want {
			t.Errorf("%s, %v: %s is %s, the documentation of package synthetic says %s", s.table, s.match, s.column, got, s.want)
		}
	}
}

// TestSoundRulesKeepTheirPromise looks through all stored settings of the rules
// that promise at most alpha: at most one of 100 seeds may exceed it, in either
// unit, because the observed share of 5000 test samples is itself off by 0.003
// at alpha = 0.05 (one standard deviation).
func TestSoundRulesKeepTheirPromise(t *testing.T) {
	for _, name := range []string{"synthetic", "synthetic_lobes"} {
		rows := readTable(t, filepath.Join(stored, name+"_calibration.csv"))
		checked := 0
		for _, row := range rows[1:] {
			method, quantity, median := row[4], row[5], row[8]
			sound := method == "Order statistic, union" || method == "Order statistic, fixed set" || method == "Envelope"
			if !sound || quantity != "Above alpha (%)" || median == "" {
				continue
			}
			checked++
			if share, err := strconv.ParseFloat(median, 64); err != nil || share > 1 {
				t.Errorf("%s: %v exceeds alpha in %s %% of the seeds", name, row[:5], median)
			}
		}
		if want := 2 * (33 + 33 + 3); checked != want { // settings not refused, at two scales
			t.Errorf("%s: %d settings were checked, want %d", name, checked, want)
		}
	}
}
