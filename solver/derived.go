package solver

import (
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// WithoutObjective returns a copy that minimises 0: it only asks for feasibility.
func (m *Model) WithoutObjective() *Model {
	c := m.Clone()
	c.quadratic, c.offset, c.maximize = nil, 0, false
	for j := range c.columns {
		c.columns[j].Cost = 0
	}
	return c
}

// relaxed returns the model without integrality, sharing everything else.
func (m *Model) relaxed() *Model {
	if !m.IsInteger() {
		return m
	}
	c := m.Clone()
	for j := range c.columns {
		c.columns[j].Integer = false
	}
	return c
}

// withIntegersAt returns the continuous model in which the integer columns have the values of a point.
func (m *Model) withIntegersAt(x []float64) *Model {
	fixed := m.Clone()
	for j := range fixed.columns {
		if c := &fixed.columns[j]; c.Integer {
			c.Bounds, c.Integer = Equal(x[j]), false
		}
	}
	return fixed
}

// fromProgram returns the model of a linear program.
func fromProgram(name string, p *program.Program) *Model {
	m := NewModel(name)
	m.offset, m.rows, m.labels = p.Offset, slices.Clone(p.Rows), make([]label, len(p.Rows))
	for j, cost := range p.Cost {
		m.columns = append(m.columns, Column{Bounds: Between(p.Lower[j], p.Upper[j]), Cost: cost})
	}
	return m
}

// Recession returns the model of the steepest recession direction: a minimisation over the directions d, -1 <= d <= 1, along
// which no bound of m is ever reached and its objective is linear. It always has an optimum; of a feasible m, which must
// have no integer columns, it is negative exactly when m is unbounded.
func (m *Model) Recession() *Model {
	return fromProgram(m.name+" (recession)", program.Recession(m.Program()))
}
