package sparsero

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// NullAtom is the index of the implicit null atom d_0 = 0, which every
// dictionary and every atomic set contains without storing it.
const NullAtom = -1

// Dictionary is a finite set of uncertainty directions: an N×p matrix whose rows are atoms, with optional labels for
// atoms and names for coordinates. The null atom is always present and never stored. A Dictionary does not change after
// it is built and may be used by several goroutines at once.
type Dictionary struct {
	atoms       *mat.Dense       // N×p
	label       func(int) string // of an atom; it holds none
	labelled    bool
	labelColumn string           // name of the label column in frames
	columns     []string         // nil, or one per coordinate
	norm        func() float64   // the largest one
	reach       func() []float64 // the largest size of each coordinate
	sampled     bool             // declared to be independent draws
	closed      bool             // an antipodal closure, or a part of one
}

// DictionaryOptions names the parts of a [Dictionary]. Nil and the zero value name nothing.
type DictionaryOptions struct {
	Labels  []string // one per atom; default "d0", "d1", ...
	Columns []string // one per coordinate, distinct and not empty; default "u0", "u1", ...
}

// NewDictionary builds a dictionary from an N×p matrix whose rows are atoms. The matrix is copied. It is an error if it
// is nil or empty, if it holds NaN or Inf, or if the names of the options (nil for none) do not fit. Zero and repeated
// atoms are allowed.
func NewDictionary(atoms mat.Matrix, options *DictionaryOptions) (*Dictionary, error) {
	if err := input.CheckShape("atoms", "atom", atoms, input.AnyColumns); err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	if _, handed := atoms.(input.Handed); options != nil && !handed {
		options = &DictionaryOptions{slices.Clone(options.Labels), slices.Clone(options.Columns)}
	}
	copied := input.Owned(atoms)
	sizes, squares := largestSizes(copied)
	d, err := own(copied, squares, options)
	if err == nil {
		d.reach = func() []float64 { return sizes }
	}
	return d, err
}

// own builds a dictionary that keeps names and a matrix with at least one row and column, of which nobody else knows.
// Where the sum of the squares of its numbers is finite, so are these and all norms.
func own(atoms *mat.Dense, squares float64, options *DictionaryOptions) (*Dictionary, error) {
	options = cmp.Or(options, &DictionaryOptions{})
	if err := options.check(atoms.Dims()); err != nil {
		return nil, err
	}
	labels := options.Labels
	label := func(i int) string {
		if labels != nil {
			return labels[i]
		}
		return "d" + strconv.Itoa(i)
	}
	d := (&Dictionary{atoms: atoms, label: label, labelled: labels != nil, labelColumn: defaultLabelColumn, columns: options.Columns}).measured()
	if math.IsNaN(squares - squares) {
		if err := input.CheckRows("atoms", "atom", atoms, input.AnyColumns); err != nil {
			return nil, fmt.Errorf("sparsero: %w", err)
		}
		if math.IsInf(d.MaxNorm(), 1) {
			return nil, errors.New("sparsero: the norm of an atom overflows; rescale the atoms")
		}
	}
	return d, nil
}

func (o *DictionaryOptions) check(n, p int) error {
	if o.Labels != nil && len(o.Labels) != n {
		return fmt.Errorf("sparsero: got %d labels for %d atoms; give one label per row", len(o.Labels), n)
	}
	if o.Columns != nil && len(o.Columns) != p {
		return fmt.Errorf("sparsero: got %d column names for atoms of dimension %d; give one name per column", len(o.Columns), p)
	}
	for j, name := range o.Columns {
		if name == "" {
			return fmt.Errorf("sparsero: the name of column %d is empty; name every column", j)
		}
		if first := slices.Index(o.Columns, name); first < j {
			return fmt.Errorf("sparsero: columns %d and %d are both named %q; rename one of them", first, j, name)
		}
	}
	return nil
}

// Size returns N, the number of stored atoms (the null atom not counted); 0 for a
// dictionary that is nil or was not built with [NewDictionary].
func (d *Dictionary) Size() int { n, _ := d.dims(); return n }

// Dim returns p, the dimension of the atoms, 0 as for [Dictionary.Size].
func (d *Dictionary) Dim() int { _, p := d.dims(); return p }

func (d *Dictionary) dims() (n, p int) {
	if d == nil || d.atoms == nil {
		return 0, 0
	}
	return d.atoms.Dims()
}

// Atom returns a copy of atom i, 0 <= i < N, or zeros for [NullAtom]. It panics for any other index.
func (d *Dictionary) Atom(i int) []float64 {
	if i == NullAtom {
		return make([]float64, d.Dim())
	}
	return slices.Clone(d.RawRowView(i))
}

// RawRowView returns atom i, 0 <= i < N, without copying it. The slice must
// not be changed. It panics if i is out of range.
func (d *Dictionary) RawRowView(i int) []float64 {
	if i < 0 || i >= d.Size() {
		panic(fmt.Sprintf("sparsero: atom %d is outside [0,%d)", i, d.Size()))
	}
	row := d.atoms.RawRowView(i)
	return row[:len(row):len(row)]
}

// Rows returns atoms from..to-1, 0 <= from <= to <= N, one after the other without copying them: (to-from)p values,
// which must not be changed. The buffer is not used and the error nil: the dictionary is in memory. It panics if the
// range does not fit.
func (d *Dictionary) Rows(_ []float64, from, to int) ([]float64, error) {
	if from < 0 || from > to || to > d.Size() {
		panic(fmt.Sprintf("sparsero: atoms %d to %d are outside [0,%d]", from, to, d.Size()))
	}
	if from == to {
		return nil, nil
	}
	rows := d.atoms.RawMatrix()
	return rows.Data[from*rows.Stride : to*rows.Stride : to*rows.Stride], nil
}

