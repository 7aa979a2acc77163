package robust

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// Solution is a decision with everything that is proven about it. Its methods only read, so
// that several goroutines may share it.
type Solution struct {
	// Atoms are the atoms S of the model: those asked for, or, for the full model,
	// those that cutting planes needed.
	Atoms []int
	// Radius is r.
	Radius float64
	// Full tells that the full model was solved, so that Value is Φ_N(X).
	Full bool
	// X is the decision, length n.
	X []float64
	// Value is Φ_S(X), or Φ_N(X) when Full; evaluated from X, not taken from the solver.
	Value float64
	// LowerBound is a lower bound on the minimum that was sought, proven by weak duality
	// outside the solver and rounded down. It equals Value up to the tolerances unless a
	// limit stopped the solver; it is -Inf where nothing is proven, as for integer models, or such of more than 300 columns,
	// in which a coefficient is rounded whose column has no bound and both signs: give it one. GapBound is +Inf then, and
	// Certified false.
	LowerBound float64
	// Direction is q(X), length p; nil if the objective is certain.
	Direction []float64
	// WorstAtom is the atom of the full dictionary that is worst for the objective at
	// X, or sparsero.NullAtom.
	WorstAtom int
	// Certificate compares S with the full dictionary at X in the objective alone (zero
	// if the objective is certain). What is lost in all, with robust constraints and
	// with what a stopped solver left open, says GapBound.
	Certificate certificate.Pointwise
	// Constraints reports every robust constraint at X, in the problem's order.
	Constraints []ConstraintReport
	// Rounds counts the solver calls, Rows the robust rows of the last model.
	Rounds, Rows int
	// Elapsed is the wall-clock time.
	Elapsed time.Duration
	// Partial tells that a limit or a cancelled context cut the work short: X is then
	// the best point so far, and LowerBound still holds.
	Partial bool
	// Result is the solver's last result.
	Result *solver.Result
	// Blocks is what the blocks of a [Sharded] confirmed; nil if all atoms are in memory.
	Blocks *Verification

	// What a design file holds by itself or has no form for.
	multipliers multipliers     `json:"-"` // on which LowerBound rests
	size        float64         `json:"-"` // of the terms of the objective at X
	problem     *Problem        `json:"-"` // nil for a solution that was not computed here
	options     *solver.Options `json:"-"`
	exposed     []exposed       `json:"-"`
}

// Problem returns the problem that the solution belongs to, after [LoadSolution] too; nil for a solution that no method of
// Problem returned.
func (s *Solution) Problem() *Problem { return s.problem }

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
}

// Violation returns how far the full left-hand side exceeds the limit, at least 0.
func (c ConstraintReport) Violation() float64 { return math.Max(0, c.Full-c.Limit) }

// feasibilityTolerance is the violation, relative to the limit and the terms of the
// left-hand side, that still counts as none; mixed-integer codes accept points that are
// off by this much.
const feasibilityTolerance = 1e-6

// allowed is the violation that counts as none.
func (c ConstraintReport) allowed() float64 {
	return feasibilityTolerance * math.Max(math.Abs(c.Limit), c.Size)
}

// holds reports whether the constraint is satisfied for the full dictionary.
func (c ConstraintReport) holds() bool { return c.Violation() <= c.allowed() }

// FullValue returns Φ_N(X), the objective of X under the full dictionary.
func (s *Solution) FullValue() float64 {
	if s.Full {
		return s.Value
	}
	return s.Value + s.Certificate.Bound
}

// FullFeasible reports whether X satisfies every robust constraint of the full
// model, up to 1e-6 relative to the limit and to the terms of its left-hand side.
func (s *Solution) FullFeasible() bool {
	return s.firstViolated() < 0
}

func (s *Solution) firstViolated() int {
	return slices.IndexFunc(s.Constraints, func(c ConstraintReport) bool { return !c.holds() })
}

// GapBound returns a proven bound on the value gap min Φ_N - min Φ_S and on the
// regret Φ_N(X) - min Φ_N, in units of the objective: Φ_N(X) rounded up minus LowerBound,
// which is r Δ_S(q(X)) plus whatever the solver left open. It costs a pass over the
// dictionary.
//
// A decision of a solver may miss rows by its tolerance. The bound on the regret holds all
// the same. That on the value gap holds for the problem whose missed rows are moved to
// where X is, and includes what this costs, by the multipliers of the rows; integer
// problems have none, and there only min Φ_N is that of the moved rows.
//
// With robust constraints X must satisfy all of them for the full dictionary up to the
// tolerance; otherwise the error wraps ErrNotCertified and names the violated constraint
// and the atom to add.
func (s *Solution) GapBound() (float64, error) {
	if k := s.firstViolated(); k >= 0 {
		c := s.Constraints[k]
		next := fmt.Sprintf("add atom %d (%s) to the chosen atoms and solve again", c.Certificate.WorstAtom, s.label(c.Certificate.WorstAtom))
		if c.Certificate.WorstAtom == sparsero.NullAtom {
			next = "X breaks it without any uncertainty: give another decision"
		}
		return math.Inf(1), fmt.Errorf("%w: %s reaches %g under the full dictionary but its limit is %g; %s", ErrNotCertified, c.Name, c.Full, c.Limit, next)
	}
	upper := s.FullValue()
	if s.problem != nil {
		upper = s.problem.fullUpper(s.Radius, s.X)
	}
	return directed.SumUpper(upper, -s.lowerBoundAt(s.X)), nil
}

