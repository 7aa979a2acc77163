package adversarial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/datasets/features"
)

// Construction makes directions out of a task. It is [Single] or [Ensemble].
type Construction interface {
	// Name tells the constructions of a study apart.
	Name() string
	// prepare fits what the construction needs to the fitting examples; classifier
	// is the one whose margins are reported.
	prepare(ctx context.Context, fit *features.Set, classifier *Classifier, t Training) (*recipe, error)
}

// recipe is a construction made ready.
type recipe struct {
	fixed  [][]float64 // unit directions that need no example
	labels []string    // theirs
	// jobs plans the mining of count directions from so many examples, with labels.
	jobs func(examples, count int, seed uint64) ([]job, []string)
}

// Single is the paper's dictionary: one classifier, one radius. Labels are
// "example j" or "example j, start k".
type Single struct {
	// Attack mines the directions; its Seed must be 0, because the task has one.
	Attack Attack
}

// Name returns "single", with the steps if they are not the default, as in
// "single, 5 x 0.1".
func (s Single) Name() string {
	if s.Attack.Steps == 0 && s.Attack.Step == 0 {
		return "single"
	}
	attack := s.Attack.withDefaults()
	return fmt.Sprintf("single, %d x %g", attack.Steps, attack.Step)
}

func (s Single) prepare(_ context.Context, _ *features.Set, classifier *Classifier, _ Training) (*recipe, error) {
	if err := checkAttack(s.Attack); err != nil {
		return nil, err
	}
	return &recipe{jobs: func(examples, count int, seed uint64) ([]job, []string) {
		attack := s.Attack
		attack.Seed = seed
		jobs, labels := make([]job, count), make([]string, count)
		for i := range jobs {
			jobs[i] = job{classifier: classifier, attack: attack, example: i % examples, start: uint64(i)}
			labels[i] = exampleLabel(i, examples)
		}
		return jobs, labels
	}}, nil
}

// Ensemble is a dictionary with directions that differ: those of classifiers
// fitted on bootstrap resamples, attacked at several radii, and, first, the
// difference of the class means and the leading directions of the covariance
// within the classes, each with both signs. Mined direction i takes classifier i mod
// K, radius i/K mod R and example i, counted around. Labels say which.
type Ensemble struct {
	// Classifiers is K, the number of resamples, at least 1. Default 50.
	Classifiers int
	// Radii are the radii of the attacks, distinct and above 0. Default 0.5, 1, 2.
	Radii []float64
	// Components is the number of covariance directions, at most p. Default 8;
	// negative for none.
	Components int
	// Attack holds the other settings of the attacks. Its Radius is the reference
	// for the default step (2.5 Radius/Steps at every radius, so that a larger ball
	// keeps more of the random start); its Seed must be 0.
	Attack Attack
}

// Name returns "ensemble".
func (Ensemble) Name() string { return "ensemble" }

func (e Ensemble) withDefaults() Ensemble {
	e.Classifiers, e.Components = cmp.Or(e.Classifiers, 50), max(cmp.Or(e.Components, 8), 0)
	if e.Radii == nil {
		e.Radii = []float64{0.5, 1, 2}
	}
	return e
}

func (e Ensemble) prepare(ctx context.Context, fit *features.Set, _ *Classifier, t Training) (*recipe, error) {
	e = e.withDefaults()
	if err := checkAttack(e.Attack); err != nil {
		return nil, err
	}
	if err := checkRadii(e.Radii); err != nil {
		return nil, err
	}
	classifiers, err := Bootstrap(ctx, fit.X, fit.Y, e.Classifiers, t)
	if err != nil {
		return nil, err
	}
	fixed, labels, err := statistical(fit.X, fit.Y, e.Components)
	if err != nil {
		return nil, err
	}
	return &recipe{fixed: fixed, labels: labels, jobs: func(examples, count int, seed uint64) ([]job, []string) {
		return e.jobs(classifiers, examples, count, seed)
	}}, nil
}

// jobs spreads directions over classifiers, radii and examples.
func (e Ensemble) jobs(classifiers []*Classifier, examples, count int, seed uint64) ([]job, []string) {
	jobs, labels := make([]job, count), make([]string, count)
	for i := range jobs {
		k := i % len(classifiers)
		attack := e.Attack.withDefaults() // the step of the reference radius
		attack.Radius, attack.Seed = e.Radii[i/len(classifiers)%len(e.Radii)], seed
		jobs[i] = job{classifier: classifiers[k], attack: attack, example: i % examples, start: uint64(i)}
		labels[i] = fmt.Sprintf("bootstrap %d, radius %g, %s", k+1, attack.Radius, exampleLabel(i, examples))
	}
	return jobs, labels
}

// exampleLabel names the example of direction i, and which start it is if it is
// not the first.
func exampleLabel(i, examples int) string {
	if i < examples {
		return fmt.Sprintf("example %d", i)
	}
	return fmt.Sprintf("example %d, start %d", i%examples, i/examples+1)
}

func checkAttack(a Attack) error {
	if a.Seed != 0 {
		return fmt.Errorf("adversarial: Attack.Seed = %d of a construction; leave it 0, because every seed of a task draws its own starts", a.Seed)
	}
	return a.withDefaults().validate()
}

func checkRadii(radii []float64) error {
	if len(radii) == 0 {
		return errors.New("adversarial: Radii is empty; leave it nil for the default, or give at least one radius")
	}
	seen := make(map[float64]bool)
	for k, r := range radii {
		if !(r > 0) || math.IsInf(r, 1) || seen[r] {
			return fmt.Errorf("adversarial: Radii[%d] = %v is repeated or not above 0; give distinct radii", k, r)
		}
		seen[r] = true
	}
	return nil
}
