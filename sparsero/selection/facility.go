package selection

import (
	"errors"
	"fmt"

	"github.com/sparsero/directions/sparsero/input"
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
	rows *mat.Dense // N×M
	full []float64
}

// NewFacilityLocation builds the objective for the N×M matrix of the similarities of
// the atoms to the points, which it copies. It is an error if the matrix is nil, empty
// or not finite.
func NewFacilityLocation(similarities mat.Matrix) (*FacilityLocation, error) {
	if err := input.CheckRows("similarities", "atom", similarities, -1); err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	f := &FacilityLocation{rows: mat.DenseCopyOf(similarities)}
	n, m := f.rows.Dims()
	f.full = make([]float64, m)
	for i := range n {
		for j, value := range f.rows.RawRowView(i) {
			f.full[j] = max(f.full[j], value)
		}
	}
	return f, nil
}

// Size implements [Objective].
func (f *FacilityLocation) Size() int {
	if f == nil || f.rows == nil {
		return 0
	}
	n, _ := f.rows.Dims()
	return n
}

// MarshalJSON is an error: write the similarities instead.
func (f *FacilityLocation) MarshalJSON() ([]byte, error) {
	return nil, errors.New("selection: a FacilityLocation has no form in JSON; write its similarities")
}

// Full implements [Objective].
func (f *FacilityLocation) Full() float64 { return mean(f.full) }

// NewState implements [Objective].
func (f *FacilityLocation) NewState() State {
	return &facilityState{objective: f, served: make([]float64, len(f.full))}
}

// rounding covers the sums over the points; similarities are taken as they are.
func (f *FacilityLocation) rounding() screen.Rounding {
	return screen.Rounding{Relative: float64(len(f.full)+8) * 0x1p-53}
}

// facilityState is the state of a [FacilityLocation].
type facilityState struct {
	objective *FacilityLocation
	served    []float64 // similarity of each point to its best atom
}

// Gain implements [State].
func (s *facilityState) Gain(i int) float64 {
	mustContain(s.objective, i)
	sum := 0.0
	for j, value := range s.objective.rows.RawRowView(i) {
		sum += max(0, value-s.served[j])
	}
	return sum / float64(len(s.served))
}

// Add implements [State].
func (s *facilityState) Add(i int) {
	mustContain(s.objective, i)
	for j, value := range s.objective.rows.RawRowView(i) {
		s.served[j] = max(s.served[j], value)
	}
}

// Value implements [State].
func (s *facilityState) Value() float64 { return mean(s.served) }

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
