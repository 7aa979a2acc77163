package selection

import (
	"errors"
	"fmt"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// Coverage is the support coverage objective of a dictionary D and probe
// directions T,
//
//	F(S;T) = (1/|T|) sum_{s in T} max(0, max_{i in S} <d_i,s>).
//
// It holds the N×|T| matrix of alignments, 8N|T| bytes, so that one evaluation
// of a marginal gain costs O(|T|) whatever the dimension. A Coverage does not
// change after it is built and may be used by several goroutines at once.
type Coverage struct {
	dictionary *sparsero.Dictionary
	directions *mat.Dense // M×p
	scores     []float64  // N×M alignments, one row per atom
	full       []float64  // M_N(s) for each direction
	fullValue  float64    // F([N];T)
}

// NewCoverage builds the objective for the M×p matrix whose rows are the probe
// directions, in O(NMp) time. It is an error if the dictionary is nil, or if
// directions is empty, not finite or not p columns wide.
func NewCoverage(d *sparsero.Dictionary, directions mat.Matrix) (*Coverage, error) {
	if d == nil {
		return nil, errors.New("selection: dictionary is nil; build one with sparsero.NewDictionary")
	}
	scores, err := d.Scores(directions)
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	c := &Coverage{dictionary: d, directions: mat.DenseCopyOf(directions), scores: scores.RawMatrix().Data}
	c.full = make([]float64, c.probes())
	for i := range d.Size() {
		raise(c.full, c.row(i))
	}
	c.fullValue = mean(c.full)
	return c, nil
}

// Dictionary returns the dictionary D.
func (c *Coverage) Dictionary() *sparsero.Dictionary { return c.dictionary }

// Directions returns a copy of the probe directions T, one per row.
func (c *Coverage) Directions() *mat.Dense { return mat.DenseCopyOf(c.directions) }

// Size returns N, the number of atoms to choose from.
func (c *Coverage) Size() int { return c.dictionary.Size() }

// Full returns F([N];T), the coverage of the whole dictionary and an upper
// bound on that of any subset.
func (c *Coverage) Full() float64 { return c.fullValue }

// Value returns F(S;T) in O(|S||T|) time. It panics if an index is out of
// range.
func (c *Coverage) Value(indices []int) float64 { return mean(c.supports(indices)) }

// Deficits returns the alignment deficit Δ_S(s) >= 0 of each probe direction,
// in the order of the rows of T. It panics if an index is out of range.
func (c *Coverage) Deficits(indices []int) []float64 {
	deficits := c.supports(indices)
	for j, value := range deficits {
		deficits[j] = c.full[j] - value
	}
	return deficits
}

// WorstDeficit returns max_{s in T} Δ_S(s). It is zero exactly when S supports
// every probe direction as well as the full dictionary does. It panics if an
// index is out of range.
func (c *Coverage) WorstDeficit(indices []int) float64 {
	return largestGap(c.full, c.supports(indices))
}

// supports returns max(0, max_{i in S} <d_i,s>) for each direction.
func (c *Coverage) supports(indices []int) []float64 {
	current := make([]float64, c.probes())
	for _, i := range indices {
		c.mustContain(i)
		raise(current, c.row(i))
	}
	return current
}

// probes returns M = |T|.
func (c *Coverage) probes() int { m, _ := c.directions.Dims(); return m }

// row returns the alignments of atom i with every direction.
func (c *Coverage) row(i int) []float64 {
	m := c.probes()
	return c.scores[i*m : (i+1)*m : (i+1)*m]
}

func (c *Coverage) mustContain(i int) {
	if i < 0 || i >= c.Size() {
		panic(fmt.Sprintf("selection: atom %d is outside [0,%d)", i, c.Size()))
	}
}
