package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Record identifies the experiment behind some results. Everything but Done and the
// time is the same for every run of the experiment.
type Record struct {
	Study         string          `json:"study"`
	Version       string          `json:"version"`
	Hash          string          `json:"configuration_hash"` // SHA-256 of Configuration, hexadecimal
	Configuration json.RawMessage `json:"configuration"`
	// Keys are those of all units, and Done is how many of them are finished: fewer if the context ended.
	Keys []string `json:"keys"`
	Done int      `json:"finished"`
	// UnitSeconds is the sum of the times of all finished units, in seconds; other work on the machine lengthens it.
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
	return Record{Study: e.Name, Version: e.Version, Hash: hex.EncodeToString(sum[:]), Configuration: configuration, Keys: e.Units}, nil
}
