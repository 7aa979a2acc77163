package grid

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
)

// Dispatch returns the DC optimal power flow as a model: its columns are the outputs of the generators in MW, its rows
// balance each connected part of the grid and keep the flow of each branch within its rating and its angles. The flows
// are written by their factors, so that a row has an entry for every generator of its part.
func (n *Network) Dispatch() *solver.Model {
	model := solver.NewModel(n.made().Name)
	n.addGenerators(model)
	n.addBalance(model)
	for k := range n.Grid.Branches {
		least, most := n.limits(k)
		if math.IsInf(least, -1) && math.IsInf(most, 1) {
			continue
		}
		row := solver.Row{Name: "flow " + n.Grid.BranchName(k), Group: "flow", Bounds: solver.Between(least-n.base[k], most-n.base[k])}
		for g := range n.Grid.Generators {
			row.Columns, row.Values = append(row.Columns, g), append(row.Values, n.response.At(k, g))
		}
		model.AddRow(row)
	}
	return model
}

func (n *Network) addGenerators(model *solver.Model) {
	offset := 0.0
	for g, generator := range n.Grid.Generators {
		model.AddColumn(solver.Column{Name: n.Grid.generatorName(g), Bounds: solver.Between(generator.Min, generator.Max), Cost: generator.Linear})
		model.AddQuadratic(g, g, generator.Quadratic)
		offset += generator.Constant
	}
	model.SetOffset(offset)
}

// addBalance adds a row for each connected part: what is generated is what is taken.
func (n *Network) addBalance(model *solver.Model) {
	for name, part := range n.island {
		if name != part {
			continue
		}
		row, demand := solver.Row{Name: fmt.Sprintf("balance around bus %d", n.Grid.Buses[part].Number), Group: "balance"}, 0.0
		for bus := range n.Grid.Buses {
			if n.island[bus] == part {
				demand += n.Grid.Buses[bus].Demand
			}
		}
		for g, generator := range n.Grid.Generators {
			if n.island[generator.Bus] == part {
				row.Columns, row.Values = append(row.Columns, g), append(row.Values, 1)
			}
		}
		row.Bounds = solver.Equal(demand)
		model.AddRow(row)
	}
}

// limits returns the least and the largest flow of a branch in MW by its rating and its angles.
func (n *Network) limits(k int) (least, most float64) {
	branch, b := n.Grid.Branches[k], n.susceptance[k]
	least = b * (branch.MinAngle*math.Pi/180 - n.shift[k])
	most = b * (branch.MaxAngle*math.Pi/180 - n.shift[k])
	if b < 0 {
		least, most = most, least
	}
	return max(least, -branch.Rating), min(most, branch.Rating)
}
