package datasets

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// ReturnTable holds simple daily returns without a gap.
type ReturnTable struct {
	Dates   []time.Time // the day on which the return was earned, one per row
	Tickers []string    // assets kept, one per column
	Returns *mat.Dense  // days×assets, p_t/p_{t-1} - 1 (0.01 is one percent); no NaN

	DroppedTickers []string // assets listed too late for the chosen window, or no longer
	Ended          []string // those of them without a price on the last day
	DroppedDays    int      // days inside the window on which a kept asset had no return
}

// LoadReturns reads the file at path, a table of daily returns, p_t/p_{t-1} - 1 (0.01 is one percent), in the form of
// [ReadPrices], and cuts it as [PriceTable.CompleteReturns] does. It is an error if the file cannot be opened, a return
// is below -1, or most of them are so large that they are percentages, growth factors or prices.
func LoadReturns(path string, o *PriceOptions) (*ReturnTable, error) {
	return load(path, func(r io.Reader) (*ReturnTable, error) { return readReturns(r, o) })
}

func readReturns(r io.Reader, o *PriceOptions) (*ReturnTable, error) {
	dates, table, values, err := readDays(r, o)
	if err != nil {
		return nil, err
	}
	for k, value := range table.Values {
		if i, j := k/len(table.Names), k%len(table.Names); value < -1 {
			return nil, fmt.Errorf("datasets: the return %g in %s, column %.60q loses more than all; give returns as fractions, 0.01 for one percent", value, table.Place(i), table.Names[j])
		}
	}
	if size := medianSize(table.Values); size > largestUsualReturn {
		return nil, fmt.Errorf("datasets: half of the returns are above %g in size; give returns as fractions, 0.01 for one percent, or read the file as prices", size)
	}
	h := &history{dates: dates, tickers: table.Names, returns: values}
	for j := range table.Names {
		first, last := span(values, j)
		h.first, h.last = append(h.first, first), append(h.last, last)
	}
	return h.window(-1)
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
	for j := range means {
		means[j] = stat.Mean(mat.Col(nil, j, r.Returns), nil)
	}
	return means
}

// LossDeviations returns how much worse than expected each day was: u_t = mean - return_t, days×assets. Positive
// entries are losses. It returns an error when means does not have one entry per asset.
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
// An atom is the loss deviation u_t of one day (see [ReturnTable.LossDeviations] with the table's own means), its label
// is the date, and its coordinates are the assets. The days are the worst by the loss of the equally weighted portfolio
// together with every asset's own worst days: half of the places each, the second half dealt to the assets in turn, and
// equal days counted once. Atoms are in order of time, in the unit of the returns (0.01 is one percent). days is the
// number of atoms; it is an error unless it lies between 1 and the number of days in the table.
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
	return slices.Sorted(maps.Keys(chosen))
}

// rankedDescending returns the positions of values from the largest to the smallest, the earlier one on ties.
func rankedDescending(values []float64) []int {
	negative, order := make([]float64, len(values)), make([]int, len(values))
	floats.ArgsortStable(floats.ScaleTo(negative, -1, values), order)
	return order
}
