package calibration

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/sparsero/internal/frame"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// riskTail is the share of worst outcomes that the CVaR of a [Risk] averages.
const riskTail = 0.05

// Risk summarises the outcomes f(x,u_j) of one decision on hold-out samples
// (section 3.4). Outcomes are costs: larger is worse.
type Risk struct {
	// Samples is the number of outcomes.
	Samples int
	// Promise is the robust value Phi_S(x) that the outcomes are held against.
	Promise float64
	// Mean and Worst are the average and the largest outcome.
	Mean, Worst float64
	// CVaR is the average of the worst 5 % of the outcomes, the one on the border with the fraction of it that is inside.
	CVaR float64
	// Violation is the share of outcomes above the promise, with its interval.
	Violation ViolationRate
}

// Outcomes returns f(x,u_j) = base + <u_j, direction> for each row u_j of the
// samples: base = b(x), direction = q(x). samples: m×p. O(mp). It is an error if
// a number is not finite or the dimensions differ.
func Outcomes(base float64, direction []float64, samples mat.Matrix) ([]float64, error) {
	if err := input.CheckRows("samples", "sample", samples, -1); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	m, p := samples.Dims()
	if err := input.CheckVector("direction", direction, p); err != nil {
		return nil, fmt.Errorf("calibration: %w; pass q(x) in the space of the samples", err)
	}
	outcomes := mat.NewVecDense(m, nil)
	outcomes.MulVec(samples, mat.NewVecDense(p, slices.Clone(direction)))
	values := outcomes.RawVector().Data
	floats.AddConst(base, values)
	if err := input.CheckVector("outcomes", values, m); err != nil {
		return nil, fmt.Errorf("calibration: %w; the base or a product is too large", err)
	}
	return values, nil
}

// HoldOutRisk evaluates outcomes of a decision against the robust value it was
// promised; confidence is that of the interval for the violation rate, in (0,1). It is an
// error if the outcomes are empty or not finite, if the promise is not finite, or if the
// confidence is outside its range. An outcome above the promise by rounding only (1e-9 of
// the promise) is no violation. O(m log m).
func HoldOutRisk(outcomes []float64, promise, confidence float64) (*Risk, error) {
	cvar, err := cvarOf(outcomes, riskTail)
	if err != nil {
		return nil, err
	}
	if math.IsNaN(promise) || math.IsInf(promise, 0) {
		return nil, fmt.Errorf("calibration: promise=%g must be finite; pass the robust value of the decision", promise)
	}
	violation, err := CountViolations(outcomes, promise, confidence)
	if err != nil {
		return nil, err
	}
	mean, err := meanOf("outcomes", outcomes)
	if err != nil {
		return nil, err
	}
	return &Risk{
		Samples: len(outcomes), Promise: promise, Mean: mean, Worst: floats.Max(outcomes),
		CVaR: cvar, Violation: violation,
	}, nil
}

// meanOf returns the average; it is an error if the sum leaves float64.
func meanOf(name string, values []float64) (float64, error) {
	sum := floats.Sum(values)
	if math.IsInf(sum, 0) || math.IsNaN(sum) {
		return 0, fmt.Errorf("calibration: the sum of the %d %s leaves the range of float64; measure them in larger units", len(values), name)
	}
	return sum / float64(len(values)), nil
}

// cvarOf returns the conditional value at risk of the empirical distribution: the
// average of the worst share tail of the values, where the value on the border
// counts with the fraction of it that is inside. It equals
//
//	min_t t + mean(max(v_j - t, 0)) / tail
//
// (Rockafellar and Uryasev 2000); tail = 1 gives the mean. 0 < tail <= 1.
// O(m log m).
func cvarOf(values []float64, tail float64) (float64, error) {
	if len(values) == 0 {
		return 0, errors.New("calibration: values is empty; pass one value for each hold-out sample")
	}
	if err := input.CheckVector("values", values, len(values)); err != nil {
		return 0, fmt.Errorf("calibration: %w", err)
	}
	if !(tail > 0 && tail <= 1) {
		return 0, fmt.Errorf("calibration: tail=%g must lie in (0,1]; 0.05 averages the worst twentieth", tail)
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	m := len(sorted)
	mass := tail * float64(m)
	whole := int(mass)
	if whole == 0 {
		return sorted[m-1], nil
	}
	mean, err := meanOf("worst values", sorted[m-whole:])
	if err != nil || whole == m {
		return mean, err
	}
	return mean*(float64(whole)/mass) + sorted[m-whole-1]*((mass-float64(whole))/mass), nil
}

// Frame returns one row with the columns samples, promise, mean, worst, cvar,
// violations, rate, lower, upper, confidence.
func (r *Risk) Frame() dataframe.DataFrame {
	v, rows := r.Violation, frame.NewRows("samples,promise,mean,worst,cvar,violations,rate,lower,upper,confidence")
	rows.Add(r.Samples, r.Promise, r.Mean, r.Worst, r.CVaR, v.Violations, v.Rate, v.Lower, v.Upper, v.Confidence)
	return rows.Frame()
}
