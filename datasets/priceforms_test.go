package datasets_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/sparsero/directions/datasets"
	"gonum.org/v1/gonum/mat"
)

// form is how a file of prices is written. The zero value is a comma-separated file with days as 2020-01-02, oldest first.
type form struct {
	layout    string
	clock     string // behind each day
	separator string
	missing   string // what stands for the missing price of asset B on the third day
	newest    bool   // the newest day comes first
	quoted    bool
	crlf      bool
	mark      bool // a byte order mark
	values    func(price, before float64) float64
	ended     int // asset C has no price on so many last days
	header    string
	cells     map[[2]int]string // other cells, by line behind the header and column
	dropped   int               // days from the tenth on that are left out
}

// write makes a file of 40 days and three assets.
func (f form) write() string {
	layout, separator, header := f.layout, f.separator, f.header
	if layout == "" {
		layout = time.DateOnly
	}
	if separator == "" {
		separator = ","
	}
	if header == "" {
		header = "Date,A,B,C"
	}
	lines := make([]string, 0, 41)
	source := rand.New(rand.NewPCG(1, 2))
	prices, before := []float64{100, 50, 20}, []float64{100, 50, 20}
	for i := range 40 {
		cells := []string{time.Date(2020, 1, 2+i, 0, 0, 0, 0, time.UTC).Format(layout) + f.clock}
		for j := range prices {
			before[j], prices[j] = prices[j], prices[j]*(1+0.02*source.NormFloat64())
			value := prices[j]
			if f.values != nil {
				value = f.values(prices[j], before[j])
			}
			cell := fmt.Sprint(value)
			if f.missing != "" && i == 2 && j == 1 || j == 2 && i >= 40-f.ended {
				cell = strings.TrimSuffix(f.missing, "(empty)")
			}
			cells = append(cells, cell)
		}
		for k := range cells {
			if other, changed := f.cells[[2]int{i, k}]; changed {
				cells[k] = other
			}
		}
		if i >= 10 && i < 10+f.dropped {
			continue
		}
		if f.quoted {
			for k := range cells {
				cells[k] = `"` + cells[k] + `"`
			}
		}
		lines = append(lines, strings.Join(cells, separator))
	}
	if f.newest {
		for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
			lines[i], lines[j] = lines[j], lines[i]
		}
	}
	text := strings.ReplaceAll(header, ",", separator) + "\n" + strings.Join(lines, "\n") + "\n"
	if f.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if f.mark {
		text = "\ufeff" + text
	}
	return text
}

