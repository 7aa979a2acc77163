package selection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

const (
	// inertia is the share of the last direction in the next (Camerini, Fratta and Maffioli 1975).
	inertia = 0.5
	// patience is the number of steps without a better bound after which they are halved.
	patience = 4
	// progress is what a bound must fall by, relative to itself, to count as a better one.
	progress = 1e-5
	// aim is how far below the value that is attained a step aims, relative to it, so that it never has the length 0.
	aim = 1e-4
	// tightSteps is how many steps Tighten takes.
	tightSteps = 200
	// A rule takes wholeSteps for the whole set and prefixSteps for each prefix as far as all look at usualWork
	// alignments together, about what a choice takes the time of. Where that is fewer than fewSteps there are many
	// atoms: it looks at multipliers that are manyShare below the supports of prefixes each longer by the factor
	// manySpacing, and once more after draftSteps with draftAtoms and twice as many more as it chooses.
	wholeSteps, prefixSteps, fewSteps = 100, 25, 8
	manyShare, manySpacing            = 0.75, 2
	draftSteps, draftAtoms            = 8, 500

	usualWork = 1 << 25
	// shortest is the factor of a step that ends the descent.
	shortest = 0x1p-12
)

// many tells whether there are so many atoms for m directions that a rule takes few looks at all of them.
func many(n, m int) bool { return n > usualWork/fewSteps/m }

// BoundOptions say how far [Selection.Tighten] goes. Nil and the zero value work.
type BoundOptions struct {
	// Steps is the number of passes over the alignments at most. Default 200.
	Steps int
	// Share ends the work as soon as the OptimalityRatio of the whole set reaches it, in [0,1]. Default 1.
	Share float64
	// Progress, if not nil, is called after each step with their number and the present OptimalityRatio.
	Progress func(step int, share proof.Lower)
}

func (o *BoundOptions) check() error {
	if o.Steps < 0 {
		return fmt.Errorf("selection: %d steps; use 0 for %d", o.Steps, tightSteps)
	}
	if !(o.Share >= 0 && o.Share <= 1) {
		return fmt.Errorf("selection: the fraction %v is outside [0,1]; 0.99 ends at 99%% of the optimum proven", o.Share)
	}
	return nil
}

// Tighten lowers the bounds of a selection from the objective it was made for, by more steps than its rule took. The rules
// evaluate the Lagrangian bound of the facility location problem (Cornuéjols, Fisher and Nemhauser 1977),
//
//	max_{|S| <= b} F(S;T) <= mean(u) + sum of the b largest g_i(u),  g_i(u) = (1/|T|) sum_{s in T} max(0, <d_i,s> - u_s),
//
// at the supports u of the prefixes, or, where N|T| exceeds four million, between these and the second largest
// alignments, and after a few subgradient steps from the best of these; Tighten goes on from there for the whole set,
// and shorter prefixes profit. For a [Knapsack] the sum is the fractional knapsack of the gains. Every step is one
// pass over the alignments, O(N|T|), and gives a bound that holds in exact arithmetic. If the context ends, the bounds
// found until then stay.
func (s *Selection) Tighten(ctx context.Context, c *Coverage, options *BoundOptions) error {
	ctx = input.Context(ctx)
	options = cmp.Or(options, &BoundOptions{})
	if err := options.check(); err != nil {
		return err
	}
	if c.Size() == 0 {
		return errors.New("selection: the objective is nil or has no atoms; give the Coverage of the selection")
	}
	n := s.Len()
	if n == 0 {
		return nil
	}
	value, err := c.mean(s.Atoms)
	if err != nil {
		return err
	}
	if value != entry(s, s.Coverage, n) || len(s.Bounds) != n || s.Cost != nil && s.costs == nil {
		return fmt.Errorf("selection: the atoms cover %v and not %v; give the selection as its rule returned it, and the Coverage it was made for", value, s.Coverage[n-1])
	}
	b := newBounding(c, s, c.screen.NewLagrangian())
	if b.starts[len(b.starts)-1] = s.multipliers; s.multipliers == nil {
		if err := b.covers(ctx, c); err != nil {
			b.store(s)
			s.multipliers = nil // those that are best are not found yet
			return ended(ctx, err)
		}
	}
	steps, share := cmp.Or(options.Steps, tightSteps), cmp.Or(options.Share, 1)
	taken := 0
	_, err = b.descend(ctx, len(b.bounds)-1, steps, func() bool {
		taken++
		b.store(s)
		if options.Progress != nil {
			options.Progress(taken, s.OptimalityRatio(n))
		}
		return s.OptimalityRatio(n).Float() >= share
	})
	b.store(s)
	return ended(ctx, err)
}

// ended returns an error unless the context has ended, which is none.
func ended(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("selection: %w", err)
}

