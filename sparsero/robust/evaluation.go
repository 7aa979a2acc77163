package robust

import (
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
)

// Evaluate returns everything a Solution says about a given decision x, for atoms S and a radius: values under S and under
// the full dictionary, certificate, robust constraints. Nothing is solved, so LowerBound is -Inf; whether x lies in X is not
// checked (Region.Violation does that). It is an error if x has another length than the region has columns, or a value that
// is not finite.
func (p *Problem) Evaluate(indices []int, radius float64, x []float64) (*Solution, error) {
	if err := p.checkSet(indices, radius); err != nil {
		return nil, err
	}
	if err := input.CheckVector("x", x, p.region.Columns()); err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	unsolved := &Solution{Atoms: indices, Radius: radius}
	return unsolved.within(p, x, p.exposeAll(x))
}

// fullUpper returns a number that Φ_N(X) at a radius does not exceed.
func (s *Solution) fullUpper(radius float64) proof.Upper {
	if s.problem == nil {
		return proof.Upper{}
	}
	uncertain := 0.0
	if s.problem.q.Matrix != nil {
		uncertain = s.uncertainUpper(0, radius)
	}
	return s.problem.levelOf(objectiveExposure, s.X, uncertain).Value
}

// uncertainUpper returns a number that r M_[N](q(X)) does not exceed for the k-th exposure.
func (s *Solution) uncertainUpper(k int, radius float64) float64 {
	upper, _ := s.problem.uncertainUpper(radius, s.problem.exposures()[k], s.X)
	if out := s.exposed[k].outside; out != nil {
		upper = math.Max(upper, directed.ProductUpper(radius, out.upper))
	}
	return upper
}

// exposedIn returns the exposures at X over the dictionary of a problem that holds the atoms of this one in the same
// places, with the alignments of the given atoms.
func (s *Solution) exposedIn(p *Problem, atoms []int) []exposed {
	if p == s.problem {
		own := p.dictionary.bySet(atoms)
		for k, exposure := range p.exposures() {
			set := p.dictionary.at(exposure)
			s.exposed[k].settle(set.dictionary, own[set])
		}
		return s.exposed
	}
	all := slices.Clone(s.exposed)
	for k, exposure := range p.exposures() {
		all[k] = all[k].with(p.dictionary.at(exposure).dictionary)
	}
	return all
}

// within evaluates a decision, given its exposures, over a dictionary that holds the same atoms
// at the same places, and keeps what is known of the solve.
func (s *Solution) within(p *Problem, x []float64, at []exposed) (*Solution, error) {
	return s.comparing(p, x, at, p.exposures())
}

// comparing is within with the certificates of some exposures alone; of others it has what the full dictionary does.
func (s *Solution) comparing(p *Problem, x []float64, at []exposed, compared []int) (*Solution, error) {
	sets, err := p.dictionary.restricted(s.Atoms, s.Radius, compared)
	if err != nil {
		return nil, err
	}
	here := *s
	here.optimum = nil // which belongs to another decision
	here.Atoms, here.X, here.problem, here.exposed = slices.Clone(s.Atoms), slices.Clone(x), p, at
	here.Value, here.Size, here.WorstAtom, here.Constraints = p.region.Objective(x), 0, sparsero.NullAtom, slices.Grow([]ConstraintReport(nil), len(p.constraints))
	here.Certificate = certificate.Pointwise{Bound: proof.AtMost(0)} // of an objective that is certain
	for k, exposure := range p.exposures() {
		pointwise, err := p.compare(sets[exposure+1], exposure, x, at[k])
		if err != nil {
			return nil, fmt.Errorf("robust: q(x) of %s: %w", p.exposureName(exposure), err)
		}
		if exposure != objectiveExposure {
			here.Constraints = append(here.Constraints, p.report(exposure, s.Radius, x, at[k].direction, pointwise))
			continue
		}
		here.Direction, here.Certificate, here.WorstAtom = slices.Clone(p.dictionary.spread(at[k].coordinate, at[k].direction)), pointwise, pointwise.WorstAtom
		here.Size = scaled(s.Radius, p.alignmentSize(exposure, at[k].direction, here.WorstAtom))
		here.Value += scaled(s.Radius, pointwise.Restricted)
		if s.Full {
			here.Value += pointwise.Bound.Float()
		}
	}
	_, size := p.nominal(objectiveExposure, x)
	here.Size = math.Min(here.Size+size, math.MaxFloat64)
	for k, exposure := range p.exposures() {
		size := here.Size
		if exposure != objectiveExposure {
			size = here.Constraints[exposure].allowed() / limitTolerance
		}
		if err := p.checkUnderflow(exposure, s.Radius, x, at[k].direction, size); err != nil {
			return nil, fmt.Errorf("robust: q(x) of %s: %w", p.exposureName(exposure), err)
		}
	}
	here.LowerBound = proof.AtLeast(math.Min(s.LowerBound.Float(), here.Value))
	return &here, nil
}

