package robust

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// Problem is a robust program min b(x) + max_{u in U_S(r)} ⟨u, q(x)⟩ over x in X,
// together with any number of robust constraints. Build it with [NewProblem] and
// treat its fields as read-only; it may then be used by several goroutines at once. With
// other parts in its fields it is refused.
type Problem struct {
	// Dictionary holds the atoms (N×p) from which the uncertainty sets are built.
	Dictionary *sparsero.Dictionary
	// Region is X: columns, bounds, rows and integrality. Its own objective, which
	// is minimised and may be convex quadratic, is b(x).
	Region *solver.Model
	// Map is q (p×n). A zero Map means that the objective is certain.
	Map sparsero.AffineMap
	// Constraints are the robust constraints; there may be none.
	Constraints []Constraint

	pulls []pull // by exposure + 1; the zero pull for a certain objective
	parts parts
}

// parts are what NewProblem has checked.
type parts struct {
	dictionary *sparsero.Dictionary
	region     *solver.Model
}

// check returns an error if NewProblem did not build the problem with these parts.
func (p *Problem) check() error {
	built := p != nil && p.parts.region != nil && p.parts == parts{p.Dictionary, p.Region} && len(p.pulls) == 1+len(p.Constraints)
	for exposure := objectiveExposure; built && exposure < len(p.Constraints); exposure++ {
		checked, given := p.pulls[exposure+1].AffineMap, p.exposureMap(exposure)
		built = checked.Matrix == given.Matrix && len(checked.Constant) == len(given.Constant)
	}
	if !built {
		return errors.New("robust: NewProblem did not build this problem, or its fields hold other parts since; build it with NewProblem")
	}
	return nil
}

// Constraint is one robust constraint
//
//	⟨Nominal, x⟩ + max_{u in U_S(r)} ⟨u, q(x)⟩ <= Limit
//
// over the same dictionary, atoms and radius as the objective. Each constraint
// has its own worst case u.
type Constraint struct {
	// Name is used in reports; empty means "constraint k", counted from 0.
	Name string
	// Nominal has length n; nil means zero.
	Nominal []float64
	// Map is the q of this constraint (p×n).
	Map sparsero.AffineMap
	// Limit is the right-hand side, finite.
	Limit float64
}

// NewProblem checks that the parts fit together and returns the problem. The parts
// are copied, except for the dictionary, which never changes. It is an error if the
// dictionary or the region is nil, if the region is not a valid minimisation model,
// if q is not p×n for the dictionary's p and the region's n columns, or if a
// constraint does not fit; a problem with neither an uncertain objective nor a
// robust constraint is an error too.
func NewProblem(d *sparsero.Dictionary, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*Problem, error) {
	if d == nil {
		return nil, errors.New("robust: dictionary is nil; build one with sparsero.NewDictionary")
	}
	if region == nil {
		return nil, errors.New("robust: region is nil; describe X and b(x) with solver.NewModel")
	}
	if region.Columns() == 0 {
		return nil, errors.New("robust: region has no columns; add the decision variables with AddColumn")
	}
	if err := region.Validate(); err != nil {
		return nil, fmt.Errorf("robust: region: %w", err)
	}
	if region.Sense() != solver.Minimize {
		return nil, errors.New("robust: region is maximised, but Φ_S is minimised; change the sign of its objective and set solver.Minimize")
	}
	if q.Matrix == nil && len(constraints) == 0 {
		return nil, errors.New("robust: q is the zero AffineMap and there is no robust constraint, so nothing is uncertain; give q or a Constraint")
	}
	p := &Problem{Dictionary: d, Region: region.Clone(), Map: q, Constraints: slices.Clone(constraints)}
	if q.Matrix != nil {
		var err error
		if p.Map, err = p.checkMap("q", q); err != nil {
			return nil, err
		}
	}
	for k := range p.Constraints {
		if err := p.checkConstraint(k); err != nil {
			return nil, err
		}
	}
	p.pulls, p.parts = make([]pull, 1+len(p.Constraints)), parts{p.Dictionary, p.Region}
	for _, exposure := range p.exposures() {
		p.pulls[exposure+1] = newPull(p.exposureMap(exposure))
	}
	return p, nil
}

