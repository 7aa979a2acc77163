package large

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/sparsero/internal/screen"
	"github.com/sparsero/directions/sparsero/selection"
)

// SetCover chooses atoms for a small worst deficit by covering the probe directions
// at thresholds found by bisection: the rule, the guarantee and the choices of
// [selection.SetCover].
type SetCover struct {
	// Resolution is the width of the final interval for the threshold relative to
	// the largest M_N(s), in (0,1). Default 1e-6.
	Resolution float64
	// SkipBounds leaves Selection.Bounds at F([N];T). Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each atom.
	Progress func(selection.Step)
}

// defaultResolution resolves the threshold to a millionth of the largest support.
const defaultResolution = 1e-6

// Select chooses at most budget atoms, 1 <= budget <= N. It needs up to NM/4 bytes more
// than the other rules; a streamed coverage recomputes all alignments at each of the
// first ten or so of about 20 thresholds. If the context ends first the selection is
// shorter and marked Partial, and the error is nil.
func (s SetCover) Select(ctx context.Context, c *Coverage, budget int) (*selection.Selection, error) {
	p, err := newPath("set-cover", c, budget, nil, s.Progress)
	if err != nil {
		return nil, err
	}
	resolution := s.Resolution
	if resolution == 0 {
		resolution = defaultResolution
	}
	if !(resolution > 0 && resolution < 1) {
		return nil, fmt.Errorf("large: resolution %v is outside (0,1); use 0 for the default %v", s.Resolution, defaultResolution)
	}
	cover, err := bisect(ctx, c.screen, budget, resolution)
	if err == nil {
		err = fillByGap(ctx, p, selection.CoverageGain, cover)
	}
	return p.finish(ctx, !s.SkipBounds, err)
}

// bisect returns the cover with the smallest threshold found. The upper end of the
// interval always belongs to a cover within the budget; at first that is the empty
// one. A cover lowers it to the worst deficit it really has.
func bisect(ctx context.Context, s *screen.Screen, budget int, resolution float64) (best []int, err error) {
	search := s.NewCoverSearch()
	if cover, ok, err := search.Within(ctx, 0, budget); ok || err != nil { // a bisection would only approach zero
		return cover, err
	}
	lower, upper := 0.0, s.NewState().WorstDeficit()
	for width := resolution * upper; upper-lower > width; {
		middle := lower + (upper-lower)/2
		cover, ok, err := search.Within(ctx, middle, budget)
		if err != nil {
			return nil, err
		}
		if !ok {
			lower = middle
			continue
		}
		if upper, err = s.WorstDeficit(cover); err != nil {
			return nil, err
		}
		best = cover
	}
	return best, nil
}
