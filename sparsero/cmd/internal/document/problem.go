package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// dictionary is atoms with names, or the file that holds them.
type dictionary struct {
	Values  *table   `json:"values"`
	Labels  labels   `json:"labels"`
	Columns []string `json:"columns"`
	Centred bool     `json:"centred"`
}

// labels are those of the atoms, or the column of the file that holds them.
type labels struct {
	listed []string
	column string
}

func (l *labels) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &l.column)
	}
	return json.Unmarshal(text, &l.listed)
}

func (d *dictionary) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		d.Values = &table{}
		return d.Values.UnmarshalJSON(text)
	}
	type plain dictionary
	return solver.ReadJSON(text, (*plain)(d))
}

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

// inOrder loads a table that has to be there, and brings it into an order.
func (t *table) inOrder(key, folder string, matched func(*sparsero.Dictionary, string) (*sparsero.Dictionary, error)) (*sparsero.Dictionary, error) {
	loaded, err := t.needed(key, folder)
	if err != nil {
		return nil, err
	}
	if loaded, err = matched(loaded, t.path); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return loaded, nil
}

// load returns the atoms in an order of their coordinates, and the mean that they are measured from, nil for 0.
func (d *dictionary) load(folder string, order *order) (atoms *sparsero.Dictionary, mean []float64, err error) {
	if d.Values != nil {
		d.Values.labels = d.Labels.column
	}
	atoms, err = d.Values.needed("values", folder)
	if err == nil && (d.Labels.listed != nil || d.Columns != nil) {
		names := &sparsero.DictionaryOptions{Labels: d.Labels.listed, Columns: d.Columns}
		if names.Labels == nil {
			names.Labels = atoms.Labels()
		}
		if names.Columns == nil {
			names.Columns = atoms.Columns()
		}
		atoms, err = sparsero.NewDictionary(atoms.Matrix(), names)
	}
	if err != nil {
		return nil, nil, err
	}
	if atoms, err = order.matched(atoms, d.Values.path); err != nil || !d.Centred {
		return atoms, nil, err
	}
	values := atoms.Matrix()
	for j := range atoms.Dim() {
		middle := stat.Mean(mat.Col(nil, j, values), nil)
		mean = append(mean, middle)
		for i := range atoms.Size() {
			values.Set(i, j, values.At(i, j)-middle)
		}
	}
	atoms, err = sparsero.NewDictionary(values, &sparsero.DictionaryOptions{Labels: atoms.Labels(), Columns: atoms.Columns()})
	return atoms, mean, err
}

func (a *affine) build(folder string, columns []string) (sparsero.AffineMap, error) {
	n := len(columns)
	switch {
	case a.Matrix == nil && len(a.Constant) == 0:
		return sparsero.AffineMap{}, fmt.Errorf("it has neither matrix nor constant; give {\"matrix\": %q} for q(x) = x", identity)
	case a.Matrix == nil:
		return sparsero.AffineMap{Matrix: mat.NewDense(len(a.Constant), n, nil), Constant: a.Constant}, nil
	case a.Matrix.path == identity:
		return sparsero.NewAffineMap(sparsero.Identity(n).Matrix, a.Constant)
	}
	matrix, err := a.Matrix.load(folder, n)
	if err == nil {
		matrix, err = Matched(matrix, columns, a.Matrix.path)
	}
	if err != nil {
		return sparsero.AffineMap{}, fmt.Errorf("matrix: %w", err)
	}
	if labelled(matrix) {
		a.rows = matrix.Labels()
	}
	return sparsero.NewAffineMap(matrix.Matrix(), a.Constant)
}

type parts struct {
	region      *solver.Model
	q           sparsero.AffineMap
	constraints []robust.Constraint
	order       order // of the coordinates that maps without a dictionary of their own share
}

func (d *Document) parts() (p parts, err error) {
	if p.region, err = d.Model.load(); err != nil {
		return p, err
	}
	if p.region == nil || p.region.Columns() == 0 {
		return p, errors.New("model has no columns; give one for each decision, such as {\"name\": \"x\", \"lower\": 0, \"upper\": 1, \"cost\": 2}")
	}
	if d.Objective == nil && len(d.Constraints) == 0 {
		return p, errors.New("nothing is uncertain; give an objective, such as {\"matrix\": \"identity\"} for costs c + u, or constraints")
	}
	columns := p.region.ColumnNames()
	if d.Objective != nil {
		if p.q, err = d.Objective.build(d.folder, columns); err != nil {
			return p, fmt.Errorf("objective: %w", err)
		}
	}
	p.order.share("objective", d.Objective, columns)
	for k, c := range d.Constraints {
		place := strings.TrimSpace(fmt.Sprintf("constraint %d %s", k, c.Name))
		built, err := c.build(d.folder, place, columns)
		if err != nil {
			return p, fmt.Errorf("%s: %w", place, err)
		}
		if c.Dictionary == nil {
			p.order.share(place, c.Map, columns)
		}
		p.constraints = append(p.constraints, built)
	}
	return p, nil
}

