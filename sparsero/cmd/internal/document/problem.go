package document

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

// dictionary is atoms with names, or the file that holds them.
type dictionary struct {
	Values  *table   `json:"values"`
	Labels  []string `json:"labels"`
	Columns []string `json:"columns"`
	Centred bool     `json:"centred"`
}

// UnmarshalJSON reads an object, or a table alone.
func (d *dictionary) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		d.Values = &table{}
		return d.Values.UnmarshalJSON(text)
	}
	type plain dictionary
	return strict(text, (*plain)(d))
}

// needed loads a table that has to be there.
func (t *table) needed(key, folder string) (*sparsero.Dictionary, error) {
	if t == nil {
		return nil, fmt.Errorf("it has no %q; give rows of numbers, or a CSV or NPY file", key)
	}
	loaded, err := t.load(folder, -1)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return loaded, nil
}

// load returns the atoms, and the mean that they are measured from, nil for 0.
func (d *dictionary) load(folder string) (atoms *sparsero.Dictionary, mean []float64, err error) {
	atoms, err = d.Values.needed("values", folder)
	if err != nil || d.Labels == nil && d.Columns == nil && !d.Centred {
		return atoms, nil, err
	}
	names, values := &sparsero.DictionaryOptions{Labels: d.Labels, Columns: d.Columns}, atoms.Matrix()
	if names.Labels == nil {
		names.Labels = atoms.Labels()
	}
	if names.Columns == nil {
		names.Columns = atoms.Columns()
	}
	for j := range atoms.Dim() {
		if !d.Centred {
			break
		}
		middle := stat.Mean(mat.Col(nil, j, values), nil)
		mean = append(mean, middle)
		for i := range atoms.Size() {
			values.Set(i, j, values.At(i, j)-middle)
		}
	}
	atoms, err = sparsero.NewDictionary(values, names)
	return atoms, mean, err
}

// Matched returns atoms with their coordinates in the order of named columns, where both have the same names; a coordinate in a wrong
// place would make a wrong decision without a sign. Where no name is common to both their order counts, and where some are it is an
// error.
func Matched(atoms *sparsero.Dictionary, columns []string, path string) (*sparsero.Dictionary, error) {
	names := atoms.Columns()
	common := slices.ContainsFunc(columns, func(name string) bool { return slices.Contains(names, name) })
	// Where their numbers differ the problem refuses the atoms, and says why.
	if !common || len(names) != len(columns) || slices.Equal(names, columns) {
		return atoms, nil
	}
	ordered := mat.NewDense(atoms.Size(), len(columns), nil)
	for j, name := range columns {
		from := slices.Index(names, name)
		if from < 0 {
			return nil, fmt.Errorf("%s has the columns %q and none for %q; name all as in %q, in any order, or leave the header out: then their order counts", path, names, name, columns)
		}
		ordered.SetCol(j, mat.Col(nil, from, atoms.Matrix()))
	}
	return sparsero.NewDictionary(ordered, &sparsero.DictionaryOptions{Labels: atoms.Labels(), Columns: columns})
}

// build returns q for n columns.
func (a *affine) build(folder string, n int) (sparsero.AffineMap, error) {
	switch {
	case a.Matrix == nil && len(a.Constant) == 0:
		return sparsero.AffineMap{}, fmt.Errorf("it has neither matrix nor constant; give {\"matrix\": %q} for q(x) = x", identity)
	case a.Matrix == nil:
		return sparsero.AffineMap{Matrix: mat.NewDense(len(a.Constant), n, nil), Constant: a.Constant}, nil
	case a.Matrix.path == identity:
		return sparsero.AffineMap{Matrix: sparsero.Identity(n).Matrix, Constant: a.Constant}, nil
	}
	matrix, err := a.Matrix.load(folder, n)
	if err != nil {
		return sparsero.AffineMap{}, fmt.Errorf("matrix: %w", err)
	}
	return sparsero.NewAffineMap(matrix.Matrix(), a.Constant)
}

// parts are what problems are built from.
type parts struct {
	region      *solver.Model
	q           sparsero.AffineMap
	constraints []robust.Constraint
}

