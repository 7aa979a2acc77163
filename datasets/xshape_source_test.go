package datasets_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/datasets"
)

func TestDrawIsTheDataOfTheSeed(t *testing.T) {
	options := datasets.XShapeOptions{Structured: 30, Directions: 20, Mechanism: datasets.Lobes}
	dictionary, directions, probes, calibration, test, err := options.Draw(9)
	if err != nil {
		t.Fatal(err)
	}
	options.Seed = 9
	want := mustXShape(t, options)
	for name, pair := range map[string][2]*mat.Dense{
		"dictionary": {dictionary.Matrix(), want.Dictionary.Matrix()}, "directions": {directions, want.Directions},
		"probes": {probes, want.Probes}, "calibration": {calibration, want.Calibration}, "test": {test, want.Test},
	} {
		if !mat.Equal(pair[0], pair[1]) {
			t.Errorf("%s of seed 9 differ from those of NewXShape", name)
		}
	}
	if options.Name() != "lobes" {
		t.Errorf("the source is called %q", options.Name())
	}
	if _, _, _, _, _, err := options.Draw(1); err == nil || !strings.Contains(err.Error(), "Seed = 9") {
		t.Errorf("a seed in the options: error = %v", err)
	}
}
