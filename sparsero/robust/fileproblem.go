package robust

import (
	"math"
	"strconv"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// lifted is the problem in the form in which bounds are proven and files are written, which shares atoms and matrices.
func (p *Problem) lifted(radius float64) *lifted.Problem {
	d := p.dictionary
	written := &lifted.Problem{
		Dictionary: lifted.Dictionary{
			Atoms: d.size, Dimension: d.dim, Labels: given(d.Labels(), "d"), Columns: given(d.Columns(), "u"),
			Values: make([][]float64, d.size),
		},
		Model: p.fileModel(), Radius: radius,
	}
	for i := range written.Dictionary.Values {
		written.Dictionary.Values[i] = d.RawRowView(i)
	}
	if p.q.Matrix != nil {
		q := p.fileMap(objectiveExposure)
		written.Objective = &q
	}
	for k, c := range p.constraints {
		written.Constraints = append(written.Constraints, lifted.Constraint{Name: c.Name, Nominal: c.Nominal, Map: p.fileMap(k), Limit: c.Limit})
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
		model.Columns = append(model.Columns, lifted.Column{Name: c.Name, Lower: lifted.Side(c.Lower()), Upper: lifted.Side(c.Upper()), Cost: c.Cost, Integer: c.Integer})
	}
	for i := range p.region.Rows() {
		r := p.region.Row(i)
		model.Rows = append(model.Rows, lifted.Row{Name: r.Name, Group: r.Group, Lower: lifted.Side(r.Lower()), Upper: lifted.Side(r.Upper()), Columns: r.Columns, Values: r.Values})
	}
	written := &model.Quadratic
	for _, q := range p.region.Quadratic() {
		written.I, written.J, written.Values = append(written.I, q.I), append(written.J, q.J), append(written.Values, q.Value)
	}
	return model
}

// sideOr is infinite, with a sign, for no side.
func sideOr(side *float64, sign int) float64 {
	if side == nil {
		return math.Inf(sign)
	}
	return *side
}

// fileMap leaves out the coordinates before and after the first one and the last one that is not 0, if they are most:
// those of other constraints with dictionaries of their own.
func (p *Problem) fileMap(exposure int) lifted.Map {
	q, before, dimension := p.exposureMap(exposure), p.dictionary.at(exposure).coordinate, p.dictionary.dim
	written := lifted.Map{}
	first, end := dimension, 0
	for k, columns := range p.pullbacks[exposure+1].columns {
		if columns != nil || q.Constant != nil && q.Constant[k] != 0 {
			first, end = min(first, before+k), before+k+1
		}
	}
	if end > 0 && end-first < dimension/2 {
		written.First = &first
	} else {
		first, end = 0, dimension
	}
	written.Matrix = make([]lifted.Entries, end-first)
	if q.Constant != nil {
		written.Constant = make([]float64, end-first)
	}
	rows, _ := q.Dims()
	for k := max(0, first-before); k < min(rows, end-before); k++ {
		written.Matrix[before+k-first].Columns, written.Matrix[before+k-first].Values = sparse(q.Matrix.RawRowView(k))
		if q.Constant != nil {
			written.Constant[before+k-first] = q.Constant[k]
		}
	}
	return written
}
