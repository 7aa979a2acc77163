package synthetic

import (
	"context"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// testData and testConfig are a study small enough to be run many times.
var (
	testData   = datasets.XShapeOptions{Structured: 40, Isotropic: 20, Decoys: 20, Directions: 60, Probes: 100, Calibration: 400, Test: 300}
	testConfig = Config{
		Seeds: 6, Budgets: []int{2, 4}, PathBudget: 9, SearchBudget: 12, Draws: 2,
		CalibrationBudgets: []int{3, 5}, Refinement: []int{11, 61},
	}
)

func TestASeedIsTheSameInAnyBlock(t *testing.T) {
	more := testConfig
	more.First, more.Seeds = 2, 3
	later := mustRun(t, more, testData)
	if got, want := later.Units[0].Result.Full, mustRun(t, testConfig, testData).Units[2].Result.Full; got != want {
		t.Errorf("seed 2 has support %v as the first seed and %v as the third", got, want)
	}
}

// mustRun runs the study on some data, or ends the test.
func mustRun(t testing.TB, c Config, data datasets.XShapeOptions) *Results {
	t.Helper()
	r, err := Run(context.Background(), data, c, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
