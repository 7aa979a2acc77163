package synthetic

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

func mustUnit(t *testing.T, seed uint64) *unit {
	t.Helper()
	c := testConfig.withDefaults()
	u, err := newUnit(testData, &c, seed)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }

// restricted is M_S(s) from its definition.
func restricted(d *sparsero.Dictionary, set []int, s []float64) float64 {
	best := 0.0
	for _, i := range set {
		atom := d.Atom(i)
		best = max(best, atom[0]*s[0]+atom[1]*s[1])
	}
	return best
}

// TestRatiosFromTheirDefinition recomputes F, G, zero budgets and support
// errors of every path atom by atom and direction by direction.
func TestRatiosFromTheirDefinition(t *testing.T) {
	r := mustRun(t, testConfig, testData)
	for _, finished := range r.Units[:3] {
		o := finished.Result
		u := mustUnit(t, o.Seed)
		d, count := u.data.Dictionary, u.data.Directions.RawMatrix().Rows
		for p, path := range paths {
			s, err := path.rule.Select(context.Background(), u.coverage, testConfig.SearchBudget)
			if err != nil {
				t.Fatal(err)
			}
			zero := 0
			for b := 1; b <= testConfig.SearchBudget; b++ {
				var sum, full, worst, largest float64
				for j := range count {
					direction := u.data.Directions.RawRowView(j)
					whole, part := d.Support(direction), restricted(d, s.Atoms[:b], direction)
					sum, full, worst, largest = sum+part, full+whole, max(worst, whole-part), max(largest, whole)
				}
				if zero == 0 && worst < 1e-12*largest {
					zero = b
				}
				if b > testConfig.PathBudget {
					continue
				}
				if got := o.Paths[p]; !close(got.F[b-1], sum/full) || !close(got.G[b-1], worst/largest) || !close(o.LargestOnNet, largest) {
					t.Errorf("seed %d, %s, B=%d: F %v, G %v, largest %v; want %v, %v, %v", o.Seed, path.policy, b, got.F[b-1], got.G[b-1], o.LargestOnNet, sum/full, worst/largest, largest)
				}
			}
			if o.Paths[p].Zero != zero {
				t.Errorf("seed %d, %s: zero budget %d, want %d", o.Seed, path.policy, o.Paths[p].Zero, zero)
			}
			for k, b := range testConfig.Budgets {
				if want := d.Support([]float64{1, 0}) - restricted(d, s.Atoms[:b], []float64{1, 0}); !close(o.Paths[p].Error[k], want) {
					t.Errorf("seed %d, %s, B=%d: support error %v, want %v", o.Seed, path.policy, b, o.Paths[p].Error[k], want)
				}
			}
		}
	}
}

// deficitOf returns the largest deficit of some atoms on the circle.
func deficitOf(t *testing.T, d *sparsero.Dictionary, atoms []int) float64 {
	t.Helper()
	deficit, err := circleDeficit(t.Context(), d, atoms)
	if err != nil {
		t.Fatal(err)
	}
	return deficit
}

// TestCircleDeficitByTwoRoads compares the projection onto the hull with the
// largest deficit over a fine circle, which lies below it by at most the
// product of the angle step and twice the largest norm.
func TestCircleDeficitByTwoRoads(t *testing.T) {
	const steps = 20000
	circle, err := datasets.Circle(steps)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		u := mustUnit(t, seed)
		d := u.data.Dictionary
		for _, budget := range []int{1, 3, 7} {
			s, err := selection.MaxGap{}.Select(context.Background(), u.coverage, budget)
			if err != nil {
				t.Fatal(err)
			}
			got := deficitOf(t, d, s.Atoms)
			brute := 0.0
			for j := range steps {
				direction := circle.RawRowView(j)
				brute = max(brute, d.Support(direction)-restricted(d, s.Atoms, direction))
			}
			if slack := 2 * d.MaxNorm() * math.Pi / steps; got < brute-1e-9 || got > brute+slack {
				t.Errorf("seed %d, B=%d: exact %v, over the circle %v", seed, budget, got, brute)
			}
		}
	}
}

// TestCircleRadiusByTwoRoads compares branch and bound with a fine circle from
// below and with a proven net of the circle from above.
func TestCircleRadiusByTwoRoads(t *testing.T) {
	const steps = 4000
	circle, err := datasets.Circle(steps)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		u := mustUnit(t, seed)
		d := u.data.Dictionary
		for _, size := range []int{1, 11, 61} {
			prefix := u.data.Directions.Slice(0, size, 0, 2)
			got, err := CircleRadius(context.Background(), d, prefix)
			if err != nil {
				t.Fatal(err)
			}
			probes, err := certificate.NewProbeSet(d, circle)
			if err != nil {
				t.Fatal(err)
			}
			below, err := probes.EstimateRadius(prefix)
			if err != nil {
				t.Fatal(err)
			}
			if step := d.MaxNorm() * math.Pi / steps; got < below.AtLeast.Float() || got > below.AtLeast.Float()+step+radiusAccuracy*d.MaxNorm() {
				t.Errorf("seed %d, |T|=%d: radius %v, over the circle %v", seed, size, got, below.AtLeast)
			}
			turn := certificate.LipschitzMap{Constant: 1, Apply: func(x []float64) []float64 {
				return []float64{math.Cos(x[0]), math.Sin(x[0])}
			}}
			fine, err := certificate.LipschitzNet(d, []float64{0}, []float64{2 * math.Pi}, turn, 0.01, nil)
			if err != nil {
				t.Fatal(err)
			}
			if cover, err := fine.Cover(prefix); err != nil || got > cover.Radius().Float()+radiusAccuracy*d.MaxNorm() {
				t.Errorf("seed %d, |T|=%d: radius %v exceeds the proven %v (%v)", seed, size, got, cover.Radius(), err)
			}
		}
	}
}

