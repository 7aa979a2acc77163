package study

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt says that a line of a results file was changed after it was written.
	ErrCorrupt = errors.New("study: corrupt results file")
	// ErrForeign says that a file belongs to another experiment.
	ErrForeign = errors.New("study: foreign results file")
	// ErrBusy says that another process is writing to the results file.
	ErrBusy = errors.New("study: results file in use")
)

// corrupt says what is wrong with a line of a file, counted from 1.
func corrupt(path string, line int, reason error) error {
	return fmt.Errorf("%w: line %d of %s: %w; the file was left as it is: remove that line to compute its unit again, or give another path",
		ErrCorrupt, line, path, reason)
}

// foreign says in which field a file differs from what it must hold.
func foreign(path string, f field) error {
	return fmt.Errorf("%w: %s holds the results of something else: its %s is %s, this experiment has %s; the file was left as it is: give another path or move it away",
		ErrForeign, path, f.name, f.got, f.want)
}

// field is a property of an experiment and of a file.
type field struct{ name, want, got string }

// checkFields reports the first field in which a file differs.
func checkFields(path string, fields ...field) error {
	for _, f := range fields {
		if f.want != f.got {
			return foreign(path, f)
		}
	}
	return nil
}
