// Package formula writes models as one writes them on paper. What it makes is an ordinary solver.Model or robust.Problem.
// Numbers are added up and multiplied as float64; what is proven later is about the coefficients that result. What leaves float64
// is NaN, which no model takes.
// Expressions, rows, models and the words for their mistakes are all in formula.go.
package formula

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// Expression is a column vector of functions, each affine in the variables x and in an uncertain vector u, or quadratic in x.
// Where a method takes any, give an Expression, a float64, an int or a []float64. Operands have the same length, or one has length
// 1 and stands for all entries. Methods return a new Expression, whose mistakes are reported by the model that it is used in.
type Expression struct {
	model   *Model // nil for numbers
	entries [][]term
	err     error
}

// term is value u_k x_i x_j for u of a set, with i <= j; all are counted from 1, and 0 stands for no factor. An entry has its terms
// in this order.
type term struct {
	set, k, i, j int
	value        float64
}

func (t term) order(o term) int { return cmp.Or(t.set-o.set, t.k-o.k, t.i-o.i, t.j-o.j) }

func operand(value any) (e Expression) {
	switch v := value.(type) {
	case Expression:
		return v
	case int:
		return operand([]float64{float64(v)})
	case float64:
		return operand([]float64{v})
	case []float64:
		for _, constant := range v {
			e.entries = append(e.entries, []term{{value: constant}})
		}
	default:
		e.err = fmt.Errorf("an operand is a %T; give an Expression, a float64, an int or a []float64", value)
	}
	return e
}

func combined(a, b any, combine func(s, t []term) []term) Expression {
	left, right := operand(a), operand(b)
	n, m := len(left.entries), len(right.entries)
	made := Expression{cmp.Or(left.model, right.model), make([][]term, max(n, m)), cmp.Or(left.err, right.err)}
	switch {
	case made.err != nil:
	case right.model != nil && right.model != made.model:
		made.err = fmt.Errorf("the models %q and %q are mixed; use the variables of one", left.model.region.Name(), right.model.region.Name())
	case min(n, m) == 0 || n != m && n != 1 && m != 1:
		made.err = fmt.Errorf("operands have %d and %d entries; give as many, or one for all, and none empty", n, m)
	default:
		for k := range made.entries {
			made.entries[k] = summed(combine(left.entries[k%n], right.entries[k%m]))
		}
	}
	return made
}

// summed adds up terms with the same factors and drops zeros.
func summed(terms []term) (sums []term) {
	slices.SortStableFunc(terms, term.order)
	for k, t := range terms {
		if k > 0 && t.order(terms[k-1]) == 0 {
			last := &sums[len(sums)-1].value
			*last = held(*last+t.value, *last, t.value)
		} else {
			sums = append(sums, t)
		}
	}
	return slices.DeleteFunc(sums, func(t term) bool { return t.value == 0 })
}

// held is the sum or product of two numbers, NaN where it leaves float64: as an infinite limit it would be none.
func held(result, a, b float64) float64 {
	if math.IsInf(result, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return math.NaN()
	}
	return result
}

// Plus returns e + other.
func (e Expression) Plus(other any) Expression {
	return combined(e, other, func(s, t []term) []term { return slices.Concat(s, t) })
}

// Minus returns e - other.
func (e Expression) Minus(other any) Expression { return e.Plus(operand(other).Times(-1)) }

// Times returns the products of the entries. Those of two variables are for objectives, and u_k x_j has no further factor.
func (e Expression) Times(other any) Expression {
	var degree error
	made := combined(e, other, func(s, t []term) (terms []term) {
		for _, a := range s {
			for _, b := range t {
				x := []int{a.i, a.j, b.i, b.j}
				slices.Sort(x)
				if x[1] > 0 || min(a.k, b.k) > 0 || min(x[2], a.k+b.k) > 0 {
					degree = errors.New("a product has more factors than u x or x x; replace one by a number")
				}
				terms = append(terms, term{a.set + b.set, a.k + b.k, x[2], x[3], held(a.value*b.value, a.value, b.value)})
			}
		}
		return terms
	})
	made.err = cmp.Or(made.err, degree)
	return made
}

// Sum returns the sum of the entries.
func (e Expression) Sum() Expression {
	return Expression{e.model, [][]term{summed(slices.Concat(e.entries...))}, e.err}
}

// Dot returns ⟨e, other⟩.
func (e Expression) Dot(other any) Expression { return e.Times(other).Sum() }

// Map returns matrix · e, with an entry for each row of the matrix.
func (e Expression) Map(matrix mat.Matrix) Expression {
	if input.Missing(matrix) {
		return Expression{e.model, nil, errors.New("the matrix of a map is nil; give one with a row for each entry")}
	}
	rows, columns := matrix.Dims()
	made := Expression{model: e.model, err: e.err}
	if columns != len(e.entries) {
		made.err = cmp.Or(e.err, fmt.Errorf("a %d×%d matrix maps %d entries; give one with as many columns", rows, columns, len(e.entries)))
	}
	for k := range rows {
		made.entries = append(made.entries, e.Dot(mat.Row(nil, k, matrix)).entries[0])
	}
	return made
}

