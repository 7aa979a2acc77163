package sparsero

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/input"
)

// verticesByGauges returns the vertices of conv(D ∪ {0}) in rising order, in any dimension:
// an atom that lies in the hull of the others and 0, where its gauge is at most 1, is left
// out. That of the atoms which a direction separates from all others is asked first, one
// program for all, and decides most.
func verticesByGauges(ctx context.Context, d *Dictionary) ([]int, error) {
	vertices, err := separated(ctx, d)
	if err != nil {
		return nil, err
	}
	var others []int
	for i := range d.Size() {
		if !slices.Contains(vertices, i) {
			others = append(others, i)
		}
	}
	open, err := (&AtomicSet{dictionary: d, atoms: vertices}).Outside(ctx, others)
	if err != nil {
		return nil, err
	}
	vertices = append(vertices, open...)
	for _, i := range slices.Backward(open) { // so that the lowest of equal atoms stays
		rest := slices.DeleteFunc(slices.Clone(vertices), func(k int) bool { return k == i })
		beyond, err := (&AtomicSet{dictionary: d, atoms: rest}).Outside(ctx, []int{i})
		if err != nil {
			return nil, err
		}
		if len(beyond) == 0 {
			vertices = rest
		}
	}
	slices.Sort(vertices)
	return vertices, nil
}

// separated returns the atoms that are farther out than 0 and all others in the direction of
// some atom, coordinates measured in their largest size, by more than rounding explains.
func separated(ctx context.Context, d *Dictionary) ([]int, error) {
	var found []int
	direction, alignments := make([]float64, d.Dim()), make([]float64, d.Size())
	for i := range d.Size() {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("sparsero: vertex search at atom %d: %w", i, err)
		}
		for j, v := range d.RawRowView(i) {
			_, exponent := math.Frexp(d.reach[j])
			direction[j] = math.Ldexp(v, -2*exponent)
		}
		farthest, reach := active(d.Alignments(alignments, direction))
		if farthest == NullAtom {
			continue
		}
		alignments[farthest] = 0
		if reach-slices.Max(alignments) > 2*d.AlignmentError(direction) && !slices.Contains(found, farthest) {
			found = append(found, farthest)
		}
	}
	return found, nil
}

// Outside returns those of the listed atoms that do not lie in conv({0} ∪ {d_i : i in S}), one
// linear program each: those whose [Gauge] exceeds 1. It is an error if the set is nil, an index is
// out of range or repeated, the solver fails or the context ends.
func (a *AtomicSet) Outside(ctx context.Context, atoms []int) (outside []int, err error) {
	gauge, err := NewGauge(a, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, gauge.Close()) }()
	if err := input.CheckIndices("atoms", atoms, a.dictionary.Size()); err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	for _, i := range atoms {
		value, _, err := gauge.Of(ctx, a.dictionary.RawRowView(i))
		if err != nil {
			return nil, fmt.Errorf("sparsero: hull of the atoms at atom %d: %w", i, err)
		}
		if !(value <= 1) {
			outside = append(outside, i)
		}
	}
	return outside, nil
}
