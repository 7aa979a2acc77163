package datasets

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"
)

type history struct {
	dates       []time.Time // the day on which a return was earned, one per row
	tickers     []string
	returns     *mat.Dense // days×assets; NaN where there is none
	first, last []int      // the rows between which each asset is listed, negative ones if it never is
}

// CompleteReturns cuts the largest window of assets and days in which every asset was listed, up to the last day, and returns its
// daily returns.
//
// A missing price is never filled in: a return exists only where two consecutive days have prices, and a day on which a
// kept asset has none is dropped and counted. Assets without a price on the last day, and those listed later than the
// window's first day, are dropped and named. With since given, the window starts there (the first day on or after it);
// with the zero time, the start is chosen that keeps the most cells (assets × days), the earlier one on ties.
//
// It returns an error when no asset has two prices in the window.
func (t *PriceTable) CompleteReturns(since time.Time) (*ReturnTable, error) {
	if err := checkTable("Prices", t.Prices, t.Dates, t.Tickers); err != nil {
		return nil, err
	}
	h := t.history()
	if since.IsZero() {
		return h.window(-1)
	}
	start := slices.IndexFunc(t.Dates, func(day time.Time) bool { return !day.Before(since) })
	if start < 0 || start >= len(t.Dates)-1 {
		return nil, fmt.Errorf("datasets: since = %s leaves no two days; the last day is %s", since.Format(dateLayout), t.Dates[len(t.Dates)-1].Format(dateLayout))
	}
	if len(h.listed(start)) == 0 {
		return nil, fmt.Errorf("datasets: no asset has prices from %s to the last day; choose a later start or leave it empty", t.Dates[start].Format(dateLayout))
	}
	return h.window(start)
}

// history turns prices into returns: that of row i was earned on day i+1.
func (t *PriceTable) history() *history {
	days, assets := t.Prices.Dims()
	h := &history{dates: t.Dates[1:], tickers: t.Tickers, returns: mat.NewDense(max(days-1, 1), assets, nil)}
	h.returns.Apply(func(i, j int, _ float64) float64 { return t.Prices.At(min(i+1, days-1), j)/t.Prices.At(i, j) - 1 }, h.returns)
	for j := range assets {
		first, last := span(t.Prices, j)
		h.first, h.last = append(h.first, first), append(h.last, last-1)
	}
	return h
}

// window cuts the returns from row start on, where some asset is listed, -1 for the start that keeps the most cells.
func (h *history) window(start int) (*ReturnTable, error) {
	if start < 0 {
		if start = h.widest(); start < 0 {
			return nil, fmt.Errorf("datasets: from no day on do all of the %d assets that are listed then have two consecutive prices; "+
				"drop the asset with the most missing prices (see Availability)", len(h.tickers))
		}
	}
	result, kept := &ReturnTable{}, h.listed(start)
	for j, ticker := range h.tickers {
		if slices.Contains(kept, j) {
			result.Tickers = append(result.Tickers, ticker)
			continue
		}
		result.DroppedTickers = append(result.DroppedTickers, ticker)
		if h.last[j] < h.end() {
			result.Ended = append(result.Ended, ticker)
		}
	}
	var returns []float64
	row := make([]float64, len(kept))
	for i := start; i < len(h.dates); i++ {
		if !h.day(i, kept, row) {
			result.DroppedDays++
			continue
		}
		result.Dates = append(result.Dates, h.dates[i])
		returns = append(returns, row...)
	}
	if len(result.Dates) == 0 {
		return nil, fmt.Errorf("datasets: no day has a return for all of %v; drop the asset with the most missing prices (see Availability)", result.Tickers)
	}
	result.Returns = mat.NewDense(len(result.Dates), len(kept), returns)
	return result, nil
}

// widest returns the first row of the window with the most cells, or -1 if all windows are empty.
func (h *history) widest() int {
	starts := slices.Clone(h.first) // the set of listed assets changes there alone
	slices.Sort(starts)
	best, mostCells := -1, 0
	for _, start := range slices.Compact(starts) {
		if start < 0 {
			continue // of an asset without a number
		}
		kept, days := h.listed(start), 0
		row := make([]float64, len(kept))
		for i := start; i < len(h.dates) && len(kept) > 0; i++ {
			if h.day(i, kept, row) {
				days++
			}
		}
		if cells := len(kept) * days; cells > mostCells {
			best, mostCells = start, cells
		}
	}
	return best
}

func (h *history) end() int { return slices.Max(h.last) }

func (h *history) listed(start int) (assets []int) {
	for j := range h.tickers {
		if h.first[j] <= start && h.last[j] >= start && h.last[j] == h.end() {
			assets = append(assets, j)
		}
	}
	return assets
}

// day fills row with the returns of day i, and reports whether all of them exist.
func (h *history) day(i int, assets []int, row []float64) bool {
	for k, j := range assets {
		row[k] = h.returns.At(i, j)
		if math.IsNaN(row[k]) {
			return false
		}
	}
	return true
}
