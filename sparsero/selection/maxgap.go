package selection

import (
	"context"
	"fmt"
	"math"
	"sort"
)

// TieRule decides between atoms that reduce the worst deficit equally.
type TieRule int

const (
	// LowestIndex takes the atom with the lowest index.
	LowestIndex TieRule = iota
	// CoverageGain takes the atom with the largest marginal gain of F, then the
	// lowest index. Ties are common in the first steps, where one atom cannot
	// mend the worst direction of every lobe, and this rule then needs far fewer
	// atoms.
	CoverageGain
)

// String returns the name of the rule.
func (r TieRule) String() string {
	switch r {
	case LowestIndex:
		return "lowest index"
	case CoverageGain:
		return "coverage gain"
	}
	return fmt.Sprintf("TieRule(%d)", int(r))
}

// MaxGap adds at each step the atom that minimises the worst deficit,
//
//	argmin_i max_{s in T} Δ_{S ∪ {i}}(s),
//
// the worst-case baseline of the paper. It is a heuristic without a guarantee:
// there are instances where two atoms suffice and it needs more than a hundred
// (see the tests). [SetCover] aims at the same quantity with a guarantee.
// The zero value breaks ties by the lowest index.
type MaxGap struct {
	// Tie decides between equally good atoms. Default LowestIndex.
	Tie TieRule
	// Warm lists atoms that are taken first, in this order. They count towards
	// the budget. Default none.
	Warm []int
	// Progress, if not nil, is called after each atom.
	Progress func(Step)
}

// Name returns "max-gap", with the tie rule if it is not the default.
func (m MaxGap) Name() string {
	if m.Tie == LowestIndex {
		return "max-gap"
	}
	return "max-gap (ties by " + m.Tie.String() + ")"
}

// Select implements [Policy]. Every step is an exact minimum over all atoms,
// O(N|T|) at worst; probe directions are scanned in falling order of their
// deficit, and an atom is dropped as soon as it is beaten.
func (m MaxGap) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	p, err := newPath(m.Name(), c, budget)
	if err != nil {
		return nil, err
	}
	if m.Tie != LowestIndex && m.Tie != CoverageGain {
		return nil, fmt.Errorf("selection: unknown tie rule %v; use LowestIndex or CoverageGain", m.Tie)
	}
	p.progress = m.Progress
	if err := p.warm(m.Warm); err != nil {
		return nil, err
	}
	for p.len() < budget && !p.interrupted(ctx) {
		p.take(m.next(p))
	}
	return p.finish(ctx), nil
}

// next returns the atom that leaves the smallest worst deficit.
func (m MaxGap) next(p *path) int {
	c := p.state.coverage
	scan := newDeficitScan(c.full, p.state.current)
	best, bestDeficit, bestGain := -1, math.Inf(1), 0.0
	for i, chosen := range p.chosen {
		if chosen {
			continue
		}
		p.calls++
		deficit := scan.after(c.row(i), bestDeficit)
		if deficit > bestDeficit || deficit == bestDeficit && best >= 0 && m.Tie == LowestIndex {
			continue
		}
		gain := 0.0
		if m.Tie == CoverageGain {
			gain = p.state.gain(i)
			if deficit == bestDeficit && gain <= bestGain {
				continue
			}
		}
		best, bestDeficit, bestGain = i, deficit, gain
	}
	return best
}

// deficitScan holds the present deficits of the probe directions in falling
// order.
type deficitScan struct {
	order   []int     // probe directions
	deficit []float64 // their deficits, falling
	full    []float64 // their full supports, in the same order
}

func newDeficitScan(full, current []float64) *deficitScan {
	scan := &deficitScan{
		order:   make([]int, len(full)),
		deficit: make([]float64, len(full)),
		full:    make([]float64, len(full)),
	}
	for j := range full {
		scan.order[j] = j
	}
	sort.SliceStable(scan.order, func(a, b int) bool {
		ja, jb := scan.order[a], scan.order[b]
		return full[ja]-current[ja] > full[jb]-current[jb]
	})
	for k, j := range scan.order {
		scan.deficit[k] = full[j] - current[j]
		scan.full[k] = full[j]
	}
	return scan
}

// after returns the worst deficit once an atom with the given alignments is
// added. It stops early, with some value above the limit, when the limit is
// exceeded, and at the first direction whose present deficit is no larger than
// what has been found.
func (d *deficitScan) after(row []float64, limit float64) float64 {
	worst := 0.0
	for k, j := range d.order {
		if d.deficit[k] <= worst || worst > limit {
			break
		}
		worst = max(worst, min(d.deficit[k], d.full[k]-row[j]))
	}
	return worst
}
