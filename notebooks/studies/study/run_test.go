package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// walk is the result of the test experiment: a few numbers that use all their bits.
type walk struct {
	Mean  float64
	Path  []float64
	Count uint64
	Note  string
}

type walkConfiguration struct {
	Steps int
	Scale float64
}

// walks is an experiment of random walks; computed counts the units it runs.
func walks(units, steps int, computed *atomic.Int64) Experiment[walk] {
	keys := make([]string, units)
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	return Experiment[walk]{
		Name: "walks", Version: "1", Configuration: walkConfiguration{Steps: steps, Scale: 0.1}, Units: keys,
		Run: func(ctx context.Context, unit int) (walk, error) {
			if err := ctx.Err(); err != nil {
				return walk{}, err
			}
			if computed != nil {
				computed.Add(1)
			}
			random := rand.New(rand.NewPCG(7, uint64(unit)))
			w := walk{Count: random.Uint64(), Note: "<&> é\u2028"}
			position := 0.0
			for range steps {
				position += 0.1 * random.NormFloat64()
				w.Path = append(w.Path, position)
				w.Mean += position / float64(steps)
			}
			return w, nil
		},
	}
}

func mustRun(t *testing.T, e Experiment[walk], o Options) *Results[walk] {
	t.Helper()
	results, err := Run(context.Background(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// sameBits compares results by the bits of their numbers.
func sameBits(t *testing.T, got, want *Results[walk]) {
	t.Helper()
	if text := difference(got, want); text != "" {
		t.Fatal(text)
	}
}

// difference says where results differ in a bit of their numbers, "" if they do not.
func difference(got, want *Results[walk]) string {
	if got.Done != want.Done || got.Partial() != want.Partial() || got.Hash != want.Hash || len(got.Units) != len(want.Units) {
		return fmt.Sprintf("got %d units of %d, want %d of %d", got.Done, len(got.Keys), want.Done, len(want.Keys))
	}
	for i, w := range want.Units {
		g := got.Units[i]
		same := g.Unit == w.Unit && g.Result.Count == w.Result.Count && g.Result.Note == w.Result.Note &&
			math.Float64bits(g.Result.Mean) == math.Float64bits(w.Result.Mean) && len(g.Result.Path) == len(w.Result.Path)
		for k := 0; same && k < len(w.Result.Path); k++ {
			same = math.Float64bits(g.Result.Path[k]) == math.Float64bits(w.Result.Path[k])
		}
		if !same {
			return fmt.Sprintf("unit %q differs:\n got %+v\nwant %+v", w.Unit, g.Result, w.Result)
		}
	}
	return ""
}

func TestSameResultsOnAnyNumberOfWorkers(t *testing.T) {
	want := mustRun(t, walks(20, 5, nil), Options{Workers: 1})
	if want.Done != 20 || want.Partial() {
		t.Fatalf("got %d units, partial %v", want.Done, want.Partial())
	}
	for _, workers := range []int{0, 2, 4, 50} {
		sameBits(t, mustRun(t, walks(20, 5, nil), Options{Workers: workers}), want)
	}
}

func TestCancelledStudyIsPartial(t *testing.T) {
	want := mustRun(t, walks(12, 5, nil), Options{Workers: 1})
	var computed atomic.Int64
	ctx, cancel := context.WithCancel(context.Background())
	partial, err := Run(ctx, walks(12, 5, &computed), Options{Workers: 2, Progress: func(done, _ int) {
		if done == 4 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	done := int(computed.Load())
	if !partial.Partial() || done < 4 || done == 12 || partial.Done != done || len(partial.Units) != done || partial.UnitSeconds <= 0 {
		t.Fatalf("after cancelling at 4 of the %d units computed: %d units in %v s, partial %v", done, partial.Done, partial.UnitSeconds, partial.Partial())
	}
	partial.Keys = partial.Keys[:done] // units begin in their order
	want.Keys, want.Units, want.Done = want.Keys[:done], want.Units[:done], done
	sameBits(t, partial, want)
}

func TestFailedUnitIsNamed(t *testing.T) {
	broken := walks(6, 5, nil)
	inner, cause := broken.Run, errors.New("no solution")
	broken.Run = func(ctx context.Context, unit int) (walk, error) {
		if unit >= 3 {
			return walk{}, cause
		}
		return inner(ctx, unit)
	}
	if _, err := Run(context.Background(), broken, Options{Workers: 1}); !errors.Is(err, cause) || !strings.Contains(err.Error(), `unit "3"`) {
		t.Errorf("error = %v, want the cause and the failed unit", err)
	}
}

// TestInterruptionIsNoFailure ends the context before the run and by its deadline; a unit that fails is an
// error though its failure ended the context of the others.
func TestInterruptionIsNoFailure(t *testing.T) {
	cause := errors.New("the user has left")
	stopped, stop := context.WithCancelCause(context.Background())
	stop(cause)
	expired, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	for _, ctx := range []context.Context{stopped, expired} {
		if results, err := Run(ctx, walks(3, 5, nil), Options{}); err != nil || results.Done != 0 || !results.Partial() {
			t.Errorf("%v: %+v (%v)", context.Cause(ctx), results, err)
		}
	}
	broken := walks(50, 5, nil)
	broken.Run = func(ctx context.Context, unit int) (walk, error) {
		if unit == 1 {
			return walk{}, cause
		}
		<-ctx.Done() // of the failure, else the test would not end
		return walk{}, ctx.Err()
	}
	if _, err := Run(context.Background(), broken, Options{Workers: 3}); !errors.Is(err, cause) {
		t.Errorf("error = %v, want the failure", err)
	}
}

func TestProgress(t *testing.T) {
	var seen []string
	mustRun(t, walks(3, 5, nil), Options{Workers: 1, Progress: func(done, total int) {
		seen = append(seen, fmt.Sprintf("%d/%d", done, total))
	}})
	if got, want := strings.Join(seen, " "), "0/3 1/3 2/3 3/3"; got != want {
		t.Errorf("progress %q, want %q", got, want)
	}
}

func TestInvalidExperiments(t *testing.T) {
	for want, change := range map[string]func(*Experiment[walk]){
		"units":         func(e *Experiment[walk]) { e.Units = nil },
		`both "0"`:      func(e *Experiment[walk]) { e.Units[1] = "0" },
		"configuration": func(e *Experiment[walk]) { e.Configuration = math.Inf(1) },
	} {
		e, computed := walks(3, 5, nil), false
		e.Run = func(context.Context, int) (walk, error) { computed = true; return walk{}, nil }
		change(&e)
		if _, err := Run(context.Background(), e, Options{}); err == nil || !strings.Contains(err.Error(), want) || computed {
			t.Errorf("error = %v, want %q; a unit was computed: %v", err, want, computed)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
