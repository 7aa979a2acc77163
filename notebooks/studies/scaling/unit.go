package scaling

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Policy names a rule that chooses atoms.
type Policy string

// The policies of the study. Section 5.2 compares greedy coverage with random sets; max-gap is the paper's other rule.
// Least aligned takes the atoms with the smallest |<d_i,w>|, the worst choice there is for a robust classifier; it is
// there to show what certified accuracy says about it.
const (
	greedyCoverage Policy = "greedy-coverage"
	greedyMaxGap   Policy = "greedy-maxgap"
	randomPolicy   Policy = "random"
	leastAligned   Policy = "least-aligned"
)

// choosing are the policies that look at the selection directions, in the order of
// sizeOutcome.Paths. Ties of max-gap are decided by coverage gain.
var choosing = []struct {
	policy Policy
	rule   selection.Policy
}{
	{greedyCoverage, selection.Greedy{}},
	{greedyMaxGap, selection.MaxGap{ByGain: true, SkipBounds: true}},
}

// Outcome is everything a study keeps of one seed of a source.
type Outcome struct {
	Source string
	Seed   uint64
	// Dimension is p; SelectionDirections, ReportingDirections and TestExamples count what the source gave.
	Dimension, SelectionDirections, ReportingDirections, TestExamples int
	// Accuracy is the share of test examples with a positive margin, and Robust the share with y_j(<w,x_j>+b) > ω‖w‖₂
	// at Config.Epsilons: the accuracy that no attack in the whole ball of radius ω can break.
	Accuracy float64
	Robust   []float64
	// Energy is the share of energy of all atoms along w, and Cosine the median of |cos(d_i,w)|.
	Energy, Cosine float64
	// Sizes has one entry per dictionary size.
	Sizes []sizeOutcome
}

// sizeOutcome describes the dictionary of the first N atoms.
type sizeOutcome struct {
	Atoms int
	// Paths are the policies: those of choosing, in their order, random sets, and the least aligned atoms.
	Paths []atomPath
	// Least is the smallest budget at which the bound on the best coverage of the selection directions reaches the
	// target: no policy can need fewer. 0 if there is none up to Config.MaxBudget.
	Least int
	// Without and With are the numbers of draws without and with replacement that reach the target, one per random
	// order; 0 where ten times N draws with replacement did not.
	Without, With []int
	// CertAcc is the certified accuracy of the whole dictionary at Config.Epsilons.
	CertAcc []float64
}

// atomPath is one policy; entry b-1 of Selection and Reporting describes its first b atoms. Random sets have means over
// their orders, without Selection and Inflation; the least aligned atoms have no coverage either.
type atomPath struct {
	Policy Policy
	// Selection and Reporting are F(S;T)/F([N];T) on the directions it chose by, and
	// on directions it has not seen, for budgets 1, ..., Config.MaxBudget.
	Selection, Reporting []float64
	// SelectionReach and ReportingReach are the smallest budgets that reach
	// 0.99, 0 if there is none up to Config.MaxBudget.
	SelectionReach, ReportingReach int
	// Penalty is pen_S/pen_D at Config.Budgets.
	Penalty []float64
	// Inflation bounds the inflation factor of S ∪ -S against D ∪ -D at Config.Budgets; 0 means that it is infinite.
	Inflation []float64
	// CertAcc is CertAcc_S and Inflated the same with the penalty times Inflation, by ω and budget.
	CertAcc, Inflated [][]float64
}

// unit is the work on one seed of a source.
type unit struct {
	*adversarial.Mined
	config *Config
	source string
	seed   uint64
	// alignments holds <d_i,s> for all atoms and reporting directions.
	alignments mat.Dense
	// along is |<d_i,w>|; Margins are sorted.
	along []float64
}

// newUnit draws the data of a seed.
func newUnit(ctx context.Context, task adversarial.Task, c *Config, seed uint64) (*unit, error) {
	atoms := c.Sizes[len(c.Sizes)-1]
	data, err := task.Mine(ctx, seed, atoms)
	if err != nil {
		return nil, err
	}
	u := &unit{Mined: data, config: c, source: task.Name(), seed: seed, along: make([]float64, atoms)}
	slices.Sort(u.Margins)
	for i := range u.along {
		u.along[i] = math.Abs(floats.Dot(data.Dictionary.RawRowView(i), data.Classifier.Weights))
	}
	return u, ctx.Err()
}

// outcome carries out all parts of the experiment on the seed.
func (u *unit) outcome(ctx context.Context) (Outcome, error) {
	length := floats.Norm(u.Classifier.Weights, 2)
	selectionDirections, _ := u.Selection.Dims()
	reportingDirections, _ := u.Reporting.Dims()
	o := Outcome{
		Source: u.source, Seed: u.seed, Dimension: u.Dictionary.Dim(), SelectionDirections: selectionDirections,
		ReportingDirections: reportingDirections, TestExamples: len(u.Margins), Accuracy: u.above(0),
	}
	for _, shares := range u.certified([]float64{length}) {
		o.Robust = append(o.Robust, shares[0])
	}
	along, err := adversarial.NewConcentration(u.Dictionary.Matrix(), u.Classifier.Weights)
	if err != nil {
		return o, err
	}
	o.Energy, o.Cosine = along.Energy, along.Cosine
	u.alignments.Mul(u.Dictionary.Matrix(), u.Reporting.T())
	for _, atoms := range u.config.Sizes {
		size, err := u.size(ctx, atoms)
		if err != nil {
			return o, err
		}
		o.Sizes = append(o.Sizes, size)
	}
	return o, ctx.Err()
}