// At returns entry k, counted from 0. It panics if there is none.
func (e Expression) At(k int) Expression {
	if k < 0 || k >= len(e.entries) {
		panic(fmt.Sprintf("formula: entry %d of an expression of %d", k, len(e.entries)))
	}
	return Expression{e.model, e.entries[k : k+1], e.err}
}

// Value returns the entries at a decision x, such as Solution.X, and u = 0. It panics if x is too short, and with the mistake of an
// expression that has one.
func (e Expression) Value(x []float64) []float64 {
	if e.err != nil {
		panic("formula: " + e.err.Error())
	}
	values, x := make([]float64, len(e.entries)), append([]float64{1}, x...)
	for k, entry := range e.entries {
		for _, t := range entry {
			if t.j >= len(x) {
				panic(fmt.Sprintf("formula: a decision of length %d has no x_%d", len(x)-1, t.j))
			}
			if t.set == 0 {
				values[k] += t.value * x[t.i] * x[t.j]
			}
		}
	}
	return values
}

// Rows are conditions on the entries of an expression, for every u of its set. [Model.Add] adds them.
type Rows struct {
	left   Expression
	bounds func(float64) solver.Bounds // of left without its constant, from the negative of that
	name   string
}

// AtMost is e <= limit; +Inf is none.
func (e Expression) AtMost(limit any) Rows { return Rows{e.Minus(limit), solver.AtMost, ""} }

// AtLeast is e >= limit; -Inf is none.
func (e Expression) AtLeast(limit any) Rows { return Rows{e.Minus(limit), solver.AtLeast, ""} }

// Equals is e = value; an uncertain one makes two robust rows, name at most and name at least.
func (e Expression) Equals(value any) Rows { return Rows{e.Minus(value), solver.Equal, ""} }

// Named calls the rows name[0], name[1], ..., or one name.
func (r Rows) Named(name string) Rows { return Rows{r.left, r.bounds, name} }

// Model collects variables, rows, an objective, and mistakes, which name their place. [NewModel] makes one with a name.
type Model struct {
	region    solver.Model           // with the variables alone
	sets      []*sparsero.Dictionary // of the uncertain vectors
	rows      []Rows                 // of one entry each
	objective []term
	sign      float64 // with which the objective is minimised
	mistakes  []error
}

// NewModel returns an empty model.
func NewModel(name string) *Model { return &Model{region: *solver.NewModel(name)} }

// Variables adds the columns as variables; what they cost is said by Minimize or Maximize.
func (m *Model) Variables(columns ...solver.Column) Expression {
	x := Expression{model: m}
	for _, column := range columns {
		x.entries = append(x.entries, []term{{j: m.region.AddColumn(column) + 1, value: 1}})
	}
	return x
}

// Vector adds n variables that are alike but for their names, name[0], name[1], ..., or name if n is 1.
func (m *Model) Vector(n int, like solver.Column) Expression {
	if n < 1 || n > mostVariables {
		return Expression{model: m, err: fmt.Errorf("a vector has %d variables; give 1 to %d", n, mostVariables)}
	}
	columns := slices.Repeat([]solver.Column{like}, n)
	for k := range columns {
		columns[k].Name = numbered(like.Name, k, n)
	}
	return m.Variables(columns...)
}

// mostVariables are those of a vector that memory may hold.
const mostVariables = 10_000_000

func numbered(name string, k, n int) string {
	if n == 1 || name == "" {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, k)
}

// Uncertain returns a vector u in the set over these atoms at the radius of the solve; u.Times(0.5) is in that at half
// of it, as with robust.Constraint.Radius. 0 always belongs to the set: atoms that all lie on one side of it are
// written as a mean and deviations, as robust.Around does. The objective and every row have a worst case of their own
// each, and at most one uncertain vector.
func (m *Model) Uncertain(atoms *sparsero.Dictionary) Expression {
	m.sets = append(m.sets, atoms)
	u := Expression{model: m}
	if atoms.Size() == 0 {
		u.err = errors.New("the dictionary of an uncertain vector is nil; build one with sparsero.NewDictionary")
	}
	for k := range atoms.Dim() {
		u.entries = append(u.entries, []term{{set: len(m.sets), k: k + 1, value: 1}})
	}
	return u
}

// Minimize sets the objective, the sum of the entries. One that is uncertain counts with its largest value.
func (m *Model) Minimize(e Expression) {
	m.objective, m.sign = slices.Concat(m.checked("objective", e.Sum(), true)...), 1
}

// Maximize sets the objective, the sum of the entries. One that is uncertain counts with its least value, and
// [Model.Problem] minimises the negative, so that values there have the other sign.
func (m *Model) Maximize(e Expression) {
	m.Minimize(e)
	m.sign = -1
}

