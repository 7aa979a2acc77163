package screen

import "errors"

// Source is a dictionary of N atoms of dimension p as the screen reads it; the Source of package
// selection says what its methods return.
type Source interface {
	Size() int
	Dim() int
	Rows(buffer []float64, from, to int) ([]float64, error)
}

// ErrRange says that alignments would overflow.
var ErrRange = errors.New("the alignments of atoms with directions are so large that they may overflow; rescale the atoms or the directions")
