package integer

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/formula"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
)

// Tolerance is how much a row of at most 1 may be exceeded and still count as
// satisfied; mixed-integer codes accept points that are off by this much.
const Tolerance = 1e-6

// Problem states an instance as a robust problem with m robust constraints and a certain objective, for the solver: the
// road to the optimum that does not depend on the enumeration.
func Problem(i *datasets.IntegerInstance) (*robust.Problem, error) {
	if err := i.Validate(); err != nil {
		return nil, err
	}
	m := formula.NewModel("integer instance")
	x := m.Vector(len(i.Cost), solver.Column{Name: "x", Bounds: solver.Between(0, 1), Integer: true})
	u := m.Uncertain(i.Dictionary)
	m.Minimize(x.Dot(i.Cost))
	m.Add(x.Sum().AtLeast(i.Cardinality).Named("cardinality"))
	for k := range i.Rows() {
		m.Add(x.Dot(i.Base.RawRowView(k)).Plus(u.Times(i.Extra.RawRowView(k)).Dot(x)).AtMost(1).Named(fmt.Sprintf("row %d", k)))
	}
	return m.Problem()
}

// Decision is a set of chosen items with its cost.
type Decision struct {
	// Items are the chosen columns, increasing.
	Items []int
	// Value is the cost c'x.
	Value float64
}

// X returns the decision as a 0-1 vector of length n.
func (d Decision) X(n int) []float64 {
	x := make([]float64, n)
	for _, j := range d.Items {
		x[j] = 1
	}
	return x
}

// loadsOf returns the alignments <v_i, q_k(x)> = sum of v_ij h_kj over the items j of a decision
// of the rows v_i of a matrix, those of a vector together.
func loadsOf(i *datasets.IntegerInstance, vectors *mat.Dense, items []int) []float64 {
	count, _ := vectors.Dims()
	loads := make([]float64, 0, count*i.Rows())
	for v := range count {
		vector := vectors.RawRowView(v)
		for k := range i.Rows() {
			extra, load := i.Extra.RawRowView(k), 0.0
			for _, j := range items {
				load += float64(vector[j] * extra[j]) // rounded on every machine
			}
			loads = append(loads, load)
		}
	}
	return loads
}

// baseUse returns a_k'x of a decision for each row.
func baseUse(i *datasets.IntegerInstance, items []int) []float64 {
	sum := make([]float64, i.Rows())
	for k := range sum {
		row := i.Base.RawRowView(k)
		for _, j := range items {
			sum[k] += row[j]
		}
	}
	return sum
}

// overflows reports whether some row exceeds 1 for some of the vectors at radius 1: a_k'x + <v_i, q_k(x)> > 1.
func overflows(i *datasets.IntegerInstance, vectors *mat.Dense, items []int) bool {
	base := baseUse(i, items)
	for position, load := range loadsOf(i, vectors, items) {
		if base[position%i.Rows()]+load > 1+Tolerance {
			return true
		}
	}
	return false
}

const (
	// maxSupports is the largest number of supports that an enumeration visits: C(30,6) passes, C(30,7) does not.
	maxSupports = 1_000_000
	// maxShares is the largest number of supports times atoms; the shares take at most 8 bytes each.
	maxShares = 64 * maxSupports
)

// Enumeration solves an instance exactly, for any atoms and radius, by listing its decisions once.
//
// It holds all choices of K items that satisfy the rows without uncertainty, in increasing order of cost (then
// lexicographically), and of each the shares of the free capacity that the atoms take at radius 1,
//
//	max_k <d_i, q_k(x)> / (1 - a_k'x),
//
// which a radius scales: atom i is violated at radius r when r times its share exceeds 1. The optimum for a set S of
// atoms is the first decision that violates none of them. Shares are computed only as far down the list as a search has
// to look. One enumeration serves every S and every radius; it must not be used by several goroutines at once.
type Enumeration struct {
	instance  *datasets.IntegerInstance
	atoms     *mat.Dense
	decisions []Decision // in increasing order of cost; none of an instance that is infeasible whatever the atoms
	shares    []float64  // N per decision, for those looked at so far
}

