package datasets

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/sparsero/directions/sparsero"
)

// ReturnTable holds simple daily returns without a gap.
type ReturnTable struct {
	Dates   []time.Time // the day on which the return was earned, one per row
	Tickers []string    // assets kept, one per column
	Returns *mat.Dense  // days×assets, p_t/p_{t-1} - 1 (0.01 is one percent); no NaN

	DroppedTickers []string // assets listed too late for the chosen window, or no longer
	DroppedDays    int      // days inside the window on which a kept asset had no return
}

// CompleteReturns cuts the largest window of assets and days in which every
// asset was listed, and returns its daily returns.
//
// A missing price is never filled in: a return exists only where two
// consecutive days have prices, and a day on which a kept asset has none is
// dropped and counted. Assets listed later than the window's first day are
// dropped and named. With since given, the window starts there (the first day
// on or after it); with the zero time, the start is chosen that keeps the most
// cells (assets × days), the earlier one on ties.
//
// It returns an error when no asset has two prices in the window.
func (t *PriceTable) CompleteReturns(since time.Time) (*ReturnTable, error) {
	if err := checkTable("Prices", t.Prices, t.Dates, t.Tickers); err != nil {
		return nil, err
	}
	start, err := t.windowStart(since)
	if err != nil {
		return nil, err
	}
	result := &ReturnTable{}
	kept := t.listed(start)
	for j, ticker := range t.Tickers {
		if slices.Contains(kept, j) {
			result.Tickers = append(result.Tickers, ticker)
		} else {
			result.DroppedTickers = append(result.DroppedTickers, ticker)
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("datasets: no asset has prices from %s on; choose a later start or leave it empty",
			t.Dates[start].Format(dateLayout))
	}
	var returns []float64
	row := make([]float64, len(kept))
	for i := start + 1; i < len(t.Dates); i++ {
		if !t.dayReturns(i, kept, row) {
			result.DroppedDays++
			continue
		}
		result.Dates = append(result.Dates, t.Dates[i])
		returns = append(returns, row...)
	}
	if len(result.Dates) == 0 {
		return nil, fmt.Errorf("datasets: no day has a return for all of %v; drop the asset with the most missing prices (see Availability)", result.Tickers)
	}
	result.Returns = mat.NewDense(len(result.Dates), len(kept), returns)
	return result, nil
}

// windowStart chooses the first row of the window.
func (t *PriceTable) windowStart(since time.Time) (int, error) {
	if !since.IsZero() {
		start := sort.Search(len(t.Dates), func(i int) bool { return !t.Dates[i].Before(since) })
		if start >= len(t.Dates)-1 {
			return 0, fmt.Errorf("datasets: since = %s leaves no two days; the last day is %s",
				since.Format(dateLayout), t.Dates[len(t.Dates)-1].Format(dateLayout))
		}
		return start, nil
	}
	var starts []int // the set of listed assets changes there alone
	for j := range t.Tickers {
		if first, last := t.span(j); first >= 0 {
			starts = append(starts, first, last)
		}
	}
	slices.Sort(starts)
	best, mostCells := 0, 0
	for _, start := range slices.Compact(starts) {
		kept, days := t.listed(start), 0
		row := make([]float64, len(kept))
		for i := start + 1; i < len(t.Dates) && len(kept) > 0; i++ {
			if t.dayReturns(i, kept, row) {
				days++
			}
		}
		if cells := len(kept) * days; cells > mostCells {
			best, mostCells = start, cells
		}
	}
	if mostCells == 0 {
		return 0, fmt.Errorf("datasets: from no day on do all of the %d assets that are listed then have two consecutive prices; "+
			"drop the asset with the most missing prices (see Availability)", len(t.Tickers))
	}
	return best, nil
}

// listed returns the assets with prices on or before a day and after it.
func (t *PriceTable) listed(day int) (assets []int) {
	for j := range t.Tickers {
		if first, last := t.span(j); first >= 0 && first <= day && last > day {
			assets = append(assets, j)
		}
	}
	return assets
}

// dayReturns fills row with the returns of day i, and reports whether all of them exist.
func (t *PriceTable) dayReturns(i int, assets []int, row []float64) bool {
	for k, j := range assets {
		row[k] = t.Prices.At(i, j)/t.Prices.At(i-1, j) - 1
		if math.IsNaN(row[k]) {
			return false
		}
	}
	return true
}

// Rows returns the days with the given row numbers, in that order.
// It returns an error when a row number is out of range or none is given.
func (r *ReturnTable) Rows(rows []int) (*ReturnTable, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("datasets: rows is empty; name at least one of the %d days", len(r.Dates))
	}
	part := &ReturnTable{Tickers: r.Tickers, Returns: mat.NewDense(len(rows), len(r.Tickers), nil)}
	for i, row := range rows {
		if row < 0 || row >= len(r.Dates) {
			return nil, fmt.Errorf("datasets: row %d is outside 0..%d; use row numbers of this table", row, len(r.Dates)-1)
		}
		part.Dates = append(part.Dates, r.Dates[row])
		part.Returns.SetRow(i, r.Returns.RawRowView(row))
	}
	return part, nil
}

