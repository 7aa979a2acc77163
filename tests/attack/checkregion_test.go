package attack

import (
	"errors"
	"math/big"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
)

// regionStatus compares what is said about X, which certificates need to be bounded and not empty, with the truth.
func (j *judge) regionStatus(name string, truth outcome, err error) bool {
	said := statusOf(err)
	if said == saysNothing {
		j.refuse(name, err)
		return false
	}
	right := said == answered || said == saysInfeasible && truth == infeasible || said == saysUnbounded && truth == unbounded
	j.flag(name+" status", right, "says %v: %v, truth %v", said, err, truth)
	return said == answered && truth == solved
}

// statusOfRegion is what may be said about X: a certificate that stays finite over an unbounded X may be refused.
func (j *judge) statusOfRegion() outcome {
	if j.boxed().outcome == unbounded {
		return unbounded
	}
	return j.uniformly().outcome
}

func checkUniform(j *judge) {
	if j.problem.Map == nil {
		return
	}
	bound, attained, x, err := j.library.uniform()
	truth := j.uniformly()
	if !j.regionStatus("uniform", j.statusOfRegion(), err) {
		if err == nil && truth.outcome == unbounded {
			j.atLeast("uniform", bound, nil, integer(1))
		}
		return
	}
	r := rational(j.problem.Radius)
	j.atLeast("uniform", bound, product(r, truth.value), product(r, truth.data))
	if x != nil {
		at := rationals(x)
		deficit := difference(j.objective.support(j.problem.everyAtom(), at), j.objective.support(j.problem.Chosen, at))
		j.evaluated("uniform attained", attained, deficit, j.data(&j.objective, at), 2*(j.problem.dimension()+1)*(len(x)+1))
		inside, where := j.nearlySatisfiesRelaxed(x)
		j.flag("uniform point", inside, "%s", where)
	}
}

// nearlySatisfiesRelaxed is nearlySatisfies without integrality.
func (j *judge) nearlySatisfiesRelaxed(x []float64) (bool, string) {
	relaxed := *j.problem
	relaxed.Columns = append([]column(nil), relaxed.Columns...)
	for k := range relaxed.Columns {
		relaxed.Columns[k].Integer = false
	}
	return (&judge{problem: &relaxed, truth: j.truth}).nearlySatisfies(x)
}

func checkBox(j *judge) {
	lower, upper, err := j.library.boundingBox()
	truth := j.boxed()
	if !j.regionStatus("box", truth.outcome, err) {
		return
	}
	for k, side := range truth.box {
		data := larger(new(big.Rat).Abs(side.lower), new(big.Rat).Abs(side.upper))
		j.atMost("box", lower[k], side.lower, data)
		j.atLeast("box", upper[k], side.upper, data)
	}
}

func checkNorm(j *judge) {
	if j.problem.Map == nil {
		return
	}
	norm, err := j.library.directionNorm()
	truth := j.uniformly()
	if !j.regionStatus("direction norm", j.statusOfRegion(), err) {
		return
	}
	j.root("direction norm", norm, truth.norm, truth.norm)
	_, bound, err := j.library.hausdorff(norm)
	if err != nil {
		j.refuse("Hausdorff bound", err)
		return
	}
	r := rational(j.problem.Radius)
	j.atLeast("Hausdorff bound", bound, product(r, truth.value), product(r, truth.data))
}

func checkSolvers(j *judge) {
	names := []string{"dual simplex", "interior point"}
	if _, err := (highs.Backend{}).Open(solver.NewModel("none"), nil); !errors.Is(err, solver.ErrUnsupported) {
		names = append(names, "HiGHS")
	}
	truth := j.nominalMinimum()
	for _, name := range names {
		if j.problem.isInteger() && name != "HiGHS" || j.problem.Quadratic != nil && name != "interior point" {
			continue
		}
		j.judgeProgram(name, truth, j.library.solveRegion(name))
	}
}

// nominalMinimum is the minimum of b over X alone.
func (j *judge) nominalMinimum() optimum {
	plain := *j.problem
	plain.Map, plain.Shift, plain.Constraints = nil, nil, nil
	return newTruth(&plain).minimum(nil, 0)
}

func (j *judge) judgeProgram(name string, truth optimum, p program) {
	if p.status == saysNothing {
		j.refuse(name+" status", p.err)
		return
	}
	right := true
	switch {
	case p.status == saysInfeasible:
		right = truth.outcome == infeasible
	case p.status == saysUnbounded:
		right = truth.outcome == unbounded
	case truth.outcome == infeasible:
		right, _ = j.nearlySatisfies(p.x)
	case truth.outcome == unbounded:
		right = p.limited
	}
	j.flag(name+" status", right, "says %v (%v), truth %v", p.status, p.err, truth.outcome)
	if p.status != answered || truth.outcome != solved {
		return
	}
	x := rationals(p.x)
	inside, where := j.nearlySatisfies(p.x)
	j.flag(name+" point", inside, "%s", where)
	value, data := j.nominal(x)
	j.evaluated(name+" objective", p.objective, value, data, 2*len(x)*(len(x)+1))
	if p.bound == p.bound { // NaN: nothing is claimed
		j.atMost(name+" bound", p.bound, truth.value, larger(data, truth.data))
	}
}