// bounding finds bounds for some budgets: one atom, two atoms, and so on, or the capacity of a knapsack.
type bounding struct {
	lagrangian *screen.Lagrangian
	rounding   screen.Rounding
	atoms      []int       // the path
	costs      *Knapsack   // nil for numbers of atoms
	values     []float64   // what a set within each budget attains
	bounds     []float64   // for each budget
	starts     [][]float64 // the multipliers with the least bound
	prefixes   []int       // whose supports these are, if they are
	many       bool        // whether there are so many atoms that few looks at all of them are taken
	rivals     []int32     // those that gain most at the multipliers of the last budget, if there are many
	among      []int32     // the atoms that count; nil where all do, without which nothing is proven
}

func newBounding(c *Coverage, s *Selection, lagrangian *screen.Lagrangian) *bounding {
	b := &bounding{lagrangian: lagrangian, rounding: c.screen.Rounding, atoms: s.Atoms, costs: s.costs, values: s.Coverage}
	b.many = many(c.Size(), c.probes())
	if s.costs != nil {
		b.values = s.Coverage[s.Len()-1:]
	}
	full := b.rounding.AtMost(c.Full())
	b.bounds, b.starts, b.prefixes = slices.Repeat([]float64{full}, len(b.values)), make([][]float64, len(b.values)), make([]int, len(b.values))
	return b
}

// budget returns the k-th budget.
func (b *bounding) budget(k int) screen.Budget {
	budget := screen.Cardinality(k + 1)
	if b.costs != nil {
		budget = b.costs.budget()
	}
	budget.Among = b.among
	return budget
}

// look evaluates the bounds at multipliers, of all budgets up to the k-th, and returns the atoms that it rests on and the value
// of the bound without its rounding.
func (b *bounding) look(ctx context.Context, k int, u []float64, rounding screen.Rounding) ([]int32, float64, error) {
	b.lagrangian.Move(u)
	return b.stay(ctx, k, u, len(b.atoms), rounding)
}

// stay is look where the Lagrangian stands at the multipliers already, the support of a prefix. Of equal bounds that of
// the shortest counts.
func (b *bounding) stay(ctx context.Context, k int, u []float64, prefix int, rounding screen.Rounding) ([]int32, float64, error) {
	atoms, gains, err := b.lagrangian.Largest(ctx, b.budget(k))
	if err != nil {
		return nil, 0, err
	}
	value := screen.Mean(u)
	bound := value + b.budget(k).Value(atoms, gains)
	if b.among != nil {
		return atoms, bound, nil
	}
	found := slices.Repeat([]float64{math.Inf(1)}, k+1)
	if b.costs != nil {
		found[0] = screen.Total(rounding, value, b.budget(0), atoms, gains)
	} else {
		rounding.Tighten(found, value, gains)
	}
	for j, bound := range found {
		if bound < b.bounds[j] || bound == b.bounds[j] && prefix < b.prefixes[j] {
			b.bounds[j], b.starts[j], b.prefixes[j] = bound, u, prefix
		}
	}
	return atoms, bound, nil
}

// covers looks at the supports of the prefixes of the path. Where there are many atoms, at few multipliers, between
// these and the second largest covers.
func (b *bounding) covers(ctx context.Context, c *Coverage) error {
	rounding, between, spacing := b.rounding, 0.0, 1.0
	if b.many {
		rounding, between, spacing = rounding.AtMultipliers(c.probes()), manyShare, manySpacing
	}
	supports, err := c.screen.Covers(b.atoms, between, spacing)
	if err != nil {
		return err
	}
	for k := range b.starts {
		b.starts[k], b.prefixes[k] = supports[0], 0
	}
	share, gain := c.screen.Looseness()
	last := len(b.prefixes) - 1
	return b.lagrangian.Along(ctx, supports, func(t int) error {
		k, err := b.promising(ctx, supports[t], share, gain)
		if err != nil || k < 0 {
			return err
		}
		_, _, err = b.stay(ctx, k, supports[t], t, rounding)
		if err == nil && b.many && b.rivals == nil && b.prefixes[last] == t {
			err = b.noteRivals(ctx)
		}
		return err
	})
}

// promising returns the last budget whose bound may fall at the multipliers where the Lagrangian stands, or -1. Bounds
// of gains tell, which may exceed them by a share of the alignments and a gain.
func (b *bounding) promising(ctx context.Context, u []float64, share, gain float64) (last int, err error) {
	value, total := screen.Mean(u), 0.0
	atoms, gains, err := b.lagrangian.Leaders(ctx, b.budget(len(b.bounds)-1))
	if err != nil {
		return 0, err
	}
	last = -1
	if b.costs != nil {
		gains = []float64{b.budget(0).Value(atoms, gains)}
	}
	for k, bound := range b.bounds {
		count := k + 1 // atoms, each of which exceeds the multipliers
		if b.costs != nil {
			count = len(atoms)
		}
		if k < len(gains) {
			total += gains[k]
		}
		loose := float64(share*(total+float64(float64(count)*value))) + float64(float64(count)*gain)
		if value+total-loose <= bound {
			last = k
		}
	}
	return last, nil
}

