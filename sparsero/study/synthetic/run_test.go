package synthetic

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/study"
)

// testData and testConfig are a study small enough to be run many times.
var (
	testData   = datasets.XShapeOptions{Structured: 40, Isotropic: 20, Decoys: 20, Directions: 60, Probes: 100, Calibration: 400, Test: 300}
	testConfig = Config{
		Seeds: 6, Budgets: []int{2, 4}, PathBudget: 9, SearchBudget: 12, Draws: 2,
		CalibrationBudgets: []int{3, 5}, Refinement: []int{11, 61},
	}
)

// lobes returns the test data of the second mechanism.
func lobes() datasets.XShapeOptions {
	data := testData
	data.Mechanism = datasets.Lobes
	return data
}

func mustRun(t *testing.T, c Config, o study.Options) *Results {
	t.Helper()
	return mustRunOn(t, testData, c, o)
}

func mustRunOn(t *testing.T, source Source, c Config, o study.Options) *Results {
	t.Helper()
	r, err := Run(context.Background(), source, c, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func encoded(t *testing.T, r *Results) string {
	t.Helper()
	var outcomes []Outcome
	for _, u := range r.Units {
		outcomes = append(outcomes, u.Result)
	}
	text, err := json.Marshal(outcomes)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSameStudyOnAnyNumberOfWorkersAndAfterACancel compares an uninterrupted
// run on one worker with runs on four, one of them cancelled and resumed.
func TestSameStudyOnAnyNumberOfWorkersAndAfterACancel(t *testing.T) {
	want := encoded(t, mustRun(t, testConfig, study.Options{Workers: 1}))
	if got := encoded(t, mustRun(t, testConfig, study.Options{Workers: 4})); got != want {
		t.Error("four workers gave other outcomes than one")
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := study.Options{Workers: 2, Path: filepath.Join(t.TempDir(), "synthetic.jsonl"), Progress: func(p study.Progress) {
		if p.Done == 2 {
			cancel()
		}
	}}
	partial, err := Run(ctx, testData, testConfig, o)
	if err != nil || !partial.Partial || partial.Done < 2 || partial.Done == 6 {
		t.Fatalf("cancelled run: %d units, partial %v, error %v", partial.Done, partial.Partial, err)
	}
	for _, table := range partial.Tables() {
		if table.Frame.Err != nil {
			t.Errorf("table %s of partial results: %v", table.Name, table.Frame.Err)
		}
	}
	o.Progress = nil
	if got := encoded(t, mustRun(t, testConfig, o)); got != want {
		t.Error("the resumed study differs from the uninterrupted one")
	}
	more := testConfig
	more.First, more.Seeds = 2, 3
	later := mustRun(t, more, study.Options{})
	if got, want := later.Units[0].Result.Full, mustRun(t, testConfig, o).Units[2].Result.Full; got != want {
		t.Errorf("seed 2 has support %v as the first seed and %v as the third", got, want)
	}
}

func TestResultsOfAnotherConfigurationAreForeign(t *testing.T) {
	o := study.Options{Path: filepath.Join(t.TempDir(), "synthetic.jsonl")}
	mustRun(t, testConfig, o)
	for field, change := range map[string]func(*Config){
		"Budgets":            func(c *Config) { c.Budgets = []int{1, 2} },
		"PathBudget":         func(c *Config) { c.PathBudget-- },
		"SearchBudget":       func(c *Config) { c.SearchBudget++ },
		"Draws":              func(c *Config) { c.Draws++ },
		"CalibrationBudgets": func(c *Config) { c.CalibrationBudgets = []int{3} },
		"Alphas":             func(c *Config) { c.Alphas = []float64{0.2} },
		"Deltas":             func(c *Config) { c.Deltas = []float64{0.2} },
		"Scales":             func(c *Config) { c.Scales = []float64{1} },
		"Refinement":         func(c *Config) { c.Refinement = []int{61} },
		"study":              func(c *Config) { c.Name = "other" },
	} {
		c := testConfig
		change(&c)
		var foreign *study.ForeignError
		if _, err := Run(context.Background(), testData, c, o); !errors.As(err, &foreign) || !strings.HasSuffix(foreign.Field, field) {
			t.Errorf("another %s: error = %v", field, err)
		}
	}
	if _, err := Run(context.Background(), lobes(), testConfig, o); !errors.Is(err, study.ErrForeign) {
		t.Errorf("another mechanism: error = %v", err)
	}
	other := testData
	other.Test++
	if _, err := Run(context.Background(), other, testConfig, o); !errors.Is(err, study.ErrForeign) {
		t.Errorf("other data: error = %v", err)
	}
}

func TestBadConfigurations(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"Seeds = -1":                            func(c *Config) { c.Seeds = -1 },
		"beyond 64 bits":                        func(c *Config) { c.First = math.MaxUint64 - 2 },
		"Budgets = [2 1]":                       func(c *Config) { c.Budgets = []int{2, 1} },
		"Budgets = [2 2]":                       func(c *Config) { c.Budgets = []int{2, 2} },
		"Budgets = []":                          func(c *Config) { c.Budgets = []int{} },
		"beyond SearchBudget = 12":              func(c *Config) { c.Budgets = []int{13} },
		"PathBudget = 13 is above SearchBudget": func(c *Config) { c.PathBudget = 13 },
		"PathBudget = -2":                       func(c *Config) { c.PathBudget = -2 },
		"budget 81 exceeds the 80 atoms":        func(c *Config) { c.SearchBudget = 81 },
		"Draws = -1":                            func(c *Config) { c.Draws = -1 },
		"CalibrationBudgets = [0]":              func(c *Config) { c.CalibrationBudgets = []int{0} },
		"Alphas is empty":                       func(c *Config) { c.Alphas = []float64{} },
		"Alphas[0] = 1":                         func(c *Config) { c.Alphas = []float64{1} },
		"Alphas[1] = 0.1 is repeated":           func(c *Config) { c.Alphas = []float64{0.1, 0.1} },
		"Deltas[0] = NaN":                       func(c *Config) { c.Deltas = []float64{math.NaN()} },
		"Scales[0] = +Inf":                      func(c *Config) { c.Scales = []float64{math.Inf(1)} },
		"goes beyond the 61 directions":         func(c *Config) { c.Refinement = []int{62} },
		"Refinement = [5 3]":                    func(c *Config) { c.Refinement = []int{5, 3} },
	} {
		c := testConfig
		change(&c)
		if _, err := Run(context.Background(), testData, c, study.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}
}

// brokenSource returns an error, or data with a part missing.
type brokenSource struct {
	datasets.XShapeOptions
	err error
}

func (b brokenSource) Draw(seed uint64) (d *sparsero.Dictionary, directions, probes, calibration, test *mat.Dense, err error) {
	d, directions, probes, _, test, _ = b.XShapeOptions.Draw(seed)
	return d, directions, probes, nil, test, b.err
}

func TestBadSources(t *testing.T) {
	for want, source := range map[string]Source{
		"source is nil":             nil,
		"XShapeOptions.Seed = 3":    datasets.XShapeOptions{Seed: 3},
		"Decoys = -1":               datasets.XShapeOptions{Decoys: -1},
		"Mechanism = Mechanism(9)":  datasets.XShapeOptions{Mechanism: 9},
		"no such seed":              brokenSource{testData, errors.New("no such seed")},
		"calibration of seed 0 are": brokenSource{testData, nil},
	} {
		o := study.Options{Path: filepath.Join(t.TempDir(), "synthetic.jsonl")}
		if _, err := Run(context.Background(), source, testConfig, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
		if _, err := os.Stat(o.Path); err == nil {
			t.Errorf("%s: a results file was created", want)
		}
	}
}
