package sparsero

import (
	"context"
	"slices"
)

// SupportVertices returns, in rising order, the atoms that can be the only
// maximiser of <d_i,s> in some direction s: the vertices of conv(D ∪ {0}), the
// null atom left out, the lowest index among equal atoms. The support function
// of the dictionary, alignment deficits, coverage and its optimum depend on
// these atoms alone, so all others can be dropped without loss.
//
// In dimensions 1 and 2 the answer is exact, in O(N log N) time. In higher
// dimensions it takes O(N²p) time and one linear program, that of a [Gauge], for each
// atom that is not farthest out in the direction of some atom. An atom is left out only
// where exact arithmetic proves it redundant, so that none that is needed is missing;
// beyond the size that [Gauge] solves exactly some may be listed that could be spared.
// It is an error if the solver fails or the context ends.
func (d *Dictionary) SupportVertices(ctx context.Context) ([]int, error) {
	if d.Dim() <= 2 {
		return planarVertices(d), nil
	}
	return verticesByGauges(ctx, d)
}

// PseudometricVertices returns, in rising order, the atoms that define the
// pseudometric d_D: the vertices of conv(D ∪ -D), the lowest index of each pair
// {d, -d}. For all s and t, d_D(s,t) = max |<d_i,s-t>| over these atoms. Cost,
// accuracy and errors are those of [Dictionary.SupportVertices] for 2N atoms.
func (d *Dictionary) PseudometricVertices(ctx context.Context) ([]int, error) {
	vertices, err := d.AntipodalClosure().SupportVertices(ctx)
	if err != nil {
		return nil, err
	}
	n := d.Size()
	for k, i := range vertices {
		vertices[k] = i % n
	}
	slices.Sort(vertices)
	var pairs []int
	for _, i := range slices.Compact(vertices) {
		if !slices.ContainsFunc(pairs, func(j int) bool { return d.opposite(i, j) }) {
			pairs = append(pairs, i)
		}
	}
	return pairs, nil
}

// opposite tells whether d_i = -d_j. Vertices are distinct points, so an atom
// has at most one opposite among them.
func (d *Dictionary) opposite(i, j int) bool {
	a, b := d.atoms.RawRowView(i), d.atoms.RawRowView(j)
	for k := range a {
		if a[k] != -b[k] {
			return false
		}
	}
	return true
}
