package solver

import (
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof"
	"gonum.org/v1/gonum/mat"
)

// MaxCoefficient is the largest magnitude of a row coefficient, a cost, a quadratic term or a finite bound; what is meant to
// be unbounded should use math.Inf. Products of two such numbers end beyond float64; units far below do not matter.
const MaxCoefficient = 0x1p700

// maxMistakes limits how many mistakes one validation error spells out.
const maxMistakes = 10

// Validate returns nil for a well-formed model and otherwise an error that joins all mistakes found while it was built, each
// naming the argument, its value and the next step. It also rejects a model without columns, repeated column names, and a
// quadratic objective that is not convex (ErrNotConvex). Contradicting bounds are not a mistake: such a model is infeasible.
func (m *Model) Validate() error {
	if m == nil {
		return errors.New("solver: model is nil; build one with solver.NewModel")
	}
	mistakes := append([]error(nil), m.mistakes...)
	if len(m.columns) == 0 {
		mistakes = append(mistakes, errors.New("solver: model has no columns; add at least one with AddColumn"))
	}
	if err := m.checkNames(); err != nil {
		mistakes = append(mistakes, err)
	}
	if len(mistakes) == 0 {
		if err := m.checkConvex(); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	if extra := len(mistakes) - maxMistakes; extra > 0 {
		mistakes = append(mistakes[:maxMistakes:maxMistakes], fmt.Errorf("solver: and %d more mistakes", extra))
	}
	return errors.Join(mistakes...)
}

// checkNames finds a column name that is used twice.
func (m *Model) checkNames() error {
	seen := make(map[string]int, len(m.columns))
	for j, c := range m.columns {
		if c.Name == "" {
			continue
		}
		if first, found := seen[c.Name]; found {
			return fmt.Errorf("solver: columns %d and %d are both named %q; give each column its own name or none", first, j, c.Name)
		}
		seen[c.Name] = j
	}
	return nil
}

func checkFinite(what string, value float64) error {
	if notFinite(value) {
		return fmt.Errorf("solver: %s is %v; use a finite number", what, value)
	}
	if math.Abs(value) > MaxCoefficient {
		return fmt.Errorf("solver: %s is %g, larger than %g; rescale the model", what, value, MaxCoefficient)
	}
	return nil
}

// checkBounds rejects NaN, a lower bound of +Inf, an upper bound of -Inf and
// finite bounds beyond MaxCoefficient. It accepts lower > upper.
func checkBounds(what string, b Bounds) error {
	lower, upper := b.Lower(), b.Upper()
	switch {
	case math.IsNaN(lower) || math.IsNaN(upper):
		return fmt.Errorf("solver: %s has bounds [%v, %v]; NaN is no bound; use math.Inf for none, and other units where numbers leave float64", what, lower, upper)
	case math.IsInf(lower, 1):
		return fmt.Errorf("solver: %s has lower bound +Inf; use math.Inf(-1) for no lower bound", what)
	case math.IsInf(upper, -1):
		return fmt.Errorf("solver: %s has upper bound -Inf; use math.Inf(1) for no upper bound", what)
	}
	for _, bound := range [2]float64{lower, upper} {
		if !math.IsInf(bound, 0) && math.Abs(bound) > MaxCoefficient {
			return fmt.Errorf("solver: %s has bound %g, beyond %g; use math.Inf for no bound or rescale the model", what, bound, MaxCoefficient)
		}
	}
	return nil
}

// place names a column or a row in an error.
func place(kind string, index int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, index)
	}
	return fmt.Sprintf("%s %d (%s)", kind, index, name)
}

func checkColumn(index int, c Column) error {
	what := place("column", index, c.Name)
	if err := checkBounds(what, c.Bounds); err != nil {
		return err
	}
	return checkFinite("cost of "+what, c.Cost)
}

func checkRow(index int, r Row, columns int) error {
	what := place("row", index, r.Name)
	if len(r.Columns) != len(r.Values) {
		return fmt.Errorf("solver: %s has %d columns but %d values; give one value per column", what, len(r.Columns), len(r.Values))
	}
	if err := checkBounds(what, r.Bounds); err != nil {
		return err
	}
	for k, column := range r.Columns {
		if column < 0 || column >= columns {
			return fmt.Errorf("solver: %s names column %d but the model has %d columns; add the columns before the row", what, column, columns)
		}
		if v := r.Values[k]; !(math.Abs(v) <= MaxCoefficient) {
			return checkFinite(fmt.Sprintf("%s, coefficient of column %d,", what, column), v)
		}
	}
	return nil
}

func (m *Model) checkColumnIndex(column int) error {
	if column < 0 || column >= len(m.columns) {
		return fmt.Errorf("solver: column %d does not exist; the model has %d columns", column, len(m.columns))
	}
	return nil
}

func (m *Model) checkRowIndex(row int) error {
	if row < 0 || row >= len(m.rows) {
		return fmt.Errorf("solver: row %d does not exist; the model has %d rows", row, len(m.rows))
	}
	return nil
}

// checkConvex returns an error wrapping ErrNotConvex when the quadratic part
// is not convex for a minimisation (not concave for a maximisation).
func (m *Model) checkConvex() error {
	plain := m.Program()
	if !proof.NotConvex(plain, convexityTolerance) {
		return nil
	}
	var eigen mat.EigenSym
	if hessian, _ := program.Hessian(plain); !eigen.Factorize(hessian, false) {
		return fmt.Errorf("solver: quadratic objective: the eigenvalues of its Hessian could not be computed; rescale it: %w", ErrNotConvex)
	}
	smallest := eigen.Values(nil)[0]
	shape, repair := "convex", "minimise"
	if m.maximize {
		shape, repair, smallest = "concave", "maximise", -smallest
	}
	return fmt.Errorf("solver: quadratic objective is not %s: its Hessian has eigenvalue %.6g; %s a %s objective, for instance with the Hessian projected on its semidefinite part: %w",
		shape, smallest, repair, shape, ErrNotConvex)
}

// notFinite tells whether v is NaN or infinite.
func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