// above returns the share of test examples whose margin exceeds a limit.
func (u *unit) above(limit float64) float64 {
	below := sort.Search(len(u.Margins), func(j int) bool { return u.Margins[j] > limit })
	return float64(len(u.Margins)-below) / float64(len(u.Margins))
}

// size carries out the experiment on the first atoms.
func (u *unit) size(ctx context.Context, atoms int) (sizeOutcome, error) {
	s := sizeOutcome{Atoms: atoms}
	first := tally.UpTo(atoms)
	dictionary, err := u.Dictionary.Subset(first)
	if err != nil {
		return s, err
	}
	coverage, err := selection.NewCoverage(dictionary, u.Selection,
		&selection.CoverageOptions{Storage: selection.Screened, Workers: 1, Context: ctx})
	if err != nil {
		return s, err
	}
	full := u.coverage(first, 1)[atoms-1]
	penalty := slices.Max(u.along[:atoms])
	for _, c := range choosing {
		chosen, err := c.rule.Select(ctx, coverage, u.config.MaxBudget)
		if err == nil && chosen.Partial {
			err = ctx.Err()
		}
		if err != nil {
			return s, err
		}
		path := u.path(c.policy, chosen, full)
		u.certify(&path, chosen.Atoms, atoms, penalty)
		s.Paths = append(s.Paths, path)
		if c.policy == greedyCoverage {
			s.Least = slices.IndexFunc(chosen.Bounds, func(bound proof.Upper) bool { return bound.Float() >= chosen.FullCoverage*target }) + 1
		}
	}
	if err := u.random(ctx, &s, full, penalty); err != nil {
		return s, err
	}
	u.whole(&s, penalty)
	return s, nil
}

// path evaluates a choice on both sets of directions.
func (u *unit) path(policy Policy, chosen *selection.Selection, full float64) atomPath {
	path := atomPath{Policy: policy, Reporting: u.coverage(chosen.Atoms, full)}
	for b := range chosen.Atoms {
		path.Selection = append(path.Selection, chosen.CoverageRatio(b+1))
	}
	path.SelectionReach = reach(path.Selection, target)
	path.ReportingReach = reach(path.Reporting, target)
	return path
}

// coverage returns F(S;T)/F([N];T) on the reporting directions of every prefix.
func (u *unit) coverage(atoms []int, full float64) []float64 {
	support, ratios := make([]float64, u.alignments.RawMatrix().Cols), make([]float64, len(atoms))
	for b, i := range atoms {
		for j, alignment := range u.alignments.RawRowView(i) {
			support[j] = max(support[j], alignment)
		}
		ratios[b] = ratio(floats.Sum(support), full)
	}
	return ratios
}

// ratio is a share of the full coverage; of none, everything.
func ratio(part, full float64) float64 {
	if full == 0 {
		return 1
	}
	return part / full
}

// reach returns the first budget whose value is at least the target, 0 if there is none.
func reach(values []float64, target float64) int {
	return slices.IndexFunc(values, func(v float64) bool { return v >= target }) + 1
}

// Streams keep the random orders of different purposes apart.
const (
	streamWithout = 0x574f_5500_0000_0000
	streamWith    = 0x5749_5448_0000_0000
)

// replacementLimit is how many draws with replacement are made at most, in
// multiples of N. The estimate ln(1-τ)/ln(1-1/N) of the paper is 4.6 N at τ = 0.99.
const replacementLimit = 10

// random measures random orders of the first atoms.
func (u *unit) random(ctx context.Context, s *sizeOutcome, full, penalty float64) error {
	atoms, draws := s.Atoms, float64(u.config.Draws)
	mean := atomPath{
		Policy: randomPolicy, Reporting: make([]float64, u.config.MaxBudget), Penalty: make([]float64, len(u.config.Budgets)),
	}
	for k := range u.config.Draws {
		if err := ctx.Err(); err != nil {
			return err
		}
		// A stream per order and size; the seed is that of the unit.
		stream := uint64(k)<<32 + uint64(atoms)
		order := rand.New(rand.NewPCG(u.seed, streamWithout^stream)).Perm(atoms)
		floats.AddScaled(mean.Reporting, 1/draws, u.coverage(order[:u.config.MaxBudget], full))
		penalties := u.penalties(order)
		floats.AddScaled(mean.Penalty, 1/draws, shareOf(penalties, penalty))
		for e, shares := range u.certified(penalties) {
			if k == 0 {
				mean.CertAcc = append(mean.CertAcc, make([]float64, len(shares)))
			}
			floats.AddScaled(mean.CertAcc[e], 1/draws, shares)
		}
		s.Without = append(s.Without, u.drawsToTarget(func(b int) int { return order[b] }, atoms, full))
		source := rand.New(rand.NewPCG(u.seed, streamWith^stream))
		s.With = append(s.With, u.drawsToTarget(func(int) int { return source.IntN(atoms) }, replacementLimit*atoms, full))
	}
	s.Paths = append(s.Paths, mean)
	return nil
}

// drawsToTarget counts draws until their coverage reaches the target, 0 if limit draws do not.
func (u *unit) drawsToTarget(next func(draw int) int, limit int, full float64) int {
	support, sum := make([]float64, u.alignments.RawMatrix().Cols), 0.0
	for b := range limit {
		for j, alignment := range u.alignments.RawRowView(next(b)) {
			if alignment > support[j] {
				sum += alignment - support[j]
				support[j] = alignment
			}
		}
		if ratio(sum, full) >= target {
			return b + 1
		}
	}
	return 0
}