// NewEnumeration lists the decisions of an instance, in O(C(n,K)) time. It refuses when C(n,K) exceeds a million, or 64
// million divided by the number of atoms; other errors are those of [datasets.IntegerInstance.Validate].
func NewEnumeration(i *datasets.IntegerInstance) (*Enumeration, error) {
	if err := i.Validate(); err != nil {
		return nil, err
	}
	n, atoms := len(i.Cost), i.Dictionary.Size()
	if supports := math.Round(combin.GeneralizedBinomial(float64(n), float64(i.Cardinality))); supports > maxSupports || supports*float64(atoms) > maxShares {
		return nil, fmt.Errorf("integer: too large to enumerate: of %d items and %d atoms, with C(%d,%d) = %.0f supports, the limits are %d supports and %d supports times atoms; import solver/highs and solve integer.Problem",
			n, atoms, n, i.Cardinality, supports, maxSupports, maxShares)
	}
	e := &Enumeration{instance: i, atoms: i.Dictionary.Matrix()}
	e.list()
	return e, nil
}

// list visits the supports in lexicographic order, keeps those whose rows do not overflow, and sorts them by cost.
func (e *Enumeration) list() {
	supports := combin.NewCombinationGenerator(len(e.instance.Cost), e.instance.Cardinality)
	for items := make([]int, e.instance.Cardinality); supports.Next(); {
		supports.Combination(items)
		if slices.Max(baseUse(e.instance, items)) > 1+Tolerance {
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

// Solve returns the optimum for the atoms S at a radius r >= 0, the same as
// robust.Problem.Solve on [Problem]. The error wraps
// solver.ErrInfeasible when no decision satisfies the rows; an atom or a radius out of range is an error too.
func (e *Enumeration) Solve(indices []int, radius float64) (*Decision, error) {
	if _, err := sparsero.NewAtomicSet(e.instance.Dictionary, indices, radius); err != nil {
		return nil, err
	}
	for number, decision := range e.decisions {
		shares := e.sharesOf(number)
		if !slices.ContainsFunc(indices, func(i int) bool { return shares[i]*radius > 1 }) {
			return &Decision{Items: slices.Clone(decision.Items), Value: decision.Value}, nil
		}
	}
	return nil, fmt.Errorf("integer: no decision satisfies the %d rows against %d atoms at radius %g (%w); lower the radius", e.instance.Rows(), len(indices), radius, solver.ErrInfeasible)
}

// LargestRadius returns the largest radius at which the program has a decision for the atoms S,
//
//	max_x min_{i in S, k} (1 - a_k'x) / <d_i, q_k(x)>
//
// over the listed decisions, rows full to within [Tolerance] counted as satisfied. It is +Inf when some decision is
// harmed by no atom of S, and NaN when no decision satisfies the rows without uncertainty. It never grows when atoms
// are added. O(Len · |S|) time; an atom out of range is an error.
func (e *Enumeration) LargestRadius(indices []int) (float64, error) {
	if _, err := sparsero.NewAtomicSet(e.instance.Dictionary, indices, 1); err != nil {
		return 0, err
	}
	if len(e.decisions) == 0 {
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

// sharesOf returns the share of each atom of a decision; those before were asked for before.
func (e *Enumeration) sharesOf(number int) []float64 {
	atoms, rows := e.instance.Dictionary.Size(), e.instance.Rows()
	if number*atoms == len(e.shares) {
		items := e.decisions[number].Items
		loads, inverse := loadsOf(e.instance, e.atoms, items), baseUse(e.instance, items)
		for k, base := range inverse {
			inverse[k] = 1 / (1 + Tolerance - base)
		}
		for i := range atoms {
			share := 0.0
			for k, load := range loads[i*rows : (i+1)*rows] {
				if load > 0 { // a full row has no free capacity, and 0/0 is no load
					share = max(share, load*inverse[k])
				}
			}
			e.shares = append(e.shares, share)
		}
	}
	return e.shares[number*atoms : (number+1)*atoms]
}
