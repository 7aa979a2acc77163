package attack

import (
	"math"
	"math/big"
	"slices"
)

// modelStatus compares the status of a solved model with the truth. It returns false if there is nothing else to judge.
func (j *judge) modelStatus(name string, truth optimum, d *decision, err error) bool {
	said := statusOf(err)
	if said == saysNothing {
		j.refuse(name+" status", err)
		return false
	}
	right := false
	switch {
	case said == saysInfeasible:
		right = truth.outcome == infeasible
	case said == saysUnbounded:
		right = truth.outcome == unbounded
	case truth.outcome == infeasible:
		right, _ = j.nearlySatisfies(d.x) // infeasible by less than the tolerance of a point
	case truth.outcome == unbounded:
		right = math.IsInf(d.lower, -1)
	default:
		right = true
	}
	j.flag(name+" status", right, "says %v (%v), truth %v", said, err, truth.outcome)
	return said == answered && truth.outcome == solved
}

// decisionClaims judges everything that a decision for some atoms claims.
func (j *judge) decisionClaims(name string, indices []int, radius float64, d *decision) {
	all, r, x := j.problem.everyAtom(), rational(radius), rationals(d.x)
	restricted, full := j.minimum(indices, radius), j.minimum(all, radius)
	inside, where := j.nearlySatisfies(d.x)
	j.flag(name+" point", inside, "%s", where)
	terms := (j.problem.dimension() + 1) * (len(x) + 1)
	value, data := j.robustValue(indices, r, x)
	atFull, _ := j.robustValue(all, r, x)
	fullData := data
	if math.IsInf(d.full, 1) { // alignments are terms, too, whatever is left of them at a small radius
		_, fullData = j.robustValue(all, larger(r, integer(1)), x)
	}
	if d.ofSet {
		terms *= 16 // its support is rounded up, for each coordinate
	}
	j.evaluated(name+" value", d.value, value, data, terms)
	j.evaluated(name+" full value", d.full, atFull, fullData, 2*terms)
	if restricted.outcome == solved {
		j.atMost(name+" lower bound", d.lower, restricted.value, larger(data, restricted.data))
		j.atMost(name+" lower bound in words", d.printed.lower, restricted.value, larger(data, restricted.data))
	}
	feasible, feasibilityDetail := j.fullFeasible(r, x)
	if d.fullFeasible {
		j.flag(name+" full feasible", feasible, "%s", feasibilityDetail)
	}
	if d.gapRefused != nil {
		j.refuse(name+" gap bound", d.gapRefused)
		return
	}
	switch {
	case full.outcome == solved && restricted.outcome == solved:
		truth := larger(j.valueGap(d.gap, indices, radius, d.x), difference(atFull, full.value))
		j.atLeast(name+" gap bound", d.gap, truth, larger(data, larger(full.data, restricted.data)))
		j.atLeast(name+" gap bound in words", d.printed.gap, truth, larger(data, larger(full.data, restricted.data)))
	case full.outcome == infeasible:
		j.flag(name+" gap bound", feasible || math.IsInf(d.gap, 1), "gap bound %v, but no point satisfies the full model: %s", d.gap, feasibilityDetail)
	}
}

// fullFeasible reports whether a point satisfies every robust constraint against all atoms, up to the tolerance.
func (j *judge) fullFeasible(radius *big.Rat, x []*big.Rat) (bool, string) {
	for k := range j.problem.Constraints {
		value, _ := j.constraintValue(k, j.problem.everyAtom(), radius, x)
		_, data := j.constraintValue(k, nil, radius, j.reach(x))
		over := difference(value, rational(j.problem.Constraints[k].Limit))
		if over.Cmp(product(rational(pointTolerance), data)) > 0 {
			return false, "constraint reaches " + decimal(value) + " against its limit"
		}
	}
	return true, ""
}

func checkSolve(j *judge) {
	d, err := j.library.solve()
	if j.modelStatus("Solve", j.minimum(j.problem.Chosen, j.problem.Radius), d, err) {
		j.decisionClaims("Solve", j.problem.Chosen, j.problem.Radius, d)
	}
}