// checkMap returns a copy of a map that fits the dictionary and the region.
func (p *Problem) checkMap(name string, q sparsero.AffineMap) (sparsero.AffineMap, error) {
	if q.Matrix == nil || q.Matrix.IsEmpty() {
		return q, fmt.Errorf("robust: %s has no matrix; build it with sparsero.NewAffineMap", name)
	}
	rows, columns := q.Dims()
	if rows != p.Dictionary.Dim() || columns != p.Region.Columns() {
		return q, fmt.Errorf("robust: %s is %d×%d but the atoms have dimension %d and the region has %d columns; give a %d×%d matrix",
			name, rows, columns, p.Dictionary.Dim(), p.Region.Columns(), p.Dictionary.Dim(), p.Region.Columns())
	}
	copied, err := sparsero.NewAffineMap(q.Matrix, q.Constant)
	if err != nil {
		return q, fmt.Errorf("robust: %s: %w", name, err)
	}
	return copied, nil
}

func (p *Problem) checkConstraint(k int) error {
	c := &p.Constraints[k]
	if c.Name == "" {
		c.Name = fmt.Sprintf("constraint %d", k)
	}
	var err error
	if c.Map, err = p.checkMap("q of "+c.Name, c.Map); err != nil {
		return err
	}
	c.Nominal = slices.Clone(c.Nominal)
	if n := p.Region.Columns(); c.Nominal != nil && len(c.Nominal) != n {
		return fmt.Errorf("robust: Nominal of %s has length %d but the region has %d columns; give %d values or nil", c.Name, len(c.Nominal), n, n)
	}
	for j, v := range c.Nominal {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("robust: Nominal of %s has the value %v at position %d; use finite values", c.Name, v, j)
		}
	}
	if math.IsNaN(c.Limit) || math.IsInf(c.Limit, 0) {
		return fmt.Errorf("robust: Limit of %s is %v; give a finite right-hand side or leave the constraint out", c.Name, c.Limit)
	}
	return nil
}

// Objective returns Φ_S(x) = b(x) + r M_S(q(x)) for the atoms and radius of a
// set. It panics if the problem was not built, and if x does not have length n. It does not
// check that x lies in X.
func (p *Problem) Objective(set *sparsero.AtomicSet, x []float64) float64 {
	if err := p.check(); err != nil {
		panic(err.Error())
	}
	value := p.Region.Objective(x)
	if p.Map.Matrix != nil {
		value += set.Support(p.Map.Apply(x))
	}
	return value
}

// nominal returns ⟨Nominal, x⟩ of constraint k.
func (c *Constraint) nominal(x []float64) float64 {
	sum := 0.0
	for j, v := range c.Nominal {
		sum += v * x[j]
	}
	return sum
}

// nominalSize is the size of the terms of ⟨Nominal, x⟩.
func (c *Constraint) nominalSize(x []float64) float64 {
	sum := 0.0
	for j, v := range c.Nominal {
		sum += math.Abs(v * x[j])
	}
	return sum
}

// exposures lists the places where uncertainty enters: objectiveExposure if the
// objective is uncertain, then the constraints by their position.
func (p *Problem) exposures() []int {
	places := make([]int, 0, len(p.Constraints)+1)
	if p.Map.Matrix != nil {
		places = append(places, objectiveExposure)
	}
	for k := range p.Constraints {
		places = append(places, k)
	}
	return places
}

// objectiveExposure stands for the objective where a constraint's position is expected.
const objectiveExposure = -1

// exposureMap returns the q through which an exposure meets the uncertainty.
func (p *Problem) exposureMap(exposure int) sparsero.AffineMap {
	if exposure == objectiveExposure {
		return p.Map
	}
	return p.Constraints[exposure].Map
}

// exposureName returns "objective" or the constraint's name.
func (p *Problem) exposureName(exposure int) string {
	if exposure == objectiveExposure {
		return "objective"
	}
	return p.Constraints[exposure].Name
}

// restrictedSet validates the problem, atoms and radius as every public entry does.
func (p *Problem) restrictedSet(indices []int, radius float64) (*sparsero.AtomicSet, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	set, err := sparsero.NewAtomicSet(p.Dictionary, indices, radius)
	if err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	return set, nil
}
