package formula_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/formula"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// formulaAt is a random formula and its value at a point (x, u) by the arithmetic of numbers, with its degree in x and in u.
type formulaAt struct {
	e      formula.Expression
	values []float64
	x, u   int
}

// drawing holds a model, a point and what was drawn so far. All numbers are small and whole, so that no sum is rounded.
type drawing struct {
	*rapid.T
	model *formula.Model
	x, u  []float64
	pool  []formulaAt
}

func whole(t *rapid.T, label string, n int) []float64 {
	values := make([]float64, n)
	for k := range values {
		values[k] = float64(rapid.IntRange(-3, 3).Draw(t, label))
	}
	return values
}

func draw(t *rapid.T) *drawing {
	n, p := rapid.IntRange(1, 4).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "p")
	d := &drawing{T: t, model: formula.NewModel("drawn"), x: whole(t, "x", n), u: whole(t, "u", p)}
	x := d.model.Vector(n, solver.Column{Name: "x"})
	u := d.model.Uncertain(dictionary(p, []string{"a", "b"}, whole(t, "atoms", 2*p)...))
	d.pool = []formulaAt{{x, d.x, 1, 0}, {u, d.u, 0, 1}}
	for range rapid.IntRange(1, 6).Draw(t, "steps") {
		d.step()
	}
	return d
}

// entrywise combines values as the package promises it: the shorter one, of length 1, stands for all entries.
func entrywise(a, b []float64, of func(a, b float64) float64) []float64 {
	values := make([]float64, max(len(a), len(b)))
	for k := range values {
		values[k] = of(a[k%len(a)], b[k%len(b)])
	}
	return values
}

// step adds a formula that is made of those in the pool.
func (d *drawing) step() {
	a := rapid.SampledFrom(d.pool).Draw(d.T, "left")
	fits := []formulaAt{{values: []float64{2}}, {values: whole(d.T, "numbers", len(a.values))}} // numbers that are given as any
	for _, b := range d.pool {
		if n, m := len(a.values), len(b.values); n == m || n == 1 || m == 1 {
			fits = append(fits, b)
		}
	}
	k := rapid.IntRange(0, len(fits)-1).Draw(d.T, "right")
	b, right := fits[k], any(fits[k].e)
	switch k {
	case 0:
		right = 2
	case 1:
		right = b.values
	}
	made := formulaAt{x: max(a.x, b.x), u: max(a.u, b.u)}
	switch rapid.SampledFrom([]string{"plus", "minus", "times", "dot", "sum", "map", "at"}).Draw(d.T, "operation") {
	case "plus":
		made.e, made.values = a.e.Plus(right), entrywise(a.values, b.values, func(a, b float64) float64 { return a + b })
	case "minus":
		made.e, made.values = a.e.Minus(right), entrywise(a.values, b.values, func(a, b float64) float64 { return a - b })
	case "times", "dot":
		if made.x, made.u = a.x+b.x, a.u+b.u; made.u > 1 || made.x > 2 || made.x == 2 && made.u == 1 {
			return
		}
		made.e, made.values = a.e.Times(right), entrywise(a.values, b.values, func(a, b float64) float64 { return a * b })
		if rapid.Bool().Draw(d.T, "dot") {
			made.e, made.values = a.e.Dot(right), []float64{floats.Sum(made.values)}
		}
	case "sum":
		made = formulaAt{a.e.Sum(), []float64{floats.Sum(a.values)}, a.x, a.u}
	case "map":
		rows := rapid.IntRange(1, 3).Draw(d.T, "rows")
		matrix, product := mat.NewDense(rows, len(a.values), whole(d.T, "matrix", rows*len(a.values))), mat.NewVecDense(rows, nil)
		product.MulVec(matrix, mat.NewVecDense(len(a.values), a.values))
		made = formulaAt{a.e.Map(matrix), product.RawVector().Data, a.x, a.u}
	case "at":
		k := rapid.IntRange(0, len(a.values)-1).Draw(d.T, "entry")
		made = formulaAt{a.e.At(k), a.values[k : k+1], a.x, a.u}
	}
	d.pool = append(d.pool, made)
}

