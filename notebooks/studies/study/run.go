package study

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Run computes the units of an experiment, or of Options.Shard, that have no file yet,
// Options.Workers at a time, and returns those that are finished. With Options.Merge it
// computes nothing: it takes every unit from these folders.
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
// another experiment ([ErrForeign]) or cannot be written, and units that are missing from
// the folders to merge, or there twice and different ([ErrMerge]). A run that fails before
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
	if err := o.Shard.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	r := &run[R]{
		experiment: &e, origin: origin, options: o, started: started,
		units: o.Shard.units(len(e.Units)), finished: make([]*Finished[R], len(e.Units)),
	}
	if err := r.resume(); err != nil {
		return nil, err
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
	units      []int // of the shard
	finished   []*Finished[R]
	done       int
	resumed    int
}

// resume takes over the units that have a file, in a merge every unit.
func (r *run[R]) resume() error {
	folders, merging := r.options.Merge, len(r.options.Merge) > 0
	if !merging && r.options.Path != "" {
		folders = []string{r.options.Path}
	}
	var absent []string
	for _, i := range r.units {
		for _, folder := range folders {
			if err := r.take(i, folder); err != nil {
				return err
			}
		}
		if r.finished[i] == nil {
			absent = append(absent, r.experiment.Units[i])
		}
	}
	r.resumed = r.done
	if merging && len(absent) > 0 {
		return fmt.Errorf("%w: %d of the %d units of %s are in none of the %d folders: %q; run their shards again, or name the folders that hold them",
			ErrMerge, len(absent), len(r.units), r.experiment.Name, len(folders), absent)
	}
	return nil
}

// take takes over unit i from its file in a folder, if there is one. A unit that was taken
// over already must be the same.
func (r *run[R]) take(i int, folder string) error {
	key := r.experiment.Units[i]
	unit, found, err := readUnit(folder, key, r.origin)
	if err != nil || !found {
		return err
	}
	result, err := r.decode(i, unit)
	if err != nil {
		return corrupt(unitPath(folder, key), err)
	}
	if first := r.finished[i]; first == nil {
		r.accept(result)
	} else if !reflect.DeepEqual(first.Result, result.Result) {
		return fmt.Errorf("%w: unit %q of %s in %s differs from that of a folder before it; find out which machine is wrong and remove its file",
			ErrMerge, key, r.experiment.Name, folder)
	}
	return nil
}

// decode reads the result of unit i from the content of its file.
func (r *run[R]) decode(i int, unit unitFile) (*Finished[R], error) {
	f := &Finished[R]{Index: i, Unit: unit.Unit, Elapsed: time.Duration(unit.Seconds * float64(time.Second))}
	decoder := json.NewDecoder(bytes.NewReader(unit.Result))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f.Result); err != nil {
		return nil, fmt.Errorf("the result of unit %q does not fit %T: %w", unit.Unit, f.Result, err)
	}
	return f, nil
}

// accept counts a unit as finished.
func (r *run[R]) accept(f *Finished[R]) {
	r.finished[f.Index] = f
	r.done++
}

// compute runs the missing units and returns the error of the first failed one.
func (r *run[R]) compute(parent context.Context) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	missing := slices.DeleteFunc(slices.Clone(r.units), func(i int) bool { return r.finished[i] != nil })
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
	fresh, err := r.decode(number, unit)
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	r.accept(fresh)
	r.report(key)
	return nil
}

func (r *run[R]) report(unit string) {
	if r.options.Progress == nil {
		return
	}
	p := Progress{
		Study: r.experiment.Name, Unit: unit, Done: r.done, Resumed: r.resumed, Total: len(r.units),
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
