package synthetic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Policy names a rule that chooses atoms.
type Policy string

// The policies of section 5.1, and two that the paper does not have: the other tie rule of max-gap and the set cover.
// Max-gap decides ties by the lowest index unless its name says otherwise.
const (
	greedyCoverage   Policy = "Greedy Coverage"
	greedyMaxGap     Policy = "Greedy MaxGap"
	greedyMaxGapGain Policy = "Greedy MaxGap, ties by coverage"
	setCover         Policy = "Set cover"
	maxNorm          Policy = "MaxNorm"
	topAct           Policy = "TopAct"
	randomPolicy     Policy = "Random"
)

// paths are the policies whose sets are nested, in the order of Outcome.Paths.
var paths = []struct {
	policy Policy
	rule   selection.Policy
}{
	{greedyCoverage, selection.Greedy{}},
	{greedyMaxGap, selection.MaxGap{}},
	{maxNorm, selection.MaxNorm{}},
	{topAct, selection.TopActivation{}},
	{greedyMaxGapGain, selection.MaxGap{ByGain: true}},
}

// comparedPaths is how many of them are points of the comparison of surrogate
// and certificate (the paper's four methods).
const comparedPaths = 4

// zeroDeficit is the deficit below which a direction counts as supported,
// relative to the largest M_N(s): rounding of an inner product.
const zeroDeficit = 1e-12

// Outcome is everything a study keeps of one seed.
type Outcome struct {
	Seed uint64
	// Full is M_N(x_eval), the support z of the whole dictionary at r = 1.
	Full float64
	// LargestOnNet is max_T M_N, LargestOnCircle the supremum of M_N on the circle.
	LargestOnNet, LargestOnCircle float64
	// SymmetricHull is the number of vertices of conv(D ∪ -D).
	SymmetricHull int
	// Paths are the nested policies, in the order Greedy Coverage, Greedy MaxGap,
	// MaxNorm, TopAct, Greedy MaxGap with ties by coverage.
	Paths []atomPath
	// CoverError is the support error of the set cover at Config.Budgets, and CoverZero its zero budget.
	CoverError []float64
	CoverZero  int
	// RandomError is the mean support error of the random sets at Config.Budgets.
	RandomError []float64
	// Net is the refinement path, one entry per size.
	Net []netPoint
	// Calibration holds the calibration ablation and Radii the radius by budget.
	Calibration, Radii []ablationCell
}

// atomPath is one policy; entry b-1 of a slice describes its first b atoms.
type atomPath struct {
	Policy Policy
	// F is F(S;T)/F([N];T) and G is max_T Δ_S / max_T M_N, for budgets 1, ..., Config.PathBudget.
	F, G []float64
	// Circle is sup Δ_S on the whole circle, at the budgets of the decomposition.
	Circle []float64
	// Error is the support error z_N - z_S in direction x_eval at Config.Budgets.
	Error []float64
	// Zero is the smallest budget with max_T Δ_S = 0, 0 if Config.SearchBudget has none.
	Zero int
}

// netPoint describes the first Size directions of T as a net.
type netPoint struct {
	Size int
	// Estimate is the paper's ε̂, from the probes; Mean and Quantile95 describe
	// the distances of the probes. Circle is the true radius.
	Estimate, Mean, Quantile95, Circle float64
}

// unit is the work on one seed.
type unit struct {
	config   *Config
	seed     uint64
	data     *datasets.XShape
	coverage *selection.Coverage
}

// newUnit draws the data of a seed.
func newUnit(options datasets.XShapeOptions, c *Config, seed uint64) (*unit, error) {
	options.Seed = seed
	data, err := datasets.NewXShape(options)
	if err != nil {
		return nil, err
	}
	if atoms := data.Dictionary.Size(); c.SearchBudget > atoms {
		return nil, fmt.Errorf("synthetic: budget %d exceeds the %d atoms of the dictionary; use at most %d", c.SearchBudget, atoms, atoms)
	}
	directions, _ := data.Directions.Dims()
	if last := c.Refinement[len(c.Refinement)-1]; last > directions {
		return nil, fmt.Errorf("synthetic: Refinement = %v goes beyond the %d directions of the data; use at most %d", c.Refinement, directions, directions)
	}
	coverage, err := selection.NewCoverage(data.Dictionary, data.Directions, nil)
	return &unit{config: c, seed: seed, data: data, coverage: coverage}, err
}

// outcome carries out all parts of the experiment on the seed.
func (u *unit) outcome(ctx context.Context) (Outcome, error) {
	o := Outcome{
		Seed: u.seed, Full: u.data.Dictionary.Support(u.data.Evaluation),
		LargestOnNet: slices.Max(u.coverage.Deficits(nil)), LargestOnCircle: u.data.Dictionary.MaxNorm(),
	}
	greedy, err := u.paths(ctx, &o)
	if err == nil {
		err = u.otherErrors(ctx, &o)
	}
	if err == nil {
		err = u.net(ctx, &o)
	}
	if err == nil {
		err = u.calibrate(greedy, &o)
	}
	return o, cmp.Or(err, ctx.Err())
}