// Matrix returns a copy of the atoms as an N×p matrix.
func (d *Dictionary) Matrix() *mat.Dense {
	if d.Size() == 0 {
		return &mat.Dense{}
	}
	return input.Owned(d.atoms)
}

// Label returns the label of atom i, "d" followed by i if the dictionary has
// no labels, and "null" for [NullAtom]. It panics if i is out of range.
func (d *Dictionary) Label(i int) string {
	switch {
	case i == NullAtom:
		return "null"
	case i < 0 || i >= d.Size():
		panic(fmt.Sprintf("sparsero: atom %d is outside [0,%d)", i, d.Size()))
	}
	return d.label(i)
}

// Labels returns the labels of all atoms, as [Dictionary.Label] gives them.
func (d *Dictionary) Labels() []string {
	labels := make([]string, d.Size())
	for i := range labels {
		labels[i] = d.Label(i)
	}
	return labels
}

// Columns returns the names of all coordinates, "u0", "u1" and so on where they have none.
func (d *Dictionary) Columns() []string {
	names := make([]string, d.Dim())
	for j := range names {
		if names[j] = "u" + strconv.Itoa(j); d.columns != nil {
			names[j] = d.columns[j]
		}
	}
	return names
}

// MaxNorm returns max_i ‖d_i‖₂. The first call takes O(Np).
func (d *Dictionary) MaxNorm() float64 {
	if d.Size() == 0 {
		return 0
	}
	return d.norm()
}

// Subset returns the dictionary of the listed atoms, in the order of the list, with their labels. Atoms that follow
// each other in d are not copied. It is an error if the list is empty or an index is out of range.
func (d *Dictionary) Subset(indices []int) (*Dictionary, error) {
	if len(indices) == 0 {
		return nil, errors.New("sparsero: indices is empty; list at least one atom")
	}
	if d.Size() == 0 {
		return nil, errNoAtoms
	}
	indices, label := slices.Clone(indices), d.label
	from, follow := indices[0], len(indices) > 1 // one atom shall not hold all in memory
	for k, i := range indices {
		if i < 0 || i >= d.Size() {
			return nil, fmt.Errorf("sparsero: indices[%d] = %d is outside [0,%d); use 0-based atom indices", k, i, d.Size())
		}
		follow = follow && i == from+k
	}
	var rows *mat.Dense
	if follow {
		rows = d.atoms.Slice(from, from+len(indices), 0, d.Dim()).(*mat.Dense)
	} else {
		rows = mat.NewDense(len(indices), d.Dim(), nil)
		for k, i := range indices {
			rows.SetRow(k, d.atoms.RawRowView(i))
		}
	}
	return d.derive(rows, func(k int) string { return label(indices[k]) }), nil
}

// AntipodalClosure returns D ∪ -D: the N atoms followed by their N negatives, so that atom N+i is -d_i. Its atomic sets
// are symmetric about the origin and max_i |<d_i,s>| is its support. A label "a" becomes "-a" for the negative. Atoms
// whose negative is already present appear twice, which changes nothing.
func (d *Dictionary) AntipodalClosure() *Dictionary {
	n, p := d.dims()
	if n == 0 {
		return &Dictionary{}
	}
	rows, label := mat.NewDense(2*n, p, nil), d.label
	for i := range n {
		negative := rows.RawRowView(n + i)
		for j, v := range d.atoms.RawRowView(i) {
			rows.Set(i, j, v)
			negative[j] = 0 - v // 0 - v has no negative zero
		}
	}
	closure := d.derive(rows, func(i int) string {
		if i < n {
			return label(i)
		}
		return "-" + label(i-n)
	})
	closure.closed = true
	return closure
}

// derive wraps rows that are known to be finite in a dictionary that keeps the names of d. The labels are given
// so that an atom stays recognisable after it has moved to another index.
func (d *Dictionary) derive(rows *mat.Dense, label func(int) string) *Dictionary {
	return (&Dictionary{atoms: rows, label: label, labelled: true, labelColumn: d.labelColumn, columns: d.columns, closed: d.closed}).measured()
}

var errNoAtoms = errors.New("sparsero: the dictionary holds no atoms; build one with NewDictionary")

// AsSampled returns the dictionary with the declaration that its atoms are independent draws from one
// distribution, in the order in which they were drawn, nothing left out for its values. Only this makes what a
// decision says about a new draw a theorem (robust.Solution.OutOfSample); nothing can check it. The declaration does
// not pass to subsets and closures. It is an error if the dictionary is empty or an antipodal closure or a part of one,
// whose negatives are not draws.
func (d *Dictionary) AsSampled() (*Dictionary, error) {
	switch {
	case d.Size() == 0:
		return nil, errNoAtoms
	case d.closed:
		return nil, errors.New("sparsero: an antipodal closure is no sample, as the negatives were not drawn; declare the drawn atoms, or draw the signs")
	}
	declared := *d
	declared.sampled = true
	return &declared, nil
}

// Sampled tells whether the atoms are declared to be independent draws by [Dictionary.AsSampled].
func (d *Dictionary) Sampled() bool { return d != nil && d.sampled }
