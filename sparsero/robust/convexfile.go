package robust

import (
	"errors"
	"math"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// filed is a convex set that has a form in design files, as those of package convex.
type filed interface {
	convex.Set
	InFile(points, directions [][]float64) (set *lifted.Set, z [][]float64)
}

// formOf returns a set with its form, nil for none.
func formOf(set convex.Set) filed {
	switch set := set.(type) {
	case filed:
		return set
	case *convex.Ellipsoid:
		return ellipsoidForm{set}
	}
	return nil
}

// ellipsoidForm has z in the unit ball, and its factor as the map.
type ellipsoidForm struct{ *convex.Ellipsoid }

// InFile implements filed. It needs no multipliers.
func (e ellipsoidForm) InFile(points, _ [][]float64) (set *lifted.Set, z [][]float64) {
	set = &lifted.Set{}
	factor := e.Factor()
	for k := range e.Dim() {
		columns, values := sparse(factor.RawRowView(k))
		set.Map = append(set.Map, lifted.Entries{Columns: columns, Values: values})
	}
	for _, u := range points {
		var w mat.VecDense
		_ = w.SolveVec(factor, mat.NewVecDense(len(u), u)) // which warns of a bad condition: then the point is another one of the set
		z = append(z, inBall(w.RawVector().Data))
	}
	return set, z
}

// inBall scales a point until it is proven to be in the unit ball.
func inBall(w []float64) []float64 {
	for margin := 0x1p-52; directed.NormUpper(w) > 1; margin *= 2 {
		floats.Scale(math.Max(0, 1-margin)/directed.NormUpper(w), w)
	}
	return w
}

// inFile is the problem of a solution and its decision as a file holds them. The atoms of a convex set are written in
// the coordinates in which they are proven to be its points.
func (s *Solution) inFile() (*lifted.Problem, *lifted.Decision, error) {
	if err := s.problem.dictionary.checkWide(); err != nil {
		return nil, nil, err
	}
	problem, decision := s.problem.lifted(s.Radius), &lifted.Decision{X: s.X, Atoms: s.Atoms}
	if s.exposed[0].outside == nil { // all atoms are in the dictionary
		return problem, decision, nil
	}
	set := formOf(s.problem.set)
	if set == nil {
		return nil, nil, errors.New("robust: a file has no form for the set of an oracle, nor for convex sets but those of package convex; for claims about the atoms that came, solve Solution.Problem and write its solution")
	}
	directions := make([][]float64, 1+len(s.problem.constraints))
	for _, exposure := range s.problem.exposures() {
		directions[exposure-objectiveExposure], _ = direction(s.problem.exposureMap(exposure), s.X)
	}
	d := &problem.Dictionary
	problem.Set, d.Values = set.InFile(d.Values, directions)
	d.Dimension = len(d.Values[0])
	d.Labels, d.Columns = nil, nil
	return problem, decision, nil
}
