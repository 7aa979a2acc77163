package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// Run computes the units of an experiment that its results file does not hold
// yet, Options.Workers at a time, and returns all finished units.
//
// Each unit is appended to the file as it ends, so that a killed run goes on
// where it was: no finished unit is computed again or lost. All results, fresh
// or read, have passed through their JSON form, so that an interrupted and
// resumed study equals an uninterrupted one to the last bit, on any number of
// workers.
//
// When ctx ends, Run returns the finished units with Partial set and no error.
// When a unit fails, the others stop, and Run returns the finished units with
// the error of the first failed unit. Other errors: an invalid experiment
// ([ErrInvalid]), a results file that is corrupt ([ErrCorrupt]), belongs to
// another experiment ([ErrForeign]) or is in use ([ErrBusy]), or cannot be
// written. A file is never overwritten, and a run that fails before its first unit
// ends leaves no new one behind.
func Run[R any](ctx context.Context, e Experiment[R], o Options) (*Results[R], error) {
	started := time.Now()
	first, err := e.header()
	if err != nil {
		return nil, err
	}
	if o.Workers < 0 {
		return nil, fmt.Errorf("%w: Workers = %d is negative; use 0 for one per core", ErrInvalid, o.Workers)
	}
	r := &run[R]{experiment: &e, options: o, started: started, finished: make([]*Finished[R], len(e.Units))}
	r.processor, _ = resources()
	if o.Path != "" {
		units, err := r.open(first)
		if err != nil {
			return nil, err
		}
		defer r.store.close()
		if err := r.resume(units); err != nil {
			return nil, err
		}
	}
	r.report("")
	failure := r.compute(ctx)
	if failure != nil && r.store != nil && r.store.fresh && r.done == 0 {
		r.store.discard() // else the corrected configuration would be foreign to it
	}
	return r.results(first), failure
}

// run is the state of one call of Run; workers write to it one at a time.
type run[R any] struct {
	experiment *Experiment[R]
	options    Options
	started    time.Time
	processor  float64 // processor time of the process at the start, in seconds
	store      *store  // nil when results are kept in memory only
	finished   []*Finished[R]
	done       int
	resumed    int
}

func (r *run[R]) open(first header) (units []line, err error) {
	r.store, units, err = openStore(r.options.Path, first)
	return units, err
}

// resume takes over the units of the results file; units that are not asked for stay in the file.
func (r *run[R]) resume(units []line) error {
	position := make(map[string]int, len(r.experiment.Units))
	for i, key := range r.experiment.Units {
		position[key] = i
	}
	for number, unit := range units {
		i, asked := position[unit.Unit]
		if !asked {
			continue
		}
		if err := r.accept(i, unit); err != nil {
			return corrupt(r.options.Path, number+2, err)
		}
		r.resumed++
	}
	return nil
}

// accept decodes the result of unit i from its line.
func (r *run[R]) accept(i int, unit line) error {
	f := &Finished[R]{Index: i, Unit: unit.Unit, Elapsed: time.Duration(unit.Seconds * float64(time.Second))}
	if err := unmarshalStrictly(unit.Result, &f.Result); err != nil {
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
	queue := make(chan int, len(r.finished))
	for i, f := range r.finished {
		if f == nil {
			queue <- i
		}
	}
	close(queue)
	var failure error
	failed := len(r.finished)
	var ending sync.Mutex // held while a unit is stored and reported
	var group sync.WaitGroup
	for range min(r.workers(), len(queue)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for unit := range queue {
				if ctx.Err() != nil {
					return
				}
				began := time.Now()
				result, err := r.experiment.Run(ctx, unit)
				elapsed := time.Since(began)
				ending.Lock()
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
				if err != nil && unit < failed {
					failed, failure = unit, err
				}
				ending.Unlock()
			}
		}()
	}
	group.Wait()
	return failure
}

func (r *run[R]) workers() int {
	if r.options.Workers > 0 {
		return r.options.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// keep stores a finished unit.
func (r *run[R]) keep(number int, result R, elapsed time.Duration) error {
	key := r.experiment.Units[number]
	encoded, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("study: the result of unit %q cannot be stored: %w; results must be JSON values, without NaN and Inf", key, err)
	}
	unit := line{Unit: key, Result: encoded, Seconds: elapsed.Seconds()}
	if err := r.accept(number, unit); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	if r.store != nil {
		if err := r.store.append(unit); err != nil {
			return err
		}
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

func (r *run[R]) results(first header) *Results[R] {
	results := &Results[R]{Record: Record{
		Study: first.Study, Version: first.Version, Seed: first.Seed, Hash: first.Hash, Configuration: first.Configuration,
		Total: len(r.finished), Done: r.done, Partial: r.done < len(r.finished), Resumed: r.resumed,
		Elapsed: time.Since(r.started),
	}}
	for _, f := range r.finished {
		if f != nil {
			results.Units = append(results.Units, *f)
			results.UnitSeconds += f.Elapsed.Seconds()
		}
	}
	processor, peak := resources()
	results.Usage = Usage{
		Units: r.done - r.resumed, Workers: r.workers(), Seconds: results.Elapsed.Seconds(),
		ProcessorSeconds: processor - r.processor, PeakBytes: peak,
	}
	return results
}
