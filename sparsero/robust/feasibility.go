package robust

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
)

// mostVisited bounds the points at which the sizes of rows are measured.
const mostVisited = 8

// feasibility answers questions of feasibility about one set of atoms, or about all of them with the rows of few.
type feasibility struct {
	problem *Problem
	indices []int // the atoms that have rows
	full    bool  // atoms that a point misses get rows
	options *solver.Options
}

// missedAtoms returns, for each constraint, the worst atom of the dictionary at a point, or all where float64 does not
// tell it, if they are missed and have no rows yet; none where the point without noise misses neither them nor those
// with rows.
func (x *feasibility) missedAtoms(point []float64, radius float64) (atoms []int) {
	p := x.problem
	points := p.points(point)
	if clean := points[len(points)-1]; x.satisfies(radius, clean) {
		point = clean
	}
	for k := range p.constraints {
		set, e := p.dictionary.at(k), x.at(k, point)
		local, alignment := set.dictionary.ActiveAtom(p.constraints[k].Map.Apply(point))
		candidates := []int{local}
		if math.IsNaN(alignment) || e.hides(set.place(local), radius) { // an atom beyond float64, or beside small ones
			candidates = rank.Indices[int](set.dictionary.Size())
		}
		for _, local := range candidates {
			worst := set.place(local)
			known := worst == sparsero.NullAtom || slices.Contains(x.indices, worst) || slices.Contains(atoms, worst)
			if !known && e.missed(worst, radius) > slackTolerance {
				atoms = append(atoms, worst)
			}
		}
	}
	return atoms
}

// sort puts the atoms of the full model in order: in which order points asked for them is not for a report.
func (x *feasibility) sort() {
	if x.full {
		slices.Sort(x.indices)
	}
}

// demands lists the rows of all constraints, the nominal ones first.
func (x *feasibility) demands() []cut {
	var rows []cut
	for _, atom := range append([]int{sparsero.NullAtom}, x.indices...) {
		for k := range x.problem.constraints {
			if atom == sparsero.NullAtom || x.problem.dictionary.at(k).holds(atom) {
				rows = append(rows, cut{exposure: k, atom: atom})
			}
		}
	}
	return rows
}

// row writes a demand at a radius, an infinite one as that the atom does no harm. A nominal one has no part in the radius.
func (x *feasibility) row(c cut, radius float64) solver.Row {
	switch {
	case c.atom == sparsero.NullAtom:
		return x.problem.robustRow(c, 0)
	case !math.IsInf(radius, 1):
		return x.problem.robustRow(c, radius)
	}
	coefficients, constant := x.problem.pullbacks[c.exposure+1].of(x.problem.dictionary.row(c.exposure, c.atom))
	columns, values := sparse(coefficients)
	return solver.Row{Bounds: solver.AtMost(-constant), Columns: columns, Values: values}
}

// feasible reports whether some x in X satisfies the demands at a radius. It asks for the largest least slack first, a
// question with a clear answer even where feasibility hangs by a thread.
func (x *feasibility) feasible(ctx context.Context, radius float64) (bool, error) {
	result, err := x.slackest(ctx, radius)
	if err != nil || x.keeps(result) {
		return err == nil, err
	}
	return false, decided(result)
}

// decided is an error where the point that has the most slack is not proven to: the one at hand shows what is possible,
// never what is not. A slack that is known up to the tolerance is known.
func decided(slackest *solver.Result) error {
	most := slackest.Upper.Float()
	known := most-slackest.Objective <= slackTolerance || most < -slackTolerance // no point has as much
	if slackest.Status == solver.Infeasible || known {
		return nil
	}
	return fmt.Errorf("robust: feasibility: %w", cmp.Or(slackest.Check(), solver.ErrUnproven))
}

// slackest finds the point with the most slack in the demands at a radius; for the full model, once no atom misses it or
// those with rows leave no point. A point that misses demands by more than a share of the terms that they have there
// changes the sizes by which slack is measured: 1e-10 is little beside a bound of 1, and may be all that there is.
func (x *feasibility) slackest(ctx context.Context, radius float64) (*solver.Result, error) {
	for visited := [][]float64{}; len(visited) <= mostVisited; {
		result, err := x.solve(ctx, x.withSlack(radius, visited))
		if err != nil || !x.keeps(result) {
			return result, err
		}
		point := result.X[:x.problem.region.Columns()]
		if x.full {
			if missed := x.missedAtoms(point, radius); len(missed) > 0 {
				x.indices = append(x.indices, missed...)
				continue
			}
		}
		satisfied := slices.ContainsFunc(x.problem.points(point), func(p []float64) bool { return x.satisfies(radius, p) })
		switch {
		case satisfied && x.full:
			return result, x.checkUnderflow(point, radius)
		case satisfied: // the rows of the atoms in question are written without q(x), and lose nothing
			return result, nil
		}
		visited = append(visited, point)
	}
	return nil, fmt.Errorf("robust: feasibility: points miss demands by more than rounding at radius %.3g: %w", radius, solver.ErrUnproven)
}

