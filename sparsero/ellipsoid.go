package sparsero

import (
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Ellipsoid is the uncertainty set of Mahalanobis balls,
//
//	{ u : (u-μ)' Σ^{-1} (u-μ) <= ρ² },
//
// the convex baseline against which atomic sets are compared: it summarises all
// samples by their mean and covariance. It does not change after it is built and may be
// used by several goroutines at once.
type Ellipsoid struct {
	center     []float64
	covariance *mat.SymDense
	cholesky   mat.Cholesky
	radius     float64
}

// FitEllipsoid fits an ellipsoid to an m×p matrix of samples: μ and Σ are the
// sample mean and covariance (divisor m-1) and ρ is the ceil(level·m)-th
// smallest Mahalanobis distance, so that at least the share level of the samples
// lies inside. The level is in (0,1]. It is an error if samples is empty or not
// finite, if level is out of range, or if the covariance is singular, which
// happens whenever m <= p.
func FitEllipsoid(samples mat.Matrix, level float64) (*Ellipsoid, error) {
	if err := input.CheckRows("samples", "sample", samples, -1); err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	m, p := samples.Dims()
	if !(level > 0 && level <= 1) {
		return nil, fmt.Errorf("sparsero: level %v is outside (0,1]; give the share of samples to enclose, such as 0.95", level)
	}
	if m <= p {
		return nil, fmt.Errorf("sparsero: %d samples cannot determine a covariance in dimension %d; give at least %d", m, p, p+1)
	}
	e := &Ellipsoid{center: make([]float64, p), covariance: mat.NewSymDense(p, nil)}
	for j := range e.center {
		e.center[j] = stat.Mean(mat.Col(nil, j, samples), nil)
	}
	stat.CovarianceMatrix(e.covariance, samples, nil)
	if !e.cholesky.Factorize(e.covariance) || e.cholesky.Cond() > 1/conditionLimit {
		return nil, fmt.Errorf("sparsero: the covariance of the %d samples is singular; drop coordinates that are constant or combinations of others", m)
	}
	distances := make([]float64, m)
	for k := range distances {
		distances[k] = e.Distance(mat.Row(nil, k, samples))
	}
	e.radius = rank.Value(distances, rank.Up(m, level))
	return e, nil
}

// conditionLimit is the reciprocal condition number below which a covariance
// counts as singular: distances would have no correct digit left.
const conditionLimit = 1e-14

// Center returns a copy of μ.
func (e *Ellipsoid) Center() []float64 { return slices.Clone(e.center) }

// Covariance returns a copy of Σ, p×p.
func (e *Ellipsoid) Covariance() *mat.SymDense {
	if len(e.center) == 0 {
		return &mat.SymDense{} // not built with NewEllipsoid
	}
	covariance := mat.NewSymDense(len(e.center), nil)
	covariance.CopySym(e.covariance)
	return covariance
}

// Radius returns ρ, in Mahalanobis units.
func (e *Ellipsoid) Radius() float64 { return e.radius }

// Distance returns the Mahalanobis distance sqrt((u-μ)' Σ^{-1} (u-μ)). It panics
// if u does not have length p.
func (e *Ellipsoid) Distance(u []float64) float64 {
	e.mustMatch("u", u)
	return stat.Mahalanobis(mat.NewVecDense(len(u), u), mat.NewVecDense(len(u), e.center), &e.cholesky)
}

// Contains tells whether u lies in the ellipsoid. It panics if u does not have
// length p.
func (e *Ellipsoid) Contains(u []float64) bool { return e.Distance(u) <= e.radius }

// Support returns the support function <μ,s> + ρ sqrt(s'Σs). It panics if s does
// not have length p.
func (e *Ellipsoid) Support(s []float64) float64 {
	e.mustMatch("s", s)
	v := mat.NewVecDense(len(s), s)
	return floats.Dot(e.center, s) + e.radius*math.Sqrt(max(0, mat.Inner(v, e.covariance, v)))
}

// WorstCase returns the point μ + ρ Σs / sqrt(s'Σs) that attains
// [Ellipsoid.Support], and μ if s is zero. It panics if s does not have length p.
func (e *Ellipsoid) WorstCase(s []float64) []float64 {
	e.mustMatch("s", s)
	v := mat.NewVecDense(len(s), s)
	var image mat.VecDense
	image.MulVec(e.covariance, v)
	u := slices.Clone(e.center)
	if size := math.Sqrt(max(0, mat.Dot(v, &image))); size > 0 {
		floats.AddScaled(u, e.radius/size, image.RawVector().Data)
	}
	return u
}

func (e *Ellipsoid) mustMatch(name string, v []float64) {
	if len(v) != len(e.center) {
		panic(fmt.Sprintf("sparsero: %s has length %d but the ellipsoid has dimension %d", name, len(v), len(e.center)))
	}
}
