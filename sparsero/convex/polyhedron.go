package convex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/floats"
)

type polyhedron struct {
	model    solver.Model
	sides    solver.Model // the rows, then the bounds of the columns as rows
	options  *solver.Options
	interior []float64
	box      [2][]float64 // lower and upper bounds of the coordinates, which the sides imply
}

// NewPolyhedron returns the points that keep to the rows and bounds of a model, whose columns are the coordinates and are not
// integer; its objective plays no part. Nil options are the solver's defaults. The set is [Compact], does not change and may be
// used by several goroutines at once. It is an error if the model is nil or not valid, if 0 breaks a row or a bound, if some
// direction is unbounded, or if float64 can tell no interior, as with an equation: substitute those.
func NewPolyhedron(ctx context.Context, model *solver.Model, o *solver.Options) (Gauged, error) {
	ctx = input.Context(ctx)
	if err := model.Validate(); err != nil {
		return nil, fmt.Errorf("convex: %w", err)
	}
	if model.IsInteger() {
		return nil, errors.New("convex: the model has integer columns, whose set is not convex; drop the integrality")
	}
	p := &polyhedron{model: *model.WithoutObjective(), sides: *model.WithoutObjective(), options: o}
	for j := range p.Dim() {
		p.sides.AddRow(solver.Row{Name: "the bounds of " + model.ColumnName(j), Bounds: model.Column(j).Bounds, Columns: []int{j}, Values: []float64{1}})
	}
	for i := range p.sides.Rows() {
		if !p.holds(i, make([]float64, p.Dim())) {
			return nil, fmt.Errorf("convex: 0 breaks %s; give deviations from a point of the set (robust.Around moves it into the nominal part)", cmp.Or(p.sides.Row(i).Name, fmt.Sprintf("row %d", i)))
		}
	}
	if err := p.findInterior(ctx); err != nil {
		return nil, err
	}
	return p, nil
}

// holds tells whether a point keeps to a side. It is decided without rounding errors: true is proven.
func (p *polyhedron) holds(side int, u []float64) bool {
	var sum directed.Sum
	columns, values := p.sides.RowTerms(side)
	for k, j := range columns {
		sum.AddProduct(values[k], u[j])
	}
	bounds := p.sides.RowBounds(side)
	return sum.Lower() >= bounds.Lower() && sum.Upper() <= bounds.Upper()
}

// findBox finds the box around the polyhedron. It is an error if there is none.
func (p *polyhedron) findBox(ctx context.Context) error {
	axis := make([]float64, p.Dim())
	for j := range axis {
		for side, sign := range [2]float64{-1, 1} {
			axis[j] = sign
			reach := p.support(ctx, axis)
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("convex: box around the polyhedron: %w", err)
			}
			if math.IsInf(reach, 1) {
				return fmt.Errorf("convex: the polyhedron has no bound in the direction %+g of %s; add one", sign, p.model.ColumnName(j))
			}
			p.box[side] = append(p.box[side], sign*reach+0) // never -0
		}
		axis[j] = 0
	}
	return nil
}

var errNoInterior = errors.New("convex: the polyhedron has no interior that float64 can tell: an equation, rows that leave one, or products of numbers and bounds that vanish; substitute what the equation fixes, or measure in other units")

// leastSlack is the slack of an interior point, relative to a side's terms, below which rounding could hide it.
const leastSlack = 1e-9

// findInterior looks for the point with the most slack in every side, relative to the size of its terms over the box around
// the polyhedron, so that units do not matter, and at most 1.
func (p *polyhedron) findInterior(ctx context.Context) error {
	if err := p.findBox(ctx); err != nil {
		return err
	}
	model := solver.NewModel("interior")
	model.SetMaximize(true)
	for j := range p.Dim() {
		model.AddColumn(solver.Column{Name: p.model.ColumnName(j), Bounds: solver.Between(math.Inf(-1), math.Inf(1))})
	}
	slack := model.AddColumn(solver.Column{Name: "slack", Bounds: solver.Between(0, 1), Cost: 1})
	for i := range p.sides.Rows() {
		columns, values := p.sides.RowTerms(i)
		bounds, size := p.sides.RowBounds(i), 0.0
		for k, j := range columns {
			size += math.Abs(values[k]) * (p.box[1][j] - p.box[0][j])
		}
		if size == 0 && floats.Norm(values, 1) > 0 {
			return errNoInterior
		}
		columns, values = append(slices.Clip(columns), slack), slices.Clip(values)
		model.AddRow(solver.Row{Bounds: solver.AtMost(bounds.Upper()), Columns: columns, Values: append(values, size)})
		model.AddRow(solver.Row{Bounds: solver.AtLeast(bounds.Lower()), Columns: columns, Values: append(values, -size)})
	}
	result, err := solver.Solve(ctx, model, p.options)
	if err == nil {
		err = result.Check()
	}
	if err != nil {
		return fmt.Errorf("convex: interior of the polyhedron: %w", err)
	}
	p.interior = result.X[:p.Dim()]
	if result.X[slack] < leastSlack || !p.contains(p.interior) {
		return errNoInterior
	}
	return nil
}

