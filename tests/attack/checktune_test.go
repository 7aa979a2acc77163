package attack

import (
	"math/big"

	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
)

// tuned is one decision that Tune compares.
type tuned struct {
	*decision
	atoms                 []int
	radius                float64
	value, gap, violation float64
}

// tune compares decisions at the problem's radius by probes as samples, with weak demands that few samples can meet.
func (l *library) tune() (steps []tuned, err error) {
	demands := robust.Demands{Gap: 0.5, Violation: 0.9, Delta: 0.5}
	found, err := l.robust.Tune(l.context, calibration.Fresh(dense(l.problem.Probes)), demands,
		&robust.TuneOptions{Radii: []float64{l.problem.Radius}, Solver: l.options})
	if found == nil {
		return nil, err
	}
	for _, s := range found.Steps {
		steps = append(steps, tuned{decisionOf(s.Solution), s.Atoms, s.Radius, s.Value.Float(), s.Gap.Float(), s.Violation.Float()})
	}
	return steps, nil
}

// checkTune judges every decision that Tune compares: what a decision claims, the gap at its radius, and the share of the
// samples that exceed its level, which the promise for new draws can never be below.
func checkTune(j *judge) {
	if !j.plainObjective() || j.problem.isInteger() || j.problem.Radius == 0 {
		return
	}
	steps, err := j.library.tune()
	if err != nil {
		j.refuse("Tune", err)
		return
	}
	all := j.problem.everyAtom()
	for _, step := range steps {
		j.decisionClaims("Tune", step.atoms, step.radius, step.decision)
		full := j.minimum(all, step.radius)
		if full.outcome != solved {
			continue
		}
		x := rationals(step.x)
		reached, data := j.robustValue(all, rational(step.radius), x)
		j.atLeast("Tune value", step.value, reached, data)
		j.atLeast("Tune gap", step.gap, difference(reached, full.value), larger(data, full.data))
		exceeding := new(big.Rat)
		nominal, _ := j.nominal(x)
		for _, probe := range j.problem.Probes {
			if harm := inner(rationals(probe), j.objective.direction(x)); difference(sum(nominal, harm), reached).Cmp(product(rational(pointTolerance), data)) > 0 {
				exceeding.Add(exceeding, integer(1))
			}
		}
		exceeding.Quo(exceeding, integer(int64(len(j.problem.Probes))))
		j.atLeast("Tune violation", step.violation, exceeding, integer(1))
	}
}
