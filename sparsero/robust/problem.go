package robust

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Problem is a robust program min b(x) + max_{u in U_S(r)} ⟨u, q(x)⟩ over x in X, together with any number of robust
// constraints. Build it with [NewProblem]; it does not change and may be used by several goroutines at once.
type Problem struct {
	dictionary  *directSum
	region      *solver.Model      // X and b(x)
	q           sparsero.AffineMap // in the coordinates of its set, as all maps; no Matrix if the objective is certain
	constraints []Constraint
	pullbacks   []pullback     // by exposure + 1; the zero one for a certain objective
	oracle      *OracleProblem // that knows the other atoms, nil where the dictionary has all
	set         convex.Set     // that the atoms are points of, nil for none
	last        *optimum       // from which the next solve may go on, nil for none
	ceiling     float64        // that no alignment of the objective reaches over X; 0 for a certain objective
}

// Dictionary returns the atoms (N×p) from which the uncertainty sets are built, nil for a problem that [NewProblem] did
// not build. With constraints that have a Dictionary of their own it holds all sets, in the order of the constraints,
// what several share once, each in coordinates of its own of p = Σp_k and zero elsewhere; labels and column names begin
// with the name of the first constraint that has them. Then the first call takes 8Np bytes, and it panics if Np is more
// than 2^30.
func (p *Problem) Dictionary() *sparsero.Dictionary {
	if p.dictionary == nil {
		return nil
	}
	return p.dictionary.whole()
}

// Region returns a copy of X with the objective b(x), nil for a problem that [NewProblem] did not build.
func (p *Problem) Region() *solver.Model {
	if p.region == nil {
		return nil
	}
	return p.region.Clone()
}

// Map returns a copy of q (p×n for the p of Dictionary), without a Matrix if the objective is certain.
func (p *Problem) Map() sparsero.AffineMap { return p.dictionary.embedded(objectiveExposure, p.q) }

// Constraints returns a copy of the robust constraints; there may be none. Their maps lead to the coordinates of
// [Problem.Dictionary], and none has a Dictionary of its own.
func (p *Problem) Constraints() []Constraint {
	constraints := slices.Clone(p.constraints)
	for k := range constraints {
		c := &constraints[k]
		c.Nominal, c.Map = slices.Clone(c.Nominal), p.dictionary.embedded(k, c.Map)
	}
	return constraints
}

func (p *Problem) check() error {
	if p == nil || p.region == nil {
		return errors.New("robust: the problem is nil or empty; build it with NewProblem")
	}
	return nil
}

// NewProblem checks that the parts fit together and returns the problem, with copies of all but the dictionary, which
// never changes and may be nil if the objective is certain and every constraint has its own. It is an error if the
// dictionary or the region is nil, the region is no valid minimisation model, q is not p×n for the dictionary's p and
// the region's n columns, a constraint does not fit, or nothing is uncertain.
func NewProblem(d *sparsero.Dictionary, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*Problem, error) {
	if err := region.Validate(); err != nil {
		return nil, fmt.Errorf("robust: region: %w", err)
	}
	if region.Maximizes() {
		return nil, errors.New("robust: region is maximised, but Φ_S is minimised; change the sign of its objective and minimise it")
	}
	if q.Matrix == nil && len(constraints) == 0 {
		return nil, errors.New("robust: q is the zero AffineMap and there is no robust constraint, so nothing is uncertain; give q or a Constraint")
	}
	p := &Problem{region: region.Clone(), q: q, constraints: slices.Clone(constraints)}
	if q.Matrix != nil {
		var err error
		if p.q, err = p.checkMap("q", d, q); err != nil {
			return nil, err
		}
	}
	for k := range p.constraints {
		if err := p.checkConstraint(k, d); err != nil {
			return nil, err
		}
	}
	if err := p.joinSets(d); err != nil {
		return nil, err
	}
	p.pullBack()
	if p.q.Matrix != nil {
		p.ceiling = p.alignmentCeiling(d)
	}
	return p, nil
}

func (p *Problem) pullBack() {
	p.pullbacks = make([]pullback, 1+len(p.constraints))
	for _, exposure := range p.exposures() {
		p.pullbacks[exposure+1] = newPullback(p.exposureMap(exposure))
	}
}