func (p *polyhedron) contains(u []float64) bool {
	for i := range p.sides.Rows() {
		if !p.holds(i, u) {
			return false
		}
	}
	return true
}

// Dim implements [Set].
func (p *polyhedron) Dim() int { return p.model.Columns() }

// farthest maximises ⟨u,s⟩; nil if the solver finds nothing.
func (p *polyhedron) farthest(ctx context.Context, s []float64) *solver.Result {
	mustMatch("s", s, p.Dim())
	model := p.model.Clone()
	model.SetMaximize(true)
	for j, v := range s {
		model.SetCost(j, v)
	}
	result, err := solver.Solve(ctx, model, p.options)
	if err != nil {
		return nil
	}
	return result
}

// Support implements [Set]: the bound that weak duality proves for the linear program. It panics if s does not have length p.
func (p *polyhedron) Support(s []float64) float64 { return p.support(context.Background(), s) }

func (p *polyhedron) support(ctx context.Context, s []float64) float64 {
	result := p.farthest(ctx, s)
	if result == nil {
		return math.Inf(1)
	}
	return math.Max(0, result.Upper.Float())
}

// inwards are the shares of the way to the interior point that a vertex is moved until it is proven to be in the set.
var inwards = [...]float64{0, 1e-12, 1e-9, 1e-6, 1e-3}

// WorstCase implements [Set]: a vertex, moved inwards by what the solver's tolerance requires. It panics if s does not
// have length p.
func (p *polyhedron) WorstCase(s []float64) []float64 {
	result := p.farthest(context.Background(), s)
	if result == nil || result.X == nil {
		return make([]float64, len(s))
	}
	return p.inside(result.X)
}

// inside moves a point inwards until it is proven to be in the polyhedron; 0 if it is far outside.
func (p *polyhedron) inside(v []float64) []float64 {
	u := make([]float64, len(v))
	for _, share := range inwards {
		for j := range u {
			u[j] = v[j] + share*(p.interior[j]-v[j])
		}
		if p.contains(u) {
			return u
		}
	}
	return make([]float64, len(v))
}

// AddSupport implements [Compact] by the dual of max ⟨s,u⟩: a row Σ_i a_ik y_i = s_k for each coordinate and t >= Σ_i
// side_i y_i, over a new column y_i for every side of the polyhedron. It panics if the model is nil or there are not p
// columns s.
func (p *polyhedron) AddSupport(m *solver.Model, t int, s []int) {
	mustMatch("s", s, p.Dim())
	total := solver.Row{Bounds: solver.AtLeast(0), Columns: []int{t}, Values: []float64{1}}
	balance := make([]solver.Row, p.Dim())
	for k := range balance {
		balance[k] = solver.Row{Bounds: solver.Equal(0), Columns: []int{s[k]}, Values: []float64{-1}}
	}
	multiply := func(side int, limit float64, bounds solver.Bounds) {
		if math.IsInf(limit, 0) {
			return
		}
		y := m.AddColumn(solver.Column{Bounds: bounds})
		total.Columns, total.Values = append(total.Columns, y), append(total.Values, -limit)
		columns, values := p.sides.RowTerms(side)
		for k, j := range columns {
			balance[j].Columns, balance[j].Values = append(balance[j].Columns, y), append(balance[j].Values, values[k])
		}
	}
	for i := range p.sides.Rows() {
		bounds := p.sides.RowBounds(i)
		multiply(i, bounds.Upper(), solver.AtLeast(0))
		multiply(i, bounds.Lower(), solver.AtMost(0))
	}
	for _, row := range balance {
		m.AddRow(row)
	}
	m.AddRow(total)
}

// SupportRows implements [Compact].
func (p *polyhedron) SupportRows() int { return p.Dim() + 1 }

// Gauge implements [Gauged]. It panics if u does not have length p.
func (p *polyhedron) Gauge(u []float64) float64 {
	mustMatch("u", u, p.Dim())
	most := 0.0
	for i := range p.sides.Rows() {
		sum, unit := p.along(i, u)
		limit := p.sides.RowBounds(i).Upper()
		if sum < 0 {
			limit = p.sides.RowBounds(i).Lower()
		}
		if sum != 0 { // of a side of 0, whose sign may be either, no multiple holds the point
			share, exponent := quotient(math.Abs(sum), math.Abs(limit))
			most = math.Max(most, math.Ldexp(share, exponent+unit))
		}
	}
	return most
}

// along returns the sum of a side's terms at a point, in units of a power of two in which the largest term is near 1. It is 0 where
// they cancel.
func (p *polyhedron) along(side int, u []float64) (value float64, unit int) {
	var sum directed.Sum
	columns, values := p.sides.RowTerms(side)
	unit = math.MinInt32
	for k, j := range columns {
		unit = max(unit, math.Ilogb(values[k])+math.Ilogb(u[j]))
	}
	for k, j := range columns {
		v, exponent := math.Frexp(values[k])
		x, other := math.Frexp(u[j])
		sum.AddProduct(v, math.Ldexp(x, exponent+other-unit))
	}
	return sum.Value(), unit
}