func TestCircleNeedsThePlane(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(2, 3, []float64{1, 0, 0, 0, 1, 0}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CircleRadius(context.Background(), d, mat.NewDense(1, 3, []float64{1, 0, 0})); err == nil {
		t.Error("a dictionary of dimension 3 was accepted by CircleRadius")
	}
	planar := mustUnit(t, 0).data.Dictionary
	if _, err := CircleRadius(context.Background(), planar, mat.NewDense(1, 2, []float64{math.NaN(), 0})); err == nil {
		t.Error("a direction that is not a number was accepted")
	}
}

func TestCircleOfZerosAndCancelled(t *testing.T) {
	zeros, err := sparsero.NewDictionary(mat.NewDense(2, 2, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if radius, err := CircleRadius(context.Background(), zeros, mat.NewDense(1, 2, []float64{1, 0})); radius != 0 || err != nil {
		t.Errorf("radius %v (%v) of a dictionary of zeros, want 0", radius, err)
	}
	for _, set := range [][]int{nil, {0}} {
		if deficit := deficitOf(t, zeros, set); deficit != 0 {
			t.Errorf("deficit %v of a dictionary of zeros, want 0", deficit)
		}
	}
	u := mustUnit(t, 0)
	if deficit := deficitOf(t, u.data.Dictionary, nil); !close(deficit, u.data.Dictionary.MaxNorm()) {
		t.Errorf("deficit %v without atoms, want the largest norm %v", deficit, u.data.Dictionary.MaxNorm())
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := CircleRadius(stopped, u.data.Dictionary, u.data.Directions); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error = %v", err)
	}
}

// TestOutcomesAreConsistent checks what theory demands of every seed.
func TestOutcomesAreConsistent(t *testing.T) {
	const rounding = 1e-9
	for _, finished := range mustRun(t, testConfig, testData).Units {
		o := finished.Result
		for k, point := range o.Net {
			if point.Estimate > point.Circle+rounding {
				t.Errorf("seed %d: the estimate %v exceeds the radius %v", o.Seed, point.Estimate, point.Circle)
			}
			if k > 0 && (point.Circle > o.Net[k-1].Circle+rounding+radiusAccuracy*o.LargestOnCircle || point.Estimate > o.Net[k-1].Estimate+rounding) {
				t.Errorf("seed %d: a finer net has a larger radius", o.Seed)
			}
		}
		u, err := newUnit(testData, &testConfig, o.Seed)
		if err != nil {
			t.Fatal(err)
		}
		active := 0
		activations, err := u.coverage.Activations()
		if err != nil {
			t.Fatal(err)
		}
		for _, count := range activations {
			active += min(count, 1)
		}
		if o.CoverZero != active || o.Paths[3].Zero != active {
			t.Errorf("seed %d: %d active atoms, set cover needs %d, TopAct %d", o.Seed, active, o.CoverZero, o.Paths[3].Zero)
		}
		for _, path := range o.Paths {
			for k, circle := range path.Circle {
				onNet := path.G[decompositionBudgets[k]-1] * o.LargestOnNet
				proven := min(o.LargestOnCircle, onNet+2*o.Net[len(o.Net)-1].Circle)
				if circle < onNet-rounding || circle > proven+rounding {
					t.Errorf("seed %d, %s: %v on the circle is not between %v on T and the bound %v", o.Seed, path.Policy, circle, onNet, proven)
				}
			}
			if !slices.IsSortedFunc(path.F, func(a, b float64) int { return int(math.Copysign(1, a-b+rounding)) }) {
				t.Errorf("seed %d, %s: coverage falls: %v", o.Seed, path.Policy, path.F)
			}
		}
	}
}

func TestRanks(t *testing.T) {
	if got, want := ranks([]float64{3, 1, 3, 2}), []float64{3.5, 1, 3.5, 2}; !slices.Equal(got, want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
}

// TestCorrelationOfAKnownOutcome uses paths in which -G is 1 - (1-F)², a
// monotone function of F: Spearman is 1 and Pearson is below.
func TestCorrelationOfAKnownOutcome(t *testing.T) {
	o := Outcome{}
	for p := range comparedPaths {
		path := atomPath{}
		for b := range 5 {
			f := float64(b*comparedPaths+p) / 20
			path.F, path.G = append(path.F, f), append(path.G, (1-f)*(1-f))
		}
		o.Paths = append(o.Paths, path)
	}
	pearson, spearman, points := o.correlations()
	if points != 20 || !close(spearman, 1) || pearson > 0.999 || pearson < 0.9 {
		t.Errorf("Pearson %v, Spearman %v over %d points", pearson, spearman, points)
	}
	o.Paths[0] = atomPath{F: []float64{0.9, 0.5, 0.5}, G: []float64{0.9, 0.5, 0.5}}
	o.Paths[1] = atomPath{F: []float64{0.5, 0.5, 0.6}, G: []float64{0.5, 0.9, 0.9}}
	if got := o.divergences(); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("divergence budgets %v, want 1 and 3", got)
	}
}