// check compares the sizes of the fields.
func (r *ReturnTable) check() error {
	if r == nil {
		return errors.New("datasets: the table of returns is nil; make one with CompleteReturns")
	}
	return checkTable("Returns", r.Returns, r.Dates, r.Tickers)
}

// Means returns the mean daily return of each asset. It panics if the table has not a row
// per date and a column per ticker.
func (r *ReturnTable) Means() []float64 {
	if err := r.check(); err != nil {
		panic(err)
	}
	means := make([]float64, len(r.Tickers))
	column := make([]float64, len(r.Dates))
	for j := range means {
		means[j] = stat.Mean(mat.Col(column, j, r.Returns), nil)
	}
	return means
}

// LossDeviations returns how much worse than expected each day was:
// u_t = mean - return_t, days×assets. Positive entries are losses.
// It returns an error when means does not have one entry per asset.
func (r *ReturnTable) LossDeviations(means []float64) (*mat.Dense, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if len(means) != len(r.Tickers) {
		return nil, fmt.Errorf("datasets: means has %d entries for %d assets; give one per asset", len(means), len(r.Tickers))
	}
	deviations := mat.NewDense(len(r.Dates), len(means), nil)
	deviations.Apply(func(i, j int, _ float64) float64 { return means[j] - r.Returns.At(i, j) }, deviations)
	return deviations, nil
}

// StressDictionary turns the worst days into a dictionary of stress directions.
//
// An atom is the loss deviation u_t of one day (see [ReturnTable.LossDeviations]
// with the table's own means), its label is the date, and its coordinates are
// the assets. The days are the worst by the loss of the equally weighted
// portfolio together with every asset's own worst days: half of the places each,
// the second half dealt to the assets in turn, and equal days counted once.
// Atoms are in order of time, in the unit of the returns (0.01 is one percent).
// days is the number of atoms; it is an error unless it lies between 1 and the
// number of days in the table.
func StressDictionary(r *ReturnTable, days int) (*sparsero.Dictionary, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if days < 1 || days > len(r.Dates) {
		return nil, fmt.Errorf("datasets: days = %d; choose between 1 and the %d days of the table", days, len(r.Dates))
	}
	deviations, err := r.LossDeviations(r.Means())
	if err != nil {
		return nil, err
	}
	worst := worstDays(deviations, days)
	atoms := mat.NewDense(days, len(r.Tickers), nil)
	labels := make([]string, days)
	for i, row := range worst {
		atoms.SetRow(i, deviations.RawRowView(row))
		labels[i] = r.Dates[row].Format(dateLayout)
	}
	return sparsero.NewDictionary(atoms, &sparsero.DictionaryOptions{Labels: labels, Columns: r.Tickers})
}

// worstDays returns count row numbers in increasing order.
func worstDays(deviations *mat.Dense, count int) []int {
	rows, assets := deviations.Dims()
	portfolio := make([]float64, rows)
	for i := range rows {
		portfolio[i] = mat.Sum(deviations.RowView(i))
	}
	chosen := map[int]bool{}
	for _, row := range rankedDescending(portfolio)[:(count+1)/2] {
		chosen[row] = true
	}
	rankings := make([][]int, assets)
	for j := range rankings {
		rankings[j] = rankedDescending(mat.Col(nil, j, deviations))
	}
	for place := 0; place < rows && len(chosen) < count; place++ {
		for j := 0; j < assets && len(chosen) < count; j++ {
			chosen[rankings[j][place]] = true
		}
	}
	result := make([]int, 0, count)
	for row := range rows {
		if chosen[row] {
			result = append(result, row)
		}
	}
	return result
}

// rankedDescending returns the positions of values from the largest to the smallest, the earlier one on ties.
func rankedDescending(values []float64) []int {
	negative, order := make([]float64, len(values)), make([]int, len(values))
	floats.ArgsortStable(floats.ScaleTo(negative, -1, values), order)
	return order
}