func checkSolveFull(j *judge) {
	d, err := j.library.solveFull()
	if j.modelStatus("SolveFull", j.minimum(j.problem.everyAtom(), j.problem.Radius), d, err) {
		j.decisionClaims("SolveFull", j.problem.everyAtom(), j.problem.Radius, d)
		full := j.minimum(j.problem.everyAtom(), j.problem.Radius)
		for _, lower := range d.bounds {
			j.atMost("SolveFull round", lower, full.value, full.data)
		}
	}
}

func checkDesign(j *judge)          { j.checkDesign("Design", false) }
func checkDesignAsPrinted(j *judge) { j.checkDesign("DesignAsPrinted", true) }

// checkRequired judges required radii: at the returned one the robust value covers what a perturbation does.
func checkRequired(j *judge) {
	if !j.plainObjective() {
		return
	}
	x, radii, err := j.library.required()
	if err != nil {
		return // Solve counts it
	}
	q := j.objective.direction(rationals(x))
	covered := j.objective.support(j.problem.Chosen, rationals(x))
	for k, probe := range j.problem.Probes {
		harm, data := inner(rationals(probe), q), j.objective.largestTerm(rationals(probe), rationals(x))
		if math.IsInf(radii[k], 1) || harm.Sign() <= 0 {
			continue // covers everything, and nothing to cover
		}
		r := rational(radii[k])
		data = larger(data, product(r, j.data(&j.objective, rationals(x)))) // what covers may be small by cancellation
		j.atLeast("required radius", asFloat(product(r, covered)), harm, data)
	}
}

// checkDesign judges a design; the model it ends with is that of its atoms.
func (j *judge) checkDesign(name string, printed bool) {
	d, err := j.library.design(printed)
	full := j.minimum(j.problem.everyAtom(), j.problem.Radius)
	switch said := statusOf(err); said {
	case saysNothing:
		j.refuse(name+" status", err)
		return
	case saysInfeasible: // some restricted model has no point, so the full one has none
		j.flag(name+" status", full.outcome == infeasible, "says infeasible, truth %v: %v", full.outcome, err)
		return
	case saysUnbounded: // the nominal model, with which a design starts, may well be unbounded
		j.flag(name+" status", j.minimum(nil, j.problem.Radius).outcome == unbounded, "says unbounded: %v", err)
		return
	}
	j.decisionClaims(name, d.atoms, d.radius, d.decision)
	if full.outcome != solved {
		return
	}
	if len(j.problem.Constraints) == 0 {
		terms := (j.problem.dimension() + 1) * (len(d.x) + 1)
		// The value is evaluated, and its point is one of X up to the tolerance of points.
		slack := product(rational(pointTolerance+unitInTheLastPlace*float64(terms)), full.data)
		slack.Add(slack, rational(float64(terms)*math.SmallestNonzeroFloat64))
		for _, reached := range d.reached {
			least := full.value
			if rational(reached).Cmp(difference(least, slack)) < 0 { // the decision may miss a row by the tolerance of points
				least = j.admitting(rational(d.radius), rationals(d.x)).minimum(j.problem.everyAtom(), d.radius).value
			}
			j.atLeast(name+" step", reached, difference(least, slack), full.data)
		}
	}
	if !d.certified {
		return
	}
	all, x := j.problem.everyAtom(), rationals(d.x)
	atFull, data := j.robustValue(all, rational(d.radius), x)
	allowed := product(rational(designTolerance*float64(1+2*len(j.problem.Columns))), larger(data, full.data))
	// What rounding leaves of a dual bound is relative to the terms that the columns' ranges allow.
	allowed = new(big.Rat).Add(allowed, product(rational(roundingNoise), j.objectiveRange(x, rational(d.radius))))
	regret := difference(atFull, full.value)
	j.flag(name+" certified", regret.Cmp(allowed) <= 0, "certified, but the decision loses %s where the optimum is %s", decimal(regret), decimal(full.value))
}

