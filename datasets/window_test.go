package datasets_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/datasets"
	"gonum.org/v1/gonum/mat"
)

// listed is a table of the assets A, B and so on, of which each has a list of prices, from one day on to the next.
func listed(prices ...[]float64) *datasets.PriceTable {
	table := &datasets.PriceTable{Prices: mat.NewDense(len(prices[0]), len(prices), nil)}
	for i := range prices[0] {
		table.Dates = append(table.Dates, time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC))
	}
	for j, column := range prices {
		table.Tickers = append(table.Tickers, string(rune('A'+j)))
		table.Prices.SetCol(j, column)
	}
	return table
}

// TestStartWithTheMostCells: days without a return count for nothing, and of equal windows the earlier one is taken.
func TestStartWithTheMostCells(t *testing.T) {
	gap := math.NaN()
	for name, test := range map[string]struct {
		table *datasets.PriceTable
		kept  []string
		days  int
	}{
		"equal windows":  {listed([]float64{gap, gap, 1, 2, 3}, []float64{1, 2, 3, 4, 5}), []string{"B"}, 4},
		"a larger later": {listed([]float64{gap, 1, 2, 3, 4}, []float64{1, 2, 3, 4, 5}), []string{"A", "B"}, 3},
		"days with gaps": {listed([]float64{1, 2, 3, 4, 5, 6}, []float64{gap, 1, gap, 2, gap, 3}), []string{"A"}, 5},
	} {
		returns, err := test.table.CompleteReturns(time.Time{})
		if err != nil || !slices.Equal(returns.Tickers, test.kept) || len(returns.Dates) != test.days {
			t.Errorf("%s: %+v, %v", name, returns, err)
		}
	}
	whole := listed([]float64{1, 2, 3})
	if returns, err := whole.CompleteReturns(whole.Dates[0]); err != nil || len(returns.Dates) != 2 {
		t.Errorf("from the first day on: %+v, %v", returns, err)
	}
}

// TestNoTwoDaysInARow have prices: there is no window, from no start and from none that is given.
func TestNoTwoDaysInARow(t *testing.T) {
	gap := math.NaN()
	table := listed([]float64{gap, gap, 1, gap, 2}, []float64{gap, gap, gap, gap, 3})
	for since, want := range map[time.Time]string{{}: "from no day on", table.Dates[2]: "no day has a return"} {
		if returns, err := table.CompleteReturns(since); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("since %v: %+v, %v", since, returns, err)
		}
	}
}