// row is a row that was added: by how much the formula is above its limit at the point, and which sides are bounded.
type row struct {
	excess       float64
	above, below bool
}

// addRows adds rows of formulas that are affine, and returns them by name.
func (d *drawing) addRows() map[string]row {
	rows := map[string]row{}
	for k, f := range d.pool {
		if f.x > 1 {
			continue
		}
		name, limit := fmt.Sprintf("row %d", k), whole(d.T, "limit", 1)[0]
		added := []row{{below: true}, {above: true, below: true}, {above: true}}
		sense := rapid.IntRange(0, 2).Draw(d.T, "sense")
		d.model.Add([]formula.Rows{f.e.AtLeast(limit), f.e.Equals(limit), f.e.AtMost(limit)}[sense].Named(name))
		for l, value := range f.values {
			entry := added[sense]
			entry.excess = value - limit
			if len(f.values) == 1 {
				rows[name] = entry
			} else {
				rows[fmt.Sprintf("%s[%d]", name, l)] = entry
			}
		}
	}
	return rows
}

// TestRandomFormulas: at a point (x, u), the rows and the objective of the problem and the values that are read back are those that
// the formulas have there term by term.
func TestRandomFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		rows, objective := d.addRows(), rapid.SampledFrom(d.pool).Draw(t, "objective")
		d.model.Add(d.pool[1].e.Sum().AtMost(1000)) // so that something is uncertain
		d.model.Maximize(objective.e)
		problem, err := d.model.Problem()
		if errors.Is(err, solver.ErrNotConvex) {
			objective = d.pool[0]
			d.model.Maximize(objective.e)
			problem, err = d.model.Problem()
		}
		if err != nil {
			t.Fatal(err)
		}
		value := problem.Region().Objective(d.x)
		if q := problem.Map(); q.Matrix != nil {
			value += floats.Dot(d.u, q.Apply(d.x))
		}
		if want := -floats.Sum(objective.values); value != want {
			t.Errorf("the objective is %v, term by term %v", value, want)
		}
		for _, f := range d.pool {
			if f.u == 0 && !slices.Equal(f.e.Value(d.x), f.values) {
				t.Errorf("a formula is %v, term by term %v", f.e.Value(d.x), f.values)
			}
		}
		d.compare(t, problem, rows)
	})
}

// compare looks each row up in the problem.
func (d *drawing) compare(t *rapid.T, problem *robust.Problem, rows map[string]row) {
	found, region := map[string]row{}, problem.Region()
	for i := range region.Rows() {
		activity := 0.0
		for k, values := 0, region.Row(i); k < len(values.Columns); k++ {
			activity += values.Values[k] * d.x[values.Columns[k]]
		}
		lower, upper := region.RowBounds(i).Lower(), region.RowBounds(i).Upper()
		r := row{above: !math.IsInf(upper, 1), below: !math.IsInf(lower, -1)}
		if r.excess = activity - lower; r.above {
			r.excess = activity - upper
		}
		found[region.Row(i).Name] = r
	}
	for _, c := range problem.Constraints()[:len(problem.Constraints())-1] {
		excess := floats.Dot(c.Nominal, d.x) + floats.Dot(d.u, c.Map.Apply(d.x)) - c.Limit
		name, atLeast := strings.CutSuffix(c.Name, " at least")
		name, atMost := strings.CutSuffix(name, " at most")
		switch r := found[name]; {
		case atLeast && r.excess == -excess:
			found[name] = row{r.excess, true, true} // an equation: this is its second half
		case atMost || rows[name].above && !rows[name].below:
			found[name] = row{excess: excess, above: true}
		default:
			found[name] = row{excess: -excess, below: true}
		}
	}
	if !maps.Equal(found, rows) {
		t.Errorf("the problem has the rows %v, the formulas %v", found, rows)
	}
}