// checkUnderflow is an error where atoms that a point seems not to miss may do harm by terms below float64.
func (x *feasibility) checkUnderflow(point []float64, radius float64) error {
	for k, c := range x.problem.constraints {
		if err := x.problem.checkUnderflow(k, radius, point, c.Map.Apply(point), x.at(k, point).size); err != nil {
			return fmt.Errorf("robust: feasibility: q(x) of %s: %w", c.Name, err)
		}
	}
	return nil
}

// keeps tells whether the slackest point keeps to its rows, up to the tolerance.
func (x *feasibility) keeps(slackest *solver.Result) bool {
	n := x.problem.region.Columns()
	return slackest.X != nil && (len(slackest.X) == n || slackest.X[n] >= -slackTolerance)
}

// solve returns a result that has a point or is infeasible.
func (x *feasibility) solve(ctx context.Context, model *solver.Model) (*solver.Result, error) {
	result, err := solver.Solve(ctx, model, x.options)
	if err != nil {
		return nil, fmt.Errorf("robust: feasibility: %w", err)
	}
	switch result.Status {
	case solver.Optimal, solver.FeasibleLimit, solver.Infeasible:
		return result, nil
	}
	return nil, fmt.Errorf("robust: feasibility: %w", result.Check())
}

// conflict returns a minimal set of demands that no x in X satisfies together.
func (x *feasibility) conflict(ctx context.Context, radius float64) ([]Demand, error) {
	x.sort()
	model, demands := x.problem.region.WithoutObjective(), x.demands()
	rows := make([]int, len(demands))
	for k, c := range demands {
		row := x.row(c, radius)
		row.Group = "" // each demand counts for itself
		rows[k] = model.AddRow(row)
	}
	conflict, err := solver.Explain(ctx, model, x.options, rows...)
	if err != nil {
		return nil, fmt.Errorf("robust: conflict: %w", err)
	}
	var minimal []Demand
	for _, member := range conflict.Members {
		for _, i := range member.Rows {
			c := demands[i-rows[0]]
			minimal = append(minimal, Demand{Constraint: x.problem.exposureName(c.exposure), Atom: c.atom, Label: x.problem.dictionary.Label(c.atom)})
		}
	}
	return minimal, nil
}

// encounter is a point before a constraint: what it misses of the nominal part, and the direction, each with the sizes of terms.
type encounter struct {
	problem       *Problem
	exposure      int
	point         []float64
	nominal, size float64
	direction     *pointed
	terms         []float64
}

func (x *feasibility) at(exposure int, point []float64) *encounter {
	constraint := &x.problem.constraints[exposure]
	sum, size := x.problem.nominal(exposure, point)
	return &encounter{x.problem, exposure, point, sum.Value() - constraint.Limit, size + math.Abs(constraint.Limit), x.problem.at(exposure, point), termSizes(constraint.Map, point)}
}

// missed is by how much a demand is missed at a radius, or how much harm is done for an infinite one, relative to the terms.
func (e *encounter) missed(atom int, radius float64) float64 {
	missed, size := e.excess(atom, radius)
	switch {
	case missed <= 0:
		return 0
	case !(missed < math.Inf(1)): // nor a number
		return math.Inf(1)
	}
	return missed / math.Min(size, math.MaxFloat64)
}

// hides tells whether others may be missed although the worst atom is not, whose own excess may be the rounding of large
// terms: by no more than that, but in smaller terms.
func (e *encounter) hides(worst int, radius float64) bool {
	least := e.size // of the terms of any atom
	if math.IsInf(radius, 1) {
		least = 0
	}
	missed, size := e.excess(worst, radius)
	missed = math.Abs(missed)
	return missed >= slackTolerance*least && missed <= slackTolerance*size
}

