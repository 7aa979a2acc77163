package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
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

// TestSplitsAreNamed up to four percent, in both directions, and what lies farther from all of them is none.
func TestSplitsAreNamed(t *testing.T) {
	for _, split := range [][2]float64{{3, 2}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {10, 1}, {15, 1}, {20, 1}, {25, 1}, {30, 1}, {50, 1}, {100, 1}} {
		for _, off := range []float64{0.97, 1, 1.03} {
			for _, c := range []struct {
				ratio    float64
				new, old float64
			}{{split[0] / split[1] * off, split[0], split[1]}, {split[1] / split[0] * off, split[1], split[0]}} {
				if got, want := splitOf(c.ratio), fmt.Sprintf("%g for %g", c.new, c.old); got != want && off == 1 || got == "" {
					t.Errorf("a ratio of %g is called %q, want %q", c.ratio, got, want)
				}
			}
		}
	}
	for _, ratio := range []float64{1, 1.3, 0.77, 1.6, 1 / 1.6, 1.75, 2.5, 0.4, 12, 1. / 12, 40, 200, math.NaN(), math.Inf(1), 0} {
		if got := splitOf(ratio); got != "" {
			t.Errorf("a ratio of %g is called %q", ratio, got)
		}
	}
}

// column is a table of one asset with a price a day, from the first of January 2020 on, and one day a week.
func column(prices ...float64) *PriceTable {
	table := &PriceTable{Tickers: []string{"a"}, Prices: mat.NewDense(len(prices), 1, prices)}
	for i := range prices {
		table.Dates = append(table.Dates, time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC))
	}
	return table
}

// repeated is wavy prices, the last of them on so many days more.
func repeated(wavy, days int) []float64 {
	var prices []float64
	for i := range wavy {
		prices = append(prices, 10+float64(i%2))
	}
	return append(prices, slices.Repeat([]float64{10.5}, days)...)
}

// TestDaysOfTheLastPrice are counted back to another one, days without a price left out.
func TestDaysOfTheLastPrice(t *testing.T) {
	gap := math.NaN()
	for _, test := range []struct {
		prices      []float64
		since, days int
	}{
		{[]float64{1, 2, 3}, 2, 1}, {[]float64{1, 3, 3}, 1, 2}, {[]float64{3, 1, 3, gap, 3, gap}, 2, 2}, {[]float64{3, 3}, 0, 2},
		{[]float64{gap, 3}, 1, 1}, {[]float64{gap, gap}, 0, 0},
	} {
		if since, days := column(test.prices...).unmoved(0); since != test.since || days != test.days {
			t.Errorf("%v: %d days from %d on", test.prices, days, since)
		}
	}
}

// TestStillDaysOfAssetsThatAreThere: one that is listed late, or no longer, hides no day on which the others rest.
func TestStillDaysOfAssetsThatAreThere(t *testing.T) {
	gap := math.NaN()
	for _, test := range []struct {
		prices []float64 // of two assets, day by day
		want   int
	}{
		{[]float64{1, gap, 1, gap, 2, gap, 2, 5, 2, 5, 2, gap, 2, gap}, 3}, {[]float64{1, 5, 1, 6, 2, 6}, 0}, {[]float64{gap, gap, gap, gap, 1, gap}, 0},
	} {
		table := column(make([]float64, len(test.prices)/2)...)
		table.Tickers, table.Prices = []string{"A", "B"}, mat.NewDense(len(test.prices)/2, 2, test.prices)
		if got := table.stillDays(); got != test.want {
			t.Errorf("%v: %d days without a move, want %d", test.prices, got, test.want)
		}
	}
}

// TestRowNumbersAreNoPrices from twenty on, up or down.
func TestRowNumbersAreNoPrices(t *testing.T) {
	for _, days := range []int{19, 20, 21} {
		for _, step := range []float64{1, -1, 2, 0} {
			table := column(make([]float64, days)...)
			for i := range days {
				table.Prices.Set(i, 0, 100+step*float64(i))
			}
			if want := days >= 20 && math.Abs(step) == 1; table.counts(0) != want {
				t.Errorf("%d days in steps of %g count: %t", days, step, !want)
			}
			if table.Prices.Set(days/2, 0, 7); table.counts(0) {
				t.Errorf("%d days with one out of line count", days)
			}
		}
	}
	table := column(make([]float64, 42)...)
	table.Tickers, table.Prices = []string{"row", "cash"}, mat.NewDense(42, 2, nil)
	for i, price := range repeated(20, 22) {
		table.Prices.SetRow(i, []float64{100 + float64(i), price})
	}
	got := strings.Join(table.Warnings(), "\n")
	if !strings.Contains(got, "row changes by 1") || !strings.Contains(got, "cash has the same price on the last 22") {
		t.Errorf("beside numbers of rows: %s", got)
	}
	if table := column(repeated(40, 0)...); table.counts(0) {
		t.Error("steps of 1 in turn count")
	}
}