// TestPriceForms reads the same prices from files as spreadsheets, data vendors and other programs write them.
func TestPriceForms(t *testing.T) {
	want, err := datasets.ReadPrices(strings.NewReader(form{}.write()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]form{
		"slashes":             {layout: "2006/01/02"},
		"points, year first":  {layout: "2006.01.02"},
		"digits":              {layout: "20060102"},
		"month first":         {layout: "01/02/2006"},
		"month first, short":  {layout: "1/2/2006"},
		"day first":           {layout: "02/01/2006"},
		"German":              {layout: "02.01.2006"},
		"month by name":       {layout: "Jan 2, 2006", quoted: true},
		"month by long name":  {layout: "January 2, 2006", separator: ";"},
		"day, month by name":  {layout: "2 Jan 2006"},
		"with hyphens":        {layout: "02-Jan-2006"},
		"pandas":              {clock: " 00:00:00"},
		"a clock with a zone": {clock: "T16:00:00-05:00"},
		"UTC":                 {clock: " 21:00:00.000 UTC"},
		"newest first":        {newest: true},
		"newest, month first": {newest: true, layout: "01/02/2006"},
		"semicolons":          {separator: ";"},
		"tabs":                {separator: "\t"},
		"quoted":              {quoted: true},
		"Windows line ends":   {crlf: true},
		"byte order mark":     {mark: true},
	} {
		got, err := datasets.ReadPrices(strings.NewReader(f.write()), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, day := range want.Dates {
			if !day.Equal(got.Dates[i]) {
				t.Fatalf("%s: day %d is %v, want %v", name, i, got.Dates[i], day)
			}
			for j := range want.Tickers {
				if got.Prices.At(i, j) != want.Prices.At(i, j) {
					t.Fatalf("%s: price %v on day %d of asset %d, want %v", name, got.Prices.At(i, j), i, j, want.Prices.At(i, j))
				}
			}
		}
	}
}

// TestPriceMarks reads each mark of a missing price.
func TestPriceMarks(t *testing.T) {
	for _, mark := range []string{"(empty)", "NA", "N/A", "#N/A", "NaN", "null", "None", "-"} {
		table, err := datasets.ReadPrices(strings.NewReader(form{missing: mark}.write()), nil)
		if err != nil {
			t.Errorf("%s: %v", mark, err)
		} else if !math.IsNaN(table.Prices.At(2, 1)) {
			t.Errorf("%s: price %v, want none", mark, table.Prices.At(2, 1))
		}
	}
}

// TestDelistedAsset wants an asset without a price on the last day out of the window, by name, and all days of the others.
func TestDelistedAsset(t *testing.T) {
	table, err := datasets.ReadPrices(strings.NewReader(form{ended: 5}.write()), nil)
	if err != nil {
		t.Fatal(err)
	}
	returns, err := table.CompleteReturns(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if len(returns.Dates) != 39 || len(returns.Ended) != 1 || returns.Ended[0] != "C" || len(returns.DroppedTickers) != 1 {
		t.Errorf("%d days, ended %v, dropped %v; want 39 days without C", len(returns.Dates), returns.Ended, returns.DroppedTickers)
	}
	early, err := datasets.ReadPrices(strings.NewReader(form{ended: 5}.write()), &datasets.PriceOptions{
		Since: time.Date(2020, 1, 10, 0, 0, 0, 0, time.UTC), Until: time.Date(2020, 2, 5, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	if returns, err = early.CompleteReturns(time.Time{}); err != nil || len(returns.Tickers) != 3 || len(returns.Dates) != 26 {
		t.Errorf("from 10 January to 5 February: %d days of %v (%v), want 26 of all three", len(returns.Dates), returns.Tickers, err)
	}
}

// saved writes a file of a text.
func saved(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "returns.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReturnsAsTheyCome reads returns to the same numbers as prices give, and refuses what is none.
func TestReturnsAsTheyCome(t *testing.T) {
	share := form{values: func(price, before float64) float64 { return price/before - 1 }}
	returns, err := datasets.LoadReturns(saved(t, share.write()), nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := datasets.ReadPrices(strings.NewReader(form{}.write()), nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.CompleteReturns(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if len(returns.Dates) != 40 {
		t.Fatalf("%d returns, want 40", len(returns.Dates))
	}
	for i := range want.Dates {
		for j := range 3 {
			if returns.Returns.At(i+1, j) != want.Returns.At(i, j) {
				t.Errorf("return %v on day %d, want %v", returns.Returns.At(i+1, j), i, want.Returns.At(i, j))
			}
		}
	}
	for name, values := range map[string]func(price, before float64) float64{
		"percent": func(price, before float64) float64 { return 100 * (price/before - 1) },
		"prices":  func(price, _ float64) float64 { return price },
	} {
		if _, err := datasets.LoadReturns(saved(t, form{values: values}.write()), nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one with %q", err, name)
		}
	}
}

// TestPriceWarnings wants each doubtful table warned of by name, and no warning of an ordinary one.
func TestPriceWarnings(t *testing.T) {
	for want, f := range map[string]form{
		"":                               {},
		"growth factors":                 {values: func(price, before float64) float64 { return price / before }},
		"the columns Open, Close":        {header: "Date,Open,Close,X", values: func(price, before float64) float64 { return price * price * price / before }}, // no word of splits
		"the columns A Volume, B Volume": {header: "Date,A,A Volume,B Volume"},
		"N changes by 1": {header: "Date,N,B,C", values: func() func(float64, float64) float64 {
			k := -1
			return func(price, _ float64) float64 {
				if k++; k%3 == 0 {
					return float64(1 + k/3)
				}
				return price
			}
		}()},
		"C has the same price on the last": {values: func(price, before float64) float64 {
			if price > 18 && before > 18 {
				return price
			}
			return 17
		}},
		"correct the cell if it is wrong": {values: func(price, _ float64) float64 {
			if price < 18 {
				return price * 37 // no split has this ratio
			}
			return price
		}},
		"no price moves": {values: func() func(float64, float64) float64 { // the prices of every second day stand for two days
			held, k := make([]float64, 3), 0
			return func(price, _ float64) float64 {
				if i, j := k/3, k%3; i%2 == 0 {
					held[j] = price
				}
				k++
				return held[(k-1)%3]
			}
		}()},
		"B has no price on 7 days":                          {cells: map[[2]int]string{{3, 2}: "", {5, 2}: "", {7, 2}: "", {9, 2}: "", {11, 2}: "", {13, 2}: "", {15, 2}: ""}},
		"between 2020-01-11 and 2020-01-30 there is no day": {dropped: 18},
		"split 3 for 2": {values: func(price, _ float64) float64 {
			if price < 18 {
				return price / 1.5
			}
			return price
		}},
		"split 4 for 1": {values: func(price, _ float64) float64 {
			if price < 18 {
				return price / 4
			}
			return price
		}},
	} {
		table, err := datasets.ReadPrices(strings.NewReader(f.write()), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(table.Warnings(), "\n"); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("warnings %q, want %q", got, want)
		}
	}
}

// TestWarningsWithoutPrices: of an asset without any price nothing is doubtful; it is left out later, by name.
func TestWarningsWithoutPrices(t *testing.T) {
	f := form{header: "<DATE>,A,B,C", cells: map[[2]int]string{}}
	for day := range len(strings.Split(f.write(), "\n")) {
		f.cells[[2]int{day, 2}] = ""
	}
	table, err := datasets.ReadPrices(strings.NewReader(f.write()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Warnings(); len(got) > 0 || !math.IsNaN(table.Prices.At(0, 1)) {
		t.Errorf("warnings %q of prices that begin with %v", got, table.Prices.RawRowView(0))
	}
}

// TestCodesOfAssets: numbers name assets where a word stands above the days, and spaces around names are none of theirs.
func TestCodesOfAssets(t *testing.T) {
	table, err := datasets.ReadPrices(strings.NewReader(form{header: "Date, 600519 ,000001,858"}.write()), nil)
	if err != nil || !slices.Equal(table.Tickers, []string{"600519", "000001", "858"}) {
		t.Errorf("%+v, error %v", table, err)
	}
}

// TestPriceMistakes wants the next step for what is not read.
func TestPriceMistakes(t *testing.T) {
	yfinance := func(lines string) string { return lines + form{}.write()[len("Date,A,B,C\n"):] }
	for _, c := range []struct{ text, want string }{
		{form{layout: "2006-01-02 ", clock: "09:30", cells: map[[2]int]string{{1, 0}: "2020-01-02 10:30"}}.write(), "keep one price for each day"},
		{yfinance("Price,Close,Close,Close\nTicker,A,B,C\nDate,,,\n"), "to_csv"},
		{yfinance("Price,Close,Close,Close\nTicker,A,B,C\n"), "to_csv"},
		{yfinance(",Adj Close,Adj Close,Adj Close\n,0700.HK,9988.HK,C\nDate,,,\n"), "to_csv"},
		{yfinance("Ticker,A,B,C\nPrice,Close,Close,Close\nDate,,,\n"), "level=1"},
		{form{cells: map[[2]int]string{{3, 1}: "."}}.write(), "leave it empty"},
		{form{cells: map[[2]int]string{{3, 1}: "#DIV/0!"}}.write(), "leave it empty"},
		{form{cells: map[[2]int]string{{3, 1}: "EUR 3"}}.write(), "without currency"},
		{form{layout: "02/01/06"}.write(), "-dates"},
		{"Asset,2020-01-02,2020-01-03\nA,1,2\nB,1,2\n", "turn the table around"},
		{"sep=,\n" + form{}.write(), "drop that line"},
		{strings.ReplaceAll(form{}.write(), "\n", "\r"), "line ends CR"},
		{form{header: "2020-01-01,600519,1,858"}.write(), "holds only numbers"},
		{"Date A B\n2020-01-02 1 2\n", "between commas"},
	} {
		if _, err := datasets.ReadPrices(strings.NewReader(c.text), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q for %.60q", err, c.want, c.text)
		}
	}
}

// TestFilesThatHoldNoText names what another kind of file is.
func TestFilesThatHoldNoText(t *testing.T) {
	var wide bytes.Buffer
	for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(form{}.write()))...) {
		wide.WriteByte(byte(unit))
		wide.WriteByte(byte(unit >> 8))
	}
	for want, text := range map[string]string{
		"UTF-8": wide.String(), "NumPy array": "\x93NUMPY\x01\x00", ".npz": "PK\x03\x04", "gzip": "\x1f\x8b\x08", "Parquet": "PAR1\x15", "Excel": "\xd0\xcf\x11\xe0\xa1", "a page": "<!DOCTYPE html>\n",
	} {
		if _, err := datasets.ReadPrices(strings.NewReader(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// An asset without any price is dropped, without a word of days that it misses, and the others keep all of theirs.
func TestAnAssetWithoutAPrice(t *testing.T) {
	dates := []time.Time{time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(2020, 1, 3, 0, 0, 0, 0, time.UTC)}
	prices := mat.NewDense(2, 2, []float64{4, math.NaN(), 5, math.NaN()})
	table := &datasets.PriceTable{Dates: dates, Tickers: []string{"A", "none"}, Prices: prices}
	returns, err := table.CompleteReturns(time.Time{})
	if err != nil || returns.Returns.At(0, 0) != 0.25 || returns.DroppedDays != 0 ||
		!slices.Equal(returns.DroppedTickers, []string{"none"}) {
		t.Errorf("%+v, %v", returns, err)
	}
	if warnings := table.Warnings(); len(warnings) > 0 {
		t.Errorf("%q", warnings)
	}
}

// TestStartBeforeAllPrices is named as it was given, and not the day after, from which on there are prices.
func TestStartBeforeAllPrices(t *testing.T) {
	table, err := datasets.ReadPrices(strings.NewReader("Date,A\n2020-01-01,\n2020-01-02,\n2020-01-03,5\n2020-01-04,6\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = table.CompleteReturns(time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC))
	if err == nil || !strings.Contains(err.Error(), "no asset has prices from 2020-01-02 to") {
		t.Errorf("of prices from 2020-01-03 on: %v", err)
	}
	prices := mat.NewDense(4, 1, []float64{5, 6, math.NaN(), math.NaN()})
	over := &datasets.PriceTable{Dates: table.Dates, Tickers: table.Tickers, Prices: prices}
	for _, since := range table.Dates[1:3] { // the last day with a price, which begins no return, and the day after
		want := "no asset has prices from " + since.Format(time.DateOnly)
		if _, err := over.CompleteReturns(since); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of prices until 2020-01-02: %v", err)
		}
	}
	if returns, err := table.CompleteReturns(table.Dates[2]); err != nil || len(returns.Dates) != 1 {
		t.Errorf("%v, %v", returns, err)
	}
}

// A return that loses more than all is named by its line and column.
func TestReturnsBelowAllAreNamed(t *testing.T) {
	table := "date,first,second,third\n2020-01-02,0.01,0,0.02\n2020-01-03,0,-1.5,0\n2020-01-06,0.02,0.01,0\n"
	_, err := datasets.LoadReturns(saved(t, table), nil)
	if err == nil || !strings.Contains(err.Error(), "-1.5") || !strings.Contains(err.Error(), "line 3") || !strings.Contains(err.Error(), "second") {
		t.Errorf("error %v, want one of -1.5 in line 3, column second", err)
	}
	returns, err := datasets.LoadReturns(saved(t, strings.Replace(table, "-1.5", "-1", 1)), nil)
	if err != nil || returns.Returns.At(1, 1) != -1 {
		t.Errorf("an asset that loses all: %v, %v", returns, err)
	}
}

// Returns are cut to the window with the most cells, as prices are.
func TestReturnsOfTheWidestWindow(t *testing.T) {
	table := "date,early,late\n2020-01-02,0.01,\n2020-01-03,0,0.01\n2020-01-06,0.02,0\n2020-01-07,0.01,0.02\n"
	returns, err := datasets.LoadReturns(saved(t, table), nil)
	if err != nil || len(returns.Tickers) != 2 || len(returns.Dates) != 3 {
		t.Errorf("%+v, %v; want three days of both", returns, err)
	}
}
