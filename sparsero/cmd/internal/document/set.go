package document

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"gonum.org/v1/gonum/mat"
)

// set is a convex set in the place of atoms: one of package convex.
type set struct {
	Box         *budget       `json:"box"`
	Budget      *budget       `json:"budget"`
	Ball        *ball         `json:"ball"`
	Ellipsoid   *ellipsoid    `json:"ellipsoid"`
	Polyhedron  *solver.Model `json:"polyhedron"`
	Wasserstein *wasserstein  `json:"wasserstein"`
	CVaR        *cvar         `json:"cvar"`
}

// budget is |u_k| <= Widths[k] and Σ |u_k|/Widths[k] <= Gamma.
type budget struct {
	Widths []float64 `json:"widths"`
	Gamma  float64   `json:"gamma"`
}

type ball struct {
	Dimension int     `json:"dimension"`
	Norm      norm    `json:"norm"`
	Radius    float64 `json:"radius"`
}

// ellipsoid is u'Covariance^{-1}u <= Radius², or that around the mean of samples which holds the share Level of them.
type ellipsoid struct {
	Covariance *table   `json:"covariance"`
	Radius     *float64 `json:"radius"`
	Samples    *table   `json:"samples"`
	Level      *float64 `json:"level"`
}

// wasserstein is the ball of Epsilon around the mean of samples.
type wasserstein struct {
	Samples *table  `json:"samples"`
	Norm    norm    `json:"norm"`
	Epsilon float64 `json:"epsilon"`
}

// cvar is the conditional value at risk of Level over samples of u; nil Probabilities are equal.
type cvar struct {
	Samples       *table    `json:"samples"`
	Probabilities []float64 `json:"probabilities"`
	Level         *float64  `json:"level"`
}

// norm is 1, 2, for which 0 stands where none is given, or +Inf for null.
type norm float64

func (n *norm) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = norm(math.Inf(1))
		return nil
	}
	err := json.Unmarshal(text, (*float64)(n))
	if err == nil && *n == 0 {
		err = errors.New("norm is 0; give 1, 2 or null, the maximum norm")
	}
	return err
}

func (n norm) value() float64 { return cmp.Or(float64(n), 2) }

// build returns the set, and the mean of the samples that it is around, nil for none.
func (s *set) build(ctx context.Context, folder string, p *parts) (mean []float64, built convex.Set, err error) {
	order := &p.order
	given, kinds := 0, reflect.ValueOf(*s)
	for k := range kinds.NumField() {
		if !kinds.Field(k).IsNil() {
			given++
		}
	}
	if given != 1 {
		return nil, nil, fmt.Errorf("it has %d of the keys box, budget, ball, ellipsoid, polyhedron, wasserstein, cvar; give one", given)
	}
	switch {
	case s.Box != nil && s.Box.Gamma != 0:
		err = errors.New("a box has no gamma; write budget for one")
	case s.Box != nil:
		built, err = convex.NewBudget(s.Box.Widths, float64(len(s.Box.Widths)))
	case s.Budget != nil:
		built, err = convex.NewBudget(s.Budget.Widths, s.Budget.Gamma)
	case s.Ball != nil:
		built, err = convex.NewBall(s.Ball.Dimension, s.Ball.Norm.value(), s.Ball.Radius)
	case s.Ellipsoid != nil:
		return s.Ellipsoid.build(folder, order)
	case s.Polyhedron != nil && order.turns(s.Polyhedron.ColumnNames()):
		err = fmt.Errorf("the polyhedron has the columns %q and the model %q; give them in the order of the model", s.Polyhedron.ColumnNames(), order.names)
	case s.Polyhedron != nil:
		built, err = convex.NewPolyhedron(ctx, s.Polyhedron, nil)
	case s.CVaR != nil:
		return s.CVaR.build(folder, p)
	default:
		samples, err := s.Wasserstein.Samples.inOrder("samples", folder, order.matched)
		if err != nil {
			return nil, nil, err
		}
		return convex.NewWasserstein(samples.Matrix(), s.Wasserstein.Norm.value(), s.Wasserstein.Epsilon)
	}
	return nil, built, err
}

func (e *ellipsoid) build(folder string, order *order) (mean []float64, built convex.Set, err error) {
	switch [...]bool{e.Covariance != nil, e.Radius != nil, e.Samples != nil, e.Level != nil} {
	case [...]bool{true, true, false, false}:
		covariance, err := e.Covariance.inOrder("covariance", folder, order.covariance)
		if err != nil {
			return nil, nil, err
		}
		built, err = convex.NewEllipsoid(covariance.Matrix(), *e.Radius)
		return nil, built, err
	case [...]bool{false, false, true, true}:
		samples, err := e.Samples.inOrder("samples", folder, order.matched)
		if err != nil {
			return nil, nil, err
		}
		return convex.FitEllipsoid(samples.Matrix(), *e.Level)
	}
	return nil, nil, errors.New("an ellipsoid has a covariance and a radius, or samples and a level; give one of the two pairs")
}

// build returns the set in the coordinates of the scenarios, to which it takes the maps.
func (c *cvar) build(folder string, p *parts) (mean []float64, built convex.Set, err error) {
	if c.Level == nil {
		return nil, nil, errors.New("cvar has no level; give the fraction of scenarios that may be better, such as 0.95")
	}
	scenarios, err := c.Samples.inOrder("samples", folder, p.order.matched)
	if err != nil {
		return nil, nil, err
	}
	losses := scenarios.Matrix()
	if p.q, err = through(losses, p.q); err != nil {
		return nil, nil, fmt.Errorf("objective: %w", err)
	}
	for k := range p.constraints {
		if p.constraints[k].Map, err = through(losses, p.constraints[k].Map); err != nil {
			return nil, nil, fmt.Errorf("constraint %d: %w", k, err)
		}
	}
	return convex.NewCVaR(scenarios.Size(), c.Probabilities, *c.Level)
}

// through returns D q(x), rounded once; exactly D x for the identity.
func through(d *mat.Dense, q sparsero.AffineMap) (sparsero.AffineMap, error) {
	if q.Matrix == nil {
		return q, nil
	}
	m, p := d.Dims()
	rows, _ := q.Dims()
	if rows != p {
		return q, fmt.Errorf("the map has %d rows and scenarios %d columns; make them fit", rows, p)
	}
	var matrix mat.Dense
	matrix.Mul(d, q.Matrix)
	var constant []float64
	if len(q.Constant) > 0 {
		constant = make([]float64, m)
		mat.NewVecDense(m, constant).MulVec(d, mat.NewVecDense(p, q.Constant))
	}
	return sparsero.NewAffineMap(&matrix, constant)
}
