package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/internal/frame"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// defaultLadderPoints is the size of the net that a ladder builds.
const defaultLadderPoints = 4000

// LadderOptions are the settings of Ladder. The zero value works.
type LadderOptions struct {
	// Solver is passed to the solver; nil means its defaults.
	Solver *solver.Options
	// MaxPoints bounds the grid of q(X), the finest of that size. Zero means 4000.
	MaxPoints int
}

// Rung is one bound on the value gap.
type Rung struct {
	// Name says which.
	Name string
	// Bound is in units of the objective.
	Bound proof.Upper
	// Ordered tells that the rung belongs to the chain, in which each is at most the next up to the accuracy of the solves
	// behind it; the others are bounds too but not comparable.
	Ordered bool
	// Detail says in words what the bound rests on.
	Detail string
}

// Ladder lists all certificates for one choice of atoms, sharpest first up to the accuracy of the solves:
//
//	value gap <= pointwise <= exact uniform <= net <= net as printed,
//
// then two that need no net: Hausdorff, and inflation, whose factor depends on the atoms alone and becomes a bound by a
// second restricted solve. The rungs on a net are capped by the trivial bound as the net sees it, r (max_t M_[N](t) + ε).
// The first two and inflation rest on decisions of the solver: where one of these misses limits by its tolerance, its rung
// holds for the problem whose limits are moved there, as [Solution.GapBound] does.
type Ladder struct {
	Rungs []Rung
	// Restricted and Full are the two solutions whose values differ by the first rung.
	Restricted, Full *Solution
	// Net is the net that was used.
	Net *certificate.Net
}

// Ladder solves the restricted and the full model and evaluates every certificate. The problem
// must have a robust objective and no robust constraints. The exact gap is the first rung: when the full model can be
// solved, that is the certificate to use, and the others show what can be said without solving it.
//
// Errors: those of Solve and SolveFull, and those of certificate.GridNet.
func (p *Problem) Ladder(ctx context.Context, indices []int, radius float64, o *LadderOptions) (*Ladder, error) {
	ctx = input.Context(ctx)
	o = cmp.Or(o, &LadderOptions{})
	switch {
	case p.q.Matrix == nil:
		return nil, errors.New("robust: the objective is certain, so there is no value gap to certify; give the problem a map q")
	case len(p.constraints) > 0:
		return nil, fmt.Errorf("robust: the ladder bounds the value gap of a robust objective, and this problem has %s; use Solution.GapBound", input.Count(len(p.constraints), "robust constraint"))
	}
	set, err := p.restrictedSet(indices, radius)
	if err != nil {
		return nil, err
	}
	l := &ladderRun{problem: p, set: set, options: Options{Solver: o.Solver}, points: cmp.Or(o.MaxPoints, defaultLadderPoints), ladder: &Ladder{}}
	for _, rung := range []func(context.Context) error{l.solve, l.uniform, l.net, l.hausdorff, l.inflation} {
		if err := rung(ctx); err != nil {
			return nil, err
		}
	}
	return l.ladder, nil
}

type ladderRun struct {
	problem *Problem
	set     *sparsero.AtomicSet
	options Options
	points  int
	ladder  *Ladder
}

func (l *ladderRun) add(name string, bound proof.Upper, ordered bool, detail string) {
	l.ladder.Rungs = append(l.ladder.Rungs, Rung{Name: name, Bound: bound, Ordered: ordered, Detail: detail})
}

func (l *ladderRun) solve(ctx context.Context) error {
	restricted, err := l.problem.Solve(ctx, l.set.Atoms(), l.set.Radius(), &l.options)
	if err != nil {
		return err
	}
	full, err := l.problem.SolveFull(ctx, l.set.Radius(), &l.options)
	if err != nil {
		return err
	}
	l.ladder.Restricted, l.ladder.Full = restricted, full
	gap := full.fullUpper(full.Radius).Plus(restricted.lowerBoundAt(full).Negated())
	pointwise, err := restricted.GapBound()
	if err != nil {
		return err
	}
	l.add("value gap", proof.Least(proof.AtMost(math.Max(0, gap.Float())), pointwise), true, fmt.Sprintf("full model, %d of %d atoms used", len(full.Atoms), l.problem.dictionary.size))
	l.add("pointwise", pointwise, true, "restricted model and one pass over the dictionary")
	return nil
}

