package robust

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/mat"
)

// ErrNoPromise is returned, wrapped, where nothing can be said about a new sample; the text says what restores it.
var ErrNoPromise = errors.New("robust: no guarantee out of sample")

// Promise is what a decision that few sampled atoms determine says about a new one: with probability
// at least 1-Delta over the sampled atoms, r times a new draw U of the same distribution exceeds any of the
// Levels with probability at most Violation (calibration.Compression). No sample is spent on it.
type Promise struct {
	// Samples is N, the number of atoms; Atoms are the k of them that determine X and, with Preference, the Levels too.
	Samples int
	Atoms   []int
	// Delta is the probability of misleading atoms.
	Delta float64
	// Violation bounds the probability of a new atom that exceeds a level.
	Violation proof.Upper
	// Preference tells that Violation is the smaller number of a choice with the preference property.
	Preference bool
	// X is the decision that the promise speaks of. It was solved again from Atoms alone, so that where
	// the optimum is not unique it may be another one than that of the design or solution.
	X []float64
	// Levels holds one entry for the objective, if it is uncertain, and one for each robust constraint.
	Levels []Level
	// Hypotheses says in words on what the promise rests.
	Hypotheses []string

	radius float64
}

// Level is the largest value that an uncertain expression takes over all sampled atoms.
type Level struct {
	// Name is "objective" or the name of the constraint.
	Name string
	// Value bounds b(X) + r max_i ⟨d_i, q(X)⟩ for the objective and the left-hand side for a constraint;
	// a new draw U exceeds it where r ⟨U, q(X)⟩ takes the place of the maximum.
	Value proof.Upper
	// Limit is the right-hand side of the constraint, +Inf for the objective.
	Limit float64
	// Atom is the one that sets the level, sparsero.NullAtom for none.
	Atom int
}

// String returns the promise in a sentence, and its hypotheses in a second one.
func (p *Promise) String() string {
	determined := "determine the decision"
	if len(p.Atoms) == 1 {
		determined = "determines the decision"
	}
	if p.Preference {
		determined += " and the levels"
	}
	return fmt.Sprintf("%s puts %s with probability at most %.3g, unless the %d sampled atoms mislead, which they do with probability at most %g; %d of them %s%s",
		newDraw(p.radius), anyAbove(p.Levels), p.Violation, p.Samples, p.Delta, len(p.Atoms), determined, provided(p.Hypotheses))
}

// newDraw is what exceeds a level at a radius, which multiplies draws as it does the atoms.
func newDraw(radius float64) string {
	if radius == 1 {
		return "a new draw"
	}
	return fmt.Sprintf("%v times a new draw", radius)
}

func provided(hypotheses []string) string {
	return ".\nProvided that " + strings.Join(hypotheses, ";\n  ") + "."
}

// mostNamed bounds the levels that a sentence names one by one.
const mostNamed = 4

func anyAbove(levels []Level) string {
	if len(levels) > mostNamed && math.IsInf(levels[0].Limit, 1) {
		return fmt.Sprintf("%s or any of %d constraints above its level", anyAbove(levels[:1]), len(levels)-1)
	} else if len(levels) > mostNamed {
		return fmt.Sprintf("any of %d constraints above its level", len(levels))
	}
	parts := make([]string, len(levels))
	for k, level := range levels {
		parts[k] = fmt.Sprintf("%s above %.6g", level.Name, level.Value)
	}
	return strings.Join(parts, " or ")
}