// descend takes subgradient steps for the k-th budget, until enough says so or the bound is attained, and returns the
// multipliers with the least bound.
func (b *bounding) descend(ctx context.Context, k, steps int, enough func() bool) (best []float64, err error) {
	u, least := b.starts[k], math.Inf(1)
	rounding, d := b.rounding.AtMultipliers(len(u)), newDescent(len(u))
	for step := 0; step < steps && d.factor > shortest && u != nil; step++ {
		atoms, bound, err := b.look(ctx, k, u, rounding)
		if err != nil {
			return nil, err
		}
		if bound < least {
			best, least = u, bound
		}
		if enough() || b.bounds[k] <= b.values[k] {
			break
		}
		slope := make([]float64, len(u))
		b.lagrangian.Slope(slope, b.budget(k), atoms)
		u = d.step(u, make([]float64, len(u)), slope, bound, b.values[k])
	}
	return best, nil
}

// noteRivals keeps the atoms that gain most where the Lagrangian stands, by their bounds.
func (b *bounding) noteRivals(ctx context.Context) (err error) {
	most := b.budget(len(b.bounds) - 1)
	most.Capacity, most.Count = math.Inf(1), draftAtoms+2*len(b.atoms)
	b.rivals, _, err = b.lagrangian.Leaders(ctx, most)
	slices.Sort(b.rivals)
	return err
}

// draft takes steps for the last budget at which the rivals alone count, which proves nothing and costs little where
// there are many atoms, and looks at all atoms where these give the least bound.
func (b *bounding) draft(ctx context.Context) error {
	if b.rivals == nil {
		if err := b.noteRivals(ctx); err != nil {
			return err
		}
	}
	k := len(b.bounds) - 1
	b.among, b.rivals = b.rivals, nil
	u, err := b.descend(ctx, k, draftSteps, func() bool { return false })
	if b.among = nil; err == nil {
		_, _, err = b.look(ctx, k, u, b.rounding.AtMultipliers(len(u)))
	}
	return err
}

// descent lowers a bound by subgradient steps.
type descent struct {
	least     float64   // bound that was met
	stale     int       // steps since it fell
	factor    float64   // of the length of a step
	direction []float64 // of the last step
}

func newDescent(m int) *descent {
	return &descent{least: math.Inf(1), factor: 1, direction: make([]float64, m)}
}

// step returns the multipliers, at least the floors, that follow u, where the bound is given and the atoms that fill
// the budget take a slope off it; nil where no multipliers give less. value is attained.
func (d *descent) step(u, floors, slope []float64, bound, value float64) []float64 {
	if bound < d.least*(1-progress) {
		d.stale = 0
	} else if d.stale++; d.stale >= patience {
		d.factor, d.stale = d.factor/2, 0
	}
	d.least = min(d.least, bound)
	squares := 0.0
	for j := range slope {
		slope[j] += 1 + float64(inertia*d.direction[j]) // not fused: the same bits on every processor
		if u[j] <= floors[j] && slope[j] > 0 {
			slope[j] = 0
		}
		squares += float64(slope[j] * slope[j])
	}
	if squares == 0 {
		return nil
	}
	length, next := d.factor*(bound-float64(value*(1-aim)))*float64(len(u))/squares, make([]float64, len(u))
	for j := range next {
		next[j] = max(floors[j], u[j]-float64(length*slope[j]))
	}
	d.direction = slope
	return next
}

// usual takes the steps that a rule takes without being asked, for the whole path first.
func (b *bounding) usual(ctx context.Context, c *Coverage) error {
	left, most, last := usualWork/(c.Size()*c.probes()), wholeSteps, len(b.bounds)-1
	for look := 0; b.many && look < max(1, left/2) && b.bounds[last] > b.values[last]; look++ {
		if err := b.draft(ctx); err != nil {
			return err
		}
	}
	for k := last; k >= 0 && left > 0 && !b.many; k-- {
		if _, err := b.descend(ctx, k, min(left, most), func() bool { left--; return false }); err != nil {
			return err
		}
		most = prefixSteps
	}
	return nil
}

// store writes the bounds into the selection: of the prefixes of a path, or of all sets within the capacity.
func (b *bounding) store(s *Selection) {
	for k := range s.Bounds {
		s.tighten(k, b.bounds[min(k, len(b.bounds)-1)])
	}
	s.multipliers = b.starts[len(b.starts)-1]
}
