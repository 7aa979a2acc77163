package calibration

import "errors"

// Envelope calibrates every subset of the dictionary at once without a union
// bound: since Z_S <= Z_[N] pointwise, the order statistic of Z_[N] with M = 1
// satisfies
//
//	P(Z_S(U) > r) <= P(Z_[N](U) > r) <= alpha for all S, with probability 1-delta.
//
// Pass the scores of the whole dictionary. It is not available for gauge
// scores, which decrease as the set grows.
type Envelope struct {
	// Alpha is the tolerated share of violations, in (0,1). Required.
	Alpha float64
	// Delta is the tolerated probability of a misleading sample, in (0,1).
	// Required.
	Delta float64
}

// Name returns "envelope".
func (e Envelope) Name() string { return "envelope" }

// Parameters returns a simultaneous promise for every set.
func (e Envelope) Parameters() Parameters {
	return Parameters{
		Alpha: e.Alpha, Delta: e.Delta, Family: Family{kind: envelopedSets}, Guarantee: Simultaneous,
	}
}

// single is the order-statistic rule with M = 1 that the envelope applies.
func (e Envelope) single() OrderStatistic { return OrderStatistic{Alpha: e.Alpha, Delta: e.Delta} }

// MinSamples returns that of OrderStatistic with M = 1.
func (e Envelope) MinSamples() (int, error) { return e.single().MinSamples() }

// Rank returns that of OrderStatistic with M = 1.
func (e Envelope) Rank(m int) (int, error) {
	rank, err := e.single().Rank(m)
	var small *SampleTooSmallError
	if errors.As(err, &small) {
		small.Rule, small.Parameters = e.Name(), e.Parameters()
	}
	return rank, err
}

// Correction returns 0: the rank carries everything.
func (e Envelope) Correction(int) float64 { return 0 }

// Calibrate returns the order statistic of the scores of the whole dictionary.
func (e Envelope) Calibrate(full []float64) (Radius, error) { return calibrate(e, full, 0) }
