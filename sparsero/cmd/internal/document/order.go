package document

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// Matched returns atoms with their coordinates in the order of named columns, where both have the same names; a
// coordinate in a wrong place would make a wrong decision without a sign. Where no name is common to both, or the table
// has none, their order counts, and where some are it is an error.
func Matched(atoms *sparsero.Dictionary, columns []string, path string) (*sparsero.Dictionary, error) {
	names := atoms.Columns()
	common := slices.ContainsFunc(columns, func(name string) bool { return slices.Contains(names, name) })
	// Where their numbers differ the problem refuses the atoms, and says why.
	if !common || !named(atoms) || len(names) != len(columns) || slices.Equal(names, columns) {
		return atoms, nil
	}
	ordered := mat.NewDense(atoms.Size(), len(columns), nil)
	for j, name := range columns {
		from := slices.Index(names, name)
		if from < 0 {
			return nil, fmt.Errorf("%s has the columns %q and none for %q; name all as in %q, in any order", cmp.Or(path, "the table"), names, name, columns)
		}
		ordered.SetCol(j, mat.Col(nil, from, atoms.Matrix()))
	}
	return sparsero.NewDictionary(ordered, &sparsero.DictionaryOptions{Labels: atoms.Labels(), Columns: columns})
}

// MatchedDraws returns draws in the order of the coordinates of atoms, by their names or, where an identity takes the
// first of them, by those of the model, nil for none.
func MatchedDraws(draws *sparsero.Dictionary, coordinates, model []string, path string) (*sparsero.Dictionary, error) {
	ordered, err := Matched(draws, coordinates, path)
	if err == nil && ordered != draws || slices.Equal(draws.Columns(), coordinates) {
		return ordered, err
	}
	copy(coordinates, model)
	byModel, other := Matched(draws, coordinates, path)
	if other == nil {
		return byModel, nil
	}
	return nil, cmp.Or(err, other)
}

// labelled tells whether the rows have labels that were given, named whether the columns have names.
func labelled(d *sparsero.Dictionary) bool { return given(d.Labels(), "d") }

func named(d *sparsero.Dictionary) bool { return given(d.Columns(), "u") }

// given tells whether names are others than a letter and their number.
func given(names []string, letter string) bool {
	for k, name := range names {
		if name != fmt.Sprint(letter, k) {
			return true
		}
	}
	return false
}

// order is that of the coordinates of u, for the maps that share them: an identity takes them by the names of the
// model's columns, and what is written, a matrix or a constant, as they stand.
type order struct {
	names             []string            // nil where order counts
	identity, written string              // places of maps, empty for none
	rows              map[string][]string // by place, the labels of the rows of written matrices that have some
}

func (o *order) share(place string, a *affine, columns []string) {
	if a == nil {
		return
	}
	isIdentity := a.Matrix != nil && a.Matrix.path == identity
	if isIdentity {
		o.names, o.identity = columns, place
	}
	if !isIdentity || len(a.Constant) > 0 {
		o.written = place
	}
	if o.rows == nil {
		o.rows = map[string][]string{}
	}
	o.rows[place] = a.rows
}

// matched brings a table into the order, an error where that would part it from what is written.
func (o *order) matched(table *sparsero.Dictionary, path string) (*sparsero.Dictionary, error) {
	if o.names != nil && table.Dim() != len(o.names) {
		return nil, fmt.Errorf("%s has %d columns and the model %d, of which the identity of %s takes one for each; give as many", cmp.Or(path, "the table"), table.Dim(), len(o.names), o.identity)
	}
	ordered, err := Matched(table, o.names, path)
	if err == nil && ordered != table && o.written != "" {
		err = fmt.Errorf("%s has the columns %q and the model %q: the identity of %s takes them by name, and the matrix or constant of %s as they stand; give them in the order of the model", cmp.Or(path, "the table"), table.Columns(), o.names, o.identity, o.written)
	}
	for place, rows := range o.rows {
		common := slices.ContainsFunc(rows, func(row string) bool { return slices.Contains(table.Columns(), row) })
		if err == nil && common && named(table) && !slices.Equal(ordered.Columns(), rows) {
			err = fmt.Errorf("%s has the columns %q, and the rows of the matrix of %s are labelled %q; give both in the same order", cmp.Or(path, "the table"), ordered.Columns(), place, rows)
		}
	}
	return ordered, err
}

// covariance brings the columns and with them the rows of a covariance into the order.
func (o *order) covariance(table *sparsero.Dictionary, path string) (*sparsero.Dictionary, error) {
	names, labels := table.Columns(), table.Labels()
	if labelled(table) && slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(names, label) }) && !slices.Equal(labels, names) {
		return nil, fmt.Errorf("the rows are labelled %q and the columns %q; give both in the same order", labels, names)
	}
	ordered, err := o.matched(table, path)
	if err != nil || ordered == table {
		return ordered, err
	}
	turned, err := sparsero.NewDictionary(mat.DenseCopyOf(ordered.Matrix().T()), &sparsero.DictionaryOptions{Columns: names})
	if err != nil {
		return nil, err
	}
	return o.matched(turned, path)
}

// turns tells whether names are those of the order in another one.
func (o *order) turns(names []string) bool {
	return !slices.Equal(names, o.names) && slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(o.names)))
}