func (p *Problem) checkMap(name string, d *sparsero.Dictionary, q sparsero.AffineMap) (sparsero.AffineMap, error) {
	if d.Size() == 0 {
		return q, fmt.Errorf("robust: the dictionary for %s is nil; build one with sparsero.NewDictionary, or give every constraint its own", name)
	}
	if q.Matrix == nil || q.Matrix.IsEmpty() {
		return q, fmt.Errorf("robust: %s has no matrix; build it with sparsero.NewAffineMap", name)
	}
	rows, columns := q.Dims()
	if rows != d.Dim() || columns != p.region.Columns() {
		return q, fmt.Errorf("robust: %s is %d×%d but the atoms have dimension %d and the region has %d columns; give a %d×%d matrix",
			name, rows, columns, d.Dim(), p.region.Columns(), d.Dim(), p.region.Columns())
	}
	copied, err := sparsero.NewAffineMap(q.Matrix, q.Constant)
	if err != nil {
		return q, fmt.Errorf("robust: %s: %w", name, err)
	}
	return copied, nil
}

// Objective returns Φ_S(x) = b(x) + r M_S(q(x)) for the atoms and radius of a set. It panics if the problem was not built,
// and if x does not have length n. It does not check that x lies in X.
func (p *Problem) Objective(set *sparsero.AtomicSet, x []float64) float64 {
	if err := p.check(); err != nil {
		panic(err.Error())
	}
	value := p.region.Objective(x)
	if p.q.Matrix != nil {
		value += set.Support(p.dictionary.spread(p.dictionary.at(objectiveExposure).coordinate, p.q.Apply(x)))
	}
	return value
}

// exposures lists the places where uncertainty enters: objectiveExposure if the
// objective is uncertain, then the constraints by their position.
func (p *Problem) exposures() []int {
	places := make([]int, 0, len(p.constraints)+1)
	if p.q.Matrix != nil {
		places = append(places, objectiveExposure)
	}
	for k := range p.constraints {
		places = append(places, k)
	}
	return places
}

// objectiveExposure stands for the objective where a constraint's position is expected.
const objectiveExposure = -1

// exposureMap returns the q through which an exposure meets the uncertainty.
func (p *Problem) exposureMap(exposure int) sparsero.AffineMap {
	if exposure == objectiveExposure {
		return p.q
	}
	return p.constraints[exposure].Map
}

// exposureName returns "objective" or the constraint's name.
func (p *Problem) exposureName(exposure int) string {
	if exposure == objectiveExposure {
		return "objective"
	}
	return p.constraints[exposure].Name
}

func (p *Problem) exposureNames() []string {
	var names []string
	for _, exposure := range p.exposures() {
		names = append(names, p.exposureName(exposure))
	}
	return names
}

// checkSet validates the problem, atoms and radius as every public entry does.
func (p *Problem) checkSet(indices []int, radius float64) error {
	if err := p.check(); err != nil {
		return err
	}
	if _, err := p.dictionary.restricted(indices, radius, nil); err != nil {
		return fmt.Errorf("robust: %w", err)
	}
	return nil
}

// restrictedSet is the set of some atoms, after the checks of checkSet.
func (p *Problem) restrictedSet(indices []int, radius float64) (*sparsero.AtomicSet, error) {
	if err := p.checkSet(indices, radius); err != nil {
		return nil, err
	}
	if err := p.dictionary.checkWide(); err != nil {
		return nil, err
	}
	return sparsero.NewAtomicSet(p.Dictionary(), indices, radius)
}

// checkConstraint takes the atoms of the problem.
func (p *Problem) checkConstraint(k int, d *sparsero.Dictionary) error {
	c := &p.constraints[k]
	c.Name = cmp.Or(c.Name, fmt.Sprintf("constraint %d", k))
	var err error
	if c.Map, err = p.checkMap("q of "+c.Name, cmp.Or(c.Dictionary, d), c.Map); err != nil {
		return err
	}
	c.Nominal = slices.Clone(c.Nominal)
	if c.Nominal != nil {
		if err := input.CheckVector("Nominal of "+c.Name, c.Nominal, p.region.Columns()); err != nil {
			return fmt.Errorf("robust: %w", err)
		}
	}
	switch {
	case math.IsNaN(c.Limit) || math.IsInf(c.Limit, 0):
		return fmt.Errorf("robust: Limit of %s is %v; give a finite right-hand side or leave the constraint out", c.Name, c.Limit)
	case !(c.Radius >= 0) || math.IsInf(c.Radius, 1):
		return fmt.Errorf("robust: Radius of %s is %v; give a finite number > 0", c.Name, c.Radius)
	case c.Radius != 0 && c.Dictionary == nil:
		return fmt.Errorf("robust: %s has the radius %v, but its atoms are those of the problem; multiply its map by that number, or give it a dictionary of its own", c.Name, c.Radius)
	}
	return nil
}
