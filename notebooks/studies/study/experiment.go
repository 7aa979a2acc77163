package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Experiment is a study cut into units that do not depend on each other, such
// as one seed each. R is the result of a unit; it must survive a round trip
// through encoding/json (so NaN and Inf cannot be part of it).
type Experiment[R any] struct {
	// Name identifies the study. Required.
	Name string
	// Version identifies the code that computes the results; raise it whenever
	// a unit's result changes. Required.
	Version string
	// Configuration holds everything besides Seed and the units' keys that
	// determines a result. It is encoded as JSON and goes into the files of the units.
	Configuration any
	// Seed starts all randomness of the study. Default 0.
	Seed uint64
	// Units are the distinct, non-empty keys of the units. At least one. A
	// result may depend on its unit's key but not on the other units, so that
	// a later run may ask for more or fewer.
	Units []string
	// Run computes unit number unit, 0 <= unit < len(Units). It is called from
	// several goroutines. When ctx ends it may return ctx.Err(); the unit then
	// counts as not done. Required.
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
	// Merge are folders of units that other runs have computed, such as those of the
	// other shards. If there are any, each unit is taken from them and none is computed.
	Merge []string
	// Path is the folder of the units' files. Each finished unit is written there as
	// it ends, and a later run with the same experiment goes on from there. It
	// is created if missing. Default "": results are kept in memory only.
	Path string
	// Progress is called once at the start and after each finished unit, never
	// by two goroutines at once. Default none.
	Progress func(Progress)
}

// Progress says how far a study is.
type Progress struct {
	Study   string // name of the experiment
	Unit    string // key of the unit that has just ended; "" at the start
	Done    int    // finished units, those of earlier runs included
	Resumed int    // units taken over from their files
	Total   int    // units of the experiment, or of the shard
	// Elapsed is the time since the start of this run, Remaining an estimate
	// of the time to its end from the units of this run (0 before the first).
	Elapsed, Remaining time.Duration
}

// String returns one line such as "integer: 12 of 200 units, 3s elapsed, about 47s left".
func (p Progress) String() string {
	line := fmt.Sprintf("%s: %d of %d units", p.Study, p.Done, p.Total)
	if p.Unit == "" && p.Resumed > 0 {
		line += fmt.Sprintf(" (%d from earlier runs)", p.Resumed)
	}
	if p.Unit != "" {
		line += fmt.Sprintf(", %s elapsed", p.Elapsed.Round(time.Second))
	}
	if p.Remaining > 0 {
		line += fmt.Sprintf(", about %s left", p.Remaining.Round(time.Second))
	}
	return line
}

// Finished is the result of one unit.
type Finished[R any] struct {
	Index  int    // position in Experiment.Units
	Unit   string // its key
	Result R
	// Elapsed is the time the unit took in the run that computed it.
	Elapsed time.Duration
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
// times is the same for every run of the experiment.
type Record struct {
	Origin
	Total int `json:"units"`
	Done  int `json:"finished"`
	// Partial is true if some units are missing, because the context ended, a unit
	// failed, or they belong to other shards.
	Partial bool `json:"partial"`
	// Resumed counts the units taken over from their files.
	Resumed int `json:"-"`
	// UnitSeconds is the sum of the times of all finished units, in seconds, those of
	// earlier runs included; other work on the machine lengthens it.
	UnitSeconds float64 `json:"unit_seconds"`
	// Elapsed is the time of this run.
	Elapsed time.Duration `json:"-"`
}

// About returns the record itself, for results of any study.
func (r Record) About() Record { return r }

// ErrInvalid is wrapped by errors about an experiment or options that cannot be run.
var ErrInvalid = errors.New("study: invalid experiment")

// origin checks the experiment and returns what identifies it.
func (e *Experiment[R]) origin() (Origin, error) {
	invalid := func(format string, values ...any) (Origin, error) {
		return Origin{}, fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, values...))
	}
	switch {
	case e.Name == "":
		return invalid("Name is empty; name the study")
	case e.Version == "":
		return invalid("Version of %s is empty; give the version of the code that computes its results", e.Name)
	case e.Run == nil:
		return invalid("Run of %s is nil; give the function that computes a unit", e.Name)
	case len(e.Units) == 0:
		return invalid("%s has no units; give at least one key", e.Name)
	}
	seen := make(map[string]int, len(e.Units))
	for i, key := range e.Units {
		if key == "" || !utf8.ValidString(key) {
			return invalid("unit %d of %s has the key %q; use non-empty valid UTF-8", i, e.Name, key)
		}
		if first, ok := seen[key]; ok {
			return invalid("units %d and %d of %s are both %q; use distinct keys", first, i, e.Name, key)
		}
		seen[key] = i
	}
	configuration, err := json.Marshal(e.Configuration)
	if err != nil {
		return invalid("Configuration of %s cannot be encoded as JSON: %v", e.Name, err)
	}
	return newOrigin(e.Name, e.Version, e.Seed, configuration), nil
}

// Shard is one of Count parts of the units of an experiment, for one of Count machines:
// unit k belongs to shard k mod Count. Its zero value is all units.
type Shard struct{ Index, Count int } // 0 <= Index < Count

// String returns "3/16" for the shard with the index 3 of 16.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Set reads a shard from text such as "3/16"; it makes *Shard a [flag.Value]. It is an error
// if the text is anything else or the index is outside.
func (s *Shard) Set(text string) error {
	var read Shard
	if _, err := fmt.Sscanf(text, "%d/%d", &read.Index, &read.Count); err != nil || read.String() != strings.TrimSpace(text) || read.Count < 1 {
		return fmt.Errorf("%.100q is no shard; write INDEX/COUNT such as 0/16", text)
	}
	if err := read.check(); err != nil {
		return err
	}
	*s = read
	return nil
}

func (s Shard) check() error {
	if s == (Shard{}) || s.Index >= 0 && s.Index < s.Count {
		return nil
	}
	return fmt.Errorf("there is no shard %v: indices begin at 0 and end at %d", s, s.Count-1)
}

// units returns the numbers of the shard among those of count units.
func (s Shard) units(count int) []int {
	var units []int
	for k := s.Index; k < count; k += max(s.Count, 1) {
		units = append(units, k)
	}
	return units
}
