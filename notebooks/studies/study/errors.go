package study

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt matches every *CorruptError.
	ErrCorrupt = errors.New("study: corrupt results file")
	// ErrForeign matches every *ForeignError.
	ErrForeign = errors.New("study: foreign results file")
	// ErrBusy says that another process is writing to the results file.
	ErrBusy = errors.New("study: results file in use")
)

// CorruptError says that a line of a results file was changed after it was
// written. The file is left as it is. It matches [ErrCorrupt].
type CorruptError struct {
	// Path is the file, Line the number of the line, from 1.
	Path string
	Line int
	// Reason says what is wrong with the line.
	Reason error
}

// Error names the file, the line and the next step.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("study: line %d of %s is corrupt: %v; the file was left as it is: remove that line to compute its unit again, or give another path",
		e.Line, e.Path, e.Reason)
}

// Unwrap returns ErrCorrupt and the reason.
func (e *CorruptError) Unwrap() []error { return []error{ErrCorrupt, e.Reason} }

// ForeignError says that a results file belongs to another experiment. The
// file is left as it is. It matches [ErrForeign].
type ForeignError struct {
	// Path is the file.
	Path string
	// Field is what differs first: format, study, version, seed, or a field of
	// the configuration. Want is its value in the experiment, Got in the file.
	Field, Want, Got string
}

// Error names the file, the difference and the next step.
func (e *ForeignError) Error() string {
	return fmt.Sprintf("study: %s holds the results of something else: its %s is %s, this experiment has %s; the file was left as it is: give another path or move it away",
		e.Path, e.Field, e.Got, e.Want)
}

// Unwrap returns ErrForeign.
func (e *ForeignError) Unwrap() error { return ErrForeign }
