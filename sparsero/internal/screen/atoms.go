package screen

import (
	"errors"
	"fmt"
)

// Source is a dictionary as the screen reads it: N atoms of dimension p. Its
// methods may be called by several goroutines at once.
type Source interface {
	// Size returns N >= 1.
	Size() int
	// Dim returns p >= 1.
	Dim() int
	// Rows returns atoms from..to-1, one after the other, to be read only and
	// only until the next use of the buffer. The buffer has room for them and may
	// be used or not.
	Rows(buffer []float64, from, to int) ([]float64, error)
}

// ErrRange says that alignments would overflow.
var ErrRange = errors.New("the alignments of atoms with directions are so large that they may overflow; rescale the atoms or the directions")

// NotFiniteError reports an atom that holds NaN or Inf.
type NotFiniteError struct {
	Atom, Coordinate int
	Value            float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("atom %d has the value %v in coordinate %d; give finite atoms", e.Atom, e.Value, e.Coordinate)
}
