package sparsero

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Support returns the support of the full dictionary at unit radius,
//
//	M_N(s) = max(0, max_i <d_i,s>),
//
// in O(Np) time. It panics if s does not have length p.
func (d *Dictionary) Support(s []float64) float64 {
	_, value := d.ActiveAtom(s)
	return value
}

// ActiveAtom returns the lowest index of an atom that attains [Dictionary.Support]
// in direction s, and the value. When every <d_i,s> is negative the null atom is
// active: the index is [NullAtom] and the value 0. It panics if s does not have
// length p.
func (d *Dictionary) ActiveAtom(s []float64) (index int, value float64) {
	index, value = NullAtom, math.Inf(-1)
	for i, alignment := range d.Alignments(nil, s) {
		if alignment > value {
			index, value = i, alignment
		}
	}
	if value < 0 {
		return NullAtom, 0
	}
	return index, value
}

// Scores returns the N×M matrix of alignments <d_i,s_j> for the M×p matrix
// whose rows are directions, with the bits of [Dictionary.Alignments]. It costs
// O(NMp) time on all cores and 8NM bytes. It is an
// error if directions is nil or empty, has another number of columns than p,
// or holds NaN or Inf.
func (d *Dictionary) Scores(directions mat.Matrix) (*mat.Dense, error) {
	if err := d.CheckDirections("directions", directions); err != nil {
		return nil, err
	}
	n, p := d.atoms.Dims()
	m, _ := directions.Dims()
	rows := mat.DenseCopyOf(directions).RawMatrix().Data
	return mat.NewDense(n, m, kernel.Best().Scores(d.atoms.RawMatrix().Data, n, rows, m, p)), nil
}

// CheckDirections reports whether the rows of an M×p matrix can be used as
// directions or perturbations of this dictionary: not nil, at least one row,
// p columns, all finite. The name is the argument's name in the error text.
func (d *Dictionary) CheckDirections(name string, directions mat.Matrix) error {
	if isNilMatrix(directions) {
		return fmt.Errorf("sparsero: %s is nil; give an M×%d matrix with one direction per row", name, d.Dim())
	}
	rows, columns := directions.Dims()
	if rows == 0 || columns == 0 {
		return fmt.Errorf("sparsero: %s is empty (%d×%d); give at least one row with %d columns", name, rows, columns, d.Dim())
	}
	if columns != d.Dim() {
		return fmt.Errorf("sparsero: %s has %d columns but the atoms have dimension %d; give one row per direction with %d columns", name, columns, d.Dim(), d.Dim())
	}
	if i, j, ok := firstNotFinite(directions); ok {
		return fmt.Errorf("sparsero: %s has the value %v in row %d, column %d (%s); use finite values", name, directions.At(i, j), i, j, d.Column(j))
	}
	return nil
}

// CheckDirection is [Dictionary.CheckDirections] for a single vector of length p.
func (d *Dictionary) CheckDirection(name string, s []float64) error {
	if len(s) != d.Dim() {
		return fmt.Errorf("sparsero: %s has length %d but the atoms have dimension %d; give %d values", name, len(s), d.Dim(), d.Dim())
	}
	for j, v := range s {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("sparsero: %s has the value %v at position %d (%s); use finite values", name, v, j, d.Column(j))
		}
	}
	return nil
}

// Pseudometric returns the distance between two directions as the dictionary
// sees it,
//
//	d_D(s,t) = max_i |<d_i, s-t>|,
//
// in O(Np) time. It is symmetric and obeys the triangle inequality, but is zero
// between different directions whenever the atoms do not span the space.
// It panics if s or t does not have length p.
func (d *Dictionary) Pseudometric(s, t []float64) float64 {
	d.mustMatch("s", s)
	d.mustMatch("t", t)
	difference := make([]float64, len(s))
	floats.SubTo(difference, s, t)
	distance := 0.0
	for i := range d.Size() {
		distance = max(distance, math.Abs(floats.Dot(d.atoms.RawRowView(i), difference)))
	}
	return distance
}

// mustMatch panics if v does not have the dimension of the atoms.
func (d *Dictionary) mustMatch(name string, v []float64) {
	if len(v) != d.Dim() {
		panic(fmt.Sprintf("sparsero: %s has length %d but the atoms have dimension %d", name, len(v), d.Dim()))
	}
}

// isNilMatrix tells whether m is nil or a nil *mat.Dense inside an interface.
func isNilMatrix(m mat.Matrix) bool {
	if m == nil {
		return true
	}
	dense, ok := m.(*mat.Dense)
	return ok && dense == nil
}

// firstNotFinite returns the position of the first NaN or Inf in m.
func firstNotFinite(m mat.Matrix) (row, column int, found bool) {
	rows, columns := m.Dims()
	view, direct := m.(mat.RawRowViewer)
	buffer := make([]float64, columns)
	for i := range rows {
		values := buffer
		if direct {
			values = view.RawRowView(i)
		} else {
			mat.Row(buffer, i, m)
		}
		for j, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// euclideanNorm returns ‖v‖₂ without avoidable overflow.
func euclideanNorm(v []float64) float64 { return floats.Norm(v, 2) }
