package robust

import (
	"fmt"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// Roll returns the same program a step later: without the atoms that drop lists, and with those of add (nil for none) behind
// the others. Beside it, it returns the new places of those of atoms that are left, in their order: given the Atoms of the last
// solution, these are the Options.Start from which cutting planes mostly need a round or two.
//
// The [Solution.Problem] of SolveFull brings its optimum along. SolveFull of the rolled problem, with that start, the
// same radius and the same Options.Solver, then compares the last decision with all atoms first. Nothing is solved, and
// Solution.Result has no Iterations, where none is worse than those that it rests on, and none of these is gone.
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
	next.last = p.last.moved(place, gone)
	return next, start, nil
}

// optimum is what a solved model over all atoms leaves for that of a problem that is rolled from it. Where no atom with
// a multiplier was dropped, its point is still a minimum over those atoms and its bound still proven, whatever came or
// went besides: what is left is to compare the point with all atoms.
type optimum struct {
	result      solver.Result // nobody else's X and ColumnDuals, no RowDuals; Lower is that of the exact model
	multipliers multipliers
	radius      float64
	options     *solver.Options
}

func newOptimum(s *Solution) *optimum {
	o := &optimum{*s.Result, s.multipliers, s.Radius, s.options}
	o.result.X, o.result.ColumnDuals = slices.Clone(o.result.X), slices.Clone(o.result.ColumnDuals)
	o.result.Lower, o.result.RowDuals, o.result.Iterations, o.result.Elapsed = s.LowerBound, nil, 0, 0
	return o
}

// moved is the optimum with the atoms at other places, nil where one with a multiplier is gone.
func (o *optimum) moved(place []int, gone []bool) *optimum {
	if o == nil {
		return nil
	}
	next := *o
	next.multipliers.Robust = slices.Clone(o.multipliers.Robust)
	for k := range next.multipliers.Robust {
		switch m := &next.multipliers.Robust[k]; {
		case m.Atom == sparsero.NullAtom:
		case gone[m.Atom]:
			return nil
		default:
			m.Atom = place[m.Atom]
		}
	}
	return &next
}

// resumed is the model of the last optimum, which is solved and need not be opened unless other atoms come. It is nil
// where the problem was not rolled from one, or another start, radius or solver is asked for.
func (p *Problem) resumed(radius float64, options Options) *master {
	o := p.last
	if o == nil || radius != o.radius || options.Solver != o.options {
		return nil
	}
	result := o.result
	result.X, result.ColumnDuals = slices.Clone(result.X), slices.Clone(result.ColumnDuals)
	rows := len(o.multipliers.Rows)
	result.RowDuals = append(slices.Clone(o.multipliers.Rows), make([]float64, len(p.constraints))...)
	var cuts []cut
	for _, y := range o.multipliers.Robust {
		if y.Atom == sparsero.NullAtom {
			result.RowDuals[rows+y.Exposure] = -y.Value
			continue
		}
		if !slices.Contains(options.Start, y.Atom) {
			return nil
		}
		cuts, result.RowDuals = append(cuts, cut{y.Exposure, y.Atom}), append(result.RowDuals, -y.Value)
	}
	m := p.masterOf(options.Start, cuts, radius, options.Solver)
	m.optimum, m.relaxes = &result, true
	return m
}
