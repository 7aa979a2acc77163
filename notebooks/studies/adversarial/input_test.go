package adversarial

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/mat"
)

func TestBadInput(t *testing.T) {
	ctx := context.Background()
	examples := clouds(20, []float64{1, 0}, 1)
	x, y := examples.X, examples.Y
	broken := mat.DenseCopyOf(x)
	broken.Set(3, 1, math.NaN())
	c := &Classifier{Weights: []float64{1, 2}}
	ones := make([]float64, 20)
	for j := range ones {
		ones[j] = 1
	}
	fit := func(x *mat.Dense, y []float64) error {
		_, err := Train(ctx, &features.Set{X: x, Y: y, Classes: examples.Classes}, 0)
		return err
	}
	mineErr := func(a Attack, c *Classifier, count int) error {
		_, err := a.Mine(ctx, c, examples, count)
		return err
	}
	concentration := func(directions mat.Matrix, w []float64) error {
		_, err := NewConcentration(directions, w)
		return err
	}
	margins := func(c *Classifier) error { _, err := c.Margins(examples); return err }
	_, overflow := train(ctx, examples, []int{0, 1, 2, 3}, training{epochs: 20, batch: 2, rate: 1e308}, 0)
	stopped, stop := context.WithCancel(ctx)
	stop()
	_, endless := Attack{Steps: math.MaxInt}.Mine(stopped, c, examples, 3)
	for want, err := range map[string]error{
		"adversarial: count is":              mineErr(Attack{}, c, math.MaxInt),
		"context canceled":                   endless,
		"X: sparsero: atoms is nil":          fit(nil, y),
		"X: sparsero: atoms is empty":        fit(&mat.Dense{}, nil),
		"19 labels for the 20 rows":          fit(x, y[:19]),
		"label 2 of Y is 0":                  fit(x, []float64{1, -1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}),
		"NaN in row 3, column 1":             fit(broken, y),
		"among 20":                           fit(x, ones),
		"weights":                            overflow,
		"2 features but":                     margins(&Classifier{Weights: []float64{1}}),
		"Radius = [+Inf]":                    mineErr(Attack{Radius: math.Inf(1)}, c, 1),
		"Radius = [-1]":                      mineErr(Attack{Radius: -1}, c, 1),
		"Steps = [-3]":                       mineErr(Attack{Steps: -3}, c, 1),
		"Step = [NaN]":                       mineErr(Attack{Step: math.NaN()}, c, 1),
		"count is below 1":                   mineErr(Attack{}, c, 0),
		"classifier is nil":                  mineErr(Attack{}, nil, 1),
		"has length 0":                       mineErr(Attack{FromExample: true}, &Classifier{Weights: []float64{0, 0}}, 1),
		"directions: sparsero: atoms is nil": concentration(nil, nil),
		"directions is 20×2":                 concentration(x, []float64{1, 2, 3}),
		"the length of w is 0":               concentration(x, []float64{0, 0}),
		"direction 1 has length 0":           concentration(mat.NewDense(2, 2, []float64{1, 1, 0, 0}), []float64{1, 0}),
		"atoms has the value NaN":            concentration(broken, []float64{1, 0}),
		"the length of w is NaN":             concentration(x, []float64{math.NaN(), 0}),
		"adversarial: Step = [-1]":           mineErr(Attack{Step: -1}, c, 1),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}
}

func TestBadTasks(t *testing.T) {
	set := smallSet(t)
	other, err := features.StandIn(features.StandInOptions{Examples: 40, Features: 3})
	if err != nil {
		t.Fatal(err)
	}
	broken := *set
	broken.X = mat.DenseCopyOf(set.X)
	broken.X.Set(0, 0, math.NaN())
	few, err := set.Subset([]int{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	for want, task := range map[string]Task{
		"the set is nil":              {Features: Frozen{}},
		"value NaN in row 0":          {Features: Frozen{Train: &broken}},
		"3 features":                  {Features: Frozen{Train: set, Test: other}},
		"Options.Seed = 4":            {Features: Generated{features.StandInOptions{Seed: 4}}},
		"Examples = -1":               {Features: Generated{features.StandInOptions{Examples: -1}}},
		"a class":                     {Features: Frozen{Train: few}},
		"Attack.Seed = 1":             {Features: Frozen{Train: set}, Attack: Attack{Seed: 1}},
		"Radius = [-1]":               {Features: Frozen{Train: set}, Attack: Attack{Radius: -1}},
		"Steps = [-1]":                {Features: Frozen{Train: set}, Attack: Attack{Steps: -1}, Classifiers: 1},
		"-2 classifiers":              {Features: Frozen{Train: set}, Classifiers: -2},
		"adversarial: Classifiers is": {Features: Frozen{Train: set}, Classifiers: math.MaxInt},
	} {
		if _, err := task.Mine(context.Background(), 0, 10); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}
	if _, err := (Task{Features: Frozen{Train: set}}).Mine(context.Background(), 0, 0); err == nil || !strings.Contains(err.Error(), "0 atoms") {
		t.Errorf("no atoms: error = %v", err)
	}
	if _, err := (Task{Features: Frozen{Train: set}}).Mine(context.Background(), 0, math.MaxInt); err == nil || !strings.Contains(err.Error(), "adversarial: atoms is") {
		t.Errorf("too many atoms: error = %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, classifiers := range []int{0, 50} {
		if _, err := (Task{Features: Frozen{Train: set}, Classifiers: classifiers}).Mine(stopped, 0, 10); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: error = %v", err)
		}
	}
}
