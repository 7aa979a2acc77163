package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// PriceTable holds daily closing prices of several assets.
type PriceTable struct {
	Dates   []time.Time // increasing, one per row
	Tickers []string    // one per column
	Prices  *mat.Dense  // days×assets, in currency units; NaN where there is no price
}

// PriceOptions say how a file of prices or returns is read. The zero value reads all of it.
type PriceOptions struct {
	Dates        string    // the form of the days as a layout of package time, such as "02/01/2006"; "" finds one
	Since, Until time.Time // the first and the last day to read; zero for those of the file
}

// ReadPrices reads a table of daily closing prices.
//
// The first column holds the day, without repetition, oldest or newest first, in one form: 2020-01-31, 2020/1/31,
// 20200131, 31.1.2020, 1/31/2020 or 31/1/2020 where the column leaves no doubt, Jan 31, 2020, or 31 Jan 2020, with or
// without a time. Every other column is an asset, named in the header. Columns are separated by commas or, where the
// header has none, by semicolons or tabs. An empty cell (or NA, N/A, #N/A, NaN, null, none, -) is a missing price.
// Errors name the line and the column; prices must be positive and finite.
func ReadPrices(r io.Reader, o *PriceOptions) (*PriceTable, error) {
	dates, table, values, err := readDays(r, o)
	if err != nil {
		return nil, err
	}
	for k, price := range table.Values {
		if i, j := k/len(table.Names), k%len(table.Names); price <= 0 {
			return nil, fmt.Errorf("datasets: the price %g in %s, column %.60q is not positive; correct it, or leave the cell empty%s", price, table.Place(i), table.Names[j], returnsHint(table.Values))
		}
	}
	if len(dates) == 1 {
		return nil, errors.New("datasets: the price file has 1 day from Since to Until; give at least 2, which make a return")
	}
	return &PriceTable{Dates: dates, Tickers: table.Names, Prices: values}, nil
}

// readDays reads a table whose first column holds days, and its values from the oldest to the newest day.
func readDays(r io.Reader, o *PriceOptions) ([]time.Time, *sparsero.Table, *mat.Dense, error) {
	table, err := sparsero.ReadTable(r, sparsero.TableOptions{Subject: "the price file", TextFirst: true, Missing: true})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("datasets: %w", err)
	}
	if table.Rows() == 0 {
		return nil, nil, nil, errors.New("datasets: the price file holds 0 days; give at least 2, which make a return")
	}
	o = cmp.Or(o, &PriceOptions{})
	days, err := parseDays(table, o.Dates)
	if err != nil {
		return nil, nil, nil, err
	}
	order, err := inOrder(table, days)
	if err != nil {
		return nil, nil, nil, err
	}
	order = slices.DeleteFunc(order, func(i int) bool {
		return days[i].Before(o.Since) || !o.Until.IsZero() && days[i].After(o.Until)
	})
	if len(order) == 0 {
		return nil, nil, nil, fmt.Errorf("datasets: the price file has no day from Since to Until; it has days from %s to %s",
			slices.MinFunc(days, time.Time.Compare).Format(time.DateOnly), slices.MaxFunc(days, time.Time.Compare).Format(time.DateOnly))
	}
	columns := len(table.Names)
	dates, values := make([]time.Time, len(order)), mat.NewDense(len(order), columns, nil)
	for k, i := range order {
		dates[k] = days[i]
		values.SetRow(k, table.Values[i*columns:(i+1)*columns])
	}
	return dates, table, values, nil
}

// LoadPrices reads the price file at path; see [ReadPrices], whose errors it
// returns besides that of a file that cannot be opened.
func LoadPrices(path string, o *PriceOptions) (*PriceTable, error) {
	return load(path, func(r io.Reader) (*PriceTable, error) { return ReadPrices(r, o) })
}

func load[T any](path string, read func(io.Reader) (*T, error)) (*T, error) {
	file, err := os.Open(path)
	if err != nil {
		place, _ := filepath.Abs(path) // a notebook runs in a folder of its own
		return nil, fmt.Errorf("datasets: cannot open the price file: %w, looked for as %s; give the full path", err, place)
	}
	defer file.Close()
	table, err := read(file)
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

// Availability describes each asset's history: a row per asset with its first
// and last day, the number of prices, and the number of missing prices between
// the first and the last day. It panics if the table has not a row per date and a column per ticker.
func (t *PriceTable) Availability() dataframe.DataFrame {
	if err := checkTable("Prices", t.Prices, t.Dates, t.Tickers); err != nil {
		panic(err)
	}
	rows := sparsero.NewRows("asset,first day,last day,prices,missing inside")
	for j, asset := range t.Tickers {
		first, last, count, inside := "", "", 0, 0
		if begin, end := span(t.Prices, j); begin >= 0 {
			first, last = t.Dates[begin].Format(dateLayout), t.Dates[end].Format(dateLayout)
			inside = missing(t.Prices, j, begin, end)
			count = end - begin + 1 - inside
		}
		rows.Add(asset, first, last, count, inside)
	}
	return rows.Frame()
}

// missing counts the rows from first to last, which span gives, without a number in column j.
func missing(values *mat.Dense, j, first, last int) (count int) {
	for i := first + 1; i < last; i++ {
		if math.IsNaN(values.At(i, j)) {
			count++
		}
	}
	return count
}

// span returns the first and the last row with a number in column j, or -1, -1.
func span(values *mat.Dense, j int) (first, last int) {
	first, last = -1, -1
	for i := range values.RawMatrix().Rows {
		if !math.IsNaN(values.At(i, j)) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}
