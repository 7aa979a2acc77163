package robust

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/frame"
)

// SetCandidate is one uncertainty set of a comparison: a convex set, or the atoms of an atomic set, whose radius plays no
// part.
type SetCandidate struct {
	Name  string
	Set   convex.Gauged
	Atoms *sparsero.AtomicSet
}

// SetContest is one problem on which uncertainty sets are compared under one promise: each gets the radius
// that the rule finds on the gauges of the same calibration samples, so that each holds a share 1-α of all draws.
type SetContest struct {
	// Region, Map and Constraints are those of NewProblem.
	Region      *solver.Model
	Map         sparsero.AffineMap
	Constraints []Constraint
	// Calibration and Report are samples, rows of an m×p matrix, that no set was made from; violations are counted on Report.
	Calibration, Report mat.Matrix
	// Rule is one of package calibration. The promise of each set holds alone; for all of them at once give the rule the
	// family of so many candidates.
	Rule calibration.Rule
	// Solve holds the settings of the solves; nil means their defaults.
	Solve *Options
}

// SetResult is what a set costs and keeps.
type SetResult struct {
	Name string
	// Radius is the calibrated one.
	Radius calibration.Radius
	// Price is the robust value less the nominal one, in units of the objective.
	Price float64
	// Violation is the share of the report samples that break what any row promises, at a confidence of 95 %.
	Violation calibration.ViolationRate
	// Bound is the GapBound of Solution against the set: its atoms, or all points of a convex set.
	Bound    float64
	Solution *Solution
}

// SetComparison is the outcome of a contest.
type SetComparison struct {
	// Nominal is the value without uncertainty.
	Nominal float64
	Results []SetResult
}

// contestConfidence is that of the intervals of a comparison.
const contestConfidence = 0.95

// Compare solves the problem over each set at its calibrated radius. It is an error if a part is missing or does not fit, if
// a radius is infinite, or if a solve fails; the error names the set.
func (c *SetContest) Compare(ctx context.Context, candidates ...SetCandidate) (*SetComparison, error) {
	if c == nil || c.Region == nil || c.Rule == nil || len(candidates) == 0 {
		return nil, errors.New("robust: the contest lacks its Region, its Rule or the sets; give all of them")
	}
	nominal, err := solver.Solve(ctx, c.Region, nil)
	if err == nil {
		err = nominal.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("robust: nominal problem: %w", err)
	}
	comparison := &SetComparison{Nominal: nominal.Objective}
	for _, candidate := range candidates {
		result, err := c.result(ctx, candidate)
		if err != nil {
			return nil, fmt.Errorf("robust: set %q: %w", candidate.Name, err)
		}
		result.Price = result.Solution.Value - comparison.Nominal
		comparison.Results = append(comparison.Results, *result)
	}
	return comparison, nil
}

func (c *SetContest) result(ctx context.Context, candidate SetCandidate) (*SetResult, error) {
	scores, err := c.scores(ctx, candidate)
	if err != nil {
		return nil, err
	}
	result := &SetResult{Name: candidate.Name}
	if result.Radius, err = c.Rule.Calibrate(scores); err == nil {
		err = result.Radius.Check()
	}
	if err != nil {
		return nil, err
	}
	if result.Solution, err = c.solve(ctx, candidate, result.Radius.Value); err != nil {
		return nil, err
	}
	rows, err := result.Solution.RowSamples(c.Report)
	if err != nil {
		return nil, err
	}
	if result.Violation, err = rows[len(rows)-1].Violation(contestConfidence); err == nil {
		result.Bound, err = result.Solution.GapBound()
	}
	return result, err
}

// scores are the gauges of the calibration samples.
func (c *SetContest) scores(ctx context.Context, candidate SetCandidate) ([]float64, error) {
	if candidate.Atoms != nil {
		return calibration.GaugeScores(ctx, candidate.Atoms, c.Calibration)
	}
	if input.Missing(candidate.Set) {
		return nil, errors.New("it has neither Set nor Atoms; give one")
	}
	if err := input.CheckRows("Calibration", "sample", c.Calibration, candidate.Set.Dim()); err != nil {
		return nil, err
	}
	m, _ := c.Calibration.Dims()
	scores := make([]float64, m)
	for j := range scores {
		scores[j] = candidate.Set.Gauge(mat.Row(nil, j, c.Calibration))
	}
	return scores, nil
}

func (c *SetContest) solve(ctx context.Context, candidate SetCandidate, radius float64) (*Solution, error) {
	if candidate.Atoms == nil {
		over, err := NewConvex(candidate.Set, c.Region, c.Map, c.Constraints...)
		if err != nil {
			return nil, err
		}
		return over.SolveFull(ctx, radius, c.Solve)
	}
	chosen, err := candidate.Atoms.Dictionary().Subset(candidate.Atoms.Atoms())
	if err != nil {
		return nil, err
	}
	problem, err := NewProblem(chosen, c.Region, c.Map, c.Constraints...)
	if err != nil {
		return nil, err
	}
	return problem.SolveFull(ctx, radius, c.Solve)
}

// Frame returns the comparison as a table, a row for each set: radius, price, share of violations with its interval, the
// number of points that the solution needed, and the bound on what they lose.
func (c *SetComparison) Frame() dataframe.DataFrame {
	return frame.Of(c.Results,
		frame.Col("set", func(r SetResult) string { return r.Name }),
		frame.Col("radius", func(r SetResult) float64 { return r.Radius.Value }),
		frame.Col("price", func(r SetResult) float64 { return r.Price }),
		frame.Col("violations", func(r SetResult) float64 { return r.Violation.Rate }),
		frame.Col("at least", func(r SetResult) float64 { return r.Violation.Lower }),
		frame.Col("at most", func(r SetResult) float64 { return r.Violation.Upper }),
		frame.Col("points", func(r SetResult) int {
			if r.Solution == nil {
				return 0
			}
			return len(r.Solution.Atoms)
		}),
		frame.Col("bound", func(r SetResult) float64 { return r.Bound }),
	)
}
