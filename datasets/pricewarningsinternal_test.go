package datasets

import (
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// TestFactorsCrossOneOften: on a fifth of twenty days or more.
func TestFactorsCrossOneOften(t *testing.T) {
	for _, test := range []struct {
		days, crossings int
		factors         bool
	}{{19, 18, false}, {20, 19, true}, {20, 4, true}, {20, 3, false}, {101, 20, false}, {100, 20, true}} {
		table := &PriceTable{Tickers: []string{"a"}, Dates: make([]time.Time, test.days), Prices: mat.NewDense(test.days, 1, nil)}
		for i := range test.days {
			table.Prices.Set(i, 0, []float64{0.9, 1.1}[min(i, test.crossings)%2])
		}
		if table.areFactors() != test.factors {
			t.Errorf("%d crossings on %d days: factors %t", test.crossings, test.days, !test.factors)
		}
	}
}
