package document

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// Matched returns atoms with their coordinates in the order of named columns, where both have the same names; a coordinate in a wrong
// place would make a wrong decision without a sign. Where no name is common to both, or the table has none, their order counts, and
// where some are it is an error.
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
			return nil, fmt.Errorf("%s has the columns %q and none for %q; name all as in %q, in any order, or leave the header out: then their order counts", cmp.Or(path, "the table"), names, name, columns)
		}
		ordered.SetCol(j, mat.Col(nil, from, atoms.Matrix()))
	}
	return sparsero.NewDictionary(ordered, &sparsero.DictionaryOptions{Labels: atoms.Labels(), Columns: columns})
}

// named tells whether the columns have names that were given.
func named(d *sparsero.Dictionary) bool {
	for j, name := range d.Columns() {
		if name != fmt.Sprintf("u%d", j) {
			return true
		}
	}
	return false
}

// order is that of the coordinates of u, for the maps that share them: an identity takes them by the names of the model's columns, and what
// is written, a matrix or a constant, as they stand.
type order struct {
	names             []string // nil where order counts
	identity, written string   // places of maps, empty for none
}

// share takes a map, nil for none, into account.
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
}

// matched brings a table into the order, an error where that would part it from what is written.
func (o *order) matched(table *sparsero.Dictionary, path string) (*sparsero.Dictionary, error) {
	ordered, err := Matched(table, o.names, path)
	if err == nil && ordered != table && o.written != "" {
		err = fmt.Errorf("%s has the columns %q and the model %q: the identity of %s takes them by name, and the matrix or constant of %s as they stand; give them in the order of the model", cmp.Or(path, "the table"), table.Columns(), o.names, o.identity, o.written)
	}
	return ordered, err
}

// covariance brings the columns and with them the rows of a covariance into the order.
func (o *order) covariance(table *sparsero.Dictionary, path string) (*sparsero.Dictionary, error) {
	names, labels := table.Columns(), table.Labels()
	given := func(label string) bool { return label != fmt.Sprintf("d%d", slices.Index(labels, label)) } // and not its default
	if slices.ContainsFunc(labels, given) && slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(names, label) }) && !slices.Equal(labels, names) {
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
