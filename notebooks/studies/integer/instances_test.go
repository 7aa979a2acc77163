package integer

import (
	"math/rand/v2"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// small is a family of small random instances for the tests of this package.
type small struct{ n, m, k, atoms, heldOut int }

// mustSmall draws uniform rows, 0-1 atoms and a tightness under which some
// instances are infeasible.
func mustSmall(s small, seed uint64) *datasets.IntegerInstance {
	random := rand.New(rand.NewPCG(seed, 77))
	matrix := func(rows int, value func() float64) *mat.Dense {
		d := mat.NewDense(rows, s.n, nil)
		for i := range rows {
			for j := range s.n {
				d.Set(i, j, value())
			}
		}
		return d
	}
	tightness := (0.4 + 0.9*random.Float64()) / float64(s.k)
	cost := make([]float64, s.n)
	for j := range cost {
		cost[j] = 10 + 50*random.Float64()
	}
	coin := func() float64 { return float64(random.IntN(2)) }
	d, err := sparsero.NewDictionary(matrix(s.atoms, coin), nil)
	if err != nil {
		panic(err)
	}
	return &datasets.IntegerInstance{
		Cost: cost, Cardinality: s.k,
		Base:  matrix(s.m, func() float64 { return tightness * (0.5 + random.Float64()) }),
		Extra: matrix(s.m, func() float64 { return tightness * 0.6 * random.Float64() }), Dictionary: d, HeldOut: matrix(s.heldOut, coin),
	}
}

// bruteForce visits all 2^n decisions with at least K items and returns the
// cheapest cost that satisfies the rows for the atoms, and false if there is none.
func bruteForce(i *datasets.IntegerInstance, atoms []int, radius float64) (best float64, found bool) {
	n := len(i.Cost)
	for bits := range 1 << n {
		size, cost := 0, 0.0
		for j := range n {
			size += bits >> j & 1
			cost += float64(bits>>j&1) * i.Cost[j]
		}
		if size < i.Cardinality || found && cost >= best {
			continue
		}
		feasible := true
		for k := range i.Rows() {
			worst, base := 0.0, 0.0
			for j := range n {
				base += float64(bits>>j&1) * i.Base.At(k, j)
			}
			for _, a := range atoms {
				load := 0.0
				for j, d := range i.Dictionary.Atom(a) {
					load += float64(bits>>j&1) * d * i.Extra.At(k, j)
				}
				worst = max(worst, load)
			}
			feasible = feasible && base+radius*worst <= 1+Tolerance
		}
		if feasible {
			best, found = cost, true
		}
	}
	return best, found
}
