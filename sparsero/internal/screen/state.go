package screen

import (
	"context"
	"fmt"
	"math"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// support is the support that a set of atoms reaches in every direction.
type support struct {
	current []float64 // max(0, max_{i in S} <d_i,s>)
	floor   []float32 // less than current, in the units of the screen; +Inf beyond the last direction
}

// newSupport returns the support of the empty set.
func (s *Screen) newSupport() support {
	p := support{current: make([]float64, s.m), floor: make([]float32, s.columns)}
	for j := range p.floor {
		p.floor[j] = float32(math.Inf(1))
	}
	for j := range p.current {
		p.floor[j] = downward(0)
	}
	return p
}

// setFloor sets the floor of a support.
func (s *Screen) setFloor(floor []float32, support []float64) {
	for j, value := range support {
		floor[j] = downward(math.Ldexp(value, s.exponent))
	}
}

// raise lifts the support in the given directions.
func (p *support) raise(s *Screen, columns []int32, values []float64) {
	for k, j := range columns {
		if values[k] > p.current[j] {
			p.current[j] = values[k]
			p.floor[j] = downward(math.Ldexp(values[k], s.exponent))
		}
	}
}

// excess returns sum_j max(0, value - current) over the given directions, added up as over all of them: in four partial
// sums by j modulo 4, the last M modulo 4 directions in the first. Directions left out would add zero.
func (p *support) excess(columns []int32, values []float64) float64 {
	var sums [4]float64
	whole := int32(len(p.current) / 4 * 4)
	for k, j := range columns {
		if more := values[k] - p.current[j]; more > 0 {
			if j < whole {
				sums[j%4] += more
			} else {
				sums[0] += more
			}
		}
	}
	return (sums[0] + sums[1]) + (sums[2] + sums[3])
}

// State is a growing set of atoms with its float64 support. A State must not be used by several goroutines at once. The
// first error in reading the atoms ends it: gains are zero then.
type State struct {
	support
	screen *Screen
	blocks []*block // one for each worker, made when first needed
	atoms  []int
	value  float64
	err    error
}

// NewState returns the state of the empty set.
func (s *Screen) NewState() *State {
	return &State{screen: s, support: s.newSupport(), blocks: make([]*block, s.workers)}
}

// block returns the memory of a worker.
func (t *State) block(worker int) *block {
	if t.blocks[worker] == nil {
		t.blocks[worker] = t.screen.newBlock()
	}
	return t.blocks[worker]
}

// Gain returns the float64 marginal gain of atom i. It computes only the
// alignments that can contribute. It panics if the index is out of range.
func (t *State) Gain(i int) float64 {
	t.mustContain(i)
	columns, values, err := t.block(0).beyond(i, t.floor)
	return t.note(t.excess(columns, values)/float64(t.screen.m), err)
}

func (t *State) mustContain(i int) {
	if i < 0 || i >= t.screen.n {
		panic(fmt.Sprintf("selection: atom %d is outside [0,%d)", i, t.screen.n))
	}
}

// note keeps the first error and returns the gain unless there was one.
func (t *State) note(gain float64, err error) float64 {
	if t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return 0
	}
	return gain
}

// Err returns the first error in reading the atoms for Gain, AllGains and Add, nil if there was none.
func (t *State) Err() error { return t.err }

// AllGains sets values to the float64 marginal gain of every atom. They are of no use once the context ends.
func (t *State) AllGains(ctx context.Context, values []float64) {
	if err := t.Settle(ctx, values, rank.Indices[int32](t.screen.n)); ctx.Err() == nil {
		t.note(0, err)
	}
}

// Settle sets the entries of the listed atoms to their float64 gains.
func (t *State) Settle(ctx context.Context, upper []float64, list []int32) error {
	return t.each(ctx, list, 1, func(worker, i int, row []kernel.Half, _ *kernel.Half) (err error) {
		upper[i], err = t.gainOf(t.block(worker), i, row)
		return err
	})
}

// gainOf is Gain where the alignments of the atom are there already.
func (t *State) gainOf(b *block, i int, row []kernel.Half) (float64, error) {
	columns, values, err := b.exceeding(i, row, t.floor)
	if err != nil {
		return 0, err
	}
	return t.excess(columns, values) / float64(t.screen.m), nil
}

// Add puts atom i into the set. It panics if the index is out of range.
func (t *State) Add(i int) { t.Take(i) }

// Take is Add that returns the float64 marginal gain.
func (t *State) Take(i int) (gain float64) {
	t.mustContain(i)
	columns, values, err := t.block(0).beyond(i, t.floor)
	if err == nil {
		gain = t.excess(columns, values) / float64(t.screen.m)
		t.join(i, columns, values)
	}
	return t.note(gain, err)
}

// AddElsewhere puts an atom into the set that comes with its coordinates; i is its index if
// the screen has it, and else negative.
func (t *State) AddElsewhere(i int, atom []float64) {
	s, values := t.screen, make([]float64, t.screen.m)
	s.kernel.Alignments(values, atom, s.directions, s.all)
	s.costs.alignments.Add(int64(s.m))
	t.join(i, s.all, values)
}

// join takes in atom i, which raises the support in the given directions at most.
func (t *State) join(i int, columns []int32, values []float64) {
	t.raise(t.screen, columns, values)
	t.atoms = append(t.atoms, i)
	t.value = Mean(t.current)
}

// Atoms returns the atoms in the order they were added, negative for those elsewhere. The slice must not be changed.
func (t *State) Atoms() []int { return t.atoms }

// Value returns the coverage of the set.
func (t *State) Value() float64 { return t.value }

// Supports returns max(0, max_{i in S} <d_i,s>) for each direction. The slice must not be changed.
func (t *State) Supports() []float64 { return t.current }

// WorstDeficit returns the largest difference between the full support and that of the set.
func (t *State) WorstDeficit() float64 {
	worst := 0.0
	for j, full := range t.screen.full {
		if deficit := full - t.current[j]; deficit > worst { // unlike max, with nothing to wait for
			worst = deficit
		}
	}
	return worst
}
