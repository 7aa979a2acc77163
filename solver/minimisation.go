package solver

import (
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof"
)

// sign is the factor between the objective and the one that is minimised.
func (m *Model) sign() float64 {
	if m.maximize {
		return -1
	}
	return 1
}

// Program returns the model as package proof takes it: to be minimised, without integrality. It shares the entries of
// the rows with the model, which the caller must not write to.
func (m *Model) Program() *proof.Program {
	n := len(m.columns)
	p := &proof.Program{Offset: m.sign() * m.offset, Rows: slices.Clone(m.rows)}
	p.Cost, p.Lower, p.Upper = make([]float64, n), make([]float64, n), make([]float64, n)
	for j, c := range m.columns {
		p.Cost[j], p.Lower[j], p.Upper[j] = m.sign()*c.Cost, c.Lower(), c.Upper()
	}
	for _, q := range m.Quadratic() {
		p.Quadratic = append(p.Quadratic, program.Term{I: q.I, J: q.J, Value: m.sign() * q.Value})
	}
	return p
}

// satisfied tells whether a point keeps to bounds and rows, up to rounding errors.
func (m *Model) satisfied(x []float64) bool {
	return program.Within(m.Program(), x, feasibilityTolerance, 0)
}
