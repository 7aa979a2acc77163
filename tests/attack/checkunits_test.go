package attack

import (
	"fmt"
	"math"
)

// checkUnits compares what the library says in two systems of units. The units are powers of two, so every claim must be
// the same number up to the unit, unless it is lost in the terms of the objective, and every choice, status and flag the same, but for designs where one uncertain row has
// another unit: their rule compares what rows miss, each in its own.
func checkUnits(j *judge) {
	if j.base.Units == nil {
		return
	}
	before := *j.base
	before.Units = nil
	other, err := newLibrary(j.library.context, &before)
	if err == nil {
		err = other.model
	}
	if err != nil {
		j.refuse("units", err)
		return
	}
	exponent, ofRadius := 0, 0
	if change := changes[j.base.Units.Change]; change.value {
		exponent = j.base.Units.Exponent
	} else if change.radius {
		ofRadius = -j.base.Units.Exponent
	}
	old, renewed := fingerprint(other, exponent, ofRadius), fingerprint(j.library, 0, 0)
	for k, claim := range old {
		if claim.name == "Design" && j.base.Constraints != nil && changes[j.base.Units.Change].some {
			continue
		}
		j.flag("units: "+claim.name, claim.text == renewed[k].text, "%s becomes %s", claim.text, renewed[k].text)
	}
}

// claim is what the library says about one thing, as text.
type claim struct{ name, text string }

// objectiveTerms is the largest of the terms that the objective of a decision is made of, up to a factor.
func objectiveTerms(p *problem, x []float64) float64 {
	largest := 0.0
	for j, v := range x {
		largest = max(largest, math.Abs(p.Columns[j].Cost*v))
	}
	for k, line := range p.Map {
		q := 0.0
		if p.Shift != nil {
			q = math.Abs(p.Shift[k])
		}
		for j, v := range line {
			q = max(q, math.Abs(v*x[j]))
		}
		for _, atom := range p.Atoms {
			largest = max(largest, p.Radius*math.Abs(atom[k])*q)
		}
	}
	return largest
}

// fingerprint collects claims, with all values and all radii multiplied by powers of two.
func fingerprint(l *library, exponent, ofRadius int) []claim {
	var claims []claim
	add := func(name string, err error, text func() string) {
		switch said := statusOf(err); {
		case said != answered:
			claims = append(claims, claim{name, fmt.Sprint("status ", said)})
		default:
			claims = append(claims, claim{name, text()})
		}
	}
	value := func(v float64) float64 { return math.Ldexp(v, exponent) + 0 } // +0 turns -0 into 0
	ofDecision := func(d *decision) string {
		noise := 0x1p-50 * objectiveTerms(l.problem, d.x)
		seen := func(v float64) float64 { // what is lost in the terms of the objective is rounding, which other units may make 0
			if math.Abs(v) <= noise {
				return 0
			}
			return value(v)
		}
		return fmt.Sprint(seen(d.value), seen(d.lower), seen(d.gap), d.fullFeasible, d.partial)
	}
	restricted, err := l.solve()
	add("Solve", err, func() string { return ofDecision(restricted) })
	full, err := l.solveFull()
	add("SolveFull", err, func() string { return ofDecision(full) })
	design, err := l.design(false)
	add("Design", err, func() string { return fmt.Sprint(design.atoms, design.certified, ofDecision(design.decision)) })
	factor, err := l.inflation()
	add("inflation", err, func() string { return fmt.Sprint(factor) })
	if l.problem.Map != nil {
		bound, _, _, err := l.uniform()
		add("uniform", err, func() string { return fmt.Sprint(value(bound)) })
	}
	safe, decision, err := l.solveSafe()
	add("SolveSafe", err, func() string { return fmt.Sprint(safe, ofDecision(decision)) })
	if l.problem.Constraints == nil {
		few, all, _, err := l.duals()
		add("duals", err, func() string { return fmt.Sprint(value(few), value(all)) })
	} else {
		e, err := l.explain(true)
		add("ExplainFull", err, func() string {
			return fmt.Sprint(e.feasible, e.empty, e.demands, math.Ldexp(e.largest, ofRadius))
		})
	}
	vertices, err := l.supportVertices()
	add("support vertices", err, func() string { return fmt.Sprint(vertices) })
	path, err := l.selectWith("greedy")
	add("greedy", err, func() string { return fmt.Sprint(path.atoms) })
	return claims
}
