package study

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Run computes the units of an experiment that have no file yet, Options.Workers at
// a time, and returns all finished units.
//
// Each unit is written to its file as it ends, so that a killed run goes on
// where it was: no finished unit is computed again or lost. All results, fresh
// or read, have passed through their JSON form, so that an interrupted and
// resumed study equals an uninterrupted one to the last bit, on any number of
// workers.
//
// When ctx ends, Run returns the finished units with Partial set and no error.
// When a unit fails, the others stop, and Run returns the finished units with
// the error of the first failed unit. Other errors: an invalid experiment
// ([ErrInvalid]), a unit's file that is corrupt ([ErrCorrupt]), belongs to
// another experiment ([ErrForeign]) or cannot be written. A run that fails before
// its first unit ends leaves no files behind.
func Run[R any](ctx context.Context, e Experiment[R], o Options) (*Results[R], error) {
	started := time.Now()
	origin, err := e.origin()
	if err != nil {
		return nil, err
	}
	if o.Workers < 0 {
		return nil, fmt.Errorf("%w: Workers = %d is negative; use 0 for one per core", ErrInvalid, o.Workers)
	}
	r := &run[R]{experiment: &e, origin: origin, options: o, started: started, finished: make([]*Finished[R], len(e.Units))}
	if o.Path != "" {
		if err := r.resume(); err != nil {
			return nil, err
		}
	}
	r.report("")
	failure := r.compute(ctx)
	return r.results(), failure
}

// run is the state of one call of Run; workers write to it one at a time.
type run[R any] struct {
	experiment *Experiment[R]
	origin     Origin
	options    Options
	started    time.Time
	finished   []*Finished[R]
	done       int
	resumed    int
}

// resume takes over the units that have a file.
func (r *run[R]) resume() error {
	for i, key := range r.experiment.Units {
		unit, found, err := readUnit(r.options.Path, key, r.origin)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := r.accept(i, unit); err != nil {
			return corrupt(unitPath(r.options.Path, key), err)
		}
		r.resumed++
	}
	return nil
}

// accept decodes the result of unit i from the content of its file.
func (r *run[R]) accept(i int, unit unitFile) error {
	f := &Finished[R]{Index: i, Unit: unit.Unit, Elapsed: time.Duration(unit.Seconds * float64(time.Second))}
	decoder := json.NewDecoder(bytes.NewReader(unit.Result))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f.Result); err != nil {
		return fmt.Errorf("the result of unit %q does not fit %T: %w", unit.Unit, f.Result, err)
	}
	r.finished[i] = f
	r.done++
	return nil
}

// compute runs the missing units and returns the error of the first failed one.
func (r *run[R]) compute(parent context.Context) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	var missing []int
	for i, f := range r.finished {
		if f == nil {
			missing = append(missing, i)
		}
	}
	var ending sync.Mutex // held while a unit is stored and reported
	return Each(r.options.Workers, len(missing), func(k int) error {
		if ctx.Err() != nil {
			return nil
		}
		unit, began := missing[k], time.Now()
		result, err := r.experiment.Run(ctx, unit)
		elapsed := time.Since(began)
		ending.Lock()
		defer ending.Unlock()
		if err == nil {
			err = r.keep(unit, result, elapsed)
		} else if parent.Err() != nil || ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = nil // interrupted, neither done nor failed
		} else {
			err = fmt.Errorf("study: unit %q of %s: %w", r.experiment.Units[unit], r.experiment.Name, err)
		}
		if err != nil {
			cancel()
		}
		return err
	})
}

// Each carries out so many pieces of work that share nothing, on so many workers (0: one per
// core), and returns the error of the first one that has one; after an error no more are begun.
func Each(workers, count int, work func(k int) error) error {
	failures := make([]error, count)
	var next atomic.Int64
	var failed atomic.Bool
	var group sync.WaitGroup
	for range min(cmp.Or(workers, runtime.GOMAXPROCS(0)), count) {
		group.Add(1)
		go func() {
			defer group.Done()
			for k := int(next.Add(1)) - 1; k < count && !failed.Load(); k = int(next.Add(1)) - 1 {
				if failures[k] = work(k); failures[k] != nil {
					failed.Store(true)
				}
			}
		}()
	}
	group.Wait()
	return cmp.Or(failures...)
}

// keep stores a finished unit.
func (r *run[R]) keep(number int, result R, elapsed time.Duration) error {
	key := r.experiment.Units[number]
	encoded, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("study: the result of unit %q cannot be stored: %w; results must be JSON values, without NaN and Inf", key, err)
	}
	unit := unitFile{Origin: r.origin, Unit: key, Result: encoded, Seconds: elapsed.Seconds()}
	if r.options.Path != "" {
		if err := unit.write(r.options.Path); err != nil {
			return err
		}
	}
	if err := r.accept(number, unit); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	r.report(key)
	return nil
}

func (r *run[R]) report(unit string) {
	if r.options.Progress == nil {
		return
	}
	p := Progress{
		Study: r.experiment.Name, Unit: unit, Done: r.done, Resumed: r.resumed, Total: len(r.finished),
		Elapsed: time.Since(r.started),
	}
	if fresh := r.done - r.resumed; fresh > 0 {
		p.Remaining = p.Elapsed / time.Duration(fresh) * time.Duration(p.Total-p.Done)
	}
	r.options.Progress(p)
}

func (r *run[R]) results() *Results[R] {
	results := &Results[R]{Record: Record{
		Origin: r.origin, Total: len(r.finished), Done: r.done, Partial: r.done < len(r.finished), Resumed: r.resumed,
		Elapsed: time.Since(r.started),
	}}
	for _, f := range r.finished {
		if f != nil {
			results.Units = append(results.Units, *f)
			results.UnitSeconds += f.Elapsed.Seconds()
		}
	}
	return results
}