func checkSolveSafe(j *judge) {
	factor, safe, err := j.library.solveSafe()
	truth, data := j.inflationFactor()
	if err != nil {
		if truth != nil { // otherwise no factor is large enough
			j.refuse("SolveSafe", err)
		}
		return
	}
	j.atLeast("SolveSafe factor", factor, truth, data)
	if j.minimum(j.problem.Chosen, j.problem.Radius).outcome != solved {
		return
	}
	feasible, detail := j.fullFeasible(rational(j.problem.Radius), rationals(safe.x))
	j.flag("SolveSafe is safe", feasible, "%s", detail)
	j.decisionClaims("SolveSafe", j.problem.Chosen, j.problem.Radius, safe)
}

// plainObjective tells whether a problem has a robust objective alone and nothing else, as ladders and duals demand.
func (j *judge) plainObjective() bool { return j.problem.Map != nil && j.problem.Constraints == nil }

func checkDuals(j *judge) {
	if !j.plainObjective() || j.problem.isInteger() {
		return
	}
	restricted, full := j.minimum(j.problem.Chosen, j.problem.Radius), j.minimum(j.problem.everyAtom(), j.problem.Radius)
	few, all, multipliers, err := j.library.duals()
	if err != nil || restricted.outcome != solved || full.outcome != solved {
		if err != nil {
			j.refuse("duals", err)
		}
		return
	}
	data := larger(restricted.data, full.data)
	j.atMost("Dual value", few, restricted.value, data)
	j.atMost("FullDual value", all, full.value, data)
	total := new(big.Rat)
	for _, mu := range multipliers {
		total = sum(total, rational(mu))
	}
	j.atMost("Dual multipliers", asFloat(total), rational(j.problem.Radius), rational(j.problem.Radius))
}

// checkReduce judges the support of a full dual: its atoms alone give the full value.
func checkReduce(j *judge) {
	if !j.plainObjective() || j.problem.isInteger() {
		return
	}
	atoms, missed, err := j.library.dualSupport()
	full := j.minimum(j.problem.everyAtom(), j.problem.Radius)
	if err != nil || full.outcome != solved {
		return // checkDuals asks for the same dual and counts its refusals
	}
	reduced := j.minimum(atoms, j.problem.Radius)
	same := math.IsInf(missed, 1) || j.problem.smallestCost() < 0x1p-50 || reduced.outcome == solved && // lost in rounding
		difference(full.value, reduced.value).Cmp(sum(rational(missed), product(rational(pointTolerance), full.data))) <= 0
	j.flag("dual support", same, "atoms %v give %v %s, all give %s", atoms, reduced.outcome, decimal(reduced.value), decimal(full.value))
}

func asFloat(v *big.Rat) float64 { f, _ := v.Float64(); return f }

func checkLadder(j *judge) {
	if !j.plainObjective() {
		return
	}
	rungs, err := j.library.ladder()
	if err != nil {
		j.refuse("Ladder", err)
		return
	}
	restricted, full := j.minimum(j.problem.Chosen, j.problem.Radius), j.minimum(j.problem.everyAtom(), j.problem.Radius)
	if restricted.outcome != solved || full.outcome != solved {
		return
	}
	data := larger(restricted.data, full.data)
	for _, r := range rungs {
		truth := difference(full.value, restricted.value)
		if r.decision != nil {
			truth = j.valueGap(r.bound, j.problem.Chosen, j.problem.Radius, r.decision)
		}
		j.atLeast("rung "+r.name, r.bound, truth, data)
	}
}

func checkExplain(j *judge)     { j.checkExplain("Explain", j.problem.Chosen, false) }
func checkExplainFull(j *judge) { j.checkExplain("ExplainFull", j.problem.everyAtom(), true) }

// radiusMargin is the relative accuracy to which a largest radius is tested; about six digits are promised.
const radiusMargin = 1e-5

// beyondTerms is a radius beside which nothing of a nominal part is left in float64.
const beyondTerms = 0x1p100

