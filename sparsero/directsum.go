package sparsero

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero/input"
)

// Summand is a dictionary with the name under which a [DirectSum] holds it.
type Summand struct {
	// Name stands before the labels and column names, as in "demand: storm 3". The empty one changes none.
	Name       string
	Dictionary *Dictionary
	// Scale multiplies the atoms, each number rounded to the nearest float64, so that a power of two changes no digit.
	// Zero means 1; range (0, +Inf).
	Scale float64
}

// DirectSum returns the dictionary of the atoms of all summands, N = ΣN_k, in p = Σp_k coordinates: those of summand k
// stand in the k-th block of coordinates and are zero elsewhere. In a direction that lies in one block the atoms of the
// others have alignment zero, as the null atom has, so that one dictionary serves sets that have nothing to do with each
// other. It takes 8Np bytes. It is an error if there is no summand, one is empty, a scale is out of range or takes an
// atom out of the range of float64, or if two blocks have a column name in common.
func DirectSum(summands ...Summand) (*Dictionary, error) {
	n, p := 0, 0
	for k, s := range summands {
		if s.Dictionary.Size() == 0 {
			return nil, fmt.Errorf("sparsero: summand %d (%q) is nil or holds no atoms; build it with NewDictionary", k, s.Name)
		}
		if !(s.Scale >= 0) {
			return nil, fmt.Errorf("sparsero: summand %d (%q) has the scale %v; give a finite number > 0, or 0 for 1", k, s.Name, s.Scale)
		}
		n, p = n+s.Dictionary.Size(), p+s.Dictionary.Dim()
	}
	if n == 0 {
		return nil, errors.New("sparsero: there is no summand; give at least one dictionary")
	}
	if err := input.CheckSize("sparsero: the direct sum", n, p); err != nil {
		return nil, err
	}
	rows, names := mat.NewDense(n, p, nil), &DictionaryOptions{}
	for _, s := range summands {
		s.into(rows, names)
	}
	return NewDictionary(rows, names)
}

// into writes the atoms and the names of a summand behind those that are there.
func (s Summand) into(rows *mat.Dense, names *DictionaryOptions) {
	before := ""
	if s.Name != "" {
		before = s.Name + ": "
	}
	row, column := len(names.Labels), len(names.Columns)
	n, p := s.Dictionary.dims()
	for i := range n {
		names.Labels = append(names.Labels, before+s.Dictionary.Label(i))
	}
	for j := range p {
		names.Columns = append(names.Columns, before+s.Dictionary.Column(j))
	}
	block := rows.Slice(row, row+n, column, column+p).(*mat.Dense)
	block.Copy(s.Dictionary.atoms)
	if s.Scale != 0 {
		block.Scale(s.Scale, block)
	}
}
