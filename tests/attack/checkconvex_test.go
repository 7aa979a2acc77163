package attack

import (
	"math"

	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
)

// checkConvex judges decisions over budgets, boxes and 1-norm balls. Such a set with a whole number Γ is the hull of its
// vertices, so that the exact truth is that of a dictionary of them.
func checkConvex(j *judge) {
	p := j.problem.dimension()
	if p > 3 || j.problem.Map == nil {
		return
	}
	widths := make([]float64, p)
	for _, atom := range j.problem.Atoms {
		for k, v := range atom {
			widths[k] = math.Max(widths[k], math.Abs(v))
		}
	}
	for gamma := 1; gamma <= p; gamma++ {
		hull := j.problem.clone()
		hull.Atoms = budgetVertices(widths, gamma)
		hull.Chosen = names(0, len(hull.Atoms))
		d, err := j.library.overBudget(widths, float64(gamma))
		truth := &judge{problem: hull, base: hull, truth: newTruth(hull), check: j.check}
		if truth.modelStatus("Convex", truth.minimum(hull.Chosen, hull.Radius), d, err) {
			truth.decisionClaims("Convex", hull.Chosen, hull.Radius, d)
		}
		j.observations = append(j.observations, truth.observations...)
	}
}

// budgetVertices are the vectors with Γ coordinates at their widths, in either sign, and 0 elsewhere.
func budgetVertices(widths []float64, gamma int) (vertices [][]float64) {
	var extend func(vertex []float64, left int)
	extend = func(vertex []float64, left int) {
		k := len(vertex)
		if k == len(widths) {
			vertices = append(vertices, append([]float64(nil), vertex...))
			return
		}
		if left > 0 {
			extend(append(vertex, widths[k]), left-1)
			extend(append(vertex, -widths[k]), left-1)
		}
		if len(widths)-k > left {
			extend(append(vertex, 0), left)
		}
	}
	extend(nil, gamma)
	return vertices
}

// overBudget solves the problem over a budget set in the place of its dictionary.
func (l *library) overBudget(widths []float64, gamma float64) (*decision, error) {
	set, err := convex.NewBudget(widths, gamma)
	if err != nil {
		return nil, err
	}
	p, err := robust.NewConvex(set, l.region, l.objective, l.robust.Constraints()...)
	if err != nil {
		return nil, err
	}
	s, err := p.SolveFull(l.context, l.problem.Radius, l.robustOptions())
	if err != nil {
		return nil, err
	}
	d := decisionOf(s)
	d.ofSet = true
	return d, nil
}
