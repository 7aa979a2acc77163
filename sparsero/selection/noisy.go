package selection

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// NoisyGreedy is greedy that cannot evaluate F exactly: every reading of F is
// off by at most δ. It takes the atom with the largest reading of
//
//	F(S ∪ {i}) - F(S),
//
// the lowest index among equals. How much worse than the best that atom can be
// depends on how F(S) is read:
//
//	read once per step, the same number for all candidates:   ε_t <= 2δ
//	read anew for every candidate:                             ε_t <= 4δ
//
// because the common error of the first case cancels when readings are compared,
// while in the second each gain is off by 2δ. [NoisyGreedy.AdditiveError]
// returns ε_t for use in [InexactGuarantee].
type NoisyGreedy struct {
	// Delta is δ >= 0, in units of F. Default 0.
	Delta float64
	// RereadBaseline reads F(S) anew for every candidate. Default false.
	RereadBaseline bool
	// Error returns the error of one reading at step t = 0, 1, ...: of
	// F(S ∪ {candidate}), or of F(S) if baseline is true (with candidate -1 if it
	// is read once). Results are limited to [-δ,δ], NaN counts as 0. Default:
	// uniform in [-δ,δ], drawn from Seed.
	Error func(t, candidate int, baseline bool) float64
	// Seed chooses the default errors.
	Seed uint64
}

// Name returns "greedy noisy".
func (NoisyGreedy) Name() string { return "greedy noisy" }

// AdditiveError returns the bound on ε_t: 2δ, or 4δ if the baseline is reread.
func (g NoisyGreedy) AdditiveError() float64 {
	if g.RereadBaseline {
		return 4 * g.Delta
	}
	return 2 * g.Delta
}

// Select implements [Policy]. It costs N oracle calls a step.
func (g NoisyGreedy) Select(ctx context.Context, o Objective, budget int) (*Selection, error) {
	p, err := newPath(g.Name(), o, budget)
	if err != nil {
		return nil, err
	}
	if !(g.Delta >= 0) || math.IsInf(g.Delta, 1) {
		return nil, fmt.Errorf("selection: delta %v is not a finite number >= 0; give the largest error of a reading of F", g.Delta)
	}
	read := g.reader()
	gains := make([]float64, o.Size())
	p.fillBy(ctx, func() (int, error) {
		p.gains(ctx, gains)
		return g.pick(p, gains, read), nil
	})
	return p.finish(ctx)
}

// pick returns the atom outside S with the largest reading.
func (g NoisyGreedy) pick(p *path, gains []float64, read func(t, candidate int, baseline bool) float64) int {
	t, baseline := p.len(), 0.0
	if !g.RereadBaseline {
		baseline = read(t, sharedBaseline, true)
	}
	best, bestReading := nothing, math.Inf(-1)
	for i, gain := range gains {
		if p.chosen[i] {
			continue
		}
		if g.RereadBaseline {
			baseline = read(t, i, true)
		}
		if reading := gain + read(t, i, false) - baseline; reading > bestReading {
			best, bestReading = i, reading
		}
	}
	return best
}

// sharedBaseline is the candidate of a reading of F(S) that all candidates share.
const sharedBaseline = -1

// reader returns the error function, limited to [-δ,δ].
func (g NoisyGreedy) reader() func(t, candidate int, baseline bool) float64 {
	if g.Error != nil {
		return func(t, candidate int, baseline bool) float64 {
			reading := g.Error(t, candidate, baseline)
			if math.IsNaN(reading) {
				return 0
			}
			return min(max(reading, -g.Delta), g.Delta)
		}
	}
	source := rand.New(rand.NewPCG(g.Seed, streamNoisy))
	return func(int, int, bool) float64 { return float64(g.Delta * (2*source.Float64() - 1)) }
}
