package datasets

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/sparsero/input"
	"gonum.org/v1/gonum/mat"
)

// dateLayout is how days are written in price files, in labels and in frames.
const dateLayout = time.DateOnly

// PriceTable holds daily closing prices of several assets.
type PriceTable struct {
	Dates   []time.Time // increasing, one per row
	Tickers []string    // one per column
	Prices  *mat.Dense  // days×assets, in currency units; NaN where there is no price
}

// ReadPrices reads a table of daily closing prices.
//
// The first column holds the day as YYYY-MM-DD, in increasing order without
// repetition; every other column is an asset, named in the header. Columns are separated
// by commas or, where the header has none, by semicolons or tabs. An empty cell (or NA,
// N/A, NaN, null, none, -) is a missing price. Errors name the line and the column: ragged
// rows, unreadable dates, text in place of a number, and prices that are not positive and
// finite.
func ReadPrices(r io.Reader) (*PriceTable, error) {
	table, err := input.ReadTable(r, input.Options{Subject: "the price file", TextFirst: true, Missing: true})
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	if table.Rows() == 0 {
		return nil, errors.New("datasets: the price file holds 0 days; give at least 2, which make a return")
	}
	prices := &PriceTable{Tickers: table.Names, Prices: mat.NewDense(table.Rows(), len(table.Names), table.Values)}
	for i, text := range table.Texts {
		day, err := time.Parse(dateLayout, text)
		if err != nil {
			return nil, fmt.Errorf("datasets: %s in %s, column %s is no date; write days as YYYY-MM-DD", input.Quote(text), table.Place(i), input.Quote(table.Text))
		}
		if i > 0 && !day.After(prices.Dates[i-1]) {
			return nil, fmt.Errorf("datasets: %s in %s does not come after %s; sort the days and remove repetitions", text, table.Place(i), table.Texts[i-1])
		}
		prices.Dates = append(prices.Dates, day)
		for j, price := range prices.Prices.RawRowView(i) {
			if price <= 0 {
				return nil, fmt.Errorf("datasets: the price %g in %s, column %s is not positive; correct it, or leave the cell empty", price, table.Place(i), input.Quote(prices.Tickers[j]))
			}
		}
	}
	if len(prices.Dates) == 1 {
		return nil, errors.New("datasets: the price file holds 1 day; give at least 2, which make a return")
	}
	return prices, nil
}

// LoadPrices reads the price file at path; see [ReadPrices], whose errors it
// returns besides that of a file that cannot be opened.
func LoadPrices(path string) (*PriceTable, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, cannotOpen(path, err)
	}
	defer file.Close()
	table, err := ReadPrices(file)
	if err != nil {
		return nil, fmt.Errorf("%w (file %s)", err, path)
	}
	return table, nil
}

// checkTable compares the sizes of a table whose fields the caller may have set.
func checkTable(name string, values *mat.Dense, dates []time.Time, tickers []string) error {
	rows, columns := 0, 0
	if values != nil {
		rows, columns = values.Dims()
	}
	if rows == 0 || rows != len(dates) || columns != len(tickers) {
		return fmt.Errorf("datasets: %s is %d×%d for %d dates and %d tickers; give a row per date, at least one, and a column per ticker", name, rows, columns, len(dates), len(tickers))
	}
	return nil
}

// cannotOpen says where a relative path was looked up: a notebook runs in its own folder.
func cannotOpen(path string, err error) error {
	folder, unknown := os.Getwd()
	if filepath.IsAbs(path) || unknown != nil {
		return fmt.Errorf("datasets: cannot open the price file: %w; check the path", err)
	}
	return fmt.Errorf("datasets: cannot open the price file: %w, looked for in the folder %s; give the full path", err, folder)
}

// Availability describes each asset's history: a row per asset with its first
// and last day, the number of prices, and the number of missing prices between
// the first and the last day. It panics if the table has not a row per date and a column per ticker.
func (t *PriceTable) Availability() dataframe.DataFrame {
	if err := checkTable("Prices", t.Prices, t.Dates, t.Tickers); err != nil {
		panic(err)
	}
	assets := len(t.Tickers)
	first, last := make([]string, assets), make([]string, assets)
	count, inside := make([]int, assets), make([]int, assets)
	for j := range assets {
		begin, end := t.span(j)
		if begin < 0 {
			continue
		}
		first[j], last[j] = t.Dates[begin].Format(dateLayout), t.Dates[end].Format(dateLayout)
		for i := begin; i <= end; i++ {
			if math.IsNaN(t.Prices.At(i, j)) {
				inside[j]++
			} else {
				count[j]++
			}
		}
	}
	return dataframe.New(
		series.New(t.Tickers, series.String, "asset"),
		series.New(first, series.String, "first day"),
		series.New(last, series.String, "last day"),
		series.New(count, series.Int, "prices"),
		series.New(inside, series.Int, "missing inside"),
	)
}

// span returns the first and the last row with a price of asset j, or -1, -1.
func (t *PriceTable) span(j int) (first, last int) {
	first, last = -1, -1
	for i := range t.Dates {
		if !math.IsNaN(t.Prices.At(i, j)) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}
