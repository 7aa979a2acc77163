package robust

import (
	"math"
	"strconv"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// lifted is the problem of a solution and its decision, in the form in which bounds are proven and files are written. It
// shares atoms and matrices with the problem.
func (s *Solution) lifted() (*lifted.Problem, *lifted.Decision) {
	return s.problem.lifted(s.Radius), &lifted.Decision{X: s.X, Atoms: s.Atoms}
}

func (p *Problem) lifted(radius float64) *lifted.Problem {
	d := p.dictionary
	written := &lifted.Problem{
		Dictionary: lifted.Dictionary{
			Atoms: d.Size(), Dimension: d.Dim(), Labels: given(d.Labels(), "d"), Columns: given(d.Columns(), "u"),
			Values: make([][]float64, d.Size()),
		},
		Model: p.fileModel(), Radius: radius,
	}
	for i := range written.Dictionary.Values {
		written.Dictionary.Values[i] = d.RawRowView(i)
	}
	if p.q.Matrix != nil {
		q := fileMap(p.q)
		written.Objective = &q
	}
	for _, c := range p.constraints {
		written.Constraints = append(written.Constraints, lifted.Constraint{Name: c.Name, Nominal: c.Nominal, Map: fileMap(c.Map), Limit: c.Limit})
	}
	return written
}

// given returns names, or none if all are those that a dictionary gives by itself: a prefix and a number.
func given(names []string, prefix string) []string {
	for k, name := range names {
		if name != prefix+strconv.Itoa(k) {
			return names
		}
	}
	return nil
}

func (p *Problem) fileModel() lifted.Model {
	model := lifted.Model{Name: p.region.Name(), Offset: p.region.Offset()}
	for j := range p.region.Columns() {
		c := p.region.Column(j)
		model.Columns = append(model.Columns, lifted.Column{Name: c.Name, Lower: finiteSide(c.Lower()), Upper: finiteSide(c.Upper()), Cost: c.Cost, Integer: c.Integer})
	}
	for i := range p.region.Rows() {
		r := p.region.Row(i)
		model.Rows = append(model.Rows, lifted.Row{Name: r.Name, Group: r.Group, Lower: finiteSide(r.Lower()), Upper: finiteSide(r.Upper()), Columns: r.Columns, Values: r.Values})
	}
	written := &model.Quadratic
	for _, q := range p.region.Quadratic() {
		written.I, written.J, written.Values = append(written.I, q.I), append(written.J, q.J), append(written.Values, q.Value)
	}
	return model
}

// finiteSide is nil for an infinite bound.
func finiteSide(bound float64) *float64 {
	if math.IsInf(bound, 0) {
		return nil
	}
	return &bound
}

// sideOr is infinite, with a sign, for no side.
func sideOr(side *float64, sign int) float64 {
	if side == nil {
		return math.Inf(sign)
	}
	return *side
}

// fileMap leaves out the coordinates before and after the first one and the last one that is not 0, if they are most: those of other
// constraints with dictionaries of their own.
func fileMap(q sparsero.AffineMap) lifted.Map {
	written := lifted.Map{Constant: q.Constant}
	p, _ := q.Dims()
	first, end := p, 0
	for k := range p {
		columns, values := sparse(q.Matrix.RawRowView(k))
		written.Matrix = append(written.Matrix, lifted.Entries{Columns: columns, Values: values})
		if columns != nil || q.Constant != nil && q.Constant[k] != 0 {
			first, end = min(first, k), k+1
		}
	}
	if end > 0 && end-first < p/2 {
		written.Matrix, written.First = written.Matrix[first:end], &first
		if q.Constant != nil {
			written.Constant = q.Constant[first:end]
		}
	}
	return written
}
