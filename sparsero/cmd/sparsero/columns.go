package main

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// matched returns atoms with their coordinates in the order of named columns, where both have the same names; a coordinate in a wrong
// place would make a wrong decision without a sign. Where no name is common to both their order counts, and where some are the call
// ends.
func matched(atoms *sparsero.Dictionary, columns []string, path string) *sparsero.Dictionary {
	names := atoms.Columns()
	common := slices.ContainsFunc(columns, func(name string) bool { return slices.Contains(names, name) })
	// Where their numbers differ the problem refuses the atoms, and says why.
	if !common || len(names) != len(columns) || slices.Equal(names, columns) {
		return atoms
	}
	ordered := mat.NewDense(atoms.Size(), len(columns), nil)
	for j, name := range columns {
		from := slices.Index(names, name)
		if from < 0 {
			fail(fmt.Errorf("%s has the columns %q and none for %q; name all as in %q, in any order, or leave the header out: then their order counts", path, names, name, columns))
		}
		ordered.SetCol(j, mat.Col(nil, from, atoms.Matrix()))
	}
	return must(sparsero.NewDictionary(ordered, &sparsero.DictionaryOptions{Labels: atoms.Labels(), Columns: columns}))
}
