package robust

import (
	"cmp"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// joinSets puts the atoms of the constraints that have their own behind those of the problem, in coordinates of their
// own, and leads all maps there; the map of a certain objective is the zero one. What several constraints share stands there
// once. The constraints are changed in place.
func joinSets(d *sparsero.Dictionary, q sparsero.AffineMap, constraints []Constraint) (*sparsero.Dictionary, sparsero.AffineMap, error) {
	summands, dimension, from := []summand(nil), 0, make([]int, len(constraints))
	placed := map[summand]int{} // the first coordinate of each, without names
	place := func(name string, atoms *sparsero.Dictionary, scale float64) int {
		at, there := placed[summand{"", atoms, scale}]
		if !there {
			at = dimension
			placed[summand{"", atoms, scale}] = at
			summands, dimension = append(summands, summand{name, atoms, scale}), dimension+atoms.Dim()
		}
		return at
	}
	if d.Size() > 0 {
		place("", d, 1)
	}
	for k := range constraints {
		if c := &constraints[k]; c.Dictionary != nil {
			from[k] = place(c.Name, c.Dictionary, cmp.Or(c.Radius, 1))
			c.Dictionary, c.Radius = nil, 0
		}
	}
	if len(summands) == 1 && summands[0].dictionary == d {
		return d, q, nil
	}
	joined, err := directSum(dimension, summands)
	if err != nil {
		return nil, q, fmt.Errorf("robust: the sets of the constraints: %w; give constraints with sets of their own different names", err)
	}
	if q.Matrix != nil {
		q = embedded(q, 0, dimension)
	}
	for k := range constraints {
		constraints[k].Map = embedded(constraints[k].Map, from[k], dimension)
	}
	return joined, q, nil
}

// embedded is q(x) in coordinates from..from+p-1 of so many, the others zero.
func embedded(q sparsero.AffineMap, from, dimension int) sparsero.AffineMap {
	rows, columns := q.Dims()
	wide := sparsero.AffineMap{Matrix: mat.NewDense(dimension, columns, nil)}
	wide.Matrix.Slice(from, from+rows, 0, columns).(*mat.Dense).Copy(q.Matrix)
	if q.Constant != nil {
		wide.Constant = make([]float64, dimension)
		copy(wide.Constant[from:], q.Constant)
	}
	return wide
}

// summand is a dictionary with what stands before its labels and column names in a direct sum, as in "demand: storm 3",
// and the scale of its atoms.
type summand struct {
	name       string
	dictionary *sparsero.Dictionary
	scale      float64
}

// directSum returns the dictionary of the atoms of all summands, N = ΣN_k, in p = Σp_k coordinates: those of summand k
// stand in the k-th block of coordinates and are zero elsewhere. In a direction that lies in one block the atoms of the
// others have alignment zero, as the null atom has. It takes 8Np bytes. It is an error if a scale takes an atom out of
// the range of float64, or if two blocks have a column name in common.
func directSum(p int, summands []summand) (*sparsero.Dictionary, error) {
	n := 0
	for _, s := range summands {
		n += s.dictionary.Size()
	}
	if err := input.CheckSize("the direct sum", n, p); err != nil {
		return nil, err
	}
	rows, names := mat.NewDense(n, p, nil), &sparsero.DictionaryOptions{}
	for _, s := range summands {
		s.into(rows, names)
	}
	return sparsero.NewDictionary(rows, names)
}

// into writes the atoms and the names of a summand behind those that are there.
func (s summand) into(rows *mat.Dense, names *sparsero.DictionaryOptions) {
	before := ""
	if s.name != "" {
		before = s.name + ": "
	}
	row, column := len(names.Labels), len(names.Columns)
	for _, label := range s.dictionary.Labels() {
		names.Labels = append(names.Labels, before+label)
	}
	for _, name := range s.dictionary.Columns() {
		names.Columns = append(names.Columns, before+name)
	}
	block := rows.Slice(row, len(names.Labels), column, len(names.Columns)).(*mat.Dense)
	block.Scale(s.scale, s.dictionary.Matrix())
}
