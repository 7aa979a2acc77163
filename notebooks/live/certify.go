package live

import (
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
)

// certifying asks what a problem loses with the chosen atoms; Along are decisions at which the objectives are wanted.
type certifying struct {
	task
	Chosen    []int
	Along     [][]float64
	MaxPoints int // of the net of a ladder
}

// certified is the answer: the solutions with the chosen and with all atoms, and what separates them.
type certified struct {
	X, FullX                []float64
	Value, FullValue        float64
	Gap, Regret             float64 // differences of the values above, no bounds
	FullDeficit             float64 // times the radius, at the solution with all atoms: no more than the gap
	Certificate             proof.Upper
	WorstAtom               string
	ObjectiveFew, Objective []float64 // along the decisions
	Deficits                []float64 // times the radius
	Rungs                   []robust.Rung
	Trivial                 proof.Upper
	UniformX                []float64 // where the exact uniform certificate is attained
}

func certify(c *certifying) any { return c.solved(c.problem()) }

// solved compares the solutions with few and with all atoms.
func (c *certifying) solved(p *robust.Problem) *certified {
	few, full := must(p.Solve(background, c.Chosen, c.Radius, nil)), must(p.SolveFull(background, c.Radius, nil))
	set := must(sparsero.NewAtomicSet(p.Dictionary(), c.Chosen, c.Radius))
	all := must(sparsero.FullSet(p.Dictionary(), c.Radius))
	answer := &certified{
		X: few.X, FullX: full.X, Value: few.Value, FullValue: full.Value, Certificate: few.Certificate.Bound,
		Gap: full.Value - few.Value, Regret: few.FullValue() - full.Value,
		FullDeficit: c.Radius * set.AlignmentDeficit(full.Direction), WorstAtom: p.Dictionary().Label(few.WorstAtom),
	}
	q := p.Map()
	for _, x := range c.Along {
		answer.ObjectiveFew = append(answer.ObjectiveFew, p.Objective(set, x))
		answer.Objective = append(answer.Objective, p.Objective(all, x))
		answer.Deficits = append(answer.Deficits, c.Radius*set.AlignmentDeficit(q.Apply(x)))
	}
	return answer
}

// ladder adds all certificates and the trivial bound, which keeps no atom.
func ladder(c *certifying) any {
	p := c.problem()
	answer := c.solved(p)
	answer.Rungs = must(p.Ladder(background, c.Chosen, c.Radius, &robust.LadderOptions{MaxPoints: c.MaxPoints})).Rungs
	uniform := func(chosen []int) *certificate.Uniform {
		set := must(sparsero.NewAtomicSet(p.Dictionary(), chosen, c.Radius))
		return must(certificate.SolveUniform(background, set, p.Region(), p.Map(), nil))
	}
	answer.UniformX, answer.Trivial = uniform(c.Chosen).X, uniform(nil).Bound
	return answer
}

// walk asks for the steps of Algorithm 1.
type walk struct {
	task
	Budget int
}

// step is one round: the decision with the atoms until then, the direction that it reveals, and the atom added for it.
type step struct {
	X, Direction []float64
	Value        float64
	Certificate  proof.Upper
	Added        int // the atom, -1 at the end
	Label        string
}

// walked is the answer.
type walked struct {
	Steps     []step
	Certified bool
	Stop      string
}

func steps(w *walk) any {
	p := w.problem()
	design := must(p.Design(background, w.Budget, w.Radius, nil))
	answer := &walked{Certified: design.Certified, Stop: design.Stop}
	for _, iteration := range design.Iterations {
		solved := must(p.Solve(background, design.Atoms[:iteration.Size], w.Radius, nil))
		answer.Steps = append(answer.Steps, step{
			X: solved.X, Direction: solved.Direction, Value: solved.Value, Certificate: solved.Certificate.Bound,
			Added: iteration.Added, Label: p.Dictionary().Label(iteration.Added),
		})
	}
	return answer
}
