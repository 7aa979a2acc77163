package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// unitFile holds the finished units of an experiment by key, and appends each to a file of JSON
// lines: first the origin, then the units.
type unitFile[R any] struct {
	path     string // "" for no file
	header   []byte // the line of the origin as long as the file has none
	torn     bool   // whether the file does not end with a line break
	finished map[string]Finished[R]
}

// openUnits reads the units of a file. A line that is no unit was torn by a kill or a full disk, or has results of
// another type; its unit is computed again. A file of another origin is an error, unless it was torn in its first line.
func openUnits[R any](o Options, origin Origin) (*unitFile[R], error) {
	header, err := json.Marshal(origin)
	if err != nil {
		return nil, err
	}
	u := &unitFile[R]{path: o.Path, header: header, finished: make(map[string]Finished[R])}
	if o.Path == "" {
		return u, nil
	}
	text, err := os.ReadFile(o.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return u, nil
	}
	if err != nil {
		return nil, fmt.Errorf("study: cannot read the finished units: %w", err)
	}
	if bytes.HasPrefix(header, text) { // it was torn in its first line
		return u, os.Remove(o.Path)
	}
	u.torn = !bytes.HasSuffix(text, []byte("\n"))
	return u, u.read(text, origin)
}

// read takes the units of the text of a file, unless their origin is another one.
func (u *unitFile[R]) read(text []byte, origin Origin) error {
	for line := range bytes.Lines(text) {
		if found, err := decode[Origin](line); err == nil {
			if err := origin.check(found, u.path); err != nil {
				return err
			}
			u.header = nil
			continue
		}
		if unit, err := decode[Finished[R]](line); err == nil && u.header == nil {
			u.finished[unit.Unit] = unit
		}
	}
	if u.header != nil {
		return fmt.Errorf("%w: %s is no file of units; it was left as it is: give another folder, or delete it", ErrForeign, u.path)
	}
	return nil
}

// decode reads a T that has no other fields.
func decode[T any](line []byte) (value T, err error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&value)
	return value, err
}

// add stores a finished unit and takes it as a later run will read it.
func (u *unitFile[R]) add(unit Finished[R]) error {
	line, err := json.Marshal(unit)
	if err != nil {
		return fmt.Errorf("the result cannot be stored: %w; results must be JSON values, without NaN and Inf", err)
	}
	if unit, err = decode[Finished[R]](line); err != nil {
		return fmt.Errorf("the result cannot be read again: %w", err)
	}
	if err := u.append(line); err != nil {
		return fmt.Errorf("%w; the units before are still there: make room or give another folder, and run again", err)
	}
	u.finished[unit.Unit] = unit
	return nil
}

// append brings a line to disk, behind the header in a file without one. What was torn before ends at a line break.
func (u *unitFile[R]) append(line []byte) error {
	if u.path == "" {
		return nil
	}
	if u.header != nil {
		line = bytes.Join([][]byte{u.header, line}, []byte("\n"))
	}
	line = append(line, '\n')
	if u.torn {
		line = append([]byte("\n"), line...)
	}
	if err := os.MkdirAll(filepath.Dir(u.path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(u.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		u.torn = true
		return err
	}
	u.header, u.torn = nil, false
	return nil
}

// Origin says which experiment units come from.
type Origin struct {
	Study         string          `json:"study"`
	Version       string          `json:"version"`
	Hash          string          `json:"configuration_hash"` // SHA-256 of Configuration, hexadecimal
	Configuration json.RawMessage `json:"configuration"`
}

// Record identifies the experiment behind some results. Everything but Done and the
// time is the same for every run of the experiment.
type Record struct {
	Origin
	// Keys are those of all units, and Done is how many of them are finished: fewer if the context ended.
	Keys []string `json:"keys"`
	Done int      `json:"finished"`
	// UnitSeconds is the sum of the times of all finished units, in seconds, those of
	// earlier runs included; other work on the machine lengthens it.
	UnitSeconds float64 `json:"unit_seconds"`
}

// About returns the record itself, for results of any study.
func (r Record) About() Record { return r }

// Partial tells whether some units are missing.
func (r Record) Partial() bool { return r.Done < len(r.Keys) }

// record checks the units and returns what identifies the experiment.
func (e *Experiment[R]) record() (Record, error) {
	known := make(map[string]bool, len(e.Units))
	for _, key := range e.Units {
		if known[key] {
			return Record{}, fmt.Errorf("study: two units of %s are both %q; use distinct keys", e.Name, key)
		}
		known[key] = true
	}
	if len(e.Units) == 0 {
		return Record{}, fmt.Errorf("study: %s has no units; give at least one", e.Name)
	}
	configuration, err := json.Marshal(e.Configuration)
	if err != nil {
		return Record{}, fmt.Errorf("study: the configuration of %s cannot be encoded as JSON: %w", e.Name, err)
	}
	sum := sha256.Sum256(configuration)
	origin := Origin{Study: e.Name, Version: e.Version, Hash: hex.EncodeToString(sum[:]), Configuration: configuration}
	return Record{Origin: origin, Keys: e.Units}, nil
}

// ErrForeign says that a file holds no units of the experiment, but something else.
var ErrForeign = errors.New("study: not of this experiment")

// check reports a file whose units are of another origin.
func (o Origin) check(found Origin, path string) error {
	if found.Study == o.Study && found.Version == o.Version && found.Hash == o.Hash {
		return nil
	}
	return fmt.Errorf("%w: %s holds units of %v, not of %v; it was left as it is: give another folder, or delete it", ErrForeign, path, found, o)
}

// String names study, version and the beginning of the hash.
func (o Origin) String() string {
	return fmt.Sprintf("study %q, version %q, configuration %.8s", o.Study, o.Version, o.Hash)
}
