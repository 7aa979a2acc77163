package life

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
)

// patience is how long a goroutine may take to end on a machine that does other work.
const patience = 20 * time.Second

// moments are the times after which work is cancelled: at once, in the first steps and later.
var moments = []time.Duration{0, 200 * time.Microsecond, 3 * time.Millisecond, 20 * time.Millisecond}

// leavesNothing fails where a call whose context ends early leaves goroutines behind.
func leavesNothing(t *testing.T, name string, work func(ctx context.Context)) {
	t.Run(name, func(t *testing.T) {
		before := runtime.NumGoroutine()
		for _, moment := range moments {
			ctx, cancel := context.WithTimeout(context.Background(), moment)
			work(ctx)
			cancel()
		}
		for end := time.Now().Add(patience); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				stacks := make([]byte, 1<<16)
				t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
			}
		}
	})
}

func TestRobustSolvesLeaveNothing(t *testing.T) {
	p := newProblem(t, 2000)
	leavesNothing(t, "SolveFull", func(ctx context.Context) { _, _ = p.SolveFull(ctx, 0.3, nil) })
	leavesNothing(t, "Design", func(ctx context.Context) { _, _ = p.Design(ctx, 50, 0.3, nil) })
	leavesNothing(t, "Design, cancelled by its own progress", func(ctx context.Context) {
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		_, _ = p.Design(inner, 50, 0.3, &robust.DesignOptions{Progress: func(robust.Iteration) { cancel() }})
	})
	leavesNothing(t, "Ladder", func(ctx context.Context) { _, _ = p.Ladder(ctx, []int{1, 2, 3}, 0.3, nil) })
}

func TestRulesLeaveNothing(t *testing.T) {
	d, probes := newDictionary(t, 5000), gaussian(t, 500, 2)
	for _, storage := range []selection.Storage{selection.Screened, selection.Streamed} {
		leavesNothing(t, fmt.Sprintf("NewCoverage %v", storage), func(ctx context.Context) {
			_, _ = selection.NewCoverage(d, probes, &selection.CoverageOptions{Storage: storage, Context: ctx, Workers: 4})
		})
		coverage := must(selection.NewCoverage(d, probes, &selection.CoverageOptions{Storage: storage, Workers: 4}))(t)
		for _, rule := range []selection.Policy{
			selection.Greedy{}, selection.MaxGap{}, selection.SetCover{}, selection.TopActivation{}, selection.MaxNorm{},
			selection.Random{},
		} {
			leavesNothing(t, fmt.Sprintf("%v %T", storage, rule), func(ctx context.Context) { _, _ = rule.Select(ctx, coverage, 30) })
		}
	}
	small := must(selection.NewCoverage(newDictionary(t, 60), gaussian(t, 40, 2), nil))(t)
	leavesNothing(t, "exact", func(ctx context.Context) { _, _ = selection.Exact{}.Select(ctx, small, 5) })
}

func TestCertificatesLeaveNothing(t *testing.T) {
	d, region := newDictionary(t, 400), newRegion()
	set := must(sparsero.NewAtomicSet(d, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1))(t)
	q := sparsero.Identity(dimension)
	leavesNothing(t, "uniform", func(ctx context.Context) { _, _ = certificate.SolveUniform(ctx, set, region, q, nil) })
	leavesNothing(t, "grid net", func(ctx context.Context) { _, _ = certificate.GridNet(ctx, d, region, q, 0.5, nil) })
	leavesNothing(t, "vertices", func(ctx context.Context) { _, _ = d.SupportVertices(ctx) })
	samples := gaussian(t, 3000, 5)
	leavesNothing(t, "gauge scores", func(ctx context.Context) { _, _ = calibration.GaugeScores(ctx, set, samples) })
}

func TestStudiesLeaveNothing(t *testing.T) {
	units := make([]string, 200)
	for k := range units {
		units[k] = fmt.Sprint(k)
	}
	experiment := study.Experiment[int]{
		Name: "waiting", Version: "1", Units: units,
		Run: func(ctx context.Context, unit int) (int, error) {
			select {
			case <-ctx.Done():
				return 0, ctx.Err()
			case <-time.After(time.Millisecond):
				return unit, nil
			}
		},
	}
	folder := t.TempDir()
	leavesNothing(t, "study", func(ctx context.Context) {
		_, _ = study.Run(ctx, experiment, study.Options{Workers: 8, Path: folder + "/waiting"})
	})
	x, y := gaussian(t, 200, 7), make([]float64, 200)
	for k := range y {
		y[k] = float64(1 - 2*(k%2))
	}
	task := adversarial.Task{Features: adversarial.Frozen{Train: &features.Set{Name: "normal", X: x, Y: y, Classes: [2]string{"-1", "1"}}}, Classifiers: 20}
	leavesNothing(t, "ensemble", func(ctx context.Context) { _, _ = task.Mine(ctx, 0, 100) })
}