// TestWarningsBeginAtTheirLimits and not before.
func TestWarningsBeginAtTheirLimits(t *testing.T) {
	gap, day := math.NaN(), 24*time.Hour
	later := func(table *PriceTable, from int, by time.Duration) *PriceTable {
		for i := from; i < len(table.Dates); i++ {
			table.Dates[i] = table.Dates[i].Add(by)
		}
		return table
	}
	for k, test := range []struct {
		table *PriceTable
		want  string
	}{
		{column(repeated(30, 19)...), ""}, // a tenth of all days, but fewer than twenty
		{column(repeated(300, 19)...), ""}, {column(repeated(300, 20)...), "the last 20 days, from 2020-10-27 on"},
		{column(repeated(150, 21)...), "on 20 of 171 days"}, {column(repeated(150, 20)...), "the last 20 days"},
		{column(append(repeated(17, 0), gap, gap, 10)...), ""}, {column(append(repeated(16, 0), gap, gap, gap, 10)...), "no price on 3 days"},
		{column(append(repeated(6, 0), 42, 11)...), ""}, {column(append(repeated(6, 0), 44, 11)...), "1 for 4"}, {column(append(repeated(6, 0), 14.4, 11)...), ""},
		{column(append(repeated(6, 0), 11*4.5, 11)...), "correct the cell if it is wrong (1.001"},
		{later(column(repeated(30, 0)...), 15, 13*day), ""}, {later(column(repeated(30, 0)...), 15, 14*day), "between 2020-01-15 and 2020-01-30 there is no day"},
		{later(column(repeated(2, 0)...), 1, 30*day), ""}, {later(column(repeated(8, 0)...), 7, 30*day), "between"},
		{later(column(repeated(9, 0)...), 1, 30*day), "between 2020-01-01 and 2020-02-01 there is no day"},
		{column(append(repeated(6, 0), 11*4.5)...), "correct the cell if it is wrong (1.001"}, {column(append([]float64{45}, repeated(6, 0)...)...), "correct the cell if it is wrong (1.001"},
	} {
		got := strings.Join(test.table.Warnings(), "\n")
		t.Logf("%d: %s", k, got)
		if !strings.Contains(got, test.want) || (test.want == "") != (got == "") {
			t.Errorf("%d: %q is missing in %q", k, test.want, got)
		}
	}
}

// TestNegativePricesMayBeReturns where a fifth of the numbers is below 0: fractions, or percent where they are large.
func TestNegativePricesMayBeReturns(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   string
	}{
		{[]float64{-0.01, 0.01, 0.02, 0.01, 0.01}, "; these look like returns"}, {[]float64{-0.01, 0.01, 0.02, 0.01, 0.01, 0.01}, ""},
		{[]float64{-1, 0.3, 0.2, 0.2, 0.2}, "; these look like returns"}, {[]float64{-1, 0.3, 0.25, 0.2, 0.1}, "; if these are returns in percent"}, {[]float64{-1, math.NaN()}, "; if these are returns in percent"},
	} {
		if got := returnsHint(test.values); !strings.HasPrefix(got, test.want) || (test.want == "") != (got == "") {
			t.Errorf("%v: %q", test.values, got)
		}
	}
	for want, values := range map[float64][]float64{0: {math.NaN()}, 2: {3, -1, math.NaN(), 2}, 4: {-5, 4, 1, 3}} {
		if size := medianSize(values); size != want {
			t.Errorf("%v has the median size %v, want %v", values, size, want)
		}
	}
}

// TestRowsOfReturns are those of the table, the first and the last one too.
func TestRowsOfReturns(t *testing.T) {
	prices := column(10, 11, 12, 15)
	table, err := prices.CompleteReturns(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	part, err := table.Rows([]int{2, 0, 2})
	if err != nil || len(part.Dates) != 3 || part.Returns.At(0, 0) != 0.25 || part.Returns.At(1, 0) != table.Returns.At(0, 0) || !part.Dates[1].Equal(table.Dates[0]) || part.Tickers[0] != "a" {
		t.Errorf("%+v, %v", part, err)
	}
	for _, rows := range [][]int{nil, {-1}, {3}} {
		if _, err := table.Rows(rows); err == nil {
			t.Errorf("rows %v are no error", rows)
		}
	}
	for _, refused := range []func() error{
		func() error { _, err := (*ReturnTable)(nil).Rows([]int{0}); return err }, func() error { _, err := new(ReturnTable).Rows([]int{0}); return err },
		func() error { _, err := table.LossDeviations(nil); return err }, func() error { _, err := StressDictionary(table, 0); return err },
		func() error { _, err := StressDictionary(table, 4); return err }, func() error { _, err := StressDictionary(nil, 1); return err },
	} {
		if refused() == nil {
			t.Error("no error")
		}
	}
	if d, err := StressDictionary(table, 3); err != nil || d.Size() != 3 {
		t.Errorf("%v, %v", d, err)
	}
}

// Factors cross 1 from day to day; prices that stay at 1, as of cash, do not.
func TestFactorsCrossOne(t *testing.T) {
	for _, test := range []struct {
		odd, even float64
		want      bool
	}{{1, 1, false}, {1.01, 0.99, true}, {1.01, 1, true}, {1.01, 1.02, false}, {0.99, 1, false}} {
		table := &PriceTable{Tickers: []string{"A"}, Dates: make([]time.Time, 40), Prices: mat.NewDense(40, 1, nil)}
		table.Prices.Apply(func(i, _ int, _ float64) float64 { return []float64{test.even, test.odd}[i%2] }, table.Prices)
		if got := table.areFactors(); got != test.want {
			t.Errorf("%v and %v by turns are factors: %v", test.odd, test.even, got)
		}
	}
}

// TestAnAssetWithoutANumberStartsNoWindow, neither alone nor beside others.
func TestAnAssetWithoutANumberStartsNoWindow(t *testing.T) {
	none := math.NaN()
	for _, test := range []struct {
		returns     []float64
		first, last []int
		want        int
	}{
		{[]float64{none, none}, []int{-1}, []int{-1}, -1},
		{[]float64{none, 0.1, none, 0.2}, []int{-1, 0}, []int{-1, 1}, 0},
	} {
		assets := len(test.first)
		h := &history{
			dates: make([]time.Time, 2), tickers: make([]string, assets), returns: mat.NewDense(2, assets, test.returns),
			first: test.first, last: test.last,
		}
		if got := h.widest(); got != test.want {
			t.Errorf("%v: the widest window starts at row %d, want %d", test.returns, got, test.want)
		}
	}
}
