package certificate

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// judge recomputes every claim.
func (f *designFile) judge() *Verdict {
	ensure(semidefinite(f.hessian()), "quadratic", "convex", "its matrix is not positive semidefinite")
	for j, v := range f.decision {
		ensure(!f.integer[j] || v == math.Trunc(v), "decision", fmt.Sprintf("%v in column %d", v, j), "that column holds whole numbers")
	}
	v := &Verdict{Kind: f.kind, Statements: f.statements, Unchecked: unchecked}
	x := dyadics(f.decision)
	v.Restricted, v.Full = f.objectives(x)
	moved := f.duality()
	v.Missed = moved.reach(f.position(x))
	f.compare("restricted", v.Restricted, 1)
	f.compare("full", v.Full, 1)
	f.compare("missed", v.Missed, 1)
	v.Lower = f.duality().proven()
	f.compare("lower", v.Lower, -1)
	v.Regret = difference(v.Full, v.Lower)
	f.compare("regret", v.Regret, 1)
	if f.claims["gap"] != nil {
		v.Gap = v.Regret
		if v.Missed.Sign() > 0 {
			v.Gap = difference(v.Full, moved.proven())
		}
		f.compare("gap", v.Gap, 1)
	}
	worded := f.worded()
	ensure(slices.Equal(worded, f.statements), "statements", fmt.Sprintf("%.200q", f.statements), fmt.Sprintf("the claims say %q", worded))
	return v
}

// compare ends the check if a claim, whose sign is 1, is below the exact value, or above it for -1. Nil is infinite.
func (f *designFile) compare(key string, exact *big.Rat, sign int) {
	claim := f.claims[key]
	if claim == nil {
		return
	}
	words := "nothing is proven"
	if exact != nil {
		words = "exactly " + new(big.Float).SetPrec(200).SetRat(exact).Text('g', 25)
	}
	ensure(exact != nil && exactly(*claim).Cmp(exact)*sign >= 0, key, fmt.Sprint(*claim), words)
}

// difference is nil if there is no bound.
func difference(value, bound *big.Rat) *big.Rat {
	if bound == nil {
		return nil
	}
	return new(big.Rat).Sub(value, bound)
}

// worded returns the statements that belong to the claims.
func (f *designFile) worded() []string {
	end, last := ".", "The decision keeps to every bound, row and robust constraint."
	if missed := *f.claims["missed"]; missed > 0 {
		end = " once what is missed is moved to the decision."
		last = fmt.Sprintf("The decision misses bounds, rows or robust constraints by at most %.12g.", missed)
	}
	var lines []string
	for _, line := range []struct{ key, before, after string }{
		{"full", "The decision costs at most ", fmt.Sprintf(" against all %d atoms at radius %.17g.", f.atoms, f.radius)},
		{"restricted", fmt.Sprintf("Against the %d chosen atoms alone it costs at most ", len(f.chosen)), "."},
		{"lower", "No feasible decision costs less than ", " against all atoms."},
		{"regret", "The regret of the decision is at most ", "."},
		{"gap", "The value gap between the chosen atoms and all atoms is at most ", end},
	} {
		if claim := f.claims[line.key]; claim != nil {
			lines = append(lines, fmt.Sprintf("%s%.12g%s", line.before, *claim, line.after))
		}
	}
	return append(lines, last)
}
