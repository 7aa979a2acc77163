package adversarial

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// differenceStep and differenceError are the step of central differences and the
// error they may have, relative to 1 + the derivative: about the square of the step.
const (
	differenceStep  = 1e-5
	differenceError = 1e-7
)

func vector(t *rapid.T, name string, p int) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(-3, 3), p, p).Draw(t, name)
}

func label(t *rapid.T) float64 { return rapid.SampledFrom([]float64{-1, 1}).Draw(t, "y") }

// derivative returns the central difference of f in coordinate k of x.
func derivative(f func() float64, x []float64, k int) float64 {
	kept := x[k]
	x[k] = kept + differenceStep
	above := f()
	x[k] = kept - differenceStep
	below := f()
	x[k] = kept
	return (above - below) / (2 * differenceStep)
}

func TestGradientAgainstFiniteDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 6).Draw(t, "p")
		c := &Classifier{Weights: vector(t, "w", p), Intercept: rapid.Float64Range(-2, 2).Draw(t, "b")}
		x, y, gradient := vector(t, "x", p), label(t), make([]float64, p)
		c.gradient(gradient, x, y)
		for k, got := range gradient {
			want := derivative(func() float64 { return logistic(y * c.Score(x)) }, x, k)
			if math.Abs(got-want) > differenceError*(1+math.Abs(want)) {
				t.Fatalf("coordinate %d: gradient %v, finite difference %v", k, got, want)
			}
		}
	})
}

func TestTrainingGradientAgainstFiniteDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, n := rapid.IntRange(1, 4).Draw(t, "p"), rapid.IntRange(1, 5).Draw(t, "n")
		x, y := mat.NewDense(n, p, vector(t, "x", n*p)), make([]float64, n)
		batch := make([]int, n)
		for j := range y {
			y[j], batch[j] = label(t), j
		}
		d := newDescent(p, standard)
		copy(d.parameters, vector(t, "parameters", p+1))
		parameters := slices.Clone(d.parameters)
		d.step(x, y, batch)
		objective := func() float64 {
			c := Classifier{parameters[:p], parameters[p]}
			value := d.training.decay / 2 * floats.Dot(c.Weights, c.Weights)
			for j := range y {
				value += logistic(y[j]*c.Score(x.RawRowView(j))) / float64(n)
			}
			return value
		}
		for k, got := range d.gradient {
			if want := derivative(objective, parameters, k); math.Abs(got-want) > differenceError*(1+math.Abs(want)) {
				t.Fatalf("parameter %d: gradient %v, finite difference %v", k, got, want)
			}
		}
	})
}

// clouds draws two normal classes whose means differ by twice the given vector.
func clouds(n int, mean []float64, seed uint64) *features.Set {
	source := rand.New(rand.NewPCG(seed, 7))
	x, y := mat.NewDense(n, len(mean), nil), make([]float64, n)
	for j := range y {
		y[j] = float64(2*(j%2) - 1)
		for k, m := range mean {
			x.Set(j, k, y[j]*m+source.NormFloat64())
		}
	}
	return &features.Set{Name: "clouds", X: x, Y: y, Classes: [2]string{"left", "right"}}
}

// TestTrainFindsTheBestDirection fits classes for which the best weights are
// known: N(±m, I) has the log odds 2<m,x>.
func TestTrainFindsTheBestDirection(t *testing.T) {
	mean := []float64{1, -0.5, 0, 0.25}
	examples := clouds(20000, mean, 3)
	all := make([]int, len(examples.Y))
	for j := range all {
		all[j] = j
	}
	fit, err := train(context.Background(), examples, all, training{rate: 0.005, batch: 256, epochs: 60}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for k, m := range mean {
		if math.Abs(fit.Weights[k]-2*m) > 0.15 { // five standard errors of 20,000 examples
			t.Errorf("weight %d is %v, the log odds have %v", k, fit.Weights[k], 2*m)
		}
	}
	const best = 0.8740                                                                         // Φ(‖m‖₂), ‖m‖₂ = 1.1456
	if accuracy, err := fit.Accuracy(examples); err != nil || math.Abs(accuracy-best) > 0.012 { // five standard errors
		t.Errorf("accuracy %v, the best has %v (%v)", accuracy, best, err)
	}
}

func TestTrainIsDeterministicAndCancellable(t *testing.T) {
	examples := clouds(300, []float64{1, 0}, 4)
	fit := func(ctx context.Context, seed uint64) *Classifier {
		f, err := Train(ctx, examples, seed)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	ctx := context.Background()
	first, second, other := fit(ctx, 0), fit(ctx, 0), fit(ctx, 1)
	if !slices.Equal(first.Weights, second.Weights) || first.Intercept != second.Intercept {
		t.Error("the same seed gave two classifiers")
	}
	if slices.Equal(first.Weights, other.Weights) {
		t.Error("another seed gave the same classifier")
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := Train(stopped, examples, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// logistic is the loss log(1 + exp(-m)) at a margin, computed without overflow.
func logistic(m float64) float64 { return math.Max(-m, 0) + math.Log1p(math.Exp(-math.Abs(m))) }
