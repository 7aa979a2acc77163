package large

import (
	"context"
	"errors"
	"fmt"

	"github.com/sparsero/directions/sparsero/internal/screen"
	"gonum.org/v1/gonum/mat"
)

// Options tune [NewCoverage]. The zero value holds the alignments and uses all
// processors and the memory that is available.
type Options struct {
	// Stream holds no alignments: they are recomputed from the atoms whenever they
	// are needed. Memory no longer grows with NM, and the atoms are read several
	// times. Default false.
	Stream bool
	// Workers is the number of goroutines. Results do not depend on it. Default
	// GOMAXPROCS.
	Workers int
	// MemoryLimit is how many bytes the alignments and a selection may take, the
	// atoms not counted. Default what the machine has available.
	MemoryLimit int64
}

func (o *Options) screen() screen.Options {
	if o == nil {
		return screen.Options{}
	}
	return screen.Options{Stream: o.Stream, Workers: o.Workers}
}

// Coverage is the support coverage objective
//
//	F(S;T) = (1/|T|) sum_{s in T} max(0, max_{i in S} <d_i,s>)
//
// of many atoms. It does not change after it is built and may be used by several
// goroutines at once.
type Coverage struct {
	atoms  Atoms
	screen *screen.Screen
}

// NewCoverage builds the objective for the M×p matrix whose rows are the probe
// directions, in O(NMp) time; it reads all atoms once. It is an error if atoms or
// directions are missing, not finite or do not fit together; a [*MemoryError] if it
// would not fit into memory; the error of the atoms if they cannot be read; and
// that of the context if it ends.
func NewCoverage(ctx context.Context, atoms Atoms, directions mat.Matrix, o *Options) (*Coverage, error) {
	if o == nil {
		o = &Options{}
	}
	if atoms == nil {
		return nil, errors.New("large: atoms is nil; use FromDictionary, FromFloat32 or OpenNPY")
	}
	values, err := directionValues(directions, atoms.Dim())
	if err != nil {
		return nil, err
	}
	if o.MemoryLimit < 0 {
		return nil, fmt.Errorf("large: MemoryLimit is %d; use 0 for what is available", o.MemoryLimit)
	}
	if err := checkMemory(atoms.Size(), len(values)/atoms.Dim(), atoms.Dim(), o); err != nil {
		return nil, err
	}
	inner, err := screen.New(ctx, atoms, values, o.screen())
	if err != nil {
		return nil, fmt.Errorf("large: %w", err)
	}
	return &Coverage{atoms: atoms, screen: inner}, nil
}

// directionValues copies the probe directions and checks them.
func directionValues(directions mat.Matrix, p int) ([]float64, error) {
	if dense, ok := directions.(*mat.Dense); directions == nil || ok && dense == nil {
		return nil, fmt.Errorf("large: directions is nil; give an M×%d matrix with one direction per row", p)
	}
	m, columns := directions.Dims()
	if m == 0 || columns != p {
		return nil, fmt.Errorf("large: directions is %d×%d but the atoms have dimension %d; give one row per direction with %d columns", m, columns, p, p)
	}
	values := make([]float64, m*p)
	mat.NewDense(m, p, values).Copy(directions)
	for k, value := range values {
		if value-value != 0 { // NaN or Inf
			return nil, fmt.Errorf("large: directions has the value %v in row %d, column %d; use finite values", value, k/p, k%p)
		}
	}
	return values, nil
}

// Size returns N, the number of atoms to choose from.
func (c *Coverage) Size() int { return c.screen.Size() }

// Full returns F([N];T), the coverage of all atoms.
func (c *Coverage) Full() float64 { return c.screen.FullValue() }

// Value returns F(S;T) and max_{s in T} Δ_S(s) of the listed atoms. It is an error
// if an index is out of range or the atoms cannot be read.
func (c *Coverage) Value(indices []int) (value, worstDeficit float64, err error) {
	state := c.screen.NewState()
	for k, i := range indices {
		if i < 0 || i >= c.Size() {
			return 0, 0, fmt.Errorf("large: indices[%d] = %d is outside [0,%d); use 0-based atom indices", k, i, c.Size())
		}
		if _, err := state.Add(i); err != nil {
			return 0, 0, err
		}
	}
	return state.Value(), state.WorstDeficit(), nil
}
