package robust

import (
	"context"
	"errors"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// NewConvex returns the robust program min b(x) + max_{u in r U} ⟨u, q(x)⟩ over X, constraints alike, for a convex set U in
// the place of atoms, which are points of U. The parts are checked as by [NewOracleProblem]; constraints share U and have no
// Dictionary. It is an error if the set is nil, of another dimension than the maps, or without a bound.
func NewConvex(set convex.Set, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*OracleProblem, error) {
	if input.Missing(set) || set.Dim() < 1 {
		return nil, errors.New("robust: the set is nil or of dimension 0; use one of package convex")
	}
	o, err := NewOracleProblem(context.Background(), convexOracle{set}, region, q, constraints...)
	if err == nil {
		o.parts.set = set
	}
	return o, err
}

// convexOracle answers with the worst case in each direction. No point is the last, so that what lies beyond is the support.
type convexOracle struct{ convex.Set }

func (o convexOracle) Worst(ctx context.Context, directions *mat.Dense, count int) (atoms []Atom, beyond []float64, err error) {
	for k := range directions.RawMatrix().Rows {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		beyond = append(beyond, o.Support(directions.RawRowView(k)))
		if count > 0 {
			atoms = append(atoms, Atom{Values: o.WorstCase(directions.RawRowView(k))})
		}
	}
	return atoms, beyond, nil
}
