package adversarial

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// ballRounding is how far rounding may lead out of a ball or a loss down, relative
// to the values themselves.
const ballRounding = 1e-12

// TestAttackStaysInTheBallAndClimbs follows the attack step by step: the loss of a
// linear classifier is convex, so that no step may lower it.
func TestAttackStaysInTheBallAndClimbs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 6).Draw(t, "p")
		c := &Classifier{Weights: vector(t, "w", p), Intercept: rapid.Float64Range(-2, 2).Draw(t, "b")}
		x, y := vector(t, "x", p), label(t)
		a := Attack{
			Radius: rapid.Float64Range(0.1, 3).Draw(t, "radius"), Step: rapid.Float64Range(0.01, 2).Draw(t, "step"),
			FromExample: rapid.Bool().Draw(t, "from example"), Seed: rapid.Uint64().Draw(t, "seed"),
		}
		before := math.Inf(-1)
		for steps := 1; steps <= 6; steps++ {
			a.Steps = steps
			perturbation, err := a.perturb(context.Background(), c, x, y, 5)
			if err != nil {
				t.Fatal(err)
			}
			if length := floats.Norm(perturbation, 2); length > a.Radius*(1+ballRounding) {
				t.Fatalf("%d steps: length %v in a ball of radius %v", steps, length, a.Radius)
			}
			moved := make([]float64, p)
			floats.AddTo(moved, x, perturbation)
			loss := logistic(y * c.Score(moved))
			if loss < before-ballRounding*(1+math.Abs(before)) {
				t.Fatalf("%d steps: loss %v after %v", steps, loss, before)
			}
			before = loss
		}
	})
}

// TestAttacksOfLinearClassifiersAreParallel is the degeneracy of the paper's
// dictionary: from the example itself every direction is -y w/‖w‖₂; from a random
// start it comes as close as one likes with more steps.
func TestAttacksOfLinearClassifiersAreParallel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, n := rapid.IntRange(2, 8).Draw(t, "p"), rapid.IntRange(2, 10).Draw(t, "n")
		c := &Classifier{Weights: vector(t, "w", p)}
		c.Weights[0] += 4 // not zero
		x, y := mat.NewDense(n, p, vector(t, "x", n*p)), make([]float64, n)
		for j := range y {
			y[j] = label(t)
		}
		y[0], y[1] = -1, 1 // both classes
		examples := &features.Set{X: x, Y: y, Classes: [2]string{"-1", "1"}}
		length := floats.Norm(c.Weights, 2)
		for _, test := range []struct {
			attack Attack
			least  float64 // of |cos|
		}{{Attack{FromExample: true, Steps: 1}, 1 - 1e-12}, {Attack{Steps: 200, Step: 0.5}, 1 - 1e-12}} {
			test.attack.Seed = rapid.Uint64().Draw(t, "seed")
			directions, err := test.attack.Mine(context.Background(), c, examples, 2*n)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 2 * n {
				row := directions.RawRowView(i)
				if norm := floats.Norm(row, 2); math.Abs(norm-1) > 1e-12 {
					t.Fatalf("direction %d has length %v", i, norm)
				}
				if cosine := -y[i%n] * floats.Dot(row, c.Weights) / length; cosine < test.least {
					t.Fatalf("%+v: direction %d has cosine %v with -y w", test.attack, i, cosine)
				}
			}
			concentration, err := NewConcentration(directions, c.Weights)
			if err != nil || concentration.Energy < test.least || concentration.Cosine < test.least {
				t.Fatalf("%+v (%v)", concentration, err)
			}
		}
	})
}

// TestConcentrationFollowsTheHyperbolicTangent compares short steps from random
// starts in 400 dimensions with tanh(travel/radius). Starts have a cosine of about
// 1/√400 with w, which cancels in the median.
func TestConcentrationFollowsTheHyperbolicTangent(t *testing.T) {
	mean := make([]float64, 400)
	mean[0] = 1
	examples := clouds(200, mean, 5)
	c := &Classifier{Weights: mean}
	for _, travel := range []float64{0.5, 1, 2} {
		directions, err := Attack{Steps: 100, Step: travel / 100}.Mine(context.Background(), c, examples, 200)
		if err != nil {
			t.Fatal(err)
		}
		got, err := NewConcentration(directions, c.Weights)
		if err != nil {
			t.Fatal(err)
		}
		if want := math.Tanh(travel); math.Abs(got.Cosine-want) > 0.02 {
			t.Errorf("travel of %v radii: median cosine %v, tanh %v", travel, got.Cosine, want)
		}
	}
}

// TestMiningOnAnyNumberOfCores compares one core with four, and fewer directions
// with more.
func TestMiningOnAnyNumberOfCores(t *testing.T) {
	examples := clouds(30, []float64{1, 2, 3}, 6)
	c := &Classifier{Weights: []float64{1, -1, 0.5}}
	mined := func(cores, count int) *mat.Dense {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		directions, err := Attack{Seed: 9}.Mine(context.Background(), c, examples, count)
		if err != nil {
			t.Fatal(err)
		}
		return directions
	}
	one := mined(1, 70)
	if !mat.Equal(one, mined(4, 70)) {
		t.Error("four cores gave other directions than one")
	}
	if !mat.Equal(one.Slice(0, 40, 0, 3), mined(2, 40)) {
		t.Error("40 directions are not the first of 70")
	}
	if mat.Equal(one.Slice(0, 30, 0, 3), one.Slice(30, 60, 0, 3)) {
		t.Error("the second starts of the examples are the first")
	}
}

func TestConcentrationOfKnownDirections(t *testing.T) {
	directions := mat.NewDense(4, 2, []float64{1, 0, -3, 0, 0, 2, 1, 1})
	got, err := NewConcentration(directions, []float64{5, 0})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Concentration{Energy: 11.0 / 16, Cosine: (1 + math.Sqrt(0.5)) / 2}); math.Abs(got.Energy-want.Energy) > 1e-15 || math.Abs(got.Cosine-want.Cosine) > 1e-15 {
		t.Errorf("%+v, want %+v", got, want)
	}
}
