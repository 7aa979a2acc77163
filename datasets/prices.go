package datasets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
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

// ReadPrices reads a CSV of daily closing prices.
//
// The first column holds the day as YYYY-MM-DD, in increasing order without
// repetition; every other column is an asset, named in the header. An empty
// cell (or NA, NaN, null) is a missing price. Errors name the line and the
// column: ragged rows, unreadable dates, text in place of a number, and prices
// that are not positive and finite.
func ReadPrices(r io.Reader) (*PriceTable, error) {
	reader := csv.NewReader(r)
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("datasets: the price file is empty; it needs a header such as date,AAPL,GE and a row per day")
	}
	if err != nil {
		return nil, fmt.Errorf("datasets: the header of the price file is unreadable: %w", err)
	}
	if err := checkTickers(header); err != nil {
		return nil, err
	}
	table := &PriceTable{Tickers: append([]string(nil), header[1:]...)}
	var prices []float64
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("datasets: price file: %w; every row needs %d cells, empty where there is no price", err, len(header))
		}
		line, _ := reader.FieldPos(0)
		if prices, err = table.appendDay(record, prices, line); err != nil {
			return nil, err
		}
	}
	if len(table.Dates) < 2 {
		return nil, fmt.Errorf("datasets: the price file holds %d days; returns need at least 2", len(table.Dates))
	}
	table.Prices = mat.NewDense(len(table.Dates), len(table.Tickers), prices)
	return table, nil
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

// cannotOpen says where a relative path was looked up: a notebook runs in its own folder.
func cannotOpen(path string, err error) error {
	folder, unknown := os.Getwd()
	if filepath.IsAbs(path) || unknown != nil {
		return fmt.Errorf("datasets: cannot open the price file: %w; check the path", err)
	}
	return fmt.Errorf("datasets: cannot open the price file: %w, looked for in the folder %s; give the full path", err, folder)
}

func checkTickers(header []string) error {
	if len(header) < 2 {
		return fmt.Errorf("datasets: the price file has %d columns; it needs a date column and at least one asset", len(header))
	}
	seen := map[string]bool{}
	for j, ticker := range header[1:] {
		switch {
		case strings.TrimSpace(ticker) == "":
			return fmt.Errorf("datasets: column %d of the price file has no name; name every asset in the header", j+2)
		case seen[ticker]:
			return fmt.Errorf("datasets: the price file names the asset %q twice; rename or remove one of the columns", ticker)
		}
		seen[ticker] = true
	}
	return nil
}

func (t *PriceTable) appendDay(record []string, prices []float64, line int) ([]float64, error) {
	day, err := time.Parse(dateLayout, record[0])
	if err != nil {
		return nil, fmt.Errorf("datasets: line %d of the price file: %q is no date; write days as YYYY-MM-DD", line, record[0])
	}
	if n := len(t.Dates); n > 0 && !day.After(t.Dates[n-1]) {
		return nil, fmt.Errorf("datasets: line %d of the price file: %s does not come after %s; sort the days and remove repetitions",
			line, day.Format(dateLayout), t.Dates[n-1].Format(dateLayout))
	}
	t.Dates = append(t.Dates, day)
	for j, cell := range record[1:] {
		price, err := parsePrice(cell)
		if err != nil {
			return nil, fmt.Errorf("datasets: line %d of the price file, column %s: %w", line, t.Tickers[j], err)
		}
		prices = append(prices, price)
	}
	return prices, nil
}

// parsePrice reads one cell; a missing price is NaN.
func parsePrice(cell string) (float64, error) {
	switch strings.ToLower(strings.TrimSpace(cell)) {
	case "", "na", "nan", "null":
		return math.NaN(), nil
	}
	price, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number; write a price, or leave the cell empty", cell)
	}
	if !(price > 0) || math.IsInf(price, 0) {
		return 0, fmt.Errorf("the price %g is not positive and finite; correct it, or leave the cell empty", price)
	}
	return price, nil
}

// WriteCSV writes the table in the form that [ReadPrices] reads. It returns the
// error of the writer.
func (t *PriceTable) WriteCSV(w io.Writer) error {
	writer := csv.NewWriter(w)
	record := append([]string{"date"}, t.Tickers...)
	if err := writer.Write(record); err != nil {
		return err
	}
	for i, day := range t.Dates {
		record[0] = day.Format(dateLayout)
		for j, price := range t.Prices.RawRowView(i) {
			record[j+1] = ""
			if !math.IsNaN(price) {
				record[j+1] = strconv.FormatFloat(price, 'g', 8, 64)
			}
		}
		if err := writer.Write(record); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

// Availability describes each asset's history: a row per asset with its first
// and last day, the number of prices, and the number of missing prices between
// the first and the last day.
func (t *PriceTable) Availability() dataframe.DataFrame {
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
