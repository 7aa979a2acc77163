package convex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/directed"
)

// Polyhedron is the set of the points that keep to the rows and bounds of a model, whose columns are the coordinates. It
// does not change and may be used by several goroutines at once.
type Polyhedron struct {
	formless
	model    solver.Model
	options  *solver.Options
	interior []float64
}

// NewPolyhedron returns the polyhedron of a model without integer columns; its objective plays no part. Nil options are
// the solver's defaults. It is an error if the model is nil or not valid, if 0 breaks a row or a bound, if some direction
// is unbounded, or if the polyhedron has no interior, as with an equation: substitute those.
func NewPolyhedron(ctx context.Context, model *solver.Model, o *solver.Options) (*Polyhedron, error) {
	if model == nil || model.Columns() == 0 {
		return nil, errors.New("convex: the model is nil or has no columns; give one with a column for each coordinate")
	}
	if err := model.Validate(); err != nil {
		return nil, fmt.Errorf("convex: %w", err)
	}
	if model.IsInteger() {
		return nil, errors.New("convex: the model has integer columns, whose set is not convex; drop the integrality")
	}
	p := &Polyhedron{model: *model.WithoutObjective(), options: o}
	for _, side := range p.sides() {
		if !side.holds(make([]float64, model.Columns())) {
			return nil, fmt.Errorf("convex: 0 breaks %s; give deviations from a point of the set (robust.Around moves it into the nominal part)", side.name)
		}
	}
	return p, p.findInterior(ctx)
}

// side is a row or a bound of a coordinate.
type side struct {
	name    string
	columns []int
	values  []float64
	bounds  solver.Bounds
}

func (p *Polyhedron) sides() []side {
	var sides []side
	for j := range p.Dim() {
		sides = append(sides, side{"the bounds of " + p.model.ColumnName(j), []int{j}, []float64{1}, p.model.Column(j).Bounds})
	}
	for i := range p.model.Rows() {
		columns, values := p.model.RowTerms(i)
		sides = append(sides, side{p.model.RowName(i), columns, values, p.model.RowBounds(i)})
	}
	return sides
}

// holds is decided without rounding errors: true is proven.
func (s side) holds(u []float64) bool {
	var sum directed.Sum
	for k, j := range s.columns {
		sum.AddProduct(s.values[k], u[j])
	}
	return sum.Lower() >= s.bounds.Lower() && sum.Upper() <= s.bounds.Upper()
}

// leastSlack is the slack of an interior point, relative to a side's terms, below which rounding could hide it.
const leastSlack = 1e-9

// findInterior looks for the point with the most slack in every side, relative to its terms and at most 1.
func (p *Polyhedron) findInterior(ctx context.Context) error {
	model := solver.NewModel("interior")
	model.SetSense(solver.Maximize)
	for j := range p.Dim() {
		model.AddColumn(solver.Column{Name: p.model.ColumnName(j), Bounds: solver.Between(math.Inf(-1), math.Inf(1))})
	}
	slack := model.AddColumn(solver.Column{Name: "slack", Bounds: solver.Between(0, 1), Cost: 1})
	for _, s := range p.sides() {
		size := 0.0
		for _, v := range s.values {
			size += math.Abs(v)
		}
		columns := append(s.columns[:len(s.columns):len(s.columns)], slack)
		if limit := s.bounds.Upper(); !math.IsInf(limit, 1) {
			model.AddRow(solver.Row{Name: s.name, Bounds: solver.AtMost(limit), Columns: columns, Values: append(s.values[:len(s.values):len(s.values)], size)})
		}
		if limit := s.bounds.Lower(); !math.IsInf(limit, -1) {
			model.AddRow(solver.Row{Name: s.name, Bounds: solver.AtLeast(limit), Columns: columns, Values: append(s.values[:len(s.values):len(s.values)], -size)})
		}
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
		return errors.New("convex: the polyhedron has no interior: an equation, or rows that leave one; substitute what the equation fixes")
	}
	axis := make([]float64, p.Dim())
	for j := range axis {
		for _, sign := range []float64{1, -1} {
			axis[j] = sign
			if math.IsInf(p.Support(axis), 1) {
				return fmt.Errorf("convex: the polyhedron has no bound in the direction %+g of %s; add one", sign, p.model.ColumnName(j))
			}
		}
		axis[j] = 0
	}
	return nil
}

func (p *Polyhedron) contains(u []float64) bool {
	return !slices.ContainsFunc(p.sides(), func(s side) bool { return !s.holds(u) })
}

// Dim implements [Set].
func (p *Polyhedron) Dim() int { return p.model.Columns() }

// farthest maximises ⟨u,s⟩; nil if the solver finds nothing.
func (p *Polyhedron) farthest(s []float64) *solver.Result {
	mustMatch("s", s, p.Dim())
	model := p.model.Clone()
	model.SetSense(solver.Maximize)
	for j, v := range s {
		model.SetCost(j, v)
	}
	result, err := solver.Solve(context.Background(), model, p.options)
	if err != nil {
		return nil
	}
	return result
}

// Support implements [Set]: the bound that weak duality proves for the linear program. It panics if s does not have length p.
func (p *Polyhedron) Support(s []float64) float64 {
	result := p.farthest(s)
	if result == nil || math.IsNaN(result.Bound) {
		return math.Inf(1)
	}
	return math.Max(0, result.Bound)
}

// inwards are the shares of the way to the interior point that a vertex is moved until it is proven to be in the set.
var inwards = [...]float64{0, 1e-12, 1e-9, 1e-6, 1e-3}

// WorstCase implements [Set]: a vertex, moved inwards by what the solver's tolerance requires. It panics if s does not have length p.
func (p *Polyhedron) WorstCase(s []float64) []float64 {
	result := p.farthest(s)
	if result != nil && result.X != nil {
		for _, share := range inwards {
			u := make([]float64, len(s))
			for j, v := range result.X {
				u[j] = v + share*(p.interior[j]-v)
			}
			if p.contains(u) {
				return u
			}
		}
	}
	return make([]float64, len(s))
}

// Gauge implements [Gauged]. It panics if u does not have length p.
func (p *Polyhedron) Gauge(u []float64) float64 {
	mustMatch("u", u, p.Dim())
	most := 0.0
	for _, s := range p.sides() {
		sum := 0.0
		for k, j := range s.columns {
			sum += s.values[k] * u[j]
		}
		limit := s.bounds.Upper()
		if sum < 0 {
			limit = s.bounds.Lower()
		}
		if sum != 0 { // of a side of 0, whose sign may be either, no multiple holds the point
			most = math.Max(most, math.Abs(sum)/math.Abs(limit))
		}
	}
	return most
}
