package compare

import (
	"fmt"

	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/large"
)

// gaps compares the rules for the worst deficit on given scores: max-gap with
// NumPy's full scan, set cover with NumPy's, with that scan, which it is to beat by
// as much as max-gap, and with our max-gap. For set cover NumPy works on float64
// scores: the bisection of the threshold follows differences that float32 does not
// resolve.
func (c *comparison) gaps(d *data) error {
	if err := c.peers.each("widen", arguments{"scores": []string{"atoms", "directions"}, "wide": d.float64Scores}); err != nil {
		return err
	}
	coverage, err := d.coverage(c, 2)
	if err != nil {
		return err
	}
	var gap, byGain, cover, peerGap, peerCover choice
	choose := func(into *choice, rule func() (*selection.Selection, error)) side {
		return ours(func() error {
			s, err := rule()
			if err == nil {
				*into = choice{s.Atoms, s.WorstDeficit[s.Len()-1]}
			}
			return err
		})
	}
	measured, err := inTurn(c.ctx, c.scale.Repetitions,
		choose(&gap, func() (*selection.Selection, error) {
			return large.MaxGap{SkipBounds: true}.Select(c.ctx, coverage, d.budget)
		}),
		choose(&byGain, func() (*selection.Selection, error) {
			return large.MaxGap{Tie: selection.CoverageGain, SkipBounds: true}.Select(c.ctx, coverage, d.budget)
		}),
		choose(&cover, func() (*selection.Selection, error) {
			return large.SetCover{SkipBounds: true}.Select(c.ctx, coverage, d.budget)
		}),
		c.call(c.peers.best, "max_gap", arguments{"scores": d.given, "budget": d.budget}, &peerGap),
		c.call(c.peers.best, "set_cover", arguments{"scores": d.float64Scores, "budget": d.budget}, &peerCover),
	)
	if err != nil {
		return err
	}
	agreedGap, err := agree(peerGap, gap, singleTolerance)
	if err != nil {
		return err
	}
	agreedCover, err := agree(peerCover, cover, doubleTolerance)
	if err != nil {
		return err
	}
	row := func(name, rule, peer string, theirs, ours times, target Target, agreement string) {
		r := timed(key(name, d.name), fmt.Sprintf("%s on given scores, %s, %s", rule, d.name, d.sizes), theirs, ours)
		r.Peer, r.Target, r.Agreement = peer, target, agreement
		c.add(r)
	}
	gapTimes, byGainTimes, coverTimes, scan, peerTimes := measured[0], measured[1], measured[2], measured[3], measured[4]
	row("maxgap", "max-gap", "NumPy full scan", scan, gapTimes, Target{Ratio: gapTarget}, agreedGap)
	row("setcover", "set cover", "NumPy set cover, float64", peerTimes, coverTimes, Target{}, agreedCover)
	row("setcover_scan", "set cover", "NumPy full scan of max-gap", scan, coverTimes, Target{Ratio: gapTarget}, agreedCover+" (set cover of NumPy)")
	row("setcover_maxgap", "set cover", "our max-gap, ties by gain", byGainTimes, coverTimes, Target{}, agreedCover+" (set cover of NumPy)")
	return nil
}
