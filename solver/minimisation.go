package solver

import (
	"github.com/sparsero/directions/solver/internal/program"
)

// sign is the factor between the objective and the one that is minimised.
func (m *Model) sign() float64 {
	if m.maximize {
		return -1
	}
	return 1
}

// program is the minimisation form of the model without integrality.
func (m *Model) program() *program.Program {
	p := &program.Program{Offset: m.sign() * m.offset, Rows: m.rows}
	for _, c := range m.columns {
		p.Cost = append(p.Cost, m.sign()*c.Cost)
		p.Lower, p.Upper = append(p.Lower, c.Lower()), append(p.Upper, c.Upper())
	}
	for _, q := range m.Quadratic() {
		p.Quadratic = append(p.Quadratic, program.Term{I: q.I, J: q.J, Value: m.sign() * q.Value})
	}
	return p
}

// satisfied tells whether a point keeps to bounds and rows, up to rounding errors.
func (m *Model) satisfied(x []float64) bool {
	return program.Within(m.program(), x, feasibilityTolerance, 0)
}

// objectiveSize is the sum of the magnitudes of the terms of the objective.
func (m *Model) objectiveSize(x []float64) float64 {
	_, size := program.Objective(m.program(), x)
	return size
}
