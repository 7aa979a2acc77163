package selection

import (
	"context"
	"errors"
	"fmt"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/facility"
	"github.com/sparsero/directions/sparsero/internal/screen"
	"gonum.org/v1/gonum/mat"
)

// FacilityLocation is the average similarity of M points to the atom that represents
// them best,
//
//	F(S) = (1/M) sum_j max(0, max_{i in S} similarity_ij),
//
// for any similarities, such as a kernel of two data sets: the choice of exemplars.
// [Coverage] is the case in which they are inner products. It does not change after it
// is built and may be used by several goroutines at once. The zero value has no atoms, and
// rules refuse it.
type FacilityLocation struct {
	points facility.Points
	atoms  int
}

// NewFacilityLocation builds the objective for the N×M matrix of the similarities of
// the atoms to the points, which it copies. It is an error if the matrix is nil, empty
// or not finite.
func NewFacilityLocation(similarities mat.Matrix) (*FacilityLocation, error) {
	if err := input.CheckRows("similarities", "atom", similarities, -1); err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	n, m := similarities.Dims()
	f := &FacilityLocation{atoms: n}
	for j := range m {
		f.points.Add(mat.Col(nil, j, similarities))
	}
	return f, nil
}

// Size implements [Objective].
func (f *FacilityLocation) Size() int {
	if f == nil {
		return 0
	}
	return f.atoms
}

// MarshalJSON is an error: write the similarities instead.
func (f *FacilityLocation) MarshalJSON() ([]byte, error) {
	return nil, errors.New("selection: a FacilityLocation has no form in JSON; write its similarities")
}

// Full implements [Objective].
func (f *FacilityLocation) Full() float64 { return f.points.Full() }

// NewState implements [Objective].
func (f *FacilityLocation) NewState() State { return &facilityState{f, f.points.Serve()} }

// rounding covers the sums over the points; similarities are taken as they are.
func (f *FacilityLocation) rounding() screen.Rounding {
	return screen.Rounding{Relative: float64(f.points.Size()+8) * 0x1p-53}
}

// facilityState is the state of a [FacilityLocation].
type facilityState struct {
	objective *FacilityLocation
	*facility.Served
}

// Gain implements [State].
func (s *facilityState) Gain(i int) float64 {
	mustContain(s.objective, i)
	return s.Served.Gain(i)
}

// Add implements [State].
func (s *facilityState) Add(i int) {
	mustContain(s.objective, i)
	s.Served.Add(i)
}

func (s *facilityState) gains(_ context.Context, values []float64) { s.Gains(values) }