func (d *Document) parts() (p parts, err error) {
	if p.region, err = d.Model.load(d.folder); err != nil {
		return p, err
	}
	if p.region == nil || p.region.Columns() == 0 {
		return p, errors.New("model has no columns; give one for each decision, such as {\"name\": \"x\", \"lower\": 0, \"upper\": 1, \"cost\": 2}")
	}
	if d.Objective == nil && len(d.Constraints) == 0 {
		return p, errors.New("nothing is uncertain; give an objective, such as {\"matrix\": \"identity\"} for costs c + u, or constraints")
	}
	if d.Objective != nil {
		if p.q, err = d.Objective.build(d.folder, p.region.Columns()); err != nil {
			return p, fmt.Errorf("objective: %w", err)
		}
	}
	for k, c := range d.Constraints {
		built, err := c.build(d.folder, p.region.Columns())
		if err != nil {
			return p, fmt.Errorf("constraint %d %s: %w", k, c.Name, err)
		}
		p.constraints = append(p.constraints, built)
	}
	return p, nil
}

func (c *constraint) build(folder string, n int) (built robust.Constraint, err error) {
	if c.Map == nil || c.Limit == nil {
		return built, errors.New("it has no map or no limit; it says ⟨nominal, x⟩ + max ⟨u, q(x)⟩ <= limit for q in map")
	}
	built = robust.Constraint{Name: c.Name, Nominal: c.Nominal, Limit: *c.Limit, Radius: c.Radius}
	if built.Map, err = c.Map.build(folder, n); err != nil {
		return built, fmt.Errorf("map: %w", err)
	}
	if c.Dictionary != nil {
		atoms, mean, err := c.Dictionary.load(folder)
		if err == nil && mean != nil {
			err = errors.New("centred is for the dictionary of the problem; subtract the mean here and add it to nominal")
		}
		if err != nil {
			return built, fmt.Errorf("dictionary: %w", err)
		}
		built.Dictionary = atoms
	}
	return built, nil
}

// Over returns the problem over the convex set of the document, nil if it has none.
func (d *Document) Over(ctx context.Context) (*robust.OracleProblem, error) {
	if d.Set == nil {
		return nil, nil
	}
	if d.Dictionary != nil {
		return nil, errors.New("the document has a set and a dictionary; give one of the two")
	}
	p, err := d.parts()
	if err != nil {
		return nil, err
	}
	mean, set, err := d.Set.build(ctx, d.folder)
	if err != nil {
		return nil, fmt.Errorf("set: %w", err)
	}
	if err := p.move(mean); err != nil {
		return nil, err
	}
	return robust.NewConvex(set, p.region, p.q, p.constraints...)
}

// move takes a mean, nil for 0, into the nominal part.
func (p *parts) move(mean []float64) (err error) {
	if mean != nil {
		p.region, p.constraints, err = robust.Around(mean, p.region, p.q, p.constraints...)
	}
	return err
}

// Problem returns the problem over the dictionaries of the document; sampled declares its atoms to be independent draws.
func (d *Document) Problem(sampled bool) (*robust.Problem, error) {
	p, err := d.parts()
	if err != nil {
		return nil, err
	}
	if d.Dictionary == nil {
		shares := slices.ContainsFunc(p.constraints, func(c robust.Constraint) bool { return c.Dictionary == nil })
		if p.q.Matrix != nil || shares {
			return nil, errors.New("the document has no dictionary and no set; give one of the two, or every constraint a dictionary of its own")
		}
		return robust.NewProblem(nil, p.region, p.q, p.constraints...)
	}
	atoms, mean, err := d.Dictionary.load(d.folder)
	if err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	if d.Objective != nil && d.Objective.Matrix != nil && d.Objective.Matrix.path == identity {
		if atoms, err = Matched(atoms, p.region.ColumnNames(), d.Dictionary.Values.path); err != nil {
			return nil, err
		}
	}
	if sampled {
		if d.Dictionary.Centred {
			return nil, errors.New("dictionary: atoms measured from their own mean are no independent draws; leave centred out, or give samples")
		}
		if atoms, err = atoms.AsSampled(); err != nil {
			return nil, err
		}
	}
	if err := p.move(mean); err != nil {
		return nil, err
	}
	return robust.NewProblem(atoms, p.region, p.q, p.constraints...)
}

// Draws returns the fresh draws of the document, nil for none.
func (d *Document) Draws() (mat.Matrix, error) {
	if d.Samples == nil {
		return nil, nil
	}
	draws, err := d.Samples.needed("samples", d.folder)
	if err != nil {
		return nil, err
	}
	return draws.Matrix(), nil
}
