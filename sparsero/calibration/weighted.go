package calibration

import (
	"fmt"
	"math"
	"math/big"

	"github.com/sparsero/directions/solver/proof"
	"gonum.org/v1/gonum/floats"
)

// WeightedConformal is split conformal calibration in which scores count by weights, older ones less, say, that were
// fixed before the scores were seen (Barber, Candès, Ramdas and Tibshirani 2023, theorem 2). For m+1 scores of any
// joint law,
//
//	P(Z_{m+1} > r) <= Alpha + sum_j w_j d_j / (1 + sum_j w_j),
//
// on average over calibration scores, where d_j is the total variation distance between the law of (Z_1, ..., Z_{m+1})
// and the law after Z_j and Z_{m+1} have changed places: 0 for exchangeable scores, and for independent ones at most
// twice the distance between the laws of Z_j and Z_{m+1}. Small weights where the law was another make the sum small,
// at the price of fewer scores that count.
//
// Proof: let K be the new score with probability 1/(1 + sum w), and j with w_j/(1 + sum w). After K and the new one
// have changed places, a violation is a score Z_K above the weighted quantile of all m+1 scores, which has probability at
// most Alpha whatever they are; changing places costs the distance.
type WeightedConformal struct {
	// Alpha is the tolerated share of violations where nothing drifts, in (0,1). Required.
	Alpha float64
	// Weights has one weight in [0,1] for each score; the score to come has weight 1.
	Weights []float64
}

// exactBits carry any sum of at most 2^40 weights, subnormal ones too, without rounding.
const exactBits = 1200

// Radius returns the smallest score r with
//
//	(1 + sum_{z_j > r} w_j) / (1 + sum_j w_j) <= Alpha,
//
// in exact sums, the quotient as a float64: with weights 1 it is SplitConformal's. It is +Inf where too many scores
// are. O(m log m). It is an error if a weight or a score is missing or out of range, and one that matches
// ErrSampleTooSmall if all scores together weigh too little for Alpha; with any error the radius is +Inf.
func (w WeightedConformal) Radius(scores []float64) (proof.Upper, error) {
	total, err := w.validate("scores", len(scores))
	if err == nil {
		err = checkScores("scores", scores)
	}
	if err != nil {
		return proof.Upper{}, err
	}
	above := big.NewFloat(1).SetPrec(exactBits)
	tolerated := func() bool {
		share, _ := new(big.Float).SetPrec(exactBits).Quo(above, total).Float64()
		return share <= w.Alpha
	}
	if !tolerated() {
		weight, _ := total.Float64()
		return proof.Upper{}, fmt.Errorf("%w: alpha=%g needs weights that sum to %.4g, got %.4g; add scores or give weights closer to 1",
			ErrSampleTooSmall, w.Alpha, 1/w.Alpha-1, weight-1)
	}
	order, sorted := make([]int, len(scores)), append([]float64(nil), scores...)
	floats.Argsort(sorted, order)
	for k := len(order) - 1; k > 0; k-- {
		above.Add(above, big.NewFloat(w.Weights[order[k]]))
		if !tolerated() {
			return proof.AtMost(sorted[k]), nil
		}
	}
	return proof.AtMost(sorted[0]), nil
}

// Shortfall returns sum_j w_j d_j / (1 + sum_j w_j), rounded up: what drift may add to Alpha. distances: d_j in [0,1]. It
// is an error if their number is not that of the weights or a number is out of range.
func (w WeightedConformal) Shortfall(distances []float64) (proof.Upper, error) {
	total, err := w.validate("distances", len(distances))
	if err != nil {
		return proof.Upper{}, err
	}
	sum := new(big.Float).SetPrec(2 * exactBits).SetMode(big.ToPositiveInf)
	for j, d := range distances {
		if !(d >= 0 && d <= 1) {
			return proof.Upper{}, fmt.Errorf("calibration: distances[%d]=%g; give total variation distances between 0 and 1", j, d)
		}
		product := new(big.Float).SetPrec(exactBits).Mul(big.NewFloat(w.Weights[j]), big.NewFloat(d))
		sum.Add(sum, product)
	}
	share, accuracy := sum.Quo(sum, total).Float64()
	if accuracy == big.Below {
		share = math.Nextafter(share, 2)
	}
	return proof.AtMost(share), nil
}

// validate returns 1 + sum w, exactly.
func (w WeightedConformal) validate(name string, count int) (*big.Float, error) {
	if err := (Parameters{Alpha: w.Alpha, Guarantee: marginal}).validate(); err != nil {
		return nil, err
	}
	if count == 0 || count != len(w.Weights) {
		return nil, fmt.Errorf("calibration: %d weights for %d %s; give one weight for each", len(w.Weights), count, name)
	}
	total := big.NewFloat(1).SetPrec(exactBits)
	for j, weight := range w.Weights {
		if !(weight >= 0 && weight <= 1) {
			return nil, fmt.Errorf("calibration: weights[%d]=%g; give weights between 0 and 1", j, weight)
		}
		total.Add(total, big.NewFloat(weight))
	}
	return total, nil
}
