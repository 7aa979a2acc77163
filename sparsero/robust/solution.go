package robust

import (
	"math"
	"slices"
	"strconv"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/certificate"
)

// Solution is a decision with everything that is proven about it. Its methods only read, so
// that several goroutines may share it.
type Solution struct {
	// Atoms are the atoms S of the model: those asked for, or, for the full model, those of all that cutting planes added
	// which have a multiplier.
	Atoms []int
	// Radius is r.
	Radius float64
	// Full tells that the full model was solved, so that Value is Φ_N(X).
	Full bool
	// X is the decision, length n.
	X []float64
	// Value is Φ_S(X), or Φ_N(X) when Full; evaluated from X, not taken from the solver.
	Value float64
	// Size is that of the terms that add up to Value: what tolerances are relative to where the terms cancel. It is a
	// measure and no bound.
	Size float64
	// LowerBound is a lower bound on the minimum that was sought, proven by weak duality outside the solver. It equals Value
	// up to the tolerances unless a limit stopped the solver. It is -Inf where nothing is proven, as for integer models, or
	// where a coefficient is rounded whose column has no bound and both signs, and more than 40 columns have none: give
	// them bounds. GapBound is +Inf then.
	LowerBound proof.Lower
	// Direction is q(X), length p, rounded; nil if the objective is certain.
	Direction []float64
	// WorstAtom is the atom of the full dictionary that is worst for the objective at
	// X, or sparsero.NullAtom: none does more harm than 0, which belongs to every set (Around takes a mean out of the atoms).
	WorstAtom int
	// Certificate compares S with the full dictionary at Direction in the objective alone (of
	// bound 0 if the objective is certain). What is lost in all, with robust constraints, with the rounding of q(X) and
	// with what a stopped solver left open, says GapBound.
	Certificate certificate.Pointwise
	// Constraints reports every robust constraint at X, in the problem's order.
	Constraints []ConstraintReport
	// Rounds counts the solver calls, Rows the robust rows of the last model.
	Rounds, Rows int
	// Partial tells that a limit, a cancelled context or an oracle without sharper bounds cut the work short before
	// LowerBound met the value: X is then the best point so far, and LowerBound still holds. It is about the work, not
	// about the proof: where the solver says that it has an optimum, within its tolerances and RelativeGap, and less is
	// proven, Partial is false and GapBound is above 0.
	Partial bool
	// Result is the solver's last result.
	Result *solver.Result

	multipliers multipliers // on which LowerBound rests
	calibrated  bool        // the radius was set after the atoms had been seen
	picked      picked      // how its design chose the atoms
	problem     *Problem    // nil for a solution that was not computed here
	options     *solver.Options
	exposed     []exposed
	optimum     *optimum // nil for one from which no rolled problem goes on
}

// Problem returns the problem that the solution belongs to, after [SolutionOf] too, for one of an [OracleProblem] the problem
// over the atoms that came; nil for a solution that no method of Problem returned.
func (s *Solution) Problem() *Problem {
	if s.problem == nil {
		return nil
	}
	p := *s.problem
	p.oracle, p.last = nil, s.optimum
	return &p
}

// Labels returns the labels of Atoms; nil for a solution that no method of Problem returned.
func (s *Solution) Labels() []string {
	if s.problem == nil {
		return nil
	}
	labels := make([]string, len(s.Atoms))
	for k, atom := range s.Atoms {
		labels[k] = s.problem.dictionary.Label(atom)
	}
	return labels
}

// ConstraintReport is one robust constraint at a solution.
type ConstraintReport struct {
	// Name is the constraint's name.
	Name string
	// Restricted and Full are its left-hand sides under S and under the full dictionary.
	Restricted, Full float64
	// Limit is its right-hand side.
	Limit float64
	// Certificate compares S with the full dictionary for this constraint.
	Certificate certificate.Pointwise
	// Size is that of the terms of Full.
	Size float64

	nominal float64
}

// violation is how far the full left-hand side exceeds the limit, at least 0.
func (c ConstraintReport) violation() float64 { return math.Max(0, c.Full-c.Limit) }

// allowed is the violation that counts as none.
func (c ConstraintReport) allowed() float64 {
	return limitTolerance * math.Max(math.Abs(c.Limit), c.Size)
}

func (c ConstraintReport) holds() bool { return c.violation() <= c.allowed() }

// FullValue returns Φ_N(X), the objective of X under the full dictionary, up to the rounding of q(X) and of its sums, and
// +Inf where a term is beyond float64, an alignment of an atom with q(X) among them; what GapBound starts from is rounded up.
func (s *Solution) FullValue() float64 {
	if s.Full {
		return s.Value
	}
	return s.Value + s.Certificate.Bound.Float()
}

// allowance is the loss that a tolerance allows: at most that share of |Φ_N(X)|, as a function of Φ_S(X), and where
// values cancel the accuracy of the solves.
func (s *Solution) allowance(tolerance float64) float64 {
	share := tolerance * math.Abs(s.Value)
	if s.Value < 0 { // what is lost brings Φ_N(X) nearer to 0
		share /= 1 + tolerance
	}
	return math.Max(share, math.Min(tolerance, solutionTolerance)*s.Size)
}

// FullFeasible reports whether X satisfies every robust constraint of the full model, up to 1e-6 relative to the limit
// and to the terms of its left-hand side; false for a solution that no method of Problem returned.
func (s *Solution) FullFeasible() bool {
	return s.problem != nil && s.firstViolated() < 0
}

func (s *Solution) firstViolated() int {
	return slices.IndexFunc(s.Constraints, func(c ConstraintReport) bool { return !c.holds() })
}

// label names an atom; a solution that was not computed here knows only its index.
func (s *Solution) label(atom int) string {
	if s.problem == nil {
		return strconv.Itoa(atom)
	}
	return s.problem.dictionary.Label(atom)
}

// multipliers are those that a lower bound rests on. The zero value stands for none.
type multipliers struct {
	// Rows has one for each row of the region, with the signs of solver.Result.
	Rows []float64
	// Robust lists those of the robust rows, at least 0, none of which is 0.
	Robust []robustMultiplier
}

// robustMultiplier belongs to the row of an exposure and an atom, NullAtom for the nominal row of a constraint.
type robustMultiplier struct {
	Exposure, Atom int
	Value          float64
}

// picked says how the most violated atoms are chosen from nothing: at most budget of them, until none is missed by more than
// the tolerance; the zero value says that they are chosen otherwise.
type picked struct {
	budget    int
	tolerance float64
}
