package robust

import (
	"fmt"
	"slices"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// Roll returns the same program a step later: without the atoms that drop lists, and with those of add (nil for none) behind
// the others. Beside it, it returns the new places of those of atoms that are left, in their order: given the Atoms of the last
// solution, these are the Options.Start from which cutting planes mostly need a round or two.
//
// The dimension of add is that of [Problem.Dictionary]. Labels stay with their atoms; give those of add names of their
// own. A declaration by [sparsero.Dictionary.AsSampled] does not pass on, as nothing tells why atoms were dropped.
// O(Np). It is an error if the dimension is another one, an index is out of range or repeated, or no atom is left.
func (p *Problem) Roll(add *sparsero.Dictionary, drop, atoms []int) (rolled *Problem, start []int, err error) {
	if err := p.checkSet(drop, 1); err != nil {
		return nil, nil, fmt.Errorf("robust: drop: %w", err)
	}
	if err := p.checkSet(atoms, 1); err != nil {
		return nil, nil, fmt.Errorf("robust: atoms: %w", err)
	}
	d := p.dictionary
	if err := d.checkWide(); err != nil {
		return nil, nil, err
	}
	if add.Size() > 0 && add.Dim() != d.dim {
		return nil, nil, fmt.Errorf("robust: add has atoms of dimension %d and those of the problem have %d; give atoms of one dimension", add.Dim(), d.dim)
	}
	left := d.size - len(drop)
	if left+add.Size() == 0 {
		return nil, nil, fmt.Errorf("robust: drop lists all %d atoms and add has none; leave one, or add some", d.size)
	}
	rows, labels := mat.NewDense(left+add.Size(), d.dim, nil), make([]string, 0, left+add.Size())
	place, gone := make([]int, d.size), make([]bool, d.size)
	for _, i := range drop {
		gone[i] = true
	}
	take := func(values []float64, label string) {
		rows.SetRow(len(labels), values)
		labels = append(labels, label)
	}
	for i := range place {
		if place[i] = len(labels); !gone[i] {
			take(d.RawRowView(i), d.Label(i))
		}
	}
	for i := range add.Size() {
		take(add.RawRowView(i), add.Label(i))
	}
	dictionary, err := sparsero.NewDictionary(input.Handed{Dense: rows}, &sparsero.DictionaryOptions{Labels: labels, Columns: d.Columns()})
	if err != nil {
		return nil, nil, fmt.Errorf("robust: the atoms of the next step: %w", err)
	}
	next := p.over(dictionary)
	if next.q.Matrix != nil {
		next.ceiling = next.alignmentCeiling(dictionary)
	}
	for _, i := range slices.DeleteFunc(slices.Clone(atoms), func(i int) bool { return gone[i] }) {
		start = append(start, place[i])
	}
	return next, start, nil
}
