package study

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt says that the file of a unit does not hold what was written to it.
	ErrCorrupt = errors.New("study: corrupt results file")
	// ErrForeign says that a file belongs to another experiment.
	ErrForeign = errors.New("study: foreign results file")
	// ErrMerge says that units to be merged are missing, or there twice and different.
	ErrMerge = errors.New("study: units do not merge")
)

// corrupt says what is wrong with the file of a unit.
func corrupt(path string, reason error) error {
	return fmt.Errorf("%w: %s: %w; it was left as it is: remove it to compute its unit again, or give another folder", ErrCorrupt, path, reason)
}

// foreign says in which field a file differs from what it must hold.
func foreign(path string, f field) error {
	return fmt.Errorf("%w: %s holds the results of something else: its %s is %s, this experiment has %s; it was left as it is: give another folder or move it away",
		ErrForeign, path, f.name, f.got, f.want)
}

// field is a property of an experiment and of a file.
type field struct{ name, want, got string }
