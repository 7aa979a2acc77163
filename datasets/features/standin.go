package features

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sparsero/directions/datasets/internal/size"
	"gonum.org/v1/gonum/mat"
)

// standInStream keeps StandIn apart from other uses of the same seed.
const standInStream = 0xbb67ae8584caa73b

// StandInOptions describes generated features. The zero value has the sizes of the paper's setting: two classes of
// CIFAR-10 (6,000 images each, training and test) and the 512 features of ResNet-18.
type StandInOptions struct {
	Seed       uint64  // default 0
	Examples   int     // n, of both classes together; default 12,000
	Features   int     // p; default 512
	Rank       int     // r, the number of hidden factors; default 32
	Separation float64 // distance of the class means of the factors' logarithms, in standard deviations; default 2.5
	Noise      float64 // size of the noise beside a mean feature of 1; default 0.3
}

// StandIn generates features for a machine without real ones. They share what matters of the features behind a
// network's last rectifier: no entry is negative, a few factors carry most of the variation, and the classes overlap.
//
// Example i has the label y = -1 for even i and +1 for odd i, and
//
//	x = W z + noise·|e|,   z_k = exp(g_k/2 + y·separation·t_k/4),
//
// with g and e standard normal, t a random unit vector of the r factors, and W (p×r) non-negative: every feature reads
// a few factors. W is scaled so that the mean entry of W z over the set is 1, as of a ResNet's features. ln z differs
// between the classes by separation standard deviations, so no classifier is better than Φ(separation/2), 0.894 by
// default. The name of the set says what it is.
//
// It returns an error when there are fewer than 4 examples, another option
// is negative or not finite, or far too many numbers are asked for.
func StandIn(o StandInOptions) (*Set, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	for _, sizes := range [][]int{{o.Examples, o.Features}, {o.Examples, o.Rank}, {o.Features, o.Rank}} {
		if err := size.Check("features: a stand-in", sizes...); err != nil {
			return nil, err
		}
	}
	random := rand.New(rand.NewPCG(o.Seed, standInStream))
	loadings := o.loadings(random)
	direction := unitVector(random, o.Rank)
	factors := mat.NewDense(o.Examples, o.Rank, nil)
	labels := make([]float64, o.Examples)
	for i := range labels {
		labels[i] = float64(2*(i%2) - 1)
		for k, t := range direction {
			factors.Set(i, k, math.Exp(random.NormFloat64()/2+labels[i]*o.Separation*t/4))
		}
	}
	var x mat.Dense
	x.Mul(factors, loadings.T())
	x.Scale(float64(o.Examples*o.Features)/mat.Sum(&x), &x)
	for i := range o.Examples {
		row := x.RawRowView(i)
		for j := range row {
			row[j] += o.Noise * math.Abs(random.NormFloat64())
		}
	}
	return checked(&Set{
		Name: fmt.Sprintf("stand-in (generated, seed %d)", o.Seed),
		X:    &x, Y: labels, Classes: [2]string{"generated A", "generated B"},
	})
}

func (o StandInOptions) withDefaults() (StandInOptions, error) {
	o.Examples, o.Features, o.Rank = cmp.Or(o.Examples, 12_000), cmp.Or(o.Features, 512), cmp.Or(o.Rank, 32)
	o.Separation, o.Noise = cmp.Or(o.Separation, 2.5), cmp.Or(o.Noise, 0.3)
	if o.Examples < 4 {
		return o, fmt.Errorf("features: StandInOptions.Examples = %d; use at least 4, or 0 for the default", o.Examples)
	}
	sizes := map[string]float64{
		"Features": float64(o.Features), "Rank": float64(o.Rank), "Separation": o.Separation, "Noise": o.Noise,
	}
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if value := sizes[name]; !(value > 0) || math.IsInf(value, 0) {
			return o, fmt.Errorf("features: StandInOptions.%s = %g; use a positive value, or 0 for the default", name, value)
		}
	}
	return o, nil
}

// loadings draws W (p×r): every feature reads up to four factors with exponential weights.
func (o StandInOptions) loadings(random *rand.Rand) *mat.Dense {
	const read = 4
	w := mat.NewDense(o.Features, o.Rank, nil)
	for j := range o.Features {
		for range read {
			k := random.IntN(o.Rank)
			w.Set(j, k, w.At(j, k)+random.ExpFloat64())
		}
	}
	return w
}

func unitVector(random *rand.Rand, dimension int) []float64 {
	direction := make([]float64, dimension)
	square := 0.0
	for k := range direction {
		direction[k] = random.NormFloat64()
		square += direction[k] * direction[k]
	}
	for k := range direction {
		direction[k] /= math.Sqrt(square)
	}
	return direction
}
