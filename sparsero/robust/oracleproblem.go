package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// OracleProblem is a robust program, as [Problem], over the set of an [Oracle]. It does not change. What its methods claim
// holds against the whole set. The atoms of a Solution are those that the oracle returned: Labels names
// them, and [Solution.Problem] is the program over these atoms alone, whose claims say nothing of others.
type OracleProblem struct {
	oracle Oracle
	parts  *Problem             // over the null atom alone
	corner *sparsero.Dictionary // one atom, whose coordinates are the largest sizes of those in the set
}

// NewOracleProblem checks the parts as [NewProblem] does, and asks the oracle how far the set reaches along each axis. The
// columns of the region must have bounds, or b(x) a minimum over X. It is an error if the oracle is nil, fails or knows no
// bound along an axis, or if a constraint has a Dictionary of its own.
func NewOracleProblem(ctx context.Context, oracle Oracle, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*OracleProblem, error) {
	ctx = input.Context(ctx)
	if input.Missing(oracle) || oracle.Dim() < 1 {
		return nil, errors.New("robust: the oracle is nil or of dimension 0; give one that answers for a set")
	}
	if slices.ContainsFunc(constraints, func(c Constraint) bool { return c.Dictionary != nil }) {
		return nil, errors.New("robust: a constraint has a dictionary of its own beside a set; give all rows the set (a row that sees it s times as large has s times the map), or all of them atoms")
	}
	null, _ := sparsero.NewDictionary(mat.NewDense(1, oracle.Dim(), nil), nil) // of finite numbers
	parts, err := NewProblem(null, region, q, constraints...)
	if err != nil {
		return nil, err
	}
	corner, err := cornerOf(ctx, oracle)
	if err != nil {
		return nil, err
	}
	if parts.q.Matrix != nil {
		parts.ceiling = parts.alignmentCeiling(corner)
	}
	parts.oracle = &OracleProblem{oracle, parts, corner}
	return parts.oracle, nil
}

// cornerOf returns the corner of the box around a set, in which every coordinate has its largest size.
func cornerOf(ctx context.Context, oracle Oracle) (*sparsero.Dictionary, error) {
	p := oracle.Dim()
	axes, corner := mat.NewDense(2*p, p, nil), mat.NewDense(1, p, nil)
	for j := range p {
		axes.Set(2*j, j, 1)
		axes.Set(2*j+1, j, -1)
	}
	_, beyond, err := askWorst(ctx, oracle, axes, 0)
	if err != nil {
		return nil, err
	}
	for j := range p {
		size := math.Max(0, math.Max(beyond[2*j], beyond[2*j+1]))
		if math.IsInf(size, 1) {
			return nil, fmt.Errorf("robust: the set has no bound in coordinate %d; give a bounded one", j)
		}
		corner.Set(0, j, size)
	}
	return sparsero.NewDictionary(corner, nil)
}

func (o *OracleProblem) check() error {
	if o == nil || o.parts == nil {
		return errors.New("robust: the problem is nil or empty; build it with NewOracleProblem or NewConvex")
	}
	return nil
}

// SolveFull minimises Φ over X against the whole set by cutting planes, as [Problem.SolveFull] does: each round asks the
// oracle once, for the CutsPerRound worst atoms of each exposure. Over a [convex.Compact] set of few rows, the full model is
// first solved as one program. Fewer atoms are a relaxation, so that LowerBound holds from the first round on.
//
// Where the atoms that come do not reach what the oracle says may lie beyond them, the gap cannot be closed and the
// Solution is Partial, as where the context or a limit ended the work. It is an error that wraps solver.ErrLimit if the
// first leaves no point that satisfies the full model, and an error if Start is given. The others are those of
// [Problem.SolveFull] and of the oracle.
func (o *OracleProblem) SolveFull(ctx context.Context, radius float64, options *Options) (*Solution, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	filled, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(filled.Start) > 0 {
		return nil, errNoList("Start")
	}
	s, err := o.parts.solveFull(ctx, o.parts.compact(radius), radius, filled)
	if err != nil {
		return nil, err
	}
	if k := s.firstViolated(); k >= 0 && !s.Partial {
		c := s.Constraints[k]
		return nil, fmt.Errorf("robust: %s reaches up to %g and its limit is %g, as the atoms that came do not reach the bound of the oracle; ask for a sharper bound or raise the limit: %w", c.Name, c.Full, c.Limit, solver.ErrLimit)
	}
	s.Partial = s.Partial || s.Certificate.Bound.Float() > filled.Tolerance*s.Size
	return s, nil
}

