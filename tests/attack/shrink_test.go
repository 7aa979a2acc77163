package attack

import (
	"math"
	"slices"
	"time"
)

// shrinkTime bounds the search for a smaller problem.
const shrinkTime = 3 * time.Second

// shrink looks for a smaller problem with the same false claim: it leaves out what can be left out and rounds what can be
// rounded.
func shrink(p *problem, o observation) (*problem, observation) {
	checks := allChecks
	if k := slices.IndexFunc(allChecks, func(c check) bool { return c.name == o.check }); k >= 0 {
		checks = allChecks[k : k+1]
	}
	fails := func(candidate *problem) (observation, bool) {
		for _, found := range examine(candidate, checks) {
			if found.certificate == o.certificate && (found.verdict == below || found.verdict == wrong) {
				return found, true
			}
		}
		return observation{}, false
	}
	started := time.Now()
	for again := true; again; {
		again = false
		for _, step := range reductions(p) {
			if time.Since(started) > shrinkTime {
				return p, o
			}
			candidate := p.clone()
			step(candidate)
			if candidate.String() == p.String() {
				continue
			}
			if found, still := fails(candidate); still {
				p, o, again = candidate, found, true
				break
			}
		}
	}
	return p, o
}

// reductions lists the steps to a smaller problem.
func reductions(p *problem) []func(*problem) {
	var steps []func(*problem)
	add := func(step func(*problem)) { steps = append(steps, step) }
	for i := range p.Atoms {
		if len(p.Atoms) > 1 {
			add(func(p *problem) { dropAtom(p, i) })
		}
	}
	for i := range p.Rows {
		add(func(p *problem) { p.Rows = slices.Delete(p.Rows, i, i+1) })
	}
	for k := range p.Constraints {
		if len(p.Constraints) > 1 || p.Map != nil {
			add(func(p *problem) { p.Constraints = slices.Delete(p.Constraints, k, k+1) })
		}
	}
	for j := range p.Columns {
		if len(p.Columns) > 1 {
			add(func(p *problem) { dropColumn(p, j) })
		}
		add(func(p *problem) { p.Columns[j].Cost = 0 })
		add(func(p *problem) { p.Columns[j].Integer = false })
	}
	for i := range p.Probes {
		if len(p.Probes) > 1 {
			add(func(p *problem) { p.Probes = slices.Delete(p.Probes, i, i+1) })
		}
	}
	if p.Constraints != nil {
		add(func(p *problem) { p.Map, p.Shift = nil, nil })
	}
	add(func(p *problem) { p.Quadratic = nil })
	add(func(p *problem) { p.Shift = nil })
	add(func(p *problem) { p.Offset, p.RelativeGap, p.NodeLimit = 0, 0, 0 })
	add(func(p *problem) { p.Tolerance, p.IterationLimit, p.MaxRounds = 0, 0, 0 })
	add(func(p *problem) { p.Radius = 1 })
	add(func(p *problem) { p.Units = nil })
	for _, digits := range []int{1, 2, 3} {
		add(func(p *problem) { roundAll(p, digits) })
	}
	return steps
}

func dropAtom(p *problem, atom int) {
	p.Atoms = slices.Delete(p.Atoms, atom, atom+1)
	var chosen []int
	for _, i := range p.Chosen {
		if i > atom {
			i--
		} else if i == atom {
			continue
		}
		chosen = append(chosen, i)
	}
	p.Chosen, p.Budget = chosen, min(p.Budget, len(p.Atoms))
}

func dropColumn(p *problem, j int) {
	cut := func(m [][]float64) {
		for i := range m {
			m[i] = slices.Delete(m[i], j, j+1)
		}
	}
	p.Columns = slices.Delete(p.Columns, j, j+1)
	for i := range p.Rows {
		p.Rows[i].Values = slices.Delete(p.Rows[i].Values, j, j+1)
	}
	cut(p.Map)
	for k := range p.Constraints {
		p.Constraints[k].Nominal = slices.Delete(p.Constraints[k].Nominal, j, j+1)
		cut(p.Constraints[k].Map)
	}
	if p.Quadratic != nil {
		p.Quadratic = slices.Delete(p.Quadratic, j, j+1)
		cut(p.Quadratic)
	}
}

// roundAll keeps some significant digits of every number.
func roundAll(p *problem, digits int) {
	rounded := func(v float64) float64 {
		if v == 0 || math.IsInf(v, 0) {
			return v
		}
		unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))+1-float64(digits))
		return finite(math.Round(v/unit) * unit)
	}
	roundList := func(v []float64) {
		for j := range v {
			v[j] = rounded(v[j])
		}
	}
	for _, m := range [][][]float64{p.Atoms, p.Map, p.Probes, {p.Shift}} {
		for _, line := range m {
			roundList(line)
		}
	}
	for j := range p.Columns {
		c := &p.Columns[j]
		c.Lower, c.Upper, c.Cost = bound(rounded(float64(c.Lower))), bound(rounded(float64(c.Upper))), rounded(c.Cost)
	}
	for i := range p.Rows {
		line := &p.Rows[i]
		roundList(line.Values)
		line.Lower, line.Upper = bound(rounded(float64(line.Lower))), bound(rounded(float64(line.Upper)))
	}
	for k := range p.Constraints {
		c := &p.Constraints[k]
		roundList(c.Nominal)
		roundList(c.Shift)
		c.Limit = rounded(c.Limit)
		for _, line := range c.Map {
			roundList(line)
		}
	}
}