// OutOfSample returns what the solution says about a new draw when the atoms of the dictionary are independent draws
// themselves: the model is solved again from the atoms of the solution alone, in the order of the dictionary, and the levels
// are those of the worst of all N atoms, whichever these are (calibration.Compression with as many Levels). It holds for
// every way to choose the atoms, certified or not, and for integer models; one solve and O(Np).
//
// For a solution of the full model, and for one of a design by the rule MostViolated, the most violated atoms are
// chosen again, up to the same budget, by solves that each know the atoms chosen so far alone. That choice has the
// preference property, so that the smaller bound of Campi and Garatti holds (Pick-to-Learn: Paccagnan, Campi and
// Garatti 2023), and it counts the atoms that matter in the place of all that cutting planes met, for a solve and O(Np)
// each. Without robust constraints every rule is that rule. Designs with Start, Directions or Validate, which may have
// seen the atoms, are like any other choice.
//
// It is an error that wraps [ErrNoPromise] if the dictionary is not declared to be a sample
// ([sparsero.Dictionary.AsSampled]), or the radius was calibrated and may have seen the atoms; other errors are those
// of Solve, of calibration.Compression and of a context that ended.
func (s *Solution) OutOfSample(ctx context.Context, delta float64) (*Promise, error) {
	ctx = input.Context(ctx)
	if s == nil || s.problem == nil {
		return nil, fmt.Errorf("%w: no method of Problem returned this solution, so its atoms are unknown; use Solve, SolveFull or Design", ErrNoPromise)
	}
	if s.calibrated {
		return nil, fmt.Errorf("%w: the radius was calibrated after the atoms were seen; fix a radius before, or solve for these atoms at a radius calibrated on other samples", ErrNoPromise)
	}
	if err := s.problem.checkSampled(); err != nil {
		return nil, err
	}
	chosen := s.picked
	if s.Full {
		chosen = picked{s.problem.dictionary.size, designTolerance}
	}
	if chosen != (picked{}) {
		return s.problem.pickedPromise(ctx, s.Radius, chosen, s.options, delta)
	}
	atoms := slices.Sorted(slices.Values(s.Atoms))
	alone, err := s.problem.solveAlone(ctx, atoms, s.Radius, s.options)
	if err != nil {
		return nil, err
	}
	rule := calibration.Compression{Delta: delta, Levels: len(s.problem.exposures())}
	return s.problem.promise(alone.X, atoms, s.Radius, rule)
}

// mostViolatedRule tells whether a rule adds the most violated atom, as all do where the objective alone is uncertain.
func (p *Problem) mostViolatedRule(rule AtomRule) bool {
	return rule == MostViolated || len(p.constraints) == 0
}

func (p *Problem) checkSampled() error {
	if len(p.dictionary.summands) > 1 || !p.Dictionary().Sampled() {
		return fmt.Errorf("%w: the atoms are not declared to be independent draws; declare them with Dictionary.AsSampled if they are, or, if they were mined, selected or mirrored, count violations on samples that nobody looked at (calibration.CountViolations)", ErrNoPromise)
	}
	return nil
}

// solveAlone solves the model of a dictionary that holds the listed atoms alone, in their order, so
// that no other atom takes part: neither in bounds and scaling of the model nor in where the solver starts.
func (p *Problem) solveAlone(ctx context.Context, atoms []int, radius float64, o *solver.Options) (*Solution, error) {
	rows := mat.NewDense(max(1, len(atoms)), p.dictionary.dim, nil) // the null atom if there are none
	for k, atom := range atoms {
		rows.SetRow(k, p.dictionary.RawRowView(atom))
	}
	dictionary, _ := sparsero.NewDictionary(rows, nil) // of finite numbers
	alone := p.over(dictionary)
	if p.q.Matrix != nil {
		alone.ceiling = alone.alignmentCeiling(dictionary)
	}
	s, err := alone.Solve(ctx, rank.Indices[int](dictionary.Size()), radius, &Options{Solver: o})
	if err == nil && ctx.Err() != nil {
		err = fmt.Errorf("robust: the solve for the guarantee was interrupted: %w", ctx.Err())
	}
	return s, err
}

