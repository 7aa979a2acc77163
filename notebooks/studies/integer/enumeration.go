package integer

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/robust"
)

const (
	// maxSupports is the largest number of supports that an enumeration visits: C(30,6)
	// passes, C(30,7) does not.
	maxSupports = 1_000_000
	// maxShares is the largest number of supports times atoms; the shares take at most 8 bytes each.
	maxShares = 64 * maxSupports
	// chunk is the number of decisions whose shares are computed at a time.
	chunk = 512
)

// ErrTooLarge says that an instance is beyond enumeration.
var ErrTooLarge = errors.New("integer: too large to enumerate")

// checkSize refuses instances with too many supports or atoms.
func checkSize(i *datasets.IntegerInstance) error {
	n, atoms := len(i.Cost), i.Dictionary.Size()
	if supports := math.Round(combin.GeneralizedBinomial(float64(n), float64(i.Cardinality))); supports > maxSupports || supports*float64(atoms) > maxShares {
		return fmt.Errorf("%w: of %d items and %d atoms, with C(%d,%d) = %.0f supports, the limits are %d supports and %d supports times atoms; import solver/highs and solve integer.Problem",
			ErrTooLarge, n, atoms, n, i.Cardinality, supports, maxSupports, maxShares)
	}
	return nil
}

// Enumeration solves an instance exactly, for any atoms and radius, by
// listing its decisions once.
//
// It holds all choices of K items that satisfy the rows without uncertainty, in
// increasing order of cost (then lexicographically), and of each the shares of the
// free capacity that the atoms take at radius 1,
//
//	max_k <d_i, q_k(x)> / (1 - a_k'x),
//
// which a radius scales: atom i is violated at radius r when r times its share exceeds 1.
// The optimum for a set S of atoms is the first decision that violates none of them.
// Shares are computed only as far down the list as a search has to look. One
// enumeration serves every S and every radius; it must not be used by several
// goroutines at once.
type Enumeration struct {
	instance  *datasets.IntegerInstance
	loads     *loads
	decisions []Decision // in increasing order of cost
	shares    []float64  // N per decision, for those looked at so far
}

// NewEnumeration lists the decisions of an instance, in O(C(n,K)) time. It refuses with [ErrTooLarge] when C(n,K) exceeds
// a million, or 64 million divided by the number of atoms; other
// errors are those of [datasets.IntegerInstance.Validate].
func NewEnumeration(i *datasets.IntegerInstance) (*Enumeration, error) {
	if err := i.Validate(); err != nil {
		return nil, err
	}
	if err := checkSize(i); err != nil {
		return nil, err
	}
	e := &Enumeration{instance: i, loads: newLoads(i.Extra, i.Dictionary.Matrix())}
	e.list()
	return e, nil
}

// list visits the supports in lexicographic order, keeps those whose rows do not overflow, and
// sorts them by cost.
func (e *Enumeration) list() {
	base := make([]float64, e.instance.Rows())
	supports := combin.NewCombinationGenerator(len(e.instance.Cost), e.instance.Cardinality)
	for items := make([]int, e.instance.Cardinality); supports.Next(); {
		supports.Combination(items)
		if baseUse(e.instance, items, base); slices.Max(base) > 1+Tolerance {
			continue
		}
		decision := Decision{Items: slices.Clone(items)}
		for _, j := range items {
			decision.Value += e.instance.Cost[j]
		}
		e.decisions = append(e.decisions, decision)
	}
	slices.SortStableFunc(e.decisions, func(a, b Decision) int { return cmp.Compare(a.Value, b.Value) })
}

// Len returns the number of decisions that satisfy the rows without
// uncertainty; 0 means that the instance is infeasible whatever the atoms.
func (e *Enumeration) Len() int { return len(e.decisions) }

// Solve returns the optimum for the atoms S at a radius r >= 0, the same as
// robust.Problem.Solve on [Problem]. The error matches
// solver.ErrInfeasible (it is a *robust.InfeasibleError) when no decision
// satisfies the rows; an atom or a radius out of range is an error too.
func (e *Enumeration) Solve(indices []int, radius float64) (*Decision, error) {
	if err := input.CheckIndices("integer: indices", indices, e.loads.vectors); err != nil {
		return nil, err
	}
	if !(radius >= 0) || math.IsInf(radius, 1) {
		return nil, fmt.Errorf("integer: radius = %v; use a finite radius of at least 0", radius)
	}
	for number, decision := range e.decisions {
		if !e.violated(number, indices, radius) {
			return &Decision{Items: slices.Clone(decision.Items), Value: decision.Value}, nil
		}
	}
	return nil, &robust.InfeasibleError{Atoms: slices.Clone(indices), Radius: radius, Constraints: e.instance.Rows()}
}

// violated tells whether a decision violates one of the atoms.
func (e *Enumeration) violated(number int, indices []int, radius float64) bool {
	shares := e.sharesOf(number)
	for _, i := range indices {
		if shares[i]*radius > 1 {
			return true
		}
	}
	return false
}

// LargestRadius returns the largest radius at which the program has a decision
// for the atoms S,
//
//	max_x min_{i in S, k} (1 - a_k'x) / <d_i, q_k(x)>
//
// over the listed decisions, rows full to within [Tolerance] counted as
// satisfied. It is +Inf when some decision is harmed by no atom of S, and NaN
// when no decision satisfies the rows without uncertainty. It never grows when
// atoms are added. O(Len · |S|) time; an atom out of range is an error.
func (e *Enumeration) LargestRadius(indices []int) (float64, error) {
	if err := input.CheckIndices("integer: indices", indices, e.loads.vectors); err != nil {
		return 0, err
	}
	if e.Len() == 0 {
		return math.NaN(), nil
	}
	least := math.Inf(1) // over the decisions, of the largest share
	for number := range e.decisions {
		shares, largest := e.sharesOf(number), 0.0
		for _, i := range indices {
			largest = max(largest, shares[i])
		}
		least = min(least, largest)
	}
	return 1 / least, nil
}

// sharesOf returns the share of each atom of a decision.
func (e *Enumeration) sharesOf(number int) []float64 {
	atoms := e.loads.vectors
	if number*atoms == len(e.shares) {
		e.extend(number)
	}
	return e.shares[number*atoms : (number+1)*atoms]
}

// extend computes the shares of the next chunk of decisions, from first on.
func (e *Enumeration) extend(first int) {
	rows := e.loads.rows
	base, sum, inverse := make([]float64, rows), make([]float64, len(e.loads.byItem[0])), make([]float64, rows)
	for _, decision := range e.decisions[first:min(first+chunk, len(e.decisions))] {
		baseUse(e.instance, decision.Items, base)
		e.loads.of(decision.Items, sum)
		for k, b := range base {
			inverse[k] = 1 / (1 + Tolerance - b)
		}
		for i := range e.loads.vectors {
			share := 0.0
			for k, load := range sum[i*rows : (i+1)*rows] {
				if load > 0 { // a full row has no free capacity, and 0/0 is no load
					share = max(share, load*inverse[k])
				}
			}
			e.shares = append(e.shares, share)
		}
	}
}
