package study

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Experiment is a study cut into units that do not depend on each other, such
// as one seed each. R is the result of a unit; it must survive a round trip
// through encoding/json (so NaN and Inf cannot be part of it).
type Experiment[R any] struct {
	// Name identifies the study; it is a plain file name.
	Name string
	// Version identifies the code that computes the results; raise it whenever
	// a unit's result changes.
	Version string
	// Configuration holds everything besides Seed and the units' keys that
	// determines a result. It is encoded as JSON.
	Configuration any
	// Seed starts all randomness of the study. Default 0.
	Seed uint64
	// Units are the distinct keys of the units. At least one. A result may depend on
	// its unit's key but not on the other units, so that a later run may ask for more
	// or fewer.
	Units []string
	// Run computes unit number unit, 0 <= unit < len(Units). It is called from
	// several goroutines. When ctx ends it may return ctx.Err(); the unit then
	// counts as not done.
	Run func(ctx context.Context, unit int) (R, error)
}

// Options say how a study is carried out; nothing in them changes a result.
// The zero value runs in memory on all cores.
type Options struct {
	// Workers is the number of units computed at the same time. Default
	// runtime.GOMAXPROCS(0).
	Workers int
	// Shard is the part of the units that this run is about. Default all.
	Shard Shard
	// Path is the folder of finished units. Each is appended to a file there as
	// it ends, and a later run with the same experiment goes on from there. It
	// is created if missing. Default "": results are kept in memory only.
	Path string
	// Progress is called once at the start and after each finished unit, never
	// by two goroutines at once, with the finished units, those of earlier runs
	// included, and all units of the shard. Default none.
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
	// Record describes the experiment and the work done.
	Record
	// Units are the finished units.
	Units []Finished[R]
}

// Record identifies the experiment behind some results. Everything but the
// time is the same for every run of the experiment.
type Record struct {
	Study         string          `json:"study"`
	Version       string          `json:"version"`
	Seed          uint64          `json:"seed"`
	Hash          string          `json:"configuration_hash"` // SHA-256 of Configuration, hexadecimal
	Configuration json.RawMessage `json:"configuration"`
	Keys          []string        `json:"keys"` // of all units
	Total         int             `json:"units"`
	Done          int             `json:"finished"`
	// Partial is true if some units are missing, because the context ended, a unit
	// failed, or they belong to other shards.
	Partial bool `json:"partial"`
	// UnitSeconds is the sum of the times of all finished units, in seconds, those of
	// earlier runs included; other work on the machine lengthens it.
	UnitSeconds float64 `json:"unit_seconds"`
}

// About returns the record itself, for results of any study.
func (r Record) About() Record { return r }

// Run computes the units of an experiment, or of Options.Shard, that are in no file yet,
// Options.Workers at a time, and returns those that are finished.
//
// Each unit is stored as it ends, so that a killed run goes on where it was: no finished
// unit is computed again or lost. All results, fresh or read, have passed through their
// JSON form, so that an interrupted and resumed study equals an uninterrupted one to the
// last bit, on any number of workers.
//
// When ctx ends, Run returns the finished units with Partial set and no error.
// When a unit fails, the others stop, and Run returns the finished units with
// the error of the first failed unit. Other errors: no units, or two with one key; a shard
// outside its count; files that cannot be read or written. A run that fails before its first
// unit ends leaves no files behind.
func Run[R any](ctx context.Context, e Experiment[R], o Options) (*Results[R], error) {
	record, err := e.record()
	if err == nil {
		err = o.Shard.check()
	}
	if err != nil {
		return nil, err
	}
	stored := make(map[string]Finished[R])
	if o.Path != "" {
		if stored, err = readUnits[R](o.Path, record.fileName()); err != nil {
			return nil, err
		}
	}
	r := &run[R]{experiment: &e, options: o, record: record, units: o.Shard.units(len(e.Units)), finished: make([]*Finished[R], len(e.Units))}
	for _, i := range r.units {
		if unit, found := stored[e.Units[i]]; found {
			r.accept(i, unit)
		}
	}
	r.report()
	failure := r.compute(ctx)
	return r.results(), failure
}

// record checks the units and returns what identifies the experiment.
func (e *Experiment[R]) record() (Record, error) {
	first := make(map[string]int, len(e.Units))
	for i, key := range e.Units {
		if j, found := first[key]; found {
			return Record{}, fmt.Errorf("study: units %d and %d of %s are both %q; use distinct keys", j, i, e.Name, key)
		}
		first[key] = i
	}
	if len(e.Units) == 0 {
		return Record{}, fmt.Errorf("study: %s has no units; give at least one", e.Name)
	}
	configuration, err := json.Marshal(e.Configuration)
	if err != nil {
		return Record{}, fmt.Errorf("study: the configuration of %s cannot be encoded as JSON: %w", e.Name, err)
	}
	sum := sha256.Sum256(configuration)
	return Record{
		Study: e.Name, Version: e.Version, Seed: e.Seed, Hash: hex.EncodeToString(sum[:]), Configuration: configuration,
		Keys: e.Units, Total: len(e.Units),
	}, nil
}

// run is the state of one call of Run; workers write to it one at a time.
type run[R any] struct {
	experiment *Experiment[R]
	options    Options
	record     Record
	units      []int          // of the shard
	finished   []*Finished[R] // by number
}

// accept counts a unit as finished.
func (r *run[R]) accept(number int, unit Finished[R]) {
	r.finished[number] = &unit
	r.record.Done++
	r.record.UnitSeconds += unit.Seconds
}

func (r *run[R]) report() {
	if r.options.Progress != nil {
		r.options.Progress(r.record.Done, len(r.units))
	}
}

func (r *run[R]) results() *Results[R] {
	results := &Results[R]{Record: r.record}
	results.Partial = results.Done < results.Total
	for _, unit := range r.finished {
		if unit != nil {
			results.Units = append(results.Units, *unit)
		}
	}
	return results
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
			err = r.keep(unit, Finished[R]{Unit: r.experiment.Units[unit], Seconds: elapsed.Seconds(), Result: result})
		} else if parent.Err() != nil || ctx.Err() != nil && errors.Is(err, context.Canceled) {
			return nil // interrupted, neither done nor failed
		}
		if err != nil {
			cancel()
			return fmt.Errorf("study: unit %q of %s: %w", r.experiment.Units[unit], r.experiment.Name, err)
		}
		return nil
	})
}

// keep stores a finished unit and takes it as a later run will read it.
func (r *run[R]) keep(number int, unit Finished[R]) error {
	line, err := json.Marshal(unit)
	if err != nil {
		return fmt.Errorf("the result cannot be stored: %w; results must be JSON values, without NaN and Inf", err)
	}
	if r.options.Path != "" {
		if err := appendUnit(r.options.Path, r.record.fileName()+r.options.Shard.suffix(), line); err != nil {
			return err
		}
	}
	read, err := decodeUnit[R](line)
	if err != nil {
		return err
	}
	r.accept(number, read)
	r.report()
	return nil
}

// Each carries out so many pieces of work that share nothing, on so many workers (0: one per
// core), and returns the error of the first one that has one; after an error no more are begun.
func Each(workers, count int, work func(k int) error) error {
	failures := make([]error, count)
	var next atomic.Int64
	var failed atomic.Bool
	var group sync.WaitGroup
	for range min(cmp.Or(max(workers, 0), runtime.GOMAXPROCS(0)), count) {
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
