package adversarial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/internal/setting"
	"github.com/sparsero/directions/notebooks/studies/study"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// mostNumbers is how many numbers a matrix of directions may hold: 8 GB.
const mostNumbers = 1 << 30

// checkCount refuses an argument that asks for a matrix of more than mostNumbers numbers.
func checkCount(argument string, count, dimension int) error {
	if most := mostNumbers / max(dimension, 1); count > most {
		return fmt.Errorf("adversarial: %s is %d; with %d features it is at most %d", argument, count, dimension, most)
	}
	return nil
}

// Attack is projected gradient ascent in the Euclidean ball of a radius around an example (Madry et al. 2018):
//
//	u ← Π(u + Step g/‖g‖₂),   g = ∇_x loss(x + u, y),   Π the projection onto ‖u‖₂ <= Radius.
//
// The zero value works.
type Attack struct {
	// Radius is ω, above 0, in the unit of the features. Default 1.
	Radius float64
	// Steps is the number of steps, at least 1. Default 10.
	Steps int
	// Step is the length of a step, above 0. Default 2.5 Radius/Steps, the rule of Madry et al.
	Step float64
	// FromExample starts at u = 0 instead of a point drawn uniformly from the ball.
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

// check reports a setting that is out of range, defaults filled in.
func (a Attack) check() error {
	return cmp.Or(
		setting.Check("adversarial: Radius", 0, math.Inf(1), a.Radius),
		setting.Check("adversarial: Steps", 0, math.Inf(1), a.Steps),
		setting.Check("adversarial: Step", 0, math.Inf(1), a.Step),
	)
}

// Mine returns an N×p matrix of unit directions: row i is the normalised perturbation of example i mod n from start i.
// It uses all cores; the result does not depend on their number. Errors: settings out of range; those of
// [Classifier.Margins]; count < 1; a perturbation of length 0, which only a start at the example with no gradient has;
// the error of the context if it ends.
func (a Attack) Mine(ctx context.Context, c *Classifier, s *features.Set, count int) (*mat.Dense, error) {
	if err := c.fits(s); err != nil {
		return nil, err
	}
	if count < 1 {
		return nil, errors.New("adversarial: count is below 1; ask for at least one direction")
	}
	if err := checkCount("count", count, s.Dimension()); err != nil {
		return nil, err
	}
	return miner{a.withDefaults(), []*Classifier{c}, []float64{1}}.mine(ctx, s, count)
}

// miner makes unit directions: direction i takes example i, classifier i mod K and the
// radius i/K mod R of so many radii of the attack, counted around, from start i.
type miner struct {
	attack      Attack // with its defaults
	classifiers []*Classifier
	radii       []float64
}

// mine returns so many directions as rows, fixed ones first and the others mined on all cores.
func (m miner) mine(ctx context.Context, s *features.Set, count int, fixed ...[]float64) (*mat.Dense, error) {
	if err := m.attack.check(); err != nil {
		return nil, err
	}
	directions, first := mat.NewDense(count, s.Dimension(), nil), min(len(fixed), count)
	for i, direction := range fixed[:first] {
		directions.SetRow(i, direction)
	}
	return directions, study.Each(ctx, 0, count-first, func(ctx context.Context, i int) error {
		example, k := i%len(s.Y), i%len(m.classifiers)
		attack := m.attack
		attack.Radius *= m.radii[i/len(m.classifiers)%len(m.radii)]
		perturbation, err := attack.perturb(ctx, m.classifiers[k], s.X.RawRowView(example), s.Y[example], uint64(i))
		if err != nil {
			return err
		}
		length := floats.Norm(perturbation, 2)
		if length == 0 {
			return fmt.Errorf("adversarial: the perturbation of example %d has length 0: the loss has no gradient there; start from a random point (FromExample = false)", example)
		}
		floats.ScaleTo(directions.RawRowView(first+i), 1/length, perturbation)
		return nil
	})
}

// perturb returns the perturbation of an example that an attack of a classifier finds from a start.
func (a Attack) perturb(ctx context.Context, c *Classifier, x []float64, y float64, start uint64) ([]float64, error) {
	perturbation, point, gradient := a.begin(len(x), start), make([]float64, len(x)), make([]float64, len(x))
	for range a.Steps {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		floats.AddTo(point, x, perturbation)
		c.gradient(gradient, point, y)
		length := floats.Norm(gradient, 2)
		if length == 0 {
			break // a loss that is flat here stays flat
		}
		floats.AddScaled(perturbation, a.Step/length, gradient)
		if norm := floats.Norm(perturbation, 2); norm > a.Radius {
			floats.Scale(a.Radius/norm, perturbation)
		}
	}
	return perturbation, nil
}

// begin draws the start uniformly from the ball: a normal vector scaled to the length Radius u^(1/p).
func (a Attack) begin(p int, start uint64) []float64 {
	perturbation := make([]float64, p)
	if a.FromExample {
		return perturbation
	}
	source := rand.New(rand.NewPCG(a.Seed, streamStarts^start))
	for j := range perturbation {
		perturbation[j] = source.NormFloat64()
	}
	length := a.Radius * math.Pow(source.Float64(), 1/float64(p))
	floats.Scale(length/floats.Norm(perturbation, 2), perturbation)
	return perturbation
}