func (j *judge) checkExplain(name string, indices []int, full bool) {
	if j.problem.Constraints == nil {
		return
	}
	e, err := j.library.explain(full)
	if err != nil {
		j.refuse(name, err)
		return
	}
	if e.feasible {
		j.flag(name+" feasible", j.feasibleAt(indices, j.problem.Radius, pointTolerance), "says feasible, but no point comes near")
	} else {
		j.flag(name+" feasible", !j.feasibleAt(indices, j.problem.Radius, 0), "says infeasible, but there is a point")
	}
	j.largestRadius(name, indices, e.largest, e.unattained)
	if !e.feasible && !e.empty && len(e.demands) > 0 {
		j.flag(name+" conflict", !j.possible(e.demands, 0), "the demands %v hold together", e.demands)
		for k := range e.demands {
			if j.problem.NodeLimit > 0 { // which may end the search for fewer
				break
			}
			rest := append(append([]demand(nil), e.demands[:k]...), e.demands[k+1:]...)
			j.flag(name+" conflict is minimal", j.possible(rest, pointTolerance), "the demands %v contradict each other without %v", rest, e.demands[k])
		}
	}
}

// largestRadius judges a largest feasible radius: a little below there are points, up to the tolerance, and a little above
// there are none that keep away from the limits.
func (j *judge) largestRadius(name string, indices []int, largest, unattained float64) {
	name += " largest radius"
	switch {
	case math.IsInf(largest, -1):
		j.flag(name, !j.feasibleAt(nil, 0, -pointTolerance), "no radius at all, but radius 0 is feasible")
	case math.IsInf(largest, 1): // every radius: try a large one
		huge := 1e6 * (1 + j.problem.Radius)
		j.flag(name, j.feasibleAt(indices, huge, pointTolerance), "every radius, but %g is infeasible", huge)
	case largest > beyondTerms*(1+j.problem.Radius): // where a row of float64 holds nothing of its nominal part
		j.flag(name, j.feasibleAt(indices, largest*(1-radiusMargin), pointTolerance), "%g is infeasible", largest)
	default:
		inside, outside := largest*(1-radiusMargin), math.Nextafter(math.Max(largest, unattained)*(1+radiusMargin), math.Inf(1))
		below, above := j.feasibleAt(indices, inside, pointTolerance), !math.IsInf(outside, 1) && j.feasibleAt(indices, outside, -pointTolerance)
		j.flag(name, below && !above, "says %v: %v feasible %v, %v feasible %v", largest, inside, below, outside, above)
	}
}

// possible reports whether some point of X satisfies a list of demands, each moved outwards by a share of its data.
func (j *judge) possible(demands []demand, share float64) bool {
	m := j.model(nil, rational(j.problem.Radius))
	m.rows = m.rows[:len(j.relaxation.rows)]
	for _, d := range demands {
		m.rows = append(m.rows, j.constraintRow(d.constraint, d.atom, rational(j.problem.Radius)))
	}
	for i, r := range m.rows {
		m.rows[i].interval = r.moved(share, m.data(r))
	}
	return j.overIntegers(m, 0).outcome != infeasible
}

// roundingNoise is a gap, relative to the largest terms of the objective over the ranges of the columns, that a
// certified design may leave.
const roundingNoise = 1e-11

// objectiveRange is the sum of the largest terms of the objective over the ranges of the columns. A column without ends
// is taken for as large as the largest of all: rows may tie it to that one, up to rounding.
func (j *judge) objectiveRange(x []*big.Rat, radius *big.Rat) *big.Rat {
	sizes, total := j.reach(x), new(big.Rat)
	largest := slices.MaxFunc(sizes, (*big.Rat).Cmp)
	for k, c := range j.relaxation.columns {
		if c.lower == nil && c.upper == nil {
			sizes[k] = largest
		}
	}
	for k, c := range j.problem.Columns {
		total.Add(total, product(rational(math.Abs(c.Cost)), sizes[k]))
	}
	for _, atom := range j.problem.Atoms {
		for i, row := range j.problem.Map {
			for k, v := range row {
				total.Add(total, product(product(radius, new(big.Rat).Abs(product(rational(v), rational(atom[i])))), sizes[k]))
			}
		}
	}
	return total
}
