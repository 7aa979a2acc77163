package compare

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs" // both sides solve with HiGHS
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

// linearPrograms compares min <c,x> + r M_N(x) over a box: cutting planes against
// HiGHS with the rows of all atoms at once.
func (c *comparison) linearPrograms() error {
	for _, size := range c.scale.Programs {
		for _, kind := range []struct {
			name     string
			clusters int
		}{{"isotropic", 0}, {"clustered", 200}} {
			all := cloud(7, size.Atoms+1, size.Dimension, kind.clusters)
			atoms, cost := all.slice(0, size.Atoms), cloud(8, 1, size.Dimension, 0)
			problem, err := boxProblem(atoms, cost)
			if err != nil {
				return err
			}
			if err := c.share("atoms", atoms); err != nil {
				return err
			}
			if err := c.share("cost", cost); err != nil {
				return err
			}
			for _, radius := range size.Radii {
				if err := c.linearProgram(problem, size, kind.name, radius); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// boxProblem states the program over the box [-1,1]^n.
func boxProblem(atoms, cost array[float32]) (*robust.Problem, error) {
	dictionary, err := sparsero.NewDictionary(atoms.dense())
	if err != nil {
		return nil, err
	}
	region := solver.NewModel("box")
	for _, v := range cost.values {
		region.AddColumn(solver.Column{Lower: -1, Upper: 1, Cost: float64(v)})
	}
	return robust.NewProblem(dictionary, region, sparsero.Identity(atoms.columns))
}

func (c *comparison) linearProgram(problem *robust.Problem, size ProgramSize, kind string, radius float64) error {
	var mine, theirs float64
	measured, err := inTurn(c.ctx, c.scale.Repetitions,
		ours(func() error {
			s, err := problem.SolveFull(c.ctx, radius, nil)
			if err == nil {
				mine = s.Value
			}
			return err
		}),
		c.call(c.peers.shipped, "robust_program", arguments{"atoms": "atoms", "cost": "cost", "radius": radius, "method": "highs-ds"}, &theirs),
	)
	if err != nil {
		return err
	}
	r := timed(key("lp", size.Atoms, size.Dimension, kind, radius),
		fmt.Sprintf("robust LP over all atoms, %s, N=%s, n=%d, r=%g", kind, thousands(size.Atoms), size.Dimension, radius), measured[1], measured[0])
	r.Peer, r.Target = "SciPy linprog, HiGHS dual simplex, all rows", size.Target
	apart := math.Abs(mine-theirs) / (1 + math.Abs(theirs))
	if apart > optimumTolerance {
		return fmt.Errorf("compare: %s: the optima are %v (peer) and %v", r.Workload, theirs, mine)
	}
	r.Agreement = fmt.Sprintf("optimum within %.0e relative", optimumTolerance)
	c.add(r)
	return nil
}
