package scaling

import (
	"context"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// testConfig and testSources are a study small enough to be run many times.
var testConfig = Config{
	Seeds: 3, Sizes: []int{40, 90}, MaxBudget: 12, Budgets: []int{1, 2, 5, 12},
	Densities: []float64{0.02, 0.1, 0.2}, Epsilons: []float64{0.1, 0.3}, Draws: 2,
}

func testSources() []adversarial.Task {
	small := adversarial.Generated{Options: features.StandInOptions{Examples: 360, Features: 8, Rank: 4}}
	return []adversarial.Task{
		{Features: small},
		{Features: small, Classifiers: 4},
	}
}

func TestASeedIsTheSameInAnyBlock(t *testing.T) {
	more := testConfig
	more.First, more.Seeds = 2, 2
	later := mustRun(t, more, testSources()[1]).Units[0].Result
	if first := mustRun(t, testConfig, testSources()...).Units[5].Result; later.Energy != first.Energy || later.Seed != 2 {
		t.Errorf("seed 2 alone has energy %v, as the third seed %v", later.Energy, first.Energy)
	}
}

// mustRun runs the study of some tasks, or ends the test.
func mustRun(t testing.TB, c Config, tasks ...adversarial.Task) *Results {
	t.Helper()
	r, err := Run(context.Background(), tasks, c, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
