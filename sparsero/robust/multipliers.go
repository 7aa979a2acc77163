package robust

import (
	"github.com/sparsero/directions/sparsero"
)

// multipliers are those that a lower bound rests on. The zero value stands for none.
type multipliers struct {
	// Rows has one for each row of the region, with the signs of solver.Result.
	Rows []float64
	// Robust lists those of the robust rows, at least 0, none of which is 0.
	Robust []robustMultiplier
}

// robustMultiplier belongs to the row of an exposure and an atom, NullAtom for the nominal row of a constraint.
type robustMultiplier struct {
	Exposure, Atom int
	Value          float64
}

// multipliers reads those of the rows of the open model.
func (m *master) multipliers(duals []float64) multipliers {
	rows, constraints := m.problem.region.Rows(), len(m.problem.constraints)
	if len(duals) != rows+constraints+len(m.cuts) {
		return multipliers{}
	}
	found := multipliers{Rows: duals[:rows]}
	for k, y := range duals[rows:] {
		of := cut{k, sparsero.NullAtom}
		if k >= constraints {
			of = m.cuts[k-constraints]
		}
		if y < 0 { // of a row with an upper bound
			found.Robust = append(found.Robust, robustMultiplier{of.exposure, of.atom, -y})
		}
	}
	return found
}