// Add adds rows.
func (m *Model) Add(rows ...Rows) {
	for _, r := range rows {
		entries := m.checked(cmp.Or(r.name, fmt.Sprintf("row %d", len(m.rows))), r.left, false)
		for k := range entries {
			m.rows = append(m.rows, Rows{Expression{entries: entries[k : k+1]}, r.bounds, numbered(r.name, k, len(entries))})
		}
	}
}

// checked returns the entries of an expression of this model, or notes what is wrong with it.
func (m *Model) checked(place string, e Expression, squares bool) [][]term {
	e = e.Plus(Expression{m, make([][]term, 1), nil})
	for _, terms := range e.entries {
		for _, t := range terms {
			switch last := terms[len(terms)-1]; {
			case t.set > 0 && t.set != last.set:
				e.err = errors.New("it has two uncertain vectors; make one of a dictionary for both")
			case t.i > 0 && !squares:
				e.err = errors.New("it has a product of two variables, which only objectives may have; give an affine one")
			}
		}
	}
	if e.err != nil {
		m.mistakes = append(m.mistakes, fmt.Errorf("formula: %s: %w", place, e.err))
		return nil
	}
	return e.entries
}

// Model returns the model. It is an error if something in it is uncertain.
func (m *Model) Model() (*solver.Model, error) {
	region, objective, rows, err := m.parts(1)
	if objective.Dictionary != nil || rows != nil {
		err = errors.Join(err, errors.New("formula: something is uncertain; ask for the Problem"))
	}
	return region, err
}

// Problem returns the robust problem. Its dictionary is that of the objective, or of all uncertain rows; where neither is one, rows
// have their own.
func (m *Model) Problem() (*robust.Problem, error) {
	region, objective, rows, err := m.parts(m.sign)
	other := func(c robust.Constraint) bool { return c.Dictionary != rows[0].Dictionary }
	switch {
	case err != nil:
		return nil, err
	case objective.Dictionary == nil && rows == nil:
		return nil, errors.New("formula: nothing is uncertain; ask for the Model")
	case objective.Dictionary == nil && !slices.ContainsFunc(rows, other):
		objective.Dictionary = rows[0].Dictionary
	}
	return robust.NewProblem(objective.Dictionary, region, objective.Map, rows...)
}

// parts returns variables and certain rows with sign times the certain objective, then the uncertain objective and rows.
func (m *Model) parts(sign float64) (region *solver.Model, objective robust.Constraint, rows []robust.Constraint, err error) {
	if m.region.Columns() == 0 {
		return m.region.Clone(), objective, nil, errors.Join(append(m.mistakes, errors.New("formula: the model has no variables; add some with Variables or Vector"))...)
	}
	region, objective = m.region.Clone(), m.robust("objective", m.objective, sign)
	region.SetOffset(0 - objective.Limit)
	region.SetMaximize(sign*m.sign < 0) // before Validate, which asks for a concave objective then
	all := rank.Indices[int](region.Columns())
	for _, j := range all {
		region.SetCost(j, objective.Nominal[j])
	}
	for _, t := range m.objective {
		if t.i > 0 {
			region.AddQuadratic(t.i-1, t.j-1, sign*t.value)
		}
	}
	for _, r := range m.rows {
		row := m.robust(r.name, r.left.entries[0], 1)
		bounds := r.bounds(row.Limit)
		if row.Dictionary == nil {
			region.AddRow(solver.Row{Name: r.name, Bounds: bounds, Columns: all, Values: row.Nominal})
			continue
		}
		least := m.robust(r.name, r.left.entries[0], -1)
		if bounds.Lower() == bounds.Upper() && r.name != "" {
			row.Name, least.Name = r.name+" at most", r.name+" at least"
		}
		if bounds.Upper() != math.Inf(1) {
			rows = append(rows, row)
		}
		if bounds.Lower() != math.Inf(-1) {
			rows = append(rows, least)
		}
	}
	return region, objective, rows, errors.Join(errors.Join(m.mistakes...), region.Validate())
}

// robust writes sign · terms <= 0 as a robust row, without a Dictionary if nothing is uncertain.
func (m *Model) robust(name string, terms []term, sign float64) robust.Constraint {
	var atoms *sparsero.Dictionary
	for _, t := range terms {
		if t.set > 0 {
			atoms = m.sets[t.set-1]
		}
	}
	whole := mat.NewDense(1+atoms.Dim(), 1+m.region.Columns(), nil) // rows: certain, each u_k; columns: constant, each x_j
	for _, t := range terms {
		if t.i == 0 {
			whole.Set(t.k, t.j, sign*t.value)
		}
	}
	c := robust.Constraint{Name: name, Nominal: whole.RawRowView(0)[1:], Limit: 0 - whole.At(0, 0), Dictionary: atoms}
	if p, n := whole.Dims(); p > 1 {
		c.Map = sparsero.AffineMap{Matrix: whole.Slice(1, p, 1, n).(*mat.Dense), Constant: mat.Col(nil, 0, whole.Slice(1, p, 0, 1))}
	}
	return c
}
