package main

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/notebooks/studies/synthetic"
)

// TestStoredSyntheticTablesAreReproduced computes two seeds of the synthetic
// study again and compares them with the stored rows.
func TestStoredSyntheticTablesAreReproduced(t *testing.T) {
	config := synthetic.Config{First: 41, Seeds: 2, Draws: 1}
	results, err := synthetic.Run(context.Background(), datasets.XShapeOptions{}, config, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compared := false
	for _, table := range results.Tables() {
		if strings.HasSuffix(table.Name, "_seeds") {
			compareStored(t, table.Name, rowsOf(t, table), 1)
			compared = true
		}
	}
	if !compared {
		t.Error("there is no table of seeds")
	}
}

// TestSoundRulesKeepTheirPromise looks through all stored settings of the rules
// that promise at most alpha: at most one of 100 seeds may exceed it, in either
// unit, because the observed share of 5000 test samples is itself off by 0.003
// at alpha = 0.05 (one standard deviation).
func TestSoundRulesKeepTheirPromise(t *testing.T) {
	rows := readTable(t, filepath.Join(stored, "synthetic_calibration.csv"))
	checked := 0
	for _, row := range rows[1:] {
		method, quantity, median := row[4], row[5], row[8]
		sound := method == "Order statistic, union" || method == "Order statistic, fixed set" || method == "Envelope"
		if !sound || quantity != "Above alpha (%)" || median == "" {
			continue
		}
		checked++
		if share, err := strconv.ParseFloat(median, 64); err != nil || share > 1 {
			t.Errorf("%v exceeds alpha in %s %% of the seeds", row[:5], median)
		}
	}
	if want := 2 * (33 + 33 + 3); checked != want { // settings not refused, at two scales
		t.Errorf("%d settings were checked, want %d", checked, want)
	}
}
