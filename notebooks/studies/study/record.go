package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

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