// paths runs the nested policies and returns the atoms of greedy coverage.
func (u *unit) paths(ctx context.Context, o *Outcome) (greedy []int, err error) {
	for _, p := range paths {
		s, err := choose(ctx, p.rule, u.coverage, u.config.SearchBudget)
		if err != nil {
			return nil, err
		}
		path := atomPath{Policy: p.policy, Error: u.errors(s), Zero: zeroBudget(s, o.LargestOnNet)}
		for b := 1; b <= u.config.PathBudget; b++ {
			path.F = append(path.F, s.CoverageRatio(b))
			path.G = append(path.G, s.WorstDeficit[b-1]/o.LargestOnNet)
		}
		for _, b := range upTo(u.config.PathBudget, decompositionBudgets) {
			deficit, err := circleDeficit(ctx, u.data.Dictionary, s.Prefix(b))
			if err != nil {
				return nil, err
			}
			path.Circle = append(path.Circle, deficit)
		}
		o.Paths = append(o.Paths, path)
		if p.policy == greedyCoverage {
			greedy = s.Atoms
		}
	}
	return greedy, nil
}

// choose runs a policy to its end; a cancelled one is an error.
func choose(ctx context.Context, rule selection.Policy, c *selection.Coverage, budget int) (*selection.Selection, error) {
	s, err := rule.Select(ctx, c, budget)
	if err == nil && s.Partial {
		err = ctx.Err()
	}
	return s, err
}

// errors returns the support errors of a path at the budgets.
func (u *unit) errors(s *selection.Selection) []float64 {
	full := u.data.Dictionary.Support(u.data.Evaluation)
	var gaps []float64
	for _, b := range u.config.Budgets {
		restricted := 0.0
		for _, i := range s.Prefix(b) {
			restricted = max(restricted, floats.Dot(u.data.Dictionary.RawRowView(i), u.data.Evaluation))
		}
		gaps = append(gaps, full-restricted)
	}
	return gaps
}

// otherErrors runs the policies that are not paths on T: the set cover, whose
// set is made anew for every budget, and random sets.
func (u *unit) otherErrors(ctx context.Context, o *Outcome) error {
	for k, b := range u.config.Budgets {
		s, err := choose(ctx, selection.SetCover{}, u.coverage, b)
		if err != nil {
			return err
		}
		o.CoverError = append(o.CoverError, u.errors(s)[k])
	}
	cover, err := choose(ctx, selection.SetCover{}, u.coverage, u.config.SearchBudget)
	if err != nil {
		return err
	}
	o.CoverZero = zeroBudget(cover, o.LargestOnNet)
	o.RandomError = make([]float64, len(u.config.Budgets))
	for draw := range u.config.Draws {
		seed := u.seed*uint64(u.config.Draws) + uint64(draw) // a different one for every seed and draw
		s, err := choose(ctx, selection.Random{Seed: seed}, u.coverage, u.config.SearchBudget)
		if err != nil {
			return err
		}
		for k, gap := range u.errors(s) {
			o.RandomError[k] += gap / float64(u.config.Draws)
		}
	}
	return nil
}

// net measures the nested prefixes of T as nets of the circle.
func (u *unit) net(ctx context.Context, o *Outcome) error {
	d := u.data.Dictionary
	vertices, err := d.PseudometricVertices(ctx)
	if err != nil {
		return err
	}
	o.SymmetricHull = len(vertices)
	reduced, err := d.Subset(vertices) // the same pseudometric
	if err != nil {
		return err
	}
	probes, err := certificate.NewProbeSet(reduced, u.data.Probes)
	if err != nil {
		return err
	}
	for _, size := range u.config.Refinement {
		prefix := u.data.Directions.Slice(0, size, 0, 2)
		estimate, err := probes.EstimateRadius(prefix)
		if err != nil {
			return err
		}
		circle, err := CircleRadius(ctx, d, prefix)
		if err != nil {
			return err
		}
		o.Net = append(o.Net, netPoint{size, estimate.AtLeast.Float(), estimate.Mean, estimate.Quantile95, circle})
	}
	return nil
}

// zeroBudget returns the first budget of a path without a deficit on T, 0 if there is none.
func zeroBudget(s *selection.Selection, scale float64) int {
	return slices.IndexFunc(s.WorstDeficit, func(deficit float64) bool { return deficit <= zeroDeficit*scale }) + 1
}

// correlations returns Pearson's and Spearman's correlation of F and -G over the compared methods and all budgets.
func (o *Outcome) correlations() (pearson, spearman float64, points int) {
	var f, g []float64
	for _, p := range o.Paths[:comparedPaths] {
		f = append(f, p.F...)
		for _, v := range p.G {
			g = append(g, -v)
		}
	}
	return stat.Correlation(f, g, nil), stat.Correlation(ranks(f), ranks(g), nil), len(f)
}

// ranks returns the rank of each value, equal values sharing their mean rank.
func ranks(values []float64) []float64 {
	sorted, ranks := slices.Sorted(slices.Values(values)), make([]float64, len(values))
	for k, v := range values {
		first, last := sort.SearchFloat64s(sorted, v), sort.SearchFloat64s(sorted, math.Nextafter(v, math.Inf(1)))
		ranks[k] = float64(first+1+last) / 2
	}
	return ranks
}

// divergenceTolerance is the size below which a difference of ratios is rounding.
const divergenceTolerance = 1e-9

// diverges tells whether greedy coverage and max-gap are ordered differently by
// F and by G at a budget: ΔF and ΔG_score have opposite signs.
func (o *Outcome) diverges(budget int) bool {
	f, g := o.differences(budget)
	return f > divergenceTolerance && g < -divergenceTolerance || f < -divergenceTolerance && g > divergenceTolerance
}

// differences returns ΔF and ΔG_score of appendix F.2 at a budget.
func (o *Outcome) differences(budget int) (f, g float64) {
	coverage, gap := o.Paths[0], o.Paths[1]
	return coverage.F[budget-1] - gap.F[budget-1], gap.G[budget-1] - coverage.G[budget-1]
}
