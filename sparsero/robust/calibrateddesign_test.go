package robust_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// reactingPath is a problem whose second atom depends on the radius of the first, with a law under which each of the
// second atoms is likely to break the promise where the radius that prefers it is calibrated: of d = e_0, ..., e_k the
// objective is (s - 100.5)^2 + r max(200 s, 1000 (2 i s + 1000 - i^2)), and U = (V, W_1, ..., W_k) with V uniform on
// [0,1] and W_i = 2 where V < c_i.
type reactingPath struct {
	problem *robust.Problem
	alpha   float64
	k       int
}

func newReactingPath(t *testing.T) *reactingPath {
	const k = 20
	d := must(sparsero.NewDictionary(sparsero.Identity(k+1).Matrix, nil))(t)
	region := solver.NewModel("s")
	region.AddColumn(solver.Column{Bounds: solver.Between(-10, 200), Cost: -2 * 100.5})
	region.AddQuadratic(0, 0, 1)
	matrix, constant := mat.NewDense(k+1, 1, nil), make([]float64, k+1)
	matrix.Set(0, 0, 200)
	for i := 1; i <= k; i++ {
		matrix.Set(i, 0, 2000*float64(i))
		constant[i] = 1000 * (1000 - float64(i*i))
	}
	q := must(sparsero.NewAffineMap(matrix, constant))(t)
	return &reactingPath{must(robust.NewProblem(d, region, q))(t), 0.2, k}
}

// share is c_i.
func (r *reactingPath) share(i int) float64 { return r.alpha - r.alpha*float64(i-1)/float64(r.k) }

func (r *reactingPath) samples(m int, random *rand.Rand) *mat.Dense {
	samples := mat.NewDense(m, r.k+1, nil)
	for j := range m {
		v := random.Float64()
		samples.Set(j, 0, v)
		for i := 1; i <= r.k; i++ {
			if v < r.share(i) {
				samples.Set(j, i, 2)
			}
		}
	}
	return samples
}

// violation is P(Z_S(U) > r).
func (r *reactingPath) violation(atoms []int, radius float64) float64 {
	share := max(0, 1-radius)
	for _, i := range atoms {
		if i > 0 && radius < 2 {
			share += r.share(i)
		}
	}
	return share
}

// A path that reacts to its own calibration cannot be calibrated as if it were fixed: families of such paths are
// refused with the next step, and those that are taken keep their promise. Were they broken with probability delta, the
// test would fail once in 10^4 runs of other seeds (three standard errors and a half, one-sided).
func TestAReactingPathKeepsItsPromise(t *testing.T) {
	const delta, m = 0.05, 17
	trials := 200
	if testing.Short() {
		trials = 40
	}
	r := newReactingPath(t)
	d := r.problem.Dictionary()
	promise := func(f calibration.Family) calibration.Rule {
		return calibration.OrderStatistic{Alpha: r.alpha, Delta: delta, Family: f}
	}
	scored := func(f func(atoms []int) calibration.Family) func(*mat.Dense) *robust.DesignOptions {
		return func(samples *mat.Dense) *robust.DesignOptions {
			return &robust.DesignOptions{Start: []int{0}, Calibrate: func(atoms []int) (calibration.Radius, error) {
				set := must(sparsero.NewAtomicSet(d, atoms, 1))(t)
				return promise(f(atoms)).Calibrate(must(calibration.DirectionalScores(set, samples))(t))
			}}
		}
	}
	named := func(f func(atoms []int) calibration.Family) func(*mat.Dense) *robust.DesignOptions {
		return func(samples *mat.Dense) *robust.DesignOptions {
			return &robust.DesignOptions{Start: []int{0}, Calibrate: func(atoms []int) (calibration.Radius, error) {
				radii, err := calibration.CalibrateFamily(promise(f(atoms)), d, samples)
				return radii[min(len(radii), len(atoms))-1], err
			}}
		}
	}
	constant := func(f calibration.Family) func([]int) calibration.Family {
		return func([]int) calibration.Family { return f }
	}
	for name, test := range map[string]struct {
		options func(*mat.Dense) *robust.DesignOptions
		refused bool
	}{
		"the path so far":    {named(calibration.Prefixes), true},
		"another path":       {named(constant(calibration.Prefixes([]int{0, 1}))), true},
		"one fixed set":      {scored(constant(calibration.Family{})), true},
		"two candidates":     {scored(constant(calibration.Candidates(2))), true},
		"too small a budget": {scored(constant(calibration.Subsets(r.k+1, 1))), true},
		"the subsets so far": {scored(func(atoms []int) calibration.Family { return calibration.Subsets(r.k+1, len(atoms)) }), true},
		"envelope":           {named(constant(calibration.Envelope())), false},
		"subsets":            {scored(constant(calibration.Subsets(r.k+1, 2))), false},
	} {
		size := m
		if name == "subsets" {
			size = must(promise(calibration.Subsets(r.k+1, 2)).MinSamples())(t)
		}
		broken, refusals := 0, 0
		for trial := range trials {
			samples := r.samples(size, rand.New(rand.NewPCG(uint64(trial), 1)))
			design, err := r.problem.Design(ctx, 2, 0, test.options(samples))
			switch {
			case errors.Is(err, calibration.ErrReuse), errors.Is(err, calibration.ErrSampleTooSmall):
				refusals++
				continue
			case err != nil:
				t.Fatalf("%s: %v", name, err)
			}
			if test.refused && len(design.Atoms) > 1 && !(name == "another path" && design.Atoms[1] == 1) {
				t.Fatalf("%s: atoms %v have the promise %+v", name, design.Atoms, design.Calibration)
			}
			if r.violation(design.Atoms, design.Radius) > r.alpha {
				broken++
			}
			if design.Calibration == nil || design.Calibration.Value.Float() != design.Radius {
				t.Fatalf("%s: radius %g, calibration %+v", name, design.Radius, design.Calibration)
			}
			if _, err := design.Solution.OutOfSample(ctx, delta); !errors.Is(err, robust.ErrNoPromise) {
				t.Fatalf("%s: the solution of a calibrated design promises: %v", name, err)
			}
		}
		if float64(broken) > delta*float64(trials)+3.7*0.218*math.Sqrt(float64(trials)) {
			t.Errorf("%s: broken in %d of %d trials, promised %g", name, broken, trials, delta)
		}
		if test.refused != (refusals > trials/2) {
			t.Errorf("%s: refused in %d of %d trials", name, refusals, trials)
		}
		t.Logf("%s: %d trials, %d broken, %d refused", name, trials, broken, refusals)
	}
}
