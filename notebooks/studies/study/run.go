package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Experiment is a study cut into units that do not depend on each other, such as one seed each. R is the result of a
// unit; it must survive a round trip through encoding/json (so NaN and Inf cannot be part of it).
type Experiment[R any] struct {
	// Name is that of the study; it is a plain file name.
	Name string
	// Version identifies the code that computes the results; raise it whenever a unit's result changes.
	Version string
	// Configuration holds everything besides the units' keys that determines a result. It is encoded as JSON.
	Configuration any
	// Units are the distinct keys of the units. At least one. A result may depend on its unit's key but not on the
	// other units, so that a later run may ask for more or fewer.
	Units []string
	// Run computes unit number unit, 0 <= unit < len(Units). It is called from several goroutines. When ctx ends it may
	// return ctx.Err(); the unit then counts as not done.
	Run func(ctx context.Context, unit int) (R, error)
}

// Options say how a study is carried out; nothing in them changes a result. The zero value runs in memory on all cores.
type Options struct {
	// Workers is the number of units computed at the same time. Default runtime.GOMAXPROCS(0).
	Workers int
	// Path is the file of finished units, such as "integer.jsonl". Each is appended
	// as it ends, and a later run of the same experiment goes on from there. The
	// folder is created if missing. Default "": results are kept in memory only.
	Path string
	// Progress is called once at the start and after each finished unit, never by two goroutines at once, with the
	// finished units, those of earlier runs included, and all units. Default none.
	Progress func(done, total int)
}

// Finished is the result of one unit.
type Finished[R any] struct {
	// Unit is its key.
	Unit string `json:"unit"`
	// Seconds is the time the unit took in the run that computed it.
	Seconds float64 `json:"seconds"`
	Result  R       `json:"result"`
}

// Results are the finished units of an experiment, in the order of
// Experiment.Units whatever the order in which they ended.
type Results[R any] struct {
	Record
	Units []Finished[R]
}

// Run computes the units of an experiment that are not in the file yet,
// Options.Workers at a time, and returns all that are finished.
//
// Each unit is stored as it ends, so that a killed run goes on where it was: no finished unit is computed again or
// lost. All results, fresh or read, have passed through their JSON form, so that an interrupted and resumed study
// equals an uninterrupted one to the last bit, on any number of workers.
//
// When ctx ends, Run returns the finished units, which are then partial, and no error. Errors: a unit that fails, which
// stops the others; no units, or two with one key; a file that cannot be read or written; [ErrForeign] for a file with
// units of another experiment. A run that fails before its first unit ends leaves no file behind.
func Run[R any](ctx context.Context, e Experiment[R], o Options) (*Results[R], error) {
	record, err := e.record()
	if err != nil {
		return nil, err
	}
	units, err := openUnits[R](o, record.Origin)
	if err != nil {
		return nil, err
	}
	if err := compute(ctx, e, o, units); err != nil {
		return nil, err
	}
	results := &Results[R]{Record: record}
	for _, key := range e.Units {
		if unit, found := units.finished[key]; found {
			results.Units = append(results.Units, unit)
			results.UnitSeconds += unit.Seconds
		}
	}
	results.Done = len(results.Units)
	return results, nil
}

// compute adds the missing units. It returns the error of a unit that failed, none if ctx ended.
func compute[R any](ctx context.Context, e Experiment[R], o Options, units *unitFile[R]) error {
	var missing []int
	for number, key := range e.Units {
		if _, found := units.finished[key]; !found {
			missing = append(missing, number)
		}
	}
	done := len(e.Units) - len(missing)
	report := func() {
		if o.Progress != nil {
			o.Progress(done, len(e.Units))
		}
	}
	report()
	var ending sync.Mutex // held while a unit is stored and reported
	err := Each(ctx, o.Workers, len(missing), func(ctx context.Context, k int) error {
		key, began := e.Units[missing[k]], time.Now()
		result, err := e.Run(ctx, missing[k])
		elapsed := time.Since(began)
		ending.Lock()
		defer ending.Unlock()
		if err == nil {
			err = units.add(Finished[R]{Unit: key, Seconds: elapsed.Seconds(), Result: result})
		}
		if err != nil {
			return fmt.Errorf("study: unit %q of %s: %w", key, e.Name, err)
		}
		done++
		report()
		return nil
	})
	if interrupted := context.Cause(ctx); interrupted != nil && errors.Is(err, interrupted) {
		return nil
	}
	return err
}

// Each carries out so many pieces of work that share nothing, on so many workers (0: one per core). It returns the
// first error of a piece of work, which ends the context of the others, or that of the context.
func Each(ctx context.Context, workers, count int, work func(ctx context.Context, k int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(cmp.Or(max(workers, 0), runtime.GOMAXPROCS(0)), count) {
		group.Go(func() {
			for k := int(next.Add(1)) - 1; k < count && ctx.Err() == nil; k = int(next.Add(1)) - 1 {
				if err := work(ctx, k); err != nil {
					stop(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// Seeds is a block of consecutive seeds.
type Seeds struct {
	First uint64
	Count int // at least 1
}

// String returns the first and last seed, such as "0-99".
func (s Seeds) String() string { return fmt.Sprintf("%d-%d", s.First, s.First+uint64(s.Count)-1) }

// List returns the seeds of a block.
func (s Seeds) List() []uint64 {
	seeds := make([]uint64, max(s.Count, 0))
	for k := range seeds {
		seeds[k] = s.First + uint64(k)
	}
	return seeds
}

// Keys returns the keys of units that are a seed each.
func Keys(seeds []uint64) []string {
	keys := make([]string, len(seeds))
	for k, seed := range seeds {
		keys[k] = strconv.FormatUint(seed, 10)
	}
	return keys
}