// pickedPromise is the promise of the most violated atoms, each chosen by a solve that knows those chosen so far alone
// (Pick-to-Learn).
//
// Preference: let A(D) be the chosen atoms and, for each exposure, the worst atom of D at the decision. If A(D) ⊆ D' ⊆
// D, then A(D') = A(D): by induction over the choices, each decision is the same function of the atoms chosen so far;
// what a candidate misses is a function of that decision and of the candidate alone; the one that is missed most in D
// is in D', and none of D' is missed more, ties by index included, as leaving atoms out keeps their order. The loop
// ends where none of D is missed by more than the tolerance, or at the budget, and then also on D'; the same holds for
// the worst atoms. A draw that exceeds a level would change A(D), so that its probability is at most ψ(|A(D)|).
func (p *Problem) pickedPromise(ctx context.Context, radius float64, asked picked, o *solver.Options, delta float64) (*Promise, error) {
	var chosen []int
	for {
		s, err := p.solveAlone(ctx, chosen, radius, o)
		if err != nil {
			return nil, err
		}
		atom := p.mostMissed(s, asked.tolerance)
		if atom == sparsero.NullAtom || len(chosen) == asked.budget {
			return p.promise(s.X, chosen, radius, calibration.Compression{Delta: delta, Preference: true})
		}
		chosen = append(chosen, atom)
	}
}

// mostMissed returns the atom by which a solution of few atoms misses most, ties to the lowest index; NullAtom where it
// misses none by more than the tolerance. Both are measured in terms that the few atoms determine.
func (p *Problem) mostMissed(few *Solution, tolerance float64) int {
	atom, most := sparsero.NullAtom, 0.0
	for k, exposure := range p.exposures() {
		// An atom counts from the larger of what the few atoms cover and what the limit allows.
		base, allowed := few.Radius*math.Max(0, slices.Max(few.exposed[k].alignments)), few.allowance(tolerance)
		if exposure != objectiveExposure {
			c := &p.constraints[exposure]
			nominal, _ := p.nominal(exposure, few.X)
			base = math.Max(base, c.Limit-nominal.Value())
			allowed = few.Constraints[exposure].allowed()
		}
		for i, alignment := range p.expose(exposure, few.X).alignments {
			if missed := few.Radius*alignment - base; missed > allowed && missed > most {
				atom, most = i, missed
			}
		}
	}
	return atom
}

// promise says what holds for a decision that atoms determine, with the worst of all atoms in each exposure.
func (p *Problem) promise(x []float64, atoms []int, radius float64, rule calibration.Compression) (*Promise, error) {
	made := &Promise{
		Samples: p.dictionary.size, Atoms: slices.Clone(atoms), Delta: rule.Delta, Preference: rule.Preference, radius: radius,
		X: slices.Clone(x), Hypotheses: []string{
			"the atoms are independent draws from one distribution, and so is the new one",
			"region, costs, maps, radius and options were fixed without these atoms",
			"this is the only guarantee asked of them at this delta: of m designs each takes delta/m",
			levelHypothesis,
		},
	}
	for _, exposure := range p.exposures() {
		level := p.level(exposure, radius, x)
		// What prefers chooses the worst atoms too; in a union they may be any of those that X does not need.
		if rule.Preference && level.Atom != sparsero.NullAtom && !slices.Contains(made.Atoms, level.Atom) {
			made.Atoms = append(made.Atoms, level.Atom)
		}
		made.Levels = append(made.Levels, level)
	}
	var err error
	made.Violation, err = rule.Violation(made.Samples, len(made.Atoms))
	return made, err
}

const levelHypothesis = "a level counts as exceeded where it is exceeded by more than the rounding error of the products"

// level returns the level that the worst atom of an exposure sets at x, ties to the lowest index.
func (p *Problem) level(exposure int, radius float64, x []float64) Level {
	uncertain, worst := p.uncertainUpper(radius, exposure, x)
	level := p.levelOf(exposure, x, uncertain)
	level.Atom = worst
	return level
}

// levelOf is the level of an exposure at x whose uncertain part takes a value.
func (p *Problem) levelOf(exposure int, x []float64, uncertain float64) Level {
	nominal, _ := p.nominal(exposure, x)
	level := Level{
		Name: p.exposureName(exposure), Value: proof.AtMost(directed.SumUpper(nominal.Upper(), uncertain)), Limit: math.Inf(1), Atom: sparsero.NullAtom,
	}
	if exposure != objectiveExposure {
		level.Limit = p.constraints[exposure].Limit
	}
	return level
}
