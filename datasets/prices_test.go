package datasets_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/datasets"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

const threeDays = `date,AAA,BBB
2020-01-02,100,
2020-01-03,110,50
2020-01-06,99,55
`

// Availability counts from the first price to the last, and panics where the table is none.
func TestAvailability(t *testing.T) {
	table, err := datasets.ReadPrices(strings.NewReader(threeDays+"2020-01-07,,56\n2020-01-08,98,\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "[[asset first day last day prices missing inside] [AAA 2020-01-02 2020-01-08 4 1] [BBB 2020-01-03 2020-01-07 3 0]]"
	if got := fmt.Sprint(table.Availability().Records()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	gaps, err := datasets.ReadPrices(strings.NewReader(threeDays+"2020-01-07,98,\n2020-01-08,97,\n2020-01-09,96,57\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	gaps.Prices.Set(1, 0, math.NaN()) // behind the first price, and before the last one
	if got, want := fmt.Sprint(gaps.Availability().Records()[1:]), "[[AAA 2020-01-02 2020-01-09 5 1] [BBB 2020-01-03 2020-01-09 3 2]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "Prices") {
			t.Errorf("a table without a date: %s", text)
		}
	}()
	table.Dates = table.Dates[1:]
	table.Availability()
}

func ExampleReadPrices() {
	prices, err := datasets.ReadPrices(strings.NewReader(threeDays), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	returns, err := prices.CompleteReturns(time.Time{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v on %s: %.3f\n", returns.Tickers, returns.Dates[0].Format(time.DateOnly), mat.Formatted(returns.Returns.RowView(0).T()))
	fmt.Println("dropped:", returns.DroppedTickers)
	// Output:
	// [AAA] on 2020-01-03: [0.100]
	// dropped: [BBB]
}

func TestReadPricesRejectsBadFiles(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"empty":              {"", "empty"},
		"only a date column": {"date\n2020-01-02\n", "numeric column"},
		"no days":            {"date,A\n", "0 days"},
		"one day":            {"date,A\n2020-01-02,1\n", "1 day from Since"},
		"ragged":             {"date,A,B\n2020-01-02,1\n", "line 2"},
		"text in a number":   {"date,A\n2020-01-02,1\n2020-01-03,abc\n", `"abc" in line 3, column "A"`},
		"zero price":         {"date,A\n2020-01-02,0\n", "not positive"},
		"negative price":     {"date,A\n2020-01-02,-3\n", "not positive"},
		"infinite price":     {"date,A\n2020-01-02,Inf\n", `"Inf" in line 2, column "A"`},
		"no date":            {"date,A\n2020-01-01,1\nyesterday,1\n", `"yesterday" in line 3, column "date"`},
		"two forms of dates": {"date,A\n2020-01-01,1\n02.01.2020,1\n", `"02.01.2020" in line 3`},
		"day or month first": {"date,A\n01/02/2020,1\n01/03/2020,1\n", `"1/2/2006" and as "2/1/2006"`},
		"days out of order":  {"date,A\n2020-01-03,1\n2020-01-05,1\n2020-01-04,1\n", "does not come after"},
		"returns":            {"date,A\n2020-01-02,0.01\n2020-01-03,-0.02\n", "(-returns)"},
		"returns in percent": {"date,A\n2020-01-02,0.9\n2020-01-03,-1.2\n", "percent"},
		"repeated day":       {"date,A\n2020-01-03,1\n2020-01-03,1\n", "does not come after"},
		"repeated asset":     {"date,A,A\n2020-01-03,1,1\n", `"A"`},
		"unnamed asset":      {"date,A,\n2020-01-03,1,1\n", "column 3"},
	} {
		if _, err := datasets.ReadPrices(strings.NewReader(test.file), nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that contains %q", name, err, test.want)
		}
	}
}

func FuzzReadPrices(f *testing.F) {
	f.Add(threeDays)
	f.Add("date,A\n2020-01-02,1e308\n2020-01-03,NA\n")
	f.Fuzz(func(t *testing.T, file string) {
		table, err := datasets.ReadPrices(strings.NewReader(file), nil)
		if err != nil {
			return
		}
		days, assets := table.Prices.Dims()
		if days != len(table.Dates) || assets != len(table.Tickers) || days < 2 || assets < 1 {
			t.Fatalf("accepted a table of %d×%d with %d dates and %d tickers", days, assets, len(table.Dates), len(table.Tickers))
		}
	})
}

func TestCompleteReturnsNeverFillsAGap(t *testing.T) {
	table, err := datasets.ReadPrices(strings.NewReader(`date,A,B
2020-01-01,1,1
2020-01-02,2,
2020-01-03,4,3
2020-01-06,8,6
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	returns, err := table.CompleteReturns(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	// B misses the second day, so neither that day nor the next has a return of B.
	if returns.DroppedDays != 2 || len(returns.Dates) != 1 || returns.Returns.At(0, 1) != 1 {
		t.Errorf("dropped %d days and kept %v with %v; want 2 dropped and one return of 100 %%",
			returns.DroppedDays, returns.Dates, mat.Formatted(returns.Returns))
	}
}

// TestGeneratedPricesStayTheSame: a seed names the prices that it named in earlier versions, on weekdays.
func TestGeneratedPricesStayTheSame(t *testing.T) {
	table, err := datasets.GeneratePrices(datasets.GeneratedPricesOptions{Seed: 7, Assets: 3})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(table.Tickers, []string{"GEN01", "GEN02", "GEN03"}) {
		t.Errorf("tickers %v", table.Tickers)
	}
	for i, want := range map[int][3]float64{
		0: {99.5941244354, 37.5728041392, 32.4172622274}, 9: {98.7346933722, 36.6887215533, 35.7689142824},
		999: {78.2183316525, 29.1174981533, 22.150237528}, 1999: {72.8749081584, 48.7486279183, 7.29982748122},
	} {
		for j, price := range want {
			if got := table.Prices.At(i, j); math.Abs(got/price-1) > 1e-9 {
				t.Errorf("day %d, asset %d: price %.12g, want %.12g", i, j, got, price)
			}
		}
	}
	for i, day := range table.Dates[:len(table.Dates)-1] {
		gap, weekday := table.Dates[i+1].Sub(day).Hours()/24, day.Weekday()
		if weekday == time.Saturday || weekday == time.Sunday || gap != 1 && (gap != 3 || weekday != time.Friday) {
			t.Fatalf("%v follows %v", table.Dates[i+1], day)
		}
	}
}

// TestGeneratedPricesAreListedLate: every fifth asset is listed a fifth of the history later than the one before, at most at its half.
func TestGeneratedPricesAreListedLate(t *testing.T) {
	table, err := datasets.GeneratePrices(datasets.GeneratedPricesOptions{Assets: 16, Days: 50})
	if err != nil {
		t.Fatal(err)
	}
	for j, late := range map[int]int{0: 0, 3: 0, 4: 10, 5: 0, 9: 20, 14: 25, 15: 0} {
		for i := range table.Dates {
			if math.IsNaN(table.Prices.At(i, j)) != (i < late) {
				t.Fatalf("asset %d, day %d: %v", j, i, table.Prices.At(i, j))
			}
		}
	}
}

// TestGeneratedPricesFallByLimitedSteps: the worst of a million returns, heavy-tailed as they are, is the loss of 60 % that
// ends them.
func TestGeneratedPricesFallByLimitedSteps(t *testing.T) {
	table, err := datasets.GeneratePrices(datasets.GeneratedPricesOptions{Assets: 1000, Days: 1000})
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1) // of a price in units of that of the day before; of unlisted assets neither is a number
	for i := range 999 {
		for j := range 1000 {
			if ratio := table.Prices.At(i+1, j) / table.Prices.At(i, j); ratio < least {
				least = ratio
			}
		}
	}
	if math.Abs(least-0.4) > 1e-12 {
		t.Errorf("at worst %.15g is left of a price", least)
	}
}

// TestWindowKeepsTheMostCells compares the chosen window with every other start.
func TestWindowKeepsTheMostCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, err := datasets.GeneratePrices(datasets.GeneratedPricesOptions{
			Seed: rapid.Uint64().Draw(t, "seed"), Assets: rapid.IntRange(2, 15).Draw(t, "assets"), Days: rapid.IntRange(10, 60).Draw(t, "days"),
		})
		if err != nil {
			t.Fatal(err)
		}
		for j := range table.Tickers { // some assets are delisted
			for i := rapid.IntRange(1, 2*len(table.Dates)).Draw(t, "delisted"); i < len(table.Dates); i++ {
				table.Prices.Set(i, j, math.NaN())
			}
		}
		best, err := table.CompleteReturns(time.Time{})
		if err != nil {
			for _, since := range table.Dates {
				if other, err := table.CompleteReturns(since); err == nil {
					t.Fatalf("start %v keeps %v", since, other.Tickers)
				}
			}
			return
		}
		rows, columns := best.Returns.Dims()
		for _, since := range table.Dates[:len(table.Dates)-1] {
			other, err := table.CompleteReturns(since)
			if err != nil {
				continue
			}
			if r, c := other.Returns.Dims(); r*c > rows*columns {
				t.Fatalf("start %v keeps %d cells, the chosen window %d", since, r*c, rows*columns)
			}
			checkWindow(t, table, since, other)
		}
	})
}

// checkWindow fails unless the returns of a window are those of all assets that are listed from its first to the last day, and of the
// others those have ended that have no price on the last day with one.
func checkWindow(t *rapid.T, table *datasets.PriceTable, since time.Time, window *datasets.ReturnTable) {
	start, last := slices.Index(table.Dates, since), len(table.Dates)-1
	priced := last // the last day with a price
	for !slices.ContainsFunc(table.Prices.RawRowView(priced), func(price float64) bool { return !math.IsNaN(price) }) {
		priced--
	}
	for j, ticker := range table.Tickers {
		listed := false
		for i := range start + 1 {
			listed = listed || !math.IsNaN(table.Prices.At(i, j))
		}
		ended := math.IsNaN(table.Prices.At(priced, j))
		if kept := slices.Contains(window.Tickers, ticker); kept != (listed && !ended) || slices.Contains(window.Ended, ticker) != ended {
			t.Fatalf("from %v on %s is kept: %v; listed by then: %v, ended: %v of %v", since, ticker, kept, listed, ended, window.Ended)
		}
	}
	if days := len(window.Dates) + window.DroppedDays; days != last-start {
		t.Fatalf("from %v on there are %d returns and %d dropped days of %d", since, len(window.Dates), window.DroppedDays, last-start)
	}
}

// A window has two days at least.
func TestShortestWindow(t *testing.T) {
	table, err := datasets.ReadPrices(strings.NewReader("date,A\n2020-01-02,1\n2020-01-03,2\n2020-01-06,3\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if returns, err := table.CompleteReturns(table.Dates[1]); err != nil || len(returns.Dates) != 1 || returns.Returns.At(0, 0) != 0.5 {
		t.Errorf("from the day before the last on: %+v, %v", returns, err)
	}
	if _, err := table.CompleteReturns(table.Dates[2]); err == nil || !strings.Contains(err.Error(), "leaves no two days") {
		t.Errorf("from the last day on: %v", err)
	}
}

// The form of the days that is given counts, where they could be read in two.
func TestDaysInTheGivenForm(t *testing.T) {
	const text = "date,A\n01/02/2020,1\n01/03/2020,2\n"
	for form, month := range map[string]time.Month{"02/01/2006": time.February, "01/02/2006": time.January} {
		if table, err := datasets.ReadPrices(strings.NewReader(text), &datasets.PriceOptions{Dates: form}); err != nil || table.Dates[0].Month() != month {
			t.Errorf("%s: %+v, %v", form, table, err)
		}
		timed := strings.ReplaceAll(text, "20,", "20 16:00,") // the form may hold the time of the day, too
		if table, err := datasets.ReadPrices(strings.NewReader(timed), &datasets.PriceOptions{Dates: form + " 15:04"}); err != nil || table.Dates[0].Month() != month {
			t.Errorf("%s 15:04: %+v, %v", form, table, err)
		}
	}
	if _, err := datasets.ReadPrices(strings.NewReader(text), &datasets.PriceOptions{Dates: "2006-01-02"}); err == nil || !strings.Contains(err.Error(), `"01/02/2020" in line 2`) {
		t.Error(err)
	}
}

// Half of the days, rounded up, are the worst of the portfolio, the others those of single assets.
func TestStressDaysOfPortfolioAndAssets(t *testing.T) {
	days := make([]time.Time, 4)
	for i := range days {
		days[i] = time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC)
	}
	// In fractions: the portfolio loses most on the first day and the second, A most on the third, on which B gains.
	returns := mat.NewDense(4, 2, []float64{-0.5, -0.5, -0.375, -0.375, -0.75, 0.75, 1.625, 0.125})
	for count, want := range map[int]string{1: "[2020-01-01]", 2: "[2020-01-01 2020-01-03]", 3: "[2020-01-01 2020-01-02 2020-01-03]"} {
		d, err := datasets.StressDictionary(&datasets.ReturnTable{Dates: days, Tickers: []string{"A", "B"}, Returns: returns}, count)
		if err != nil || fmt.Sprint(d.Labels()) != want {
			t.Errorf("the %d worst days are %v, %v; want %s", count, d.Labels(), err, want)
		}
	}
}

// An asset without a price has no first and no last day.
func TestAvailabilityOfAnAssetWithoutPrices(t *testing.T) {
	table, err := datasets.ReadPrices(strings.NewReader("date,A,B\n2020-01-02,1,\n2020-01-03,2,\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "[[asset first day last day prices missing inside] [A 2020-01-02 2020-01-03 2 0] [B   0 0]]"
	if got := fmt.Sprint(table.Availability().Records()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A table without prices, or with one day, has no returns.
func TestTablesWithoutPrices(t *testing.T) {
	price := mat.NewDense(1, 1, []float64{5})
	day := &datasets.PriceTable{Dates: make([]time.Time, 1), Tickers: []string{"A"}, Prices: price}
	if returns, err := day.CompleteReturns(time.Time{}); err == nil {
		t.Errorf("one day: %+v", returns)
	}
	for days := range 3 {
		if returns, err := (&datasets.PriceTable{Dates: make([]time.Time, days)}).CompleteReturns(time.Time{}); err == nil {
			t.Errorf("%d days without prices: %+v", days, returns)
		}
	}
}

func TestStressDictionaryHoldsTheWorstDays(t *testing.T) {
	table, err := datasets.GeneratePrices(datasets.GeneratedPricesOptions{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	returns, err := table.CompleteReturns(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	dictionary, err := datasets.StressDictionary(returns, 100)
	if err != nil {
		t.Fatal(err)
	}
	if dictionary.Size() != 100 || dictionary.Dim() != len(returns.Tickers) {
		t.Fatalf("dictionary is %d×%d, want 100×%d", dictionary.Size(), dictionary.Dim(), len(returns.Tickers))
	}
	deviations, err := returns.LossDeviations(returns.Means())
	if err != nil {
		t.Fatal(err)
	}
	worst := map[string]bool{}
	for j := range returns.Tickers {
		best := 0
		for i := range returns.Dates {
			if deviations.At(i, j) > deviations.At(best, j) {
				best = i
			}
		}
		worst[returns.Dates[best].Format(time.DateOnly)] = true
	}
	for _, label := range dictionary.Labels() {
		delete(worst, label)
	}
	if len(worst) > 0 {
		t.Errorf("the dictionary misses the worst day of an asset: %v", worst)
	}
	for i, label := range dictionary.Labels() {
		day := slices.IndexFunc(returns.Dates, func(day time.Time) bool { return day.Format(time.DateOnly) == label })
		if !slices.Equal(dictionary.Atom(i), deviations.RawRowView(day)) {
			t.Errorf("atom %s is %v, want %v", label, dictionary.Atom(i), deviations.RawRowView(day))
		}
	}
}

func TestReturnsRejectBadArguments(t *testing.T) {
	table, err := datasets.ReadPrices(strings.NewReader(threeDays), nil)
	if err != nil {
		t.Fatal(err)
	}
	returns, err := table.CompleteReturns(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	_, tooLate := table.CompleteReturns(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	_, noDays := datasets.StressDictionary(returns, 0)
	_, manyDays := datasets.StressDictionary(returns, 3)
	_, badMeans := returns.LossDeviations([]float64{1, 2})
	_, badRow := returns.Rows([]int{5})
	_, noRows := returns.Rows(nil)
	_, missing := datasets.LoadPrices("no-such-file.csv", nil)
	_, nowhere := datasets.LoadPrices(filepath.Join(t.TempDir(), "prices.csv"), nil)
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	_, oneAsset := datasets.GeneratePrices(datasets.GeneratedPricesOptions{Assets: 1})
	_, fewDays := datasets.GeneratePrices(datasets.GeneratedPricesOptions{Days: 3})
	for want, err := range map[string]error{
		"since = 2030-01-01": tooLate, "days = 0": noDays, "days = 3": manyDays, "means has 2": badMeans,
		"row 5": badRow, "rows is empty": noRows, folder: missing,
		"prices.csv": nowhere, "Assets = 1": oneAsset, "Days = 3": fewDays,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that contains %q", err, want)
		}
	}
}

// TestRealPrices runs on daily closing prices of 20 US stocks, 1989 to 2018,
// which are not part of the repository.
func TestRealPrices(t *testing.T) {
	path := filepath.Join("..", "..", "shared", "data", "stock_prices.csv")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the price file is not here: %v", err)
	}
	table, err := datasets.LoadPrices(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 7,126 rows and 20 tickers: the file's line count less the header, and its header's columns less the date.
	if len(table.Dates) != 7126 || len(table.Tickers) != 20 {
		t.Errorf("%d days of %d assets, want 7126 of 20", len(table.Dates), len(table.Tickers))
	}
	returns, err := table.CompleteReturns(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	// The largest complete block starts when RRC is listed; GOOG and others come later.
	if got := returns.Dates[0].Format(time.DateOnly); got != "1992-12-29" || len(returns.Tickers) != 12 {
		t.Errorf("window starts %s with %d assets, want 1992-12-29 with 12", got, len(returns.Tickers))
	}
	if returns.DroppedDays != 0 {
		t.Errorf("%d days dropped, the file has no gap inside a listing", returns.DroppedDays)
	}
}
