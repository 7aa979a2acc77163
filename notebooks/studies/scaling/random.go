package scaling

import (
	"context"
	"math/rand/v2"
)

// Streams keep the random orders of different purposes apart.
const (
	streamWithout = 0x574f_5500_0000_0000
	streamWith    = 0x5749_5448_0000_0000
)

// replacementLimit is how many draws with replacement are made at most, in
// multiples of N. The estimate ln(1-τ)/ln(1-1/N) of the paper is 4.6 N at τ = 0.99.
const replacementLimit = 10

// RandomOutcome describes the random sets of a dictionary.
type RandomOutcome struct {
	// Reporting is the mean of F(S;T)/F([N];T) on the reporting directions over all
	// random orders, for budgets 1, ..., Config.MaxBudget.
	Reporting []float64
	// Without and With are the numbers of draws without and with replacement that
	// reach the target, one per order; 0 where ten times N draws with replacement
	// did not.
	Without, With []int
	// Penalty is the mean of pen_S/pen_D at Config.Budgets, and CertAcc that of
	// CertAcc_S by ε and budget.
	Penalty []float64
	CertAcc [][]float64
}

// random measures random sets of the first atoms.
func (u *unit) random(ctx context.Context, atoms int, full, penalty float64) (RandomOutcome, error) {
	draws := float64(u.config.Draws)
	r := RandomOutcome{
		Reporting: make([]float64, u.config.MaxBudget), Penalty: make([]float64, len(u.config.Budgets)),
		CertAcc: u.newTable(),
	}
	for k := range u.config.Draws {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		// A stream per order and size; the seed is that of the unit.
		stream := uint64(k)<<32 + uint64(atoms)
		order := rand.New(rand.NewPCG(u.seed, streamWithout^stream)).Perm(atoms)
		for b, v := range u.coverage(order[:u.config.MaxBudget], full) {
			r.Reporting[b] += v / draws
		}
		prefixes := prefixMaxima(u.along, order[:u.config.MaxBudget])
		for j, b := range u.config.Budgets {
			r.Penalty[j] += ratio(prefixes[b-1], penalty) / draws
			for e, epsilon := range u.config.Epsilons {
				r.CertAcc[e][j] += u.above(epsilon*prefixes[b-1]) / draws
			}
		}
		r.Without = append(r.Without, u.drawsToTarget(func(b int) int { return order[b] }, atoms, full))
		source := rand.New(rand.NewPCG(u.seed, streamWith^stream))
		r.With = append(r.With, u.drawsToTarget(func(int) int { return source.IntN(atoms) }, replacementLimit*atoms, full))
	}
	return r, nil
}

// drawsToTarget counts draws until their coverage reaches the target, 0 if limit
// draws do not.
func (u *unit) drawsToTarget(next func(draw int) int, limit int, full float64) int {
	support, sum := make([]float64, u.probes), 0.0
	for b := range limit {
		for j, alignment := range u.row(next(b)) {
			if alignment > support[j] {
				sum += alignment - support[j]
				support[j] = alignment
			}
		}
		if ratio(sum, full) >= u.config.Target {
			return b + 1
		}
	}
	return 0
}

// prefixMaxima returns the largest value among the first 1, 2, ... listed entries.
func prefixMaxima(values []float64, order []int) []float64 {
	maxima, largest := make([]float64, len(order)), 0.0
	for b, i := range order {
		largest = max(largest, values[i])
		maxima[b] = largest
	}
	return maxima
}
