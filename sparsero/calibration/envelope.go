package calibration

import (
	"errors"
	"fmt"
	"math"
)

// envelopeTolerance is how far a score of the chosen set may exceed the score
// of the whole dictionary, relative to it, before the two are taken to be
// swapped: both are maxima of the same products, summed in another order.
const envelopeTolerance = 1e-9

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

// EnvelopeUnion takes the smaller of two valid radii, each at delta/2: the
// envelope over the whole dictionary and the order statistic of the chosen set
// with the union over the family. When the union would need more samples than
// there are, which is known before they are looked at, all of delta goes to
// the envelope.
type EnvelopeUnion struct {
	// Alpha is the tolerated share of violations, in (0,1). Required.
	Alpha float64
	// Delta is the tolerated probability of a misleading sample, in (0,1).
	// Required.
	Delta float64
	// Family is the collection of sets covered at once.
	Family Family
}

// Calibrate returns the smaller radius; Rule, Rank and Level tell which of the
// two it is, Delta is the whole delta. full are the scores Z_[N], restricted
// the scores Z_S of the same samples in the same order.
func (e EnvelopeUnion) Calibrate(full, restricted []float64) (Radius, error) {
	promise := Parameters{Alpha: e.Alpha, Delta: e.Delta, Family: e.Family, Guarantee: Simultaneous}
	if err := promise.validate(); err != nil {
		return Radius{}, err
	}
	if err := checkEnvelope(full, restricted); err != nil {
		return Radius{}, err
	}
	union := OrderStatistic{Alpha: e.Alpha, Delta: e.Delta / 2, Family: e.Family}
	need, err := union.MinSamples()
	if err != nil {
		return Radius{}, err
	}
	if len(full) < need {
		return Envelope{Alpha: e.Alpha, Delta: e.Delta}.Calibrate(full)
	}
	radius, err := Envelope{Alpha: e.Alpha, Delta: e.Delta / 2}.Calibrate(full)
	if err != nil {
		return radius, err
	}
	other, err := union.Calibrate(restricted)
	if err != nil {
		return other, err
	}
	if other.Value < radius.Value {
		radius = other
	}
	radius.Parameters = promise
	return radius, nil
}

// checkEnvelope reports scores that cannot be those of a set and of the
// dictionary around it.
func checkEnvelope(full, restricted []float64) error {
	if err := checkScores("full", full); err != nil {
		return err
	}
	if err := checkScores("restricted", restricted); err != nil {
		return err
	}
	if len(full) != len(restricted) {
		return fmt.Errorf("calibration: %d full and %d restricted scores; pass both for the same samples", len(full), len(restricted))
	}
	for j, z := range restricted {
		if z > full[j]+envelopeTolerance*(1+math.Abs(full[j])) {
			return fmt.Errorf("calibration: restricted[%d]=%g exceeds full[%d]=%g; a subset of the dictionary cannot score above it (are the arguments swapped, or the scores gauges?)", j, z, j, full[j])
		}
	}
	return nil
}