// excess is by how much a demand is missed, and the size of its terms.
func (e *encounter) excess(atom int, radius float64) (missed, size float64) {
	row := e.problem.dictionary.row(e.exposure, atom)
	if row == nil {
		return e.nominal, e.size
	}
	harm := floats.Dot(row, e.direction.middle)
	terms := e.problem.alignmentSize(e.exposure, e.terms, atom)
	if !(terms < math.Inf(1)) { // a coordinate of q(x) or a partial sum may be beyond float64 where the sum is not
		harm, _ = e.direction.harm(row)
		terms, _ = exactAlignment(row, exactDirection(e.problem.exposureMap(e.exposure), e.point, magnitude), magnitude).Float64()
	}
	if math.IsInf(radius, 1) {
		return harm, terms
	}
	return e.nominal + radius*harm, e.size + radius*terms
}

func (x *feasibility) satisfies(radius float64, point []float64) bool {
	atoms := append([]int{sparsero.NullAtom}, x.indices...)
	for k := range x.problem.constraints {
		e := x.at(k, point)
		if slices.ContainsFunc(atoms, func(atom int) bool { return e.missed(atom, radius) > slackTolerance }) {
			return false
		}
	}
	return true
}

// points are a point of X and, where it is another one that keeps to the rows of X up to a share of their terms, the
// same without noise. These terms are at most those of the point and 1 together: beside wide bounds, which may stand
// for none, everything is small.
func (p *Problem) points(point []float64) [][]float64 {
	clean := p.withoutNoise(point)
	if slices.Equal(clean, point) {
		return [][]float64{point}
	}
	for i := range p.region.Rows() {
		row, activity := p.region.Row(i), p.region.Activity(i, clean)
		side, missed := row.Lower(), row.Lower()-activity
		if over := activity - row.Upper(); over > missed {
			side, missed = row.Upper(), over
		}
		if row.Bounds = solver.AtMost(side); !(missed <= 0) && !(missed <= slackTolerance*math.Min(1+termsAt(row, point), p.rowReach(row))) {
			return [][]float64{point}
		}
	}
	return [][]float64{point, clean}
}

// withoutNoise is a point with 0 for the coordinates that a solver may have left beside 0. What their bounds keep from 0
// stays.
func (p *Problem) withoutNoise(point []float64) []float64 {
	clean := slices.Clone(point)
	for j, v := range point {
		bounds := p.region.Column(j).Bounds
		if bounds.Lower() > 0 || bounds.Upper() < 0 {
			continue
		}
		size := 0.0
		for _, bound := range [2]float64{bounds.Lower(), bounds.Upper()} {
			if !math.IsInf(bound, 0) {
				size = math.Max(size, math.Abs(bound))
			}
		}
		if size == 0 { // nothing else says what is small
			size = floats.Norm(point, math.Inf(1))
		}
		if math.Abs(v) <= coordinateNoise*size {
			clean[j] = 0
		}
	}
	return clean
}

// withSlack maximises the least slack of all demands at a radius over X, relative to the size of each row and capped at
// 1; without demands it asks for any point of X. An infinite radius asks for a point that satisfies the constraints at
// every radius: nominally feasible, and no atom does harm. The size of a row is that over the bounds of X or at one of
// the points visited, whichever is least.
func (x *feasibility) withSlack(radius float64, visited [][]float64) *solver.Model {
	model, demands := x.problem.region.WithoutObjective(), x.demands()
	if len(demands) == 0 {
		return model
	}
	model.SetMaximize(true)
	slack := model.AddColumn(solver.Column{Name: "least slack", Bounds: solver.AtMost(1), Cost: 1})
	for _, c := range demands {
		row := x.row(c, radius)
		size := cmp.Or(x.problem.rowReach(row), 1) // 0 for a row without terms
		for _, point := range visited {
			size = math.Min(size, cmp.Or(math.Abs(row.Upper())+termsAt(row, point), size))
		}
		row.Columns, row.Values = append(row.Columns, slack), append(row.Values, size)
		model.AddRow(row)
	}
	return model
}

// termsAt is Σ_j |v_j x_j| of a row at a point.
func termsAt(row solver.Row, point []float64) (terms float64) {
	for k, j := range row.Columns {
		terms += math.Abs(row.Values[k] * point[j])
	}
	return terms
}

// Demand is one robust row: a constraint that has to hold against an atom.
type Demand struct {
	// Constraint is the constraint's name, Atom the atom or sparsero.NullAtom for
	// the nominal row, Label the atom's label.
	Constraint string
	Atom       int
	Label      string
}

func (d Demand) words() string {
	if d.Atom == sparsero.NullAtom {
		return fmt.Sprintf("%q without any uncertainty", d.Constraint)
	}
	return fmt.Sprintf("%q against atom %s", d.Constraint, d.Label)
}