// errNoList is what a method over an oracle says of an option that needs a list of atoms.
func errNoList(option string) error {
	return fmt.Errorf("robust: %s needs a list of all atoms, which an oracle does not have; leave it out, or build a Problem over a dictionary", option)
}

// Design runs Algorithm 1 as [Problem.Design] does, with the rule MostViolated: each iteration asks the oracle once,
// for the worst atom of each exposure. It is an error if the options have another rule, or AsPrinted, Start,
// RowBudgets, Directions or Calibrate, which need a list of atoms. The others are those of [Problem.Design] and of the
// oracle.
func (o *OracleProblem) Design(ctx context.Context, budget int, radius float64, options *DesignOptions) (*Design, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	options = cmp.Or(options, &DesignOptions{})
	switch {
	case options.Rule != defaultRule && options.Rule != MostViolated:
		return nil, fmt.Errorf("robust: the rule is %v, but an oracle has no list of atoms whose gains could be compared; use MostViolated", options.Rule)
	case options.AsPrinted:
		return nil, errNoList("AsPrinted")
	case len(options.Start) > 0:
		return nil, errNoList("Start")
	case options.RowBudgets != nil:
		return nil, errNoList("RowBudgets")
	case options.Directions != nil:
		return nil, errNoList("Directions")
	case options.Calibrate != nil:
		return nil, errNoList("Calibrate")
	}
	alike := *options
	alike.Rule = MostViolated
	return o.parts.runDesign(ctx, budget, radius, &alike, (*designRun).corrected)
}

// at evaluates all exposures of a problem, whose dictionary has what came so far, at x against the whole set. The
// problem that it returns has the atoms of the given one and, behind them, the count worst of each exposure.
func (o *OracleProblem) at(ctx context.Context, p *Problem, x []float64, count int) (*Problem, []exposed, error) {
	exposures := p.exposures()
	directions := mat.NewDense(len(exposures), o.oracle.Dim(), nil)
	all, doubts := make([]exposed, len(exposures)), make([]float64, len(exposures)) // by how much rounding q(x) moves alignments
	underflow := float64(o.oracle.Dim()) * math.SmallestNonzeroFloat64
	for k, exposure := range exposures {
		middle, errors := direction(p.exposureMap(exposure), x)
		directions.SetRow(k, middle)
		exact := slices.Max(errors) == 0
		if !exact {
			doubts[k] = 2*o.corner.AlignmentReach(errors) + underflow
		}
		all[k] = exposed{direction: middle, outside: &outside{exact: exact}}
	}
	atoms, beyond, err := askWorst(ctx, o.oracle, directions, count)
	if err != nil {
		return nil, nil, err
	}
	grown, err := o.join(p, atoms)
	if err != nil {
		return nil, nil, err
	}
	for k := range all {
		all[k].outside.upper = math.Max(0, directed.SumUpper(beyond[k], doubts[k]))
		all[k] = all[k].with(grown.Dictionary())
	}
	return grown, all, nil
}

// join returns the problem with the atoms that its dictionary does not have yet at the end of that.
func (o *OracleProblem) join(p *Problem, atoms []Atom) (*Problem, error) {
	var values [][]float64
	var labels []string
	if p.dictionary != o.parts.dictionary { // which has the null atom, before any came
		for i := range p.dictionary.size {
			values, labels = append(values, p.dictionary.RawRowView(i)), append(labels, p.dictionary.Label(i))
		}
	}
	before := len(values)
	for _, atom := range atoms {
		if slices.ContainsFunc(values, func(v []float64) bool { return slices.Equal(v, atom.Values) }) {
			continue
		}
		values, labels = append(values, atom.Values), append(labels, cmp.Or(atom.Label, "d"+strconv.Itoa(len(values))))
	}
	if len(values) == before {
		return p, nil
	}
	rows := mat.NewDense(len(values), o.oracle.Dim(), slices.Concat(values...))
	dictionary, err := sparsero.NewDictionary(rows, &sparsero.DictionaryOptions{Labels: labels})
	if err != nil {
		return nil, fmt.Errorf("robust: atoms of the oracle: %w", err)
	}
	return p.over(dictionary), nil
}
