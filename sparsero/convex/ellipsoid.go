package convex

import (
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Ellipsoid is { A w : ‖w‖₂ <= 1 } for an invertible p×p matrix A. It does not change and may be used by several
// goroutines at once.
type Ellipsoid struct {
	factor, inverse mat.Dense // A and R, which is nearly A^{-1}
	farther         float64   // ‖A^{-1}u‖₂ is at most this times ‖Ru‖₂
}

// NewEllipsoid returns { u : u'Σ^{-1}u <= t² } for a positive definite p×p covariance Σ and a finite radius t > 0: A is t
// times the Cholesky factor of Σ, rounded to float64. It is an error if Σ is nil, not symmetric or so close to singular that
// float64 cannot tell its inverse.
func NewEllipsoid(covariance mat.Matrix, radius float64) (*Ellipsoid, error) {
	return ellipsoidOf(covariance, radius, 0)
}

// ellipsoidOf is NewEllipsoid of a covariance that is rounded as sums of so many terms are, besides the p of its factor.
func ellipsoidOf(covariance mat.Matrix, radius float64, terms int) (*Ellipsoid, error) {
	if err := input.CheckRows("covariance", "coordinate", covariance, input.AnyColumns); err != nil {
		return nil, fmt.Errorf("convex: %w", err)
	}
	p, columns := covariance.Dims()
	if p != columns || !(radius > 0) || math.IsInf(radius, 1) {
		return nil, fmt.Errorf("convex: the covariance is %d×%d and the radius %v; give a square matrix and a finite radius > 0", p, columns, radius)
	}
	symmetric := mat.NewSymDense(p, nil)
	for i := range p {
		for j := range i + 1 {
			if covariance.At(i, j) != covariance.At(j, i) {
				return nil, fmt.Errorf("convex: the covariance is %v at (%d,%d) and %v at (%d,%d); give a symmetric matrix", covariance.At(i, j), i, j, covariance.At(j, i), j, i)
			}
			symmetric.SetSym(i, j, covariance.At(i, j))
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(symmetric) {
		return nil, errSingular
	}
	var lower mat.TriDense
	cholesky.LTo(&lower)
	factor := mat.DenseCopyOf(&lower)
	factor.Scale(radius, factor)
	return ellipsoidOfFactor(factor, p+terms)
}

var errSingular = fmt.Errorf("convex: the covariance is not positive definite up to rounding; drop coordinates that are constant or combinations of others, and give variances above 0")

// ellipsoidOfFactor computes R and how far it is from A^{-1} = (I+E)^{-1}R for E = RA-I, so that ‖A^{-1}u‖ <= ‖Ru‖/(1-‖E‖).
// The coordinates are measured in powers of two meanwhile, lest different units look like a singular matrix. It is an error
// where rounding AA' after sums of so many terms may make it singular, whose condition is the square of that of A.
func ellipsoidOfFactor(factor *mat.Dense, terms int) (*Ellipsoid, error) {
	p, _ := factor.Dims()
	e := &Ellipsoid{factor: *factor}
	exponents, balanced := make([]int, p), mat.NewDense(p, p, nil)
	for i := range p {
		_, exponents[i] = math.Frexp(floats.Norm(factor.RawRowView(i), math.Inf(1)))
	}
	balanced.Apply(func(i, _ int, v float64) float64 { return math.Ldexp(v, -exponents[i]) }, factor)
	err := e.inverse.Inverse(balanced)
	if condition := mat.Norm(balanced, 2) * mat.Norm(&e.inverse, 2); err != nil || !(condition*condition*float64(terms)*0x1p-52 < 1) {
		return nil, errSingular
	}
	e.inverse.Apply(func(_, j int, v float64) float64 { return math.Ldexp(v, -exponents[j]) }, &e.inverse)
	residual := make([]float64, 0, p*p)
	for i := range p {
		for j := range p {
			var sum directed.Sum
			for k := range p {
				sum.AddProduct(e.inverse.At(i, k), factor.At(k, j))
			}
			if i == j {
				sum.Add(-1)
			}
			residual = append(residual, math.Max(math.Abs(sum.Lower()), math.Abs(sum.Upper())))
		}
	}
	off := directed.NormUpper(residual)
	if !(off < 0.5) {
		return nil, errSingular
	}
	e.farther = 1 / (1 - off) * (1 + 0x1p-50)
	return e, nil
}

// Dim implements [Set].
func (e *Ellipsoid) Dim() int {
	p, _ := e.factor.Dims()
	return p
}

// image returns a v for a square matrix, with bounds on the errors.
func image(a mat.Matrix, v []float64) (values, errors []float64) {
	values, errors = make([]float64, len(v)), make([]float64, len(v))
	for k := range v {
		var sum directed.Sum
		for j, x := range v {
			sum.AddProduct(a.At(k, j), x)
		}
		values[k], errors[k] = sum.Rounded()
	}
	return values, errors
}

// Support implements [Set]: ‖A's‖₂ with every sum and root rounded up, +Inf where a sum overflows. It panics if s does
// not have length p.
func (e *Ellipsoid) Support(s []float64) float64 {
	mustMatch("s", s, e.Dim())
	values, errors := image(e.factor.T(), s)
	for k, v := range values {
		values[k] = directed.SumUpper(math.Abs(v), errors[k])
		if math.IsNaN(values[k]) {
			return math.Inf(1)
		}
	}
	return directed.NormUpper(values)
}

// WorstCase implements [Set]: A A's/‖A's‖₂, moved inwards by what rounding can have moved it outwards. It panics if s
// does not have length p.
func (e *Ellipsoid) WorstCase(s []float64) []float64 {
	mustMatch("s", s, e.Dim())
	_, exponent := math.Frexp(floats.Norm(s, math.Inf(1)))
	unit := make([]float64, len(s)) // s in other units, in which nothing overflows
	for k, v := range s {
		unit[k] = math.Ldexp(v, -exponent)
	}
	w, _ := image(e.factor.T(), unit)
	size := math.Max(directed.NormUpper(w), math.SmallestNonzeroFloat64)
	for k := range w {
		w[k] /= size
	}
	for margin := 0x1p-50; margin < 1; margin *= 2 {
		u, errors := image(&e.factor, w)
		reach := directed.SumUpper(directed.NormUpper(w), e.gaugeUpper(errors))
		if reach <= 1 {
			return u
		}
		floats.Scale((1-margin)/reach, w)
	}
	return make([]float64, len(s)) // where A w is below the floats that have all digits
}

// gaugeUpper bounds ‖A^{-1}u‖₂ for all u whose coordinates have at most the given sizes.
func (e *Ellipsoid) gaugeUpper(sizes []float64) float64 {
	sums := make([]float64, len(sizes))
	for k := range sums {
		for j, v := range e.inverse.RawRowView(k) {
			sums[k] = directed.SumUpper(sums[k], directed.ProductUpper(math.Abs(v), sizes[j]))
		}
	}
	return directed.ProductUpper(e.farther, directed.NormUpper(sums))
}

// Gauge implements [Gauged]. It panics if u does not have length p.
func (e *Ellipsoid) Gauge(u []float64) float64 {
	mustMatch("u", u, e.Dim())
	if len(u) == 0 {
		return 0
	}
	size := e.size(u, 0)
	if size-size != 0 { // infinite or NaN, maybe a sum of what overflows
		return e.size(u, farUnit)
	}
	return size
}

// farUnit is the exponent of the unit in which nothing of a point overflows that is not beyond float64 itself.
const farUnit = 100

// size is ‖Ru‖₂, computed for the point in a unit of its own.
func (e *Ellipsoid) size(u []float64, unit int) float64 {
	var w mat.VecDense
	scaled := make([]float64, len(u))
	for k, v := range u {
		scaled[k] = math.Ldexp(v, -unit)
	}
	w.MulVec(&e.inverse, mat.NewVecDense(len(u), scaled))
	return math.Ldexp(mat.Norm(&w, 2), unit)
}

// FitEllipsoid returns the mean of an m×p matrix of samples and the ellipsoid of deviations from it that holds the share
// level of them: { u : u'Σ^{-1}u <= t² } with the sample covariance Σ (divisor m-1) and the ceil(level·m)-th smallest
// Mahalanobis distance t, raised until these samples have gauges of at most 1 as Gauge rounds them: the baseline that sums
// all samples up. The level is in (0,1]. It is an error if samples are empty or not finite or their mean overflows, if the level is
// out of range or so small that t = 0, and if the covariance is singular up to rounding, which it is whenever no more than p
// samples differ.
func FitEllipsoid(samples mat.Matrix, level float64) (mean []float64, e *Ellipsoid, err error) {
	if mean, err = meanOf(samples); err != nil {
		return nil, nil, err
	}
	if !(level > 0 && level <= 1) {
		return nil, nil, fmt.Errorf("convex: level %v is outside (0,1]; give the fraction of samples to enclose, such as 0.95", level)
	}
	m, p := samples.Dims()
	if m <= p {
		return nil, nil, fmt.Errorf("convex: %d samples cannot determine a covariance in dimension %d; give at least %d", m, p, p+1)
	}
	deviations := mat.DenseCopyOf(samples)
	for k := range m {
		floats.Sub(deviations.RawRowView(k), mean)
	}
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, deviations, nil) // whose mean is what rounding took from that of the samples
	unit, err := ellipsoidOf(&covariance, 1, m)
	constant := func(j int) bool { // but for the rounding of its mean
		return math.Sqrt(covariance.At(j, j)) <= float64(m)*0x1p-52*math.Abs(mean[j])
	}
	if err == nil && slices.ContainsFunc(rank.Indices[int](p), constant) {
		err = errSingular
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w (of %d samples)", err, m)
	}
	farthest := func(e *Ellipsoid) float64 {
		gauges := make([]float64, m)
		for k := range gauges {
			gauges[k] = e.Gauge(deviations.RawRowView(k))
		}
		return rank.Value(gauges, rank.Up(m, level))
	}
	radius := farthest(unit)
	if radius == 0 {
		return nil, nil, fmt.Errorf("convex: level %v of the %d samples lies at their mean, around which there is no ellipsoid; give a larger level", level, m)
	}
	for {
		if e, err = ellipsoidOf(&covariance, radius, m); err != nil {
			return mean, nil, err
		}
		outside := farthest(e) // above 1 by the rounding of the factor
		if !(outside > 1) {
			return mean, e, nil
		}
		radius *= outside
	}
}

// meanOf returns the mean of the rows of a matrix, rounded.
func meanOf(samples mat.Matrix) (mean []float64, err error) {
	if err := input.CheckRows("samples", "sample", samples, input.AnyColumns); err != nil {
		return nil, fmt.Errorf("convex: %w", err)
	}
	_, p := samples.Dims()
	for j := range p {
		mean = append(mean, stat.Mean(mat.Col(nil, j, samples), nil))
		if math.IsInf(mean[j], 0) {
			return nil, fmt.Errorf("convex: the sum of coordinate %d of the samples is beyond float64; measure it in larger units", j)
		}
	}
	return mean, nil
}

// Factor returns a copy of A, p×p, whose columns span the set.
func (e *Ellipsoid) Factor() *mat.Dense {
	return mat.DenseCopyOf(&e.factor)
}
