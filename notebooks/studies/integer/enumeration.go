package integer

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero/robust"
)

const (
	// maxSupports is the largest number of supports that an enumeration visits: C(30,6)
	// passes, C(30,7) does not. Memory is at most 16+K bytes each, and 8 more for every radius.
	maxSupports = 1_000_000
	// maskBits is the number of atoms that fit the mask of a decision.
	maskBits = 64
	// chunk is the number of decisions whose masks are computed at a time.
	chunk = 512
)

// ErrTooLarge says that an instance is beyond enumeration.
var ErrTooLarge = errors.New("integer: too large to enumerate")

// checkSize refuses instances with too many supports, atoms or items.
func checkSize(i *datasets.IntegerInstance) error {
	n, what := len(i.Cost), ""
	switch supports, atoms := binomial(n, i.Cardinality), i.Dictionary.Size(); {
	case atoms > maskBits:
		what = fmt.Sprintf("the dictionary has %d atoms, and masks hold %d", atoms, maskBits)
	case supports > maxSupports || n > math.MaxUint8+1:
		what = fmt.Sprintf("of %d items, with C(%d,%d) = %.0f supports, the limits are %d and %d", n, n, i.Cardinality, supports, math.MaxUint8+1, maxSupports)
	default:
		return nil
	}
	return fmt.Errorf("%w: %s; import solver/highs and solve integer.Problem", ErrTooLarge, what)
}

// EnumerationOptions adjusts an enumeration. The zero value works.
type EnumerationOptions struct {
	// Radii lists radii r > 0 that will be asked for; their masks are computed
	// together. Others may be asked for too, at the cost of computing masks
	// again. Default none.
	Radii []float64
}

// Enumeration solves an instance exactly, for any atoms and radius, by
// listing its decisions once.
//
// It holds all choices of K items that satisfy the rows without uncertainty, in
// increasing order of cost (then lexicographically), and for a radius r a
// 64-bit mask of the atoms that each of them violates. The optimum for a set S
// of atoms is the first decision whose mask does not meet S. Masks are computed
// only as far down the list as a search has to look. One enumeration serves
// every S and every radius; it must not be used by several goroutines at once.
type Enumeration struct {
	instance *datasets.IntegerInstance
	loads    *loads
	items    []uint8   // K per decision
	values   []float64 // costs, increasing
	radii    []float64 // increasing
	masks    [][]uint64
	known    int // decisions whose masks have been computed
}

// NewEnumeration lists the decisions of an instance, in O(C(n,K)) time, less
// what the rows prune. It refuses with [ErrTooLarge] when C(n,K) exceeds
// a million, when there are more than 64 atoms, or more than 256 items; other
// errors are those of [datasets.IntegerInstance.Validate] and of a radius that is not positive.
func NewEnumeration(i *datasets.IntegerInstance, o *EnumerationOptions) (*Enumeration, error) {
	if err := i.Validate(); err != nil {
		return nil, err
	}
	var options EnumerationOptions
	if o != nil {
		options = *o
	}
	if err := checkSize(i); err != nil {
		return nil, err
	}
	e := &Enumeration{instance: i, loads: newLoads(i.Extra, i.Dictionary.Matrix())}
	if err := e.setRadii(options.Radii); err != nil {
		return nil, err
	}
	e.list()
	return e, nil
}

// binomial returns C(n,k) in floating point.
func binomial(n, k int) float64 {
	count := 1.0
	for i := 1; i <= k; i++ {
		count = count * float64(n-k+i) / float64(i)
	}
	return math.Round(count)
}

// setRadii announces radii and drops the masks of the former ones.
func (e *Enumeration) setRadii(radii []float64) error {
	for _, r := range radii {
		if err := checkRadius(r); err != nil {
			return err
		}
	}
	e.radii = slices.Clone(radii)
	slices.Sort(e.radii)
	e.radii = slices.Compact(e.radii)
	e.masks = make([][]uint64, len(e.radii))
	for s := range e.masks {
		e.masks[s] = make([]uint64, len(e.values))
	}
	e.known = 0
	return nil
}

func checkRadius(r float64) error {
	if !(r >= 0) || math.IsInf(r, 1) {
		return fmt.Errorf("integer: radius = %v; use a finite radius of at least 0", r)
	}
	return nil
}

// list visits the supports in lexicographic order, cuts off those whose rows
// overflow already, and sorts the rest by cost.
func (e *Enumeration) list() {
	n, size := len(e.instance.Cost), e.instance.Cardinality
	rows := e.instance.Rows()
	items := make([]uint8, 0, size)
	sums := make([]float64, (size+1)*rows) // one vector of row sums per depth
	var found []uint8
	var values []float64
	var descend func(first int, value float64)
	descend = func(first int, value float64) {
		depth := len(items)
		if depth == size {
			found = append(found, items...)
			values = append(values, value)
			return
		}
		for j := first; j <= n-(size-depth); j++ {
			overflow := false
			for k := range rows {
				sum := sums[depth*rows+k] + e.instance.Base.At(k, j)
				sums[(depth+1)*rows+k] = sum
				overflow = overflow || sum > 1+Tolerance
			}
			if overflow {
				continue
			}
			items = append(items, uint8(j))
			descend(j+1, value+e.instance.Cost[j])
			items = items[:depth]
		}
	}
	descend(0, 0)
	e.sortByCost(found, values)
}