func (l *ladderRun) uniform(ctx context.Context) error {
	u, err := certificate.SolveUniform(ctx, l.set, l.problem.region, l.problem.q, &certificate.Options{Solver: l.options.Solver})
	if err != nil {
		return fmt.Errorf("robust: uniform certificate: %w", err)
	}
	l.add("exact uniform", u.Bound, true, fmt.Sprintf("largest deficit over X, linear programs solved: %d, for %d atoms", u.Solves, u.Candidates))
	return nil
}

func (l *ladderRun) net(ctx context.Context) error {
	grid := &certificate.Options{MaxPoints: l.points, Solver: l.options.Solver}
	net, err := certificate.GridNet(ctx, l.problem.Dictionary(), l.problem.region, l.problem.q, 0, grid) // the finest
	if err != nil {
		return fmt.Errorf("robust: net for the ladder: %w", err)
	}
	l.ladder.Net = net
	bound, err := certificate.NewNetBound(l.set, net)
	if err != nil {
		return fmt.Errorf("robust: net bound: %w", err)
	}
	l.add("net", bound.Bound, true, fmt.Sprintf("%d directions, epsilon %.3g, width of each cell", net.Size(), net.Radius()))
	l.add("net as printed", proof.Least(bound.Printed, bound.Trivial).Times(bound.Radius), true, "worst deficit on the net plus twice epsilon")
	return nil
}

func (l *ladderRun) hausdorff(ctx context.Context) error {
	norm, err := certificate.DirectionNorm(ctx, l.problem.region, l.problem.q, l.options.Solver)
	if err != nil {
		return fmt.Errorf("robust: Hausdorff bound: %w", err)
	}
	bound, err := certificate.MeasureHausdorff(ctx, l.set, norm.Float())
	if err != nil {
		return fmt.Errorf("robust: Hausdorff bound: %w", err)
	}
	l.add("Hausdorff", bound.Bound, false, fmt.Sprintf("distance %.3g of the hulls times |q| <= %.3g", bound.Distance, norm))
	return nil
}

// inflation bounds the gap by min Φ_S(κ r) - min Φ_S(r), with the rows that the decision of the first misses moved to it.
func (l *ladderRun) inflation(ctx context.Context) error {
	f, err := certificate.SolveInflation(ctx, l.set)
	if err != nil {
		return fmt.Errorf("robust: inflation factor: %w", err)
	}
	if math.IsInf(f.Factor.Float(), 1) {
		l.add("inflation", proof.Upper{}, false, fmt.Sprintf("atom %s lies outside the cone of the chosen ones", l.problem.dictionary.Label(f.Atom)))
		return nil
	}
	outer, err := l.problem.Solve(ctx, l.set.Atoms(), f.Factor.Times(l.set.Radius()).Float(), &l.options)
	if err != nil {
		return err
	}
	upper := proof.AtMost(math.Max(outer.Value, outer.fullUpper(l.set.Radius()).Float()))
	gap := upper.Plus(l.ladder.Restricted.lowerBoundAt(outer).Negated())
	l.add("inflation", proof.AtMost(math.Max(0, gap.Float())), false, fmt.Sprintf("restricted model at %.4g times the radius", f.Factor))
	return nil
}

// Frame returns the ladder as a table: certificate, bound, whether it
// belongs to the ordered chain, and what it rests on.
func (l *Ladder) Frame() dataframe.DataFrame {
	rows := frame.NewRows("certificate,bound,ordered,rests on")
	for _, r := range l.Rungs {
		rows.Add(r.Name, r.Bound, r.Ordered, r.Detail)
	}
	return rows.Frame()
}
