package robust

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// master is a restricted model in epigraph form, kept open so that atoms can be
// added and the next solve starts from the last basis:
//
//	min b(x) + r t    x in X, t >= 0,
//	    t >= ⟨d_i, q(x)⟩                              for the objective's atoms i,
//	    ⟨a_k, x⟩ + r ⟨d_i, q_k(x)⟩ <= limit_k           for the atoms i of constraint k,
//	    ⟨a_k, x⟩ <= limit_k                            (the null atom).
type master struct {
	problem *Problem // whose dictionary grows by what an oracle returns
	radius  float64
	options *solver.Options
	optimum *solver.Result  // that the first solve returns, nil for none
	model   *solver.Model   // nil until the first solve that needs it
	session *solver.Session // on the model
	cuts    []cut           // in the order of their rows, which follow those of the region and the null atom
	relaxes bool            // all robust rows are relaxations of the exact ones
	atoms   []int           // distinct atoms, in the order of arrival
	known   map[cut]bool
	sums    []directed.Sum // room for the coefficients of a row
	looked  []exposed      // what the last look told, nil for none
}

// newMaster opens the model that protects every exposure against the given atoms.
func (p *Problem) newMaster(indices []int, radius float64, o *solver.Options) (*master, error) {
	m := p.masterOf(indices, p.cutsOf(indices), radius, o)
	return m, m.open()
}

func (p *Problem) masterOf(atoms []int, cuts []cut, radius float64, o *solver.Options) *master {
	m := &master{problem: p, radius: radius, options: o, cuts: cuts, atoms: slices.Clone(atoms),
		known: make(map[cut]bool, len(cuts)), sums: make([]directed.Sum, p.region.Columns())}
	for _, c := range cuts {
		m.known[c] = true
	}
	return m
}

func (m *master) open() (err error) {
	m.model, m.relaxes = m.problem.epigraphOf(slices.Concat(m.problem.nominalCuts(), m.cuts), m.radius)
	if m.session, err = solver.Open(m.model, m.options); err != nil {
		return fmt.Errorf("robust: model with %s: %w", input.Count(len(m.atoms), "atom"), err)
	}
	return nil
}

// add protects one exposure against one atom; a cut that is there already is left alone.
func (m *master) add(c cut) {
	if m.known[c] {
		return
	}
	if m.model != nil {
		row, holds := m.problem.relaxed(c, m.radius, m.sums)
		m.model.AddRow(row)
		m.relaxes = m.relaxes && holds
	}
	m.known[c] = true
	m.cuts = append(m.cuts, c)
	if !slices.Contains(m.atoms, c.atom) {
		m.atoms = append(m.atoms, c.atom)
	}
}

// addAtom protects every exposure in which an atom counts against it.
func (m *master) addAtom(atom int) {
	for _, exposure := range m.problem.met(atom) {
		m.add(cut{exposure, atom})
	}
	if !slices.Contains(m.atoms, atom) { // it counts nowhere
		m.atoms = append(m.atoms, atom)
	}
}

// solve returns a result that has a point, or the error that explains why there is none.
func (m *master) solve(ctx context.Context) (*solver.Result, error) {
	if result := m.optimum; result != nil {
		m.optimum = nil
		return result, nil
	}
	if m.model == nil {
		if err := m.open(); err != nil {
			return nil, err
		}
	}
	result, err := m.session.Solve(ctx)
	if err != nil {
		return nil, fmt.Errorf("robust: model with %s at radius %g: %w", input.Count(len(m.atoms), "atom"), m.radius, err)
	}
	if result.X != nil {
		return result, nil
	}
	proven := ""
	if lower := m.exactBound(result.Lower); lower != (proof.Lower{}) {
		proven = fmt.Sprintf("; its minimum is proven to be at least %.6g", lower)
	}
	switch result.Status {
	case solver.Infeasible:
		return nil, m.infeasible()
	case solver.Unbounded:
		next := cmp.Or(m.problem.boundsToGive(), "check the quadratic part of the objective")
		return nil, fmt.Errorf("robust: Φ_S has no minimum over X with %s at radius %g (%w); %s", input.Count(len(m.atoms), "atom"), m.radius, solver.ErrUnbounded, next)
	}
	return nil, fmt.Errorf("robust: model with %s at radius %g: %w%s", input.Count(len(m.atoms), "atom"), m.radius, result.Check(), proven)
}

// worst evaluates all exposures at x against the whole set; the count worst atoms of each are in the dictionary from now on.
func (m *master) worst(ctx context.Context, x []float64, count int) (all []exposed, err error) {
	if m.problem.oracle == nil {
		return m.look(x), nil
	}
	grown, all, err := m.problem.oracle.at(ctx, m.problem, x, count)
	if err == nil {
		m.problem = grown
	}
	return all, err
}

// decision returns x, the part of the solver's point that belongs to the region.
func (m *master) decision(result *solver.Result) []float64 {
	return result.X[:m.problem.region.Columns()]
}

// infeasible names the model that no decision satisfies, and the next step. It wraps solver.ErrInfeasible.
func (m *master) infeasible() error {
	rows, next := len(m.problem.constraints), "ask Problem.Explain which constraints and atoms conflict and which radius is still feasible"
	if m.problem.oracle != nil { // of which nobody explains anything
		next = "relax their limits, or lower the radius"
	}
	if !m.relaxes {
		next += "; points so far out that rounded coefficients matter do not count: give columns finite bounds"
	}
	if rows == 0 {
		return fmt.Errorf("robust: no x in X satisfies the model with %s at radius %g (%w): X itself is empty, whatever the atoms; check the bounds and rows of the region: solver.Explain names those that contradict each other",
			input.Count(len(m.atoms), "atom"), m.radius, solver.ErrInfeasible)
	}
	return fmt.Errorf("robust: no x in X satisfies the model with %s at radius %g and %s (%w); %s",
		input.Count(len(m.atoms), "atom"), m.radius, input.Count(rows, "robust constraint"), solver.ErrInfeasible, next)
}

// openShown is the number of unbounded columns that a text lists by name.
const openShown = 5

// boundsToGive asks for finite bounds of columns that lack one, by name; empty if none does.
func (p *Problem) boundsToGive() string {
	var open []string
	for j := range p.region.Columns() {
		if c := p.region.Column(j); math.IsInf(c.Lower(), 0) || math.IsInf(c.Upper(), 0) {
			open = append(open, p.region.ColumnName(j))
		}
	}
	if len(open) == 0 {
		return ""
	}
	next := "give finite bounds to " + strings.Join(open[:min(openShown, len(open))], ", ")
	if len(open) > openShown {
		next += fmt.Sprintf(" and %d more", len(open)-openShown)
	}
	return next
}

// exactBound returns a bound for the minimum of the model in float64 where it is one for that of the exact model, because all
// rows are relaxations, and none where not.
func (m *master) exactBound(bound proof.Lower) proof.Lower {
	if m.relaxes {
		return bound
	}
	return proof.Lower{}
}
