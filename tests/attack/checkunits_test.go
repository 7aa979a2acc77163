package attack

import (
	"fmt"
	"math"
)

// checkUnits compares what the library says in two systems of units. The units are powers of two, so every claim must be
// the same number up to the unit, and every choice, status and flag the same.
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
	exponent := 0
	if changes[j.base.Units.Change].value {
		exponent = j.base.Units.Exponent
	}
	old, renewed := fingerprint(other, exponent), fingerprint(j.library, 0)
	for k, claim := range old {
		j.flag("units: "+claim.name, claim.text == renewed[k].text, "%s becomes %s", claim.text, renewed[k].text)
	}
}

// claim is what the library says about one thing, as text.
type claim struct{ name, text string }

// fingerprint collects claims, with all values multiplied by a power of two.
func fingerprint(l *library, exponent int) []claim {
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
		return fmt.Sprint(value(d.value), value(d.lower), value(d.gap), d.fullFeasible, d.partial)
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
	vertices, err := l.supportVertices()
	add("support vertices", err, func() string { return fmt.Sprint(vertices) })
	path, err := l.selectWith("greedy")
	add("greedy", err, func() string { return fmt.Sprint(path.atoms) })
	return claims
}
