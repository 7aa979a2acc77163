package attack

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"runtime/debug"
	"strings"
	"time"
)

const (
	// unitInTheLastPlace is one unit in the last place of a float64, relative to the data of a claim: what a claim may be
	// on the wrong side of the truth.
	unitInTheLastPlace = 0x1p-52
	// pointTolerance is how much a point may violate a row, relative to the row's largest term: points come from solvers,
	// which promise 1e-7, and robust constraints hold up to 1e-6.
	pointTolerance = 1e-6
	// timeLimit is how long one check of one problem may take before it counts as unanswered.
	timeLimit = 10 * time.Second
)

// verdict says how one claim compares with the truth.
type verdict int

const (
	held    verdict = iota // on the right side of the truth
	refused                // the library gave no claim
	below                  // a number on the wrong side of the truth
	wrong                  // a status, a flag or a point that is false
)

// observation is one claim with its verdict.
type observation struct {
	certificate string
	verdict     verdict
	// amount is how far a number is from the truth relative to the data: on the right side for held, on the wrong side for
	// below. NaN where there is no such number.
	amount float64
	detail string
	check  string
}

// judge examines one problem.
type judge struct {
	problem *problem // in its units
	base    *problem // before its units were changed
	*truth
	library      *library
	observations []observation
	check        string
	prefix       string // of the names of certificates
}

// check is a part of the examination. It must not keep state.
type check struct {
	name  string
	run   func(*judge)
	ofSet bool // asks about a dictionary and a set alone, without any region
}

// examine runs checks on a problem; a panic of the library is an observation.
func examine(p *problem, checks []check) []observation {
	measured := p.measured()
	j := &judge{problem: measured, base: p, truth: newTruth(measured)}
	for _, c := range checks {
		j.check = c.name
		j.guarded(c)
	}
	return j.observations
}

func (j *judge) guarded(c check) {
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			j.observe(observation{certificate: "panic", verdict: wrong, detail: fmt.Sprint(cause, "\n", firstLines(string(debug.Stack()), 30))})
		}
	}()
	var err error
	if j.library, err = newLibrary(ctx, j.problem); err != nil {
		j.refuse("set", err)
		return
	}
	if j.library.model != nil && !c.ofSet {
		j.refuse("model", j.library.model)
		return
	}
	c.run(j)
}

func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func (j *judge) observe(o observation) {
	o.check, o.certificate = j.check, j.prefix+o.certificate
	j.observations = append(j.observations, o)
}

// refuse notes that there is no claim.
func (j *judge) refuse(certificate string, err error) {
	j.observe(observation{certificate: certificate, verdict: refused, amount: math.NaN(), detail: err.Error()})
}

// flag notes a claim that is right or wrong.
func (j *judge) flag(certificate string, right bool, format string, arguments ...any) {
	o := observation{certificate: certificate, verdict: held, amount: math.NaN()}
	if !right {
		o.verdict, o.amount, o.detail = wrong, 0, fmt.Sprintf(format, arguments...)
	}
	j.observe(o)
}

// atLeast judges a claim that must not be smaller than the truth; a truth of nil is +Inf. The data is the largest term in
// the exact evaluation.
func (j *judge) atLeast(certificate string, claim float64, truth, data *big.Rat) {
	j.compare(certificate, claim, truth, data, 1)
}

// atMost judges a claim that must not be larger than the truth; a truth of nil is +Inf.
func (j *judge) atMost(certificate string, claim float64, truth, data *big.Rat) {
	if truth == nil {
		j.flag(certificate, !math.IsNaN(claim), "claim NaN, truth +Inf")
		return
	}
	j.compare(certificate, claim, truth, data, -1)
}

