package grid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/solver"
)

// Thinned returns the optimal power flow with rows for some pairs of a branch and an outage only, as planners' tools thin them out: those
// with an outage factor of at least threshold (0 keeps all pairs),
//
//	|f_l(x) + LODF_lc f_c(x)| <= emergency Rating_l  where |LODF_lc| >= threshold.
//
// A pair that is left out may be overloaded: Overload of its optimum tells by how much, and Security needs no threshold. The events are
// outages of one branch each, without Injection. It has the errors of Security.
func (n *Network) Thinned(events []Event, emergency, threshold float64) (*solver.Model, error) {
	problem, err := n.Security(events, emergency)
	if err != nil {
		return nil, err
	}
	model, limited := n.Dispatch(), n.limited()
	for k, event := range events {
		if len(event.Outages) != 1 || event.Injection != nil {
			return nil, fmt.Errorf("grid: events[%d] is no outage of a single branch; a threshold is about such outages alone", k)
		}
		factors, err := n.LODF(event.Outages[0])
		if err != nil {
			return nil, err
		}
		for i, row := range problem.Constraints() { // two for each branch with a rating, one for each direction
			if math.Abs(factors.At(limited[i/2], 0)) < threshold {
				continue
			}
			thin := solver.Row{Bounds: solver.AtMost(row.Limit - row.Map.Constant[k])}
			for column, value := range floats.AddTo(make([]float64, len(row.Nominal)), row.Nominal, row.Map.Matrix.RawRowView(k)) {
				if value != 0 {
					thin.Columns, thin.Values = append(thin.Columns, column), append(thin.Values, value)
				}
			}
			model.AddRow(thin)
		}
	}
	return model, nil
}

// limited lists the branches that have a rating.
func (n *Network) limited() (branches []int) {
	for l, branch := range n.Grid.Branches {
		if !math.IsInf(branch.Rating, 1) {
			branches = append(branches, l)
		}
	}
	return branches
}
