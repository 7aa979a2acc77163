package compare

import (
	"fmt"

	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/large"
)

// byDeficit turns a selection into a choice by its worst deficit.
func byDeficit(s *selection.Selection) choice {
	return choice{s.Atoms, s.WorstDeficit[s.Len()-1]}
}

// maxGap compares the exact max-gap rule on given scores.
func (c *comparison) maxGap(d *data) error {
	coverage, err := d.coverage(c, 2)
	if err != nil {
		return err
	}
	var mine, theirs choice
	measured, err := inTurn(c.ctx, c.scale.Repetitions,
		ours(func() error {
			s, err := large.MaxGap{SkipBounds: true}.Select(c.ctx, coverage, d.budget)
			if err == nil {
				mine = byDeficit(s)
			}
			return err
		}),
		c.call(c.peers.best, "max_gap", arguments{"scores": d.given, "budget": d.budget}, &theirs),
	)
	if err != nil {
		return err
	}
	r := timed(key("maxgap", d.name), fmt.Sprintf("max-gap on given scores, %s, %s", d.name, d.sizes), measured[1], measured[0])
	r.Peer, r.Target = "NumPy full scan", Target{Ratio: gapTarget}
	if r.Agreement, err = agree(theirs, mine, singleTolerance); err != nil {
		return err
	}
	c.add(r)
	return nil
}

// setCover compares the set-cover rule with NumPy's and with our max-gap. NumPy
// works on float64 scores: the bisection of the threshold follows differences that
// float32 does not resolve.
func (c *comparison) setCover(d *data) error {
	if err := c.peers.each("widen", arguments{"scores": []string{"atoms", "directions"}, "wide": d.float64Scores}); err != nil {
		return err
	}
	coverage, err := d.coverage(c, 2)
	if err != nil {
		return err
	}
	var mine, theirs choice
	measured, err := inTurn(c.ctx, c.scale.Repetitions,
		ours(func() error {
			s, err := large.SetCover{SkipBounds: true}.Select(c.ctx, coverage, d.budget)
			if err == nil {
				mine = byDeficit(s)
			}
			return err
		}),
		ours(func() error {
			_, err := large.MaxGap{Tie: selection.CoverageGain, SkipBounds: true}.Select(c.ctx, coverage, d.budget)
			return err
		}),
		c.call(c.peers.best, "set_cover", arguments{"scores": d.float64Scores, "budget": d.budget}, &theirs),
	)
	if err != nil {
		return err
	}
	workload := fmt.Sprintf("set cover on given scores, %s, %s", d.name, d.sizes)
	against := timed(key("setcover", d.name), workload, measured[2], measured[0])
	against.Peer, against.Target = "NumPy, float64", Target{Ratio: gapTarget}
	if against.Agreement, err = agree(theirs, mine, doubleTolerance); err != nil {
		return err
	}
	beside := timed(key("setcover", d.name, "maxgap"), workload, measured[1], measured[0])
	beside.Peer, beside.Target, beside.Agreement = "our max-gap, ties by gain", Target{Ratio: 1}, "another rule"
	c.add(against, beside)
	return nil
}
