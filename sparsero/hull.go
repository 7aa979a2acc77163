package sparsero

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// SupportVertices returns, in rising order, the atoms that can be the only maximiser of <d_i,s> in some direction s:
// the vertices of conv(D ∪ {0}), the null atom left out, the lowest index among equal atoms. The support function of
// the dictionary, alignment deficits, coverage and its optimum depend on these atoms alone, so all others can be
// dropped without loss.
//
// In dimensions 1 and 2 the answer is exact, in O(N log N) time. In higher dimensions it takes O(N²p) time and one
// linear program, that of a [Gauge], for each atom that is not farthest out in the direction of some atom; an atom is
// left out only where it is proven redundant. It is an error if the solver fails or the context ends.
func (d *Dictionary) SupportVertices(ctx context.Context) ([]int, error) {
	ctx = input.Context(ctx)
	if d.Dim() <= 2 {
		return planarCorners(d), nil
	}
	return verticesByGauges(ctx, d)
}

// PseudometricVertices returns, in rising order, the atoms that define the pseudometric d_D: the vertices of conv(D ∪
// -D), the lowest index of each pair {d, -d}. For all s and t, d_D(s,t) = max |<d_i,s-t>| over these atoms. Cost,
// accuracy and errors are those of [Dictionary.SupportVertices] for 2N atoms.
func (d *Dictionary) PseudometricVertices(ctx context.Context) ([]int, error) {
	vertices, err := d.AntipodalClosure().SupportVertices(ctx)
	if err != nil {
		return nil, err
	}
	var pairs []int
	for _, i := range vertices {
		opposite := func(j int) bool { // of which there is at most one, as vertices are distinct points
			return slices.EqualFunc(d.RawRowView(i), d.RawRowView(j), func(a, b float64) bool { return a == -b })
		}
		if i < d.Size() && !slices.ContainsFunc(pairs, opposite) { // what follows is opposite to vertices of D
			pairs = append(pairs, i)
		}
	}
	return pairs, nil
}

// verticesByGauges returns the vertices of conv(D ∪ {0}) in rising order, in any dimension: an atom that lies in the
// hull of the others and 0, where its gauge is at most 1, is left out. That of the atoms which a direction separates
// from all others is asked first, one program for all, and decides most.
func verticesByGauges(ctx context.Context, d *Dictionary) ([]int, error) {
	vertices, err := separated(ctx, d)
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(rank.Indices[int](d.Size()), func(i int) bool { return slices.Contains(vertices, i) })
	open, unknown, err := (&AtomicSet{dictionary: d, atoms: vertices}).outside(ctx, others)
	if err != nil {
		return nil, err
	}
	open = slices.Sorted(slices.Values(append(open, unknown...)))
	vertices = append(vertices, open...)
	for _, i := range slices.Backward(open) { // so that the lowest of equal atoms stays
		rest := slices.DeleteFunc(slices.Clone(vertices), func(k int) bool { return k == i })
		beyond, unknown, err := (&AtomicSet{dictionary: d, atoms: rest}).outside(ctx, []int{i})
		if err != nil {
			return nil, err
		}
		if len(beyond)+len(unknown) == 0 {
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
	direction, alignments, reached := make([]float64, d.Dim()), make([]float64, d.Size()), d.reach()
	for i := range d.Size() {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("sparsero: vertex search at atom %d: %w", i, err)
		}
		for j, v := range d.RawRowView(i) {
			_, exponent := math.Frexp(reached[j])
			direction[j] = math.Ldexp(v, -2*exponent)
		}
		farthest, reach := rank.Active(d.Alignments(alignments, direction), nil)
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
// linear program each: those whose [Gauge] is proven to exceed 1. It is an error if the set is nil, an index is
// out of range or repeated, or the context ends, and one that wraps solver.ErrUnproven for an atom of which nothing is proven.
func (a *AtomicSet) Outside(ctx context.Context, atoms []int) ([]int, error) {
	ctx = input.Context(ctx)
	if a == nil {
		return nil, errors.New("sparsero: set is nil; build one with NewAtomicSet")
	}
	if err := input.CheckIndices("atoms", atoms, a.dictionary.Size()); err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	outside, unknown, err := a.outside(ctx, atoms)
	if err == nil && len(unknown) > 0 {
		err = fmt.Errorf("sparsero: hull of the atoms at atom %d: %w; round the atoms to fewer digits", unknown[0], solver.ErrUnproven)
	}
	if err != nil {
		return nil, err
	}
	return outside, nil
}

// outside returns the atoms that are proven to lie outside the hull, and those of which nothing is proven.
func (a *AtomicSet) outside(ctx context.Context, atoms []int) (outside, unknown []int, err error) {
	g, err := NewGauge(a)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range atoms {
		beyond, _, err := g.exceeds(ctx, a.dictionary.RawRowView(i), 1, 1)
		switch {
		case errors.Is(err, solver.ErrUnproven):
			unknown = append(unknown, i)
		case err != nil:
			return nil, nil, fmt.Errorf("sparsero: hull of the atoms at atom %d: %w", i, err)
		case beyond:
			outside = append(outside, i)
		}
	}
	return outside, unknown, nil
}

// planarCorners returns the atoms at the corners of conv(D ∪ {0}) in rising order, in dimensions 1 and 2.
func planarCorners(d *Dictionary) []int {
	x, y := make([]float64, d.Size()+1), make([]float64, d.Size()+1) // the origin comes first
	for i := range d.Size() {
		atom := d.RawRowView(i)
		if x[i+1] = atom[0]; len(atom) == 2 {
			y[i+1] = atom[1]
		}
	}
	var corners []int
	for _, k := range slices.Sorted(slices.Values(PlanarHull(x, y))) {
		if k > 0 {
			corners = append(corners, k-1)
		}
	}
	return corners
}

// PlanarHull returns the indices of the corners of the convex hull of the points (x_i, y_i), counter-clockwise from the
// leftmost one, decided exactly; points on an edge are not corners, and of equal points the first one is taken. Fewer
// than three corners mean that the points lie on a line. It costs O(n log n) (Andrew 1979). It panics if x and y differ
// in length or hold NaN or Inf.
func PlanarHull(x, y []float64) []int {
	if len(x) != len(y) {
		panic(fmt.Sprintf("sparsero: %d and %d coordinates; give both of each point", len(x), len(y)))
	}
	order := make([]int, len(x))
	for i := range order {
		if order[i] = i; x[i]-x[i] != 0 || y[i]-y[i] != 0 {
			panic(fmt.Sprintf("sparsero: point %d is (%v, %v); use finite points", i, x[i], y[i]))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	order = slices.CompactFunc(order, func(a, b int) bool { return x[a] == x[b] && y[a] == y[b] })
	if len(order) < 3 {
		return order
	}
	point := func(k int) planarPoint { return planarPoint{x[k], y[k]} }
	half := func() (chain []int) {
		for _, k := range order {
			for n := len(chain); n > 1 && !leftTurn(point(chain[n-2]), point(chain[n-1]), point(k)); n = len(chain) {
				chain = chain[:n-1]
			}
			chain = append(chain, k)
		}
		return chain[:len(chain)-1]
	}
	lower := half()
	slices.Reverse(order)
	return append(lower, half()...)
}

type planarPoint struct{ x, y float64 }

// leftTurn tells whether a, b, c turn strictly to the left: the sign of the determinant of b-a and c-a, which is exact.
func leftTurn(a, b, c planarPoint) bool {
	return differenceUpper([]float64{c.y, a.y, b.y}, []float64{a.y, b.y, c.y}, []float64{b.x, c.x, a.x}) > 0
}
