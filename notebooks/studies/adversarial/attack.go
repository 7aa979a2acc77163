package adversarial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/sparsero/input"
)

// Attack is projected gradient ascent in the Euclidean ball of a radius around
// an example (Madry et al. 2018):
//
//	δ ← Π(δ + Step g/‖g‖₂),   g = ∇_x loss(x + δ, y),   Π the projection onto ‖δ‖₂ <= Radius.
//
// The zero value works.
type Attack struct {
	// Radius is ε, above 0, in the unit of the features. Default 1.
	Radius float64
	// Steps is the number of steps, at least 1. Default 10.
	Steps int
	// Step is the length of a step, above 0. Default 2.5 Radius/Steps, the rule
	// of Madry et al.
	Step float64
	// FromExample starts at δ = 0 instead of a point drawn uniformly from the ball.
	FromExample bool
	// Seed draws the starts; start i has a stream of its own.
	Seed uint64
}

// travelRadii is how far the default steps lead together, in radii.
const travelRadii = 2.5

func (a Attack) withDefaults() Attack {
	a.Radius, a.Steps = cmp.Or(a.Radius, 1), cmp.Or(a.Steps, 10)
	a.Step = cmp.Or(a.Step, travelRadii*a.Radius/float64(a.Steps))
	return a
}

// validate checks an attack whose defaults are filled in.
func (a Attack) validate() error {
	switch {
	case !(a.Radius > 0) || math.IsInf(a.Radius, 1):
		return fmt.Errorf("adversarial: Radius = %v; use a number above 0, or 0 for the default", a.Radius)
	case a.Steps < 1:
		return fmt.Errorf("adversarial: Steps = %d; use at least 1, or 0 for the default", a.Steps)
	case !(a.Step > 0) || math.IsInf(a.Step, 1):
		return fmt.Errorf("adversarial: Step = %v; use a number above 0, or 0 for the default", a.Step)
	}
	return nil
}

// Mine returns an N×p matrix of unit directions: row i is the normalised
// perturbation of example i mod n from start i. It uses all cores; the result
// does not depend on their number. Errors: settings out of range; those of
// [Classifier.Margins]; count < 1; a perturbation of length 0, which only a
// start at the example with no gradient has; the error of the context if it ends.
func (a Attack) Mine(ctx context.Context, c *Classifier, s *features.Set, count int) (*mat.Dense, error) {
	if err := c.fits(s); err != nil {
		return nil, err
	}
	if count < 1 {
		return nil, errors.New("adversarial: count is below 1; ask for at least one direction")
	}
	if err := input.CheckSize("adversarial: a matrix of directions", count, s.Dimension()); err != nil {
		return nil, err
	}
	directions := mat.NewDense(count, s.Dimension(), nil)
	return directions, miner{a.withDefaults(), []*Classifier{c}, []float64{1}}.mine(ctx, s, directions, 0)
}

// miner makes unit directions: direction i takes example i, classifier i mod K and the
// radius i/K mod R of so many radii of the attack, counted around, from start i.
type miner struct {
	attack      Attack // with its defaults
	classifiers []*Classifier
	radii       []float64
}

// mine fills the rows of a matrix from the first on, on all cores.
func (m miner) mine(ctx context.Context, s *features.Set, directions *mat.Dense, first int) error {
	if err := m.attack.validate(); err != nil {
		return err
	}
	count, p := directions.Dims()
	return study.Each(0, count-first, func(i int) error {
		example, k := i%s.Len(), i%len(m.classifiers)
		attack, c := m.attack, newClimb(m.classifiers[k], p)
		attack.Radius *= m.radii[i/len(m.classifiers)%len(m.radii)]
		if err := c.run(ctx, attack, s.X.RawRowView(example), s.Y[example], uint64(i)); err != nil {
			return err
		}
		length := floats.Norm(c.perturbation, 2)
		if length == 0 {
			return fmt.Errorf("adversarial: the perturbation of example %d has length 0: the loss has no gradient there; start from a random point (FromExample = false)", example)
		}
		floats.ScaleTo(directions.RawRowView(first+i), 1/length, c.perturbation)
		return nil
	})
}

// climb holds the buffers of an attack.
type climb struct {
	classifier                    *Classifier
	perturbation, point, gradient []float64
}

func newClimb(c *Classifier, p int) *climb {
	return &climb{classifier: c, perturbation: make([]float64, p), point: make([]float64, p), gradient: make([]float64, p)}
}

// run leaves the perturbation of an example in c.perturbation, unless the context ends.
func (c *climb) run(ctx context.Context, a Attack, x []float64, y float64, start uint64) error {
	c.begin(a, start)
	for range a.Steps {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("adversarial: mining: %w", err)
		}
		floats.AddTo(c.point, x, c.perturbation)
		c.classifier.Gradient(c.gradient, c.point, y)
		length := floats.Norm(c.gradient, 2)
		if length == 0 {
			return nil // a loss that is flat here stays flat
		}
		floats.AddScaled(c.perturbation, a.Step/length, c.gradient)
		if norm := floats.Norm(c.perturbation, 2); norm > a.Radius {
			floats.Scale(a.Radius/norm, c.perturbation)
		}
	}
	return nil
}

// begin draws the start uniformly from the ball: a normal vector scaled to the
// length Radius u^(1/p).
func (c *climb) begin(a Attack, start uint64) {
	if a.FromExample {
		clear(c.perturbation)
		return
	}
	source := rand.New(rand.NewPCG(a.Seed, streamStarts^start))
	for j := range c.perturbation {
		c.perturbation[j] = source.NormFloat64()
	}
	length := a.Radius * math.Pow(source.Float64(), 1/float64(len(c.perturbation)))
	floats.Scale(length/floats.Norm(c.perturbation, 2), c.perturbation)
}
