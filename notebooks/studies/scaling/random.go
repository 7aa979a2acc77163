package scaling

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// Streams keep the random orders of different purposes apart.
const (
	streamWithout = 0x574f_5500_0000_0000
	streamWith    = 0x5749_5448_0000_0000
)

// replacementLimit is how many draws with replacement are made at most, in
// multiples of N. The estimate ln(1-τ)/ln(1-1/N) of the paper is 4.6 N at τ = 0.99.
const replacementLimit = 10

// random measures random orders of the first atoms.
func (u *unit) random(ctx context.Context, s *sizeOutcome, full, penalty float64) error {
	atoms, draws := s.Atoms, float64(u.config.Draws)
	mean := atomPath{
		Policy: randomPolicy, Reporting: make([]float64, u.config.MaxBudget), Penalty: make([]float64, len(u.config.Budgets)),
	}
	for k := range u.config.Draws {
		if err := ctx.Err(); err != nil {
			return err
		}
		// A stream per order and size; the seed is that of the unit.
		stream := uint64(k)<<32 + uint64(atoms)
		order := rand.New(rand.NewPCG(u.seed, streamWithout^stream)).Perm(atoms)
		floats.AddScaled(mean.Reporting, 1/draws, u.coverage(order[:u.config.MaxBudget], full))
		penalties := u.penalties(order)
		floats.AddScaled(mean.Penalty, 1/draws, shareOf(penalties, penalty))
		for e, shares := range u.certified(penalties) {
			if k == 0 {
				mean.CertAcc = append(mean.CertAcc, make([]float64, len(shares)))
			}
			floats.AddScaled(mean.CertAcc[e], 1/draws, shares)
		}
		s.Without = append(s.Without, u.drawsToTarget(func(b int) int { return order[b] }, atoms, full))
		source := rand.New(rand.NewPCG(u.seed, streamWith^stream))
		s.With = append(s.With, u.drawsToTarget(func(int) int { return source.IntN(atoms) }, replacementLimit*atoms, full))
	}
	s.Paths = append(s.Paths, mean)
	return nil
}

// drawsToTarget counts draws until their coverage reaches the target, 0 if limit
// draws do not.
func (u *unit) drawsToTarget(next func(draw int) int, limit int, full float64) int {
	support, sum := make([]float64, u.alignments.RawMatrix().Cols), 0.0
	for b := range limit {
		for j, alignment := range u.alignments.RawRowView(next(b)) {
			if alignment > support[j] {
				sum += alignment - support[j]
				support[j] = alignment
			}
		}
		if ratio(sum, full) >= target {
			return b + 1
		}
	}
	return 0
}