// label names an atom; a solution that was not computed here knows only its index.
func (s *Solution) label(atom int) string {
	if s.problem == nil {
		return strconv.Itoa(atom)
	}
	return s.problem.dictionary.Label(atom)
}

// Certified reports whether the value gap and the regret are proven to be at most
// the tolerance, in units of the objective.
func (s *Solution) Certified(tolerance float64) bool {
	bound, err := s.GapBound()
	return err == nil && bound <= tolerance
}

// String summarises a solution in one line.
func (s *Solution) String() string {
	var b strings.Builder
	if s.Full {
		fmt.Fprintf(&b, "full model at radius %g: value %.6g with %d atoms", s.Radius, s.Value, len(s.Atoms))
	} else {
		fmt.Fprintf(&b, "%d atoms at radius %g: value %.6g", len(s.Atoms), s.Radius, s.Value)
	}
	if s.Partial {
		b.WriteString(", stopped early")
	}
	bound, err := s.GapBound()
	switch {
	case err != nil:
		fmt.Fprintf(&b, "; %v", err)
	case math.IsInf(bound, 1):
		b.WriteString("; nothing proven about the value gap")
		if s.problem != nil && s.problem.boundsToGive() != "" {
			b.WriteString(", as columns without a bound are in the way: " + s.problem.boundsToGive())
		}
	default:
		fmt.Fprintf(&b, "; value gap and regret at most %.3g", bound)
	}
	return b.String()
}

// within evaluates a decision, given its exposures, over a dictionary that holds the same atoms
// at the same places, and keeps what is known of the solve.
func (s *Solution) within(p *Problem, x []float64, at []exposed) (*Solution, error) {
	set, err := sparsero.NewAtomicSet(p.dictionary, s.Atoms, s.Radius)
	if err != nil {
		return nil, err
	}
	here := *s
	here.Atoms, here.X, here.problem, here.exposed = set.Atoms(), slices.Clone(x), p, at
	here.Value, here.WorstAtom, here.Constraints = p.region.Objective(x), sparsero.NullAtom, nil
	for k, exposure := range p.exposures() {
		pointwise, err := certificate.PointwiseAt(set, at[k].alignments, at[k].direction)
		if err != nil {
			return nil, fmt.Errorf("robust: q(x) of %s: %w", p.exposureName(exposure), err)
		}
		if exposure != objectiveExposure {
			here.Constraints = append(here.Constraints, p.report(exposure, s.Radius, x, at[k].direction, pointwise))
			continue
		}
		here.Direction, here.Certificate, here.WorstAtom = slices.Clone(at[k].direction), pointwise, pointwise.WorstAtom
		here.Value += scaled(s.Radius, pointwise.Restricted)
		if s.Full {
			here.Value += pointwise.Bound
		}
	}
	_, here.size = p.nominal(objectiveExposure, x)
	here.size += scaled(s.Radius, p.alignmentSize(here.Direction, here.WorstAtom))
	here.LowerBound = math.Min(s.LowerBound, here.Value)
	return &here, nil
}

// report says what a certificate means for constraint k.
func (p *Problem) report(k int, radius float64, x, direction []float64, pointwise certificate.Pointwise) ConstraintReport {
	c := &p.constraints[k]
	sum, size := p.nominal(k, x)
	nominal := sum.Value()
	report := ConstraintReport{
		Name: c.Name, Limit: c.Limit, Certificate: pointwise,
		Restricted: nominal + scaled(radius, pointwise.Restricted),
		Full:       nominal + scaled(radius, pointwise.Full),
		Size:       size + scaled(radius, p.alignmentSize(direction, pointwise.WorstAtom)),
	}
	if !report.holds() {
		report.Size = math.Max(report.Size, pointNoise/feasibilityTolerance*p.rowReach(p.robustRow(cut{k, pointwise.WorstAtom}, radius)))
	}
	return report
}