// sortByCost stores the decisions in increasing order of cost; equal costs stay in lexicographic order.
func (e *Enumeration) sortByCost(found []uint8, values []float64) {
	size := e.instance.Cardinality
	order := make([]int32, len(values))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(values[a], values[b]), cmp.Compare(a, b)) })
	e.items = make([]uint8, 0, len(found))
	e.values = make([]float64, 0, len(values))
	for _, i := range order {
		e.items = append(e.items, found[int(i)*size:(int(i)+1)*size]...)
		e.values = append(e.values, values[i])
	}
	for s := range e.masks {
		e.masks[s] = make([]uint64, len(values))
	}
}

// Len returns the number of decisions that satisfy the rows without
// uncertainty; 0 means that the instance is infeasible whatever the atoms.
func (e *Enumeration) Len() int { return len(e.values) }

// Solve returns the optimum for the atoms S at a radius r >= 0, the same as
// robust.Problem.Solve on [Instance.Problem]. The error matches
// solver.ErrInfeasible (it is a *robust.InfeasibleError) when no decision
// satisfies the rows; an atom or a radius out of range is an error too.
func (e *Enumeration) Solve(indices []int, radius float64) (*Decision, error) {
	mask, err := e.mask(indices)
	if err != nil {
		return nil, err
	}
	if err := checkRadius(radius); err != nil {
		return nil, err
	}
	number := e.first(mask, radius)
	if number < 0 {
		return nil, &robust.InfeasibleError{Atoms: slices.Clone(indices), Radius: radius, Constraints: e.instance.Rows()}
	}
	return e.decision(number), nil
}

// mask returns the set of the listed atoms.
func (e *Enumeration) mask(indices []int) (uint64, error) {
	var mask uint64
	for k, i := range indices {
		if size := e.instance.Dictionary.Size(); i < 0 || i >= size {
			return 0, fmt.Errorf("integer: indices[%d] = %d is outside [0,%d); use 0-based atom indices", k, i, size)
		}
		mask |= 1 << i
	}
	return mask, nil
}

// first returns the number of the cheapest decision that violates no atom of
// the mask, -1 if there is none.
func (e *Enumeration) first(mask uint64, radius float64) int {
	if mask == 0 || radius == 0 {
		if len(e.values) == 0 {
			return -1
		}
		return 0
	}
	slot, ok := slices.BinarySearch(e.radii, radius)
	if !ok {
		// Radii were checked when they came in; this one was checked by the caller.
		_ = e.setRadii(append(slices.Clone(e.radii), radius))
		slot, _ = slices.BinarySearch(e.radii, radius)
	}
	masks := e.masks[slot]
	for number := range masks {
		if number == e.known {
			e.extend()
		}
		if masks[number]&mask == 0 {
			return number
		}
	}
	return -1
}

// extend computes the masks of the next chunk of decisions at all radii. Atom i
// is violated at radius r when a_k'x + r <d_i, q_k(x)> > 1 + Tolerance in some row k.
func (e *Enumeration) extend() {
	rows := e.loads.rows
	base, sum, inverse := make([]float64, rows), make([]float64, len(e.loads.byItem[0])), make([]float64, rows)
	items := make([]int, e.instance.Cardinality)
	end := min(e.known+chunk, len(e.values))
	for number := e.known; number < end; number++ {
		e.copyItems(number, items)
		baseUse(e.instance, items, base)
		e.loads.of(items, sum)
		for k, b := range base {
			inverse[k] = 1 / (1 + Tolerance - b)
		}
		for i := range e.loads.vectors {
			// share is the part of the free capacity that the atom takes at radius 1.
			share := 0.0
			for k, load := range sum[i*rows : (i+1)*rows] {
				if load > 0 { // a full row has no free capacity, and 0/0 is no load
					share = max(share, load*inverse[k])
				}
			}
			for slot := len(e.radii) - 1; slot >= 0 && share*e.radii[slot] > 1; slot-- {
				e.masks[slot][number] |= 1 << i
			}
		}
	}
	e.known = end
}

func (e *Enumeration) copyItems(number int, items []int) {
	for position := range items {
		items[position] = int(e.items[number*len(items)+position])
	}
}

func (e *Enumeration) decision(number int) *Decision {
	d := &Decision{Items: make([]int, e.instance.Cardinality), Value: e.values[number]}
	e.copyItems(number, d.Items)
	return d
}
