package robust_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
)

// source is a distribution of atoms of dimension dim for which the probability of a violation is known.
type source struct {
	name string
	draw func(r *rand.Rand) []float64
	// exceeds is the probability that ⟨U,x⟩ > level.
	exceeds func(x []float64, level float64) float64
}

const dim = 5

// sources are heavy tails (a t distribution with two degrees of freedom: no variance), a lattice with many ties, and
// a plane in the space, on which optima are not unique.
func sources() []source {
	const values = 3 // of each coordinate: -1, 0, 1
	along, across := []float64{1, -1, 2, 0, 0.5}, []float64{0, 1, 1, -2, 0.5}
	return []source{
		{
			"heavy tails", func(r *rand.Rand) []float64 {
				u, shrink := make([]float64, dim), math.Sqrt(r.ExpFloat64())
				for j := range u {
					u[j] = r.NormFloat64() / shrink
				}
				return u
			},
			func(x []float64, level float64) float64 {
				size := mat.Norm(mat.NewVecDense(dim, x), 2)
				if size == 0 {
					return 0
				}
				return distuv.StudentsT{Sigma: 1, Nu: 2}.Survival(level / size)
			},
		},
		{
			"lattice", func(r *rand.Rand) []float64 {
				u := make([]float64, dim)
				for j := range u {
					u[j] = float64(r.IntN(values) - 1)
				}
				return u
			},
			func(x []float64, level float64) float64 {
				above, points := 0, int(math.Pow(values, dim))
				for point := range points {
					sum, rest := 0.0, point
					for _, v := range x {
						sum += v * float64(rest%values-1)
						rest /= values
					}
					if sum > level+1e-9 {
						above++
					}
				}
				return float64(above) / float64(points)
			},
		},
		{
			"plane", func(r *rand.Rand) []float64 {
				u, a, b := make([]float64, dim), r.NormFloat64(), r.NormFloat64()
				for j := range u {
					u[j] = a*along[j] + b*across[j]
				}
				return u
			},
			func(x []float64, level float64) float64 {
				size := math.Hypot(mat.Dot(mat.NewVecDense(dim, along), mat.NewVecDense(dim, x)), mat.Dot(mat.NewVecDense(dim, across), mat.NewVecDense(dim, x)))
				if size < 1e-9 {
					return 0
				}
				return distuv.UnitNormal.Survival(level / size)
			},
		},
	}
}

// integralities are the kinds of regions that the backends at hand can solve over: with integers those with cgo alone.
var integralities = []bool{false}

// TestPromiseHolds designs from samples of distributions whose tails are known: over many seeds the share in which a
// new draw exceeds the promised level more often than promised is at most delta. The false-alarm level is that of
// calibration's statistical tests, 1e-6 for each comparison; seeds are fixed. With fewer atoms counted than determine the
// decision the same comparison fails, which shows that it can.
func TestPromiseHolds(t *testing.T) {
	const samples, delta, falseAlarm = 60, 0.2, 1e-6
	seeds := 15
	if os.Getenv("DIRECTIONS_LONG") != "" {
		seeds = 2000
	}
	careless := calibration.Compression{Delta: 0.9, Preference: true} // as if no atom determined the decision, nearly unprotected
	caught := false
	for _, source := range sources() {
		for _, integer := range integralities {
			broken := map[string]int{}
			for seed := range seeds {
				problem := sampledPortfolio(t, source, integer, samples, uint64(seed))
				design := must(problem.Design(ctx, dim+1, 1, nil))(t)
				for name, promise := range map[string]*robust.Promise{
					"preference": must(design.OutOfSample(ctx, delta))(t),
					"union":      must(design.Solution.OutOfSample(ctx, delta))(t),
				} {
					violation := source.exceeds(promise.X, promise.Levels[0].Value-problem.Region().Objective(promise.X))
					if violation > promise.Violation {
						broken[name]++
					}
					if name == "union" && violation > must(careless.Violation(samples, 0))(t) {
						broken["careless"]++
					}
				}
			}
			t.Logf("%s, integer %v: of %d seeds broken %v", source.name, integer, seeds, broken)
			allowed := distuv.Binomial{N: float64(seeds), P: delta}
			for _, name := range []string{"preference", "union"} {
				if allowed.Survival(float64(broken[name])-1) < falseAlarm {
					t.Errorf("%s, integer %v, %s: %d of %d seeds broken, more than probability %g allows", source.name, integer, name, broken[name], seeds, delta)
				}
			}
			caught = caught || broken["careless"] > seeds/2
		}
	}
	if !caught {
		t.Error("not even a promise that counts no atom is broken: the comparison cannot fail")
	}
}

// sampledPortfolio has the objective max(0, max_i ⟨d_i, x⟩) - ⟨gain, x⟩ over a box, whose points may have to be whole.
func sampledPortfolio(t *testing.T, from source, integer bool, samples int, seed uint64) *robust.Problem {
	r := rand.New(rand.NewPCG(seed, 26))
	atoms := mat.NewDense(samples, dim, nil)
	for i := range samples {
		atoms.SetRow(i, from.draw(r))
	}
	region := solver.NewModel("positions")
	for range dim {
		region.AddColumn(solver.Column{Bounds: solver.Between(-2, 2), Cost: -1 - r.Float64(), Integer: integer})
	}
	d := must(must(sparsero.NewDictionary(atoms, nil))(t).AsSampled())(t)
	return must(robust.NewProblem(d, region, sparsero.Identity(dim)))(t)
}
