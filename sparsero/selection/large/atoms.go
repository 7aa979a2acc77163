package large

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Atoms is a source of N atoms of dimension p. Its methods may be called by
// several goroutines at once. A source that also has a method
//
//	Label(i int) string
//
// names its atoms; others are named "d" followed by the index.
type Atoms interface {
	// Size returns N >= 1.
	Size() int
	// Dim returns p >= 1.
	Dim() int
	// Rows returns the atoms from..to-1 one after the other, (to-from)p values that
	// are read only, and only until the buffer is used again. The buffer has room
	// for them and may be used or not.
	Rows(buffer []float64, from, to int) ([]float64, error)
}

// FromDictionary returns the atoms of a dictionary.
func FromDictionary(d *sparsero.Dictionary) Atoms { return dictionaryAtoms{d} }

type dictionaryAtoms struct{ *sparsero.Dictionary }

func (d dictionaryAtoms) Rows(_ []float64, from, to int) ([]float64, error) {
	return d.RawRowsView(from, to), nil
}

// FromFloat32 returns the atoms that are the rows of an N×p matrix stored by rows,
// without copying it. It is an error if data is empty, is not a whole number of
// rows, or holds NaN or Inf.
func FromFloat32(data []float32, p int) (Atoms, error) {
	if p < 1 || len(data) == 0 || len(data)%p != 0 {
		return nil, fmt.Errorf("large: %d values are not a whole number of rows of dimension %d; give N×p values, N and p at least 1", len(data), p)
	}
	for k, value := range data {
		if v := float64(value); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("large: atom %d has the value %v in coordinate %d; give finite atoms", k/p, v, k%p)
		}
	}
	return screen.Matrix32{Data: data, P: p}, nil
}

// label returns the name of atom i.
func label(atoms Atoms, i int) string {
	if named, ok := atoms.(interface{ Label(i int) string }); ok {
		return named.Label(i)
	}
	return "d" + strconv.Itoa(i)
}