func (j *judge) compare(certificate string, claim float64, truth, data *big.Rat, side int) {
	o := observation{certificate: certificate, verdict: held}
	switch {
	case math.IsNaN(claim):
		o.verdict, o.amount = below, math.Inf(1)
	case math.IsInf(claim, side):
		o.amount = math.Inf(1)
		if truth == nil {
			o.amount = 0
		}
	case math.IsInf(claim, 0) || truth == nil:
		o.verdict, o.amount = below, math.Inf(1)
	default:
		margin := product(integer(int64(side)), difference(rational(claim), truth))
		o.amount = ratio(margin, data)
		if o.amount < -unitInTheLastPlace {
			o.verdict, o.amount = below, -o.amount
		}
		o.amount = math.Max(0, o.amount)
	}
	if o.verdict == below {
		o.detail = fmt.Sprintf("claim %v, truth %s, data %s", claim, decimal(truth), decimal(data))
	}
	j.observe(o)
}

// evaluated judges a number that is computed from others without a solver: it may be off on either side by one unit in the
// last place of the data for each of its terms, or by the smallest number above 0.
func (j *judge) evaluated(certificate string, claim float64, truth, data *big.Rat, terms int) {
	if math.IsNaN(claim) || math.IsInf(claim, 0) { // which say that a term is beyond float64
		j.flag(certificate, !math.IsInf(claim, -1) && data.Cmp(rational(math.MaxFloat64)) > 0, "claim %v, truth %s", claim, decimal(truth))
		return
	}
	off := new(big.Rat).Abs(difference(rational(claim), truth))
	amount := ratio(off, data)
	o := observation{certificate: certificate, verdict: held, amount: amount}
	if amount > unitInTheLastPlace*float64(terms) && off.Cmp(rational(float64(terms)*math.SmallestNonzeroFloat64)) > 0 {
		o.verdict, o.detail = below, fmt.Sprintf("claim %v, truth %s, data %s", claim, decimal(truth), decimal(data))
	}
	j.observe(o)
}

func decimal(v *big.Rat) string {
	if v == nil {
		return "+Inf"
	}
	f, _ := new(big.Float).SetPrec(80).SetRat(v).Float64()
	return fmt.Sprintf("%.17g", f)
}

// reach is the size of each column: of the point, and of the finite ends of the column.
func (j *judge) reach(x []*big.Rat) []*big.Rat {
	sizes := make([]*big.Rat, len(x))
	for k, c := range j.relaxation.columns {
		sizes[k] = new(big.Rat).Abs(x[k])
		for _, end := range []*big.Rat{c.lower, c.upper} {
			if end != nil {
				sizes[k] = larger(sizes[k], new(big.Rat).Abs(end))
			}
		}
	}
	return sizes
}

// exceeds reports whether a value leaves a range by more than the tolerance of a point, relative to a size and the ends.
func (r interval) exceeds(value, size *big.Rat) bool {
	for _, end := range []*big.Rat{r.lower, r.upper} {
		if end != nil {
			size = larger(size, new(big.Rat).Abs(end))
		}
	}
	slack := product(rational(pointTolerance), size)
	return r.lower != nil && difference(r.lower, value).Cmp(slack) > 0 || r.upper != nil && difference(value, r.upper).Cmp(slack) > 0
}

// nearlySatisfies reports whether a point satisfies X with its integrality, relative to the largest term that each row has
// over the columns' ranges.
func (j *judge) nearlySatisfies(x []float64) (bool, string) {
	exact := rationals(x)
	reach := j.reach(exact)
	for i, r := range j.relaxation.rows {
		if value := inner(r.values, exact); r.exceeds(value, largestTerm(r.values, reach)) {
			return false, fmt.Sprintf("x = %v violates row %d: %s", x, i, decimal(value))
		}
	}
	for k, c := range j.relaxation.columns {
		if c.exceeds(exact[k], new(big.Rat)) {
			return false, fmt.Sprintf("x = %v violates the bounds of column %d", x, k)
		}
		if j.problem.Columns[k].Integer && math.Abs(x[k]-math.Round(x[k])) > pointTolerance {
			return false, fmt.Sprintf("x = %v is not whole in column %d", x, k)
		}
	}
	return true, ""
}