// compare evaluates the certificate of a set at an exposure of x against all atoms of its summand, those outside the
// dictionary included. Without a set it is the worst atom of the dictionary and what that does.
func (p *Problem) compare(set *sparsero.AtomicSet, exposure int, x []float64, e exposed) (c certificate.Pointwise, err error) {
	if err := input.CheckVector("direction", e.direction, len(e.direction)); err != nil {
		return c, err
	}
	if set == nil {
		worst, full := rank.Active(e.alignments, nil)
		return certificate.Pointwise{WorstAtom: p.dictionary.at(exposure).place(worst), Full: full}, nil
	}
	worst, full, restricted, deficit := set.Compare(e.alignments, e.direction)
	c.Radius, c.WorstAtom, c.Full, c.Restricted, c.Deficit = set.Radius(), p.dictionary.at(exposure).place(worst), full, restricted, proof.AtMost(deficit)
	c.Bound = c.Deficit.Times(c.Radius)
	if e.outside == nil {
		return c, nil
	}
	covered := 0.0 // not above M_S
	at := p.at(exposure, x)
	for _, i := range set.Atoms() {
		if e.alignments[i] == c.Restricted {
			covered = math.Max(covered, harm(p.dictionary.RawRowView(i), at.middle, at.errors, -1).Lower())
		}
	}
	upper := e.outside.upper
	if !e.outside.exact {
		inside, _ := p.uncertainUpper(1, exposure, x)
		upper = math.Max(upper, inside)
	}
	c.Full = math.Max(c.Full, upper)
	c.Deficit = proof.AtMost(math.Max(deficit, directed.SumUpper(upper, -covered)))
	c.Bound = c.Deficit.Times(c.Radius)
	if c.WorstAtom == sparsero.NullAtom && c.Full > 0 { // by rounding errors, of which the nearest atom tells the size
		c.WorstAtom = floats.MaxIdx(e.alignments)
	}
	return c, nil
}

func (p *Problem) report(k int, radius float64, x, direction []float64, pointwise certificate.Pointwise) ConstraintReport {
	c := &p.constraints[k]
	sum, size := p.nominal(k, x)
	nominal := sum.Value()
	report := ConstraintReport{
		Name: c.Name, Limit: c.Limit, Certificate: pointwise,
		Restricted: nominal + scaled(radius, pointwise.Restricted),
		Full:       nominal + scaled(radius, pointwise.Full),
		Size:       size + scaled(radius, p.alignmentSize(k, direction, pointwise.WorstAtom)),
		nominal:    nominal,
	}
	if !report.holds() {
		// Beside wide bounds, which may stand for none, all is noise: it counts as that of columns of size 1, at most.
		row := p.robustRow(cut{k, pointwise.WorstAtom}, radius)
		noise := math.Min(pointNoise/limitTolerance*p.rowReach(row), floats.Norm(row.Values, 1))
		report.Size = math.Max(report.Size, noise)
	}
	report.Size = math.Min(report.Size, math.MaxFloat64) // an infinite one would allow an infinite violation
	return report
}