func (c *constraint) build(folder, place string, columns []string) (built robust.Constraint, err error) {
	if c.Map == nil || c.Limit == nil {
		return built, errors.New("it has no map or no limit; it says ⟨nominal, x⟩ + max ⟨u, q(x)⟩ <= limit for q in map")
	}
	built = robust.Constraint{Name: c.Name, Nominal: c.Nominal, Limit: *c.Limit}
	if c.Radius != nil {
		if built.Radius = *c.Radius; built.Radius == 0 {
			return built, errors.New("radius 0 leaves nothing uncertain; give a number above 0, or write a row of the model")
		}
	}
	if built.Map, err = c.Map.build(folder, columns); err != nil {
		return built, fmt.Errorf("map: %w", err)
	}
	if c.Dictionary != nil {
		var own order
		own.share(place, c.Map, columns)
		atoms, mean, err := c.Dictionary.load(folder, &own)
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
	if d.Samples != nil {
		return nil, errors.New("samples are for violations, which need a dictionary; leave samples out, or give a dictionary in the place of the set")
	}
	p, err := d.parts()
	if err != nil {
		return nil, err
	}
	mean, set, err := d.Set.build(ctx, d.folder, &p)
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

// Problem returns the problem over the dictionaries of the document, with fresh draws where a promise is asked for, nil
// for none: then its atoms are declared to be independent draws.
func (d *Document) Problem(promise bool) (*robust.Problem, mat.Matrix, error) {
	if d.Samples != nil && !promise {
		return nil, nil, errors.New("samples are for violations; give a fraction of them, such as \"violations\": 0.05 in demands or -violations 5%, or leave samples out")
	}
	p, err := d.parts()
	if err != nil {
		return nil, nil, err
	}
	shared := p.q.Matrix != nil || slices.ContainsFunc(p.constraints, func(c robust.Constraint) bool { return c.Dictionary == nil })
	if d.Dictionary == nil && shared {
		return nil, nil, errors.New("the document has no dictionary and no set; give one of the two, or every constraint a dictionary of its own")
	}
	if d.Dictionary != nil && !shared {
		return nil, nil, errors.New("nothing takes the dictionary: without an objective costs are certain, and every constraint has a dictionary of its own; give an objective, such as {\"matrix\": \"identity\"} for costs c + u, or leave one of the dictionaries out")
	}
	var atoms *sparsero.Dictionary
	if d.Dictionary != nil {
		if promise && d.Dictionary.Centred {
			return nil, nil, errors.New("centred and violations do not go together, as new draws are not measured from the mean of the atoms; leave one of the two out, or subtract a mean from atoms and samples that depends on neither")
		}
		if atoms, err = d.atoms(&p, promise && d.Samples == nil); err != nil {
			return nil, nil, fmt.Errorf("dictionary: %w", err)
		}
	}
	size, dimension := atoms.Size(), atoms.Dim()
	for _, c := range p.constraints {
		size, dimension = size+c.Dictionary.Size(), dimension+c.Dictionary.Dim()
	}
	if err := input.CheckSize("the dictionaries of all rows together, as a design file takes them,", size, dimension); err != nil {
		return nil, nil, err
	}
	problem, err := robust.NewProblem(atoms, p.region, p.q, p.constraints...)
	if err != nil || d.Samples == nil {
		return problem, nil, err
	}
	coordinates := problem.Dictionary().Columns()
	draws, err := d.Samples.inOrder("samples", d.folder, func(draws *sparsero.Dictionary, path string) (*sparsero.Dictionary, error) {
		return MatchedDraws(draws, coordinates, p.order.names, path)
	})
	if err != nil {
		return nil, nil, err
	}
	return problem, draws.Matrix(), nil
}

// atoms loads the dictionary of the problem, as independent draws if it is sampled, and moves its mean.
func (d *Document) atoms(p *parts, sampled bool) (*sparsero.Dictionary, error) {
	atoms, mean, err := d.Dictionary.load(d.folder, &p.order)
	if err == nil {
		d.Atoms, err = atoms.Size(), p.move(mean)
	}
	if err == nil && sampled {
		atoms, err = atoms.AsSampled()
	}
	return atoms, err
}
