package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/floats"
)

const (
	// largestUsualReturn is the median size above which daily numbers are no returns: that of the wildest stock is near 0.05.
	largestUsualReturn = 0.2
	// splitAccuracy is how near the ratio of two days' prices must be to that of a split: a day moves a price by a few percent.
	splitAccuracy = 0.04
	// largestUsualMove is the ratio of two days' prices above which a price is doubtful.
	largestUsualMove = 4
	// longestHole is the time between two days above which some may be missing, where it is four times the usual one:
	// no exchange rests for longer.
	longestHole = 14 * 24 * time.Hour
	// fewestWarned is the number of days from which on the sizes of numbers say what they are.
	fewestWarned = 20
)

// splits are the numbers of new and old shares that are usual.
var splits = [][2]float64{{3, 2}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {10, 1}, {15, 1}, {20, 1}, {25, 1}, {30, 1}, {50, 1}, {100, 1}}

// dayFields are the columns of one asset's day in the files of many data vendors.
var dayFields = []string{"open", "high", "low", "close", "adj close", "adjusted close", "volume"}

// Warnings names what a table of closing prices seldom holds: the fields of one asset's day in the place of assets,
// growth factors p_t/p_{t-1} in the place of prices, prices that fall or rise in one day as they do when shares are
// split or a cell is wrong, prices that no longer move or are missing on many days, days on which no price moves, and
// days that are missing between two others. Each may be right; none is changed.
func (t *PriceTable) Warnings() []string {
	if err := checkTable("Prices", t.Prices, t.Dates, t.Tickers); err != nil {
		return []string{err.Error()}
	}
	var warnings, fields []string
	for j, ticker := range t.Tickers {
		if t.counts(j) {
			warnings = append(warnings, fmt.Sprintf("%s changes by 1 from row to row, as numbers of rows do, and counts as an asset; drop the column", ticker))
		}
		if name := strings.ToLower(ticker); slices.Contains(dayFields, name) || strings.HasSuffix(name, " volume") {
			fields = append(fields, ticker)
		}
	}
	if len(fields) > 1 {
		return []string{fmt.Sprintf("the columns %s are fields of a day and count as assets; give the closing prices of several assets alone", strings.Join(fields, ", "))}
	}
	if t.areFactors() {
		return append(warnings, "all columns vary around 1 as growth factors p_t/p_{t-1} do; subtract 1 and read them as returns, or go on if they are prices")
	}
	for j, ticker := range t.Tickers {
		first, last := span(t.Prices, j)
		if days := missing(t.Prices, j, first, last); 10*days > len(t.Dates) {
			warnings = append(warnings, fmt.Sprintf("%s has no price on %d days between its first and its last, and days without one are left out for all assets; leave it out, or go on if the others are enough", ticker, days))
		}
		if t.counts(j) {
			continue
		}
		if since, days := t.unmoved(j); days >= fewestWarned {
			warnings = append(warnings, fmt.Sprintf("%s has the same price on the last %d days, from %s on, and counts as an asset without risk; leave it out if it is not traded, or go on if it is true",
				ticker, days, t.Dates[since].Format(dateLayout)))
		}
		for i := 1; i < len(t.Dates); i++ {
			ratio := t.Prices.At(i-1, j) / t.Prices.At(i, j)
			move := fmt.Sprintf("%s goes from %g to %g on %s", ticker, t.Prices.At(i-1, j), t.Prices.At(i, j), t.Dates[i].Format(dateLayout))
			if words := splitOf(ratio); words != "" {
				warnings = append(warnings, fmt.Sprintf("%s, as if it were split %s without adjustment; adjust the prices, correct the cell if it is wrong, or go on if it is true", move, words))
			} else if ratio > largestUsualMove || ratio < 1./largestUsualMove {
				warnings = append(warnings, move+"; correct the cell if it is wrong (1.001 is not 1001), or go on if it is true")
			}
		}
	}
	if still := t.stillDays(); 10*still > len(t.Dates) && still >= fewestWarned {
		warnings = append(warnings, fmt.Sprintf("on %d of %d days no price moves, as on days without trading, and they count as draws; drop them, or go on if they are days",
			still, len(t.Dates)))
	}
	usual := t.Dates[len(t.Dates)-1].Sub(t.Dates[0]) / time.Duration(len(t.Dates))
	for i := 1; i < len(t.Dates); i++ {
		if gap := t.Dates[i].Sub(t.Dates[i-1]); gap > max(longestHole, 4*usual) {
			warnings = append(warnings, fmt.Sprintf("between %s and %s there is no day, and the prices of these two make one return; add the days, read a part with Since and Until (-since, -until), or go on if it is true",
				t.Dates[i-1].Format(dateLayout), t.Dates[i].Format(dateLayout)))
		}
	}
	return warnings
}

// counts tells whether a column holds the numbers of the rows.
func (t *PriceTable) counts(j int) bool {
	for i := 1; i < len(t.Dates); i++ { // the file may begin with the newest day
		if step := t.Prices.At(i, j) - t.Prices.At(i-1, j); math.Abs(step) != 1 || step != t.Prices.At(1, j)-t.Prices.At(0, j) {
			return false
		}
	}
	return len(t.Dates) >= fewestWarned
}

// stillDays counts the days with prices, all of which are those of the day before; assets without one on both play no
// part.
func (t *PriceTable) stillDays() (count int) {
	same := func(price, before float64) bool { return price == before || math.IsNaN(price) && math.IsNaN(before) }
	for i := 1; i < len(t.Dates); i++ {
		row := t.Prices.RawRowView(i)
		if slices.EqualFunc(row, t.Prices.RawRowView(i-1), same) && floats.Count(math.IsNaN, row) < len(row) {
			count++
		}
	}
	return count
}

// unmoved counts the last days with prices on which an asset has its last price, and says from where on.
func (t *PriceTable) unmoved(j int) (since, days int) {
	last := math.NaN()
	for i := len(t.Dates) - 1; i >= 0; i-- {
		switch price := t.Prices.At(i, j); {
		case math.IsNaN(price):
			continue
		case days == 0, price == last:
			since, days, last = i, days+1, price
		default:
			return since, days
		}
	}
	return since, days
}

// areFactors tells whether every column moves around 1 without going anywhere: it crosses 1 on a fifth of all days.
func (t *PriceTable) areFactors() bool {
	for j := range t.Tickers {
		crossings, days, last := 0, 0, math.NaN()
		for i := range t.Dates {
			price := t.Prices.At(i, j)
			if math.IsNaN(price) {
				continue
			}
			if (price > 1) != (last > 1) && !math.IsNaN(last) {
				crossings++
			}
			days, last = days+1, price
		}
		if days < fewestWarned || 5*crossings < days {
			return false
		}
	}
	return true
}

// splitOf names the split that the ratio of two consecutive prices looks like, or "". Three for two is the least that
// is told from a bad day.
func splitOf(ratio float64) string {
	for _, s := range splits {
		if math.Abs(ratio*s[1]/s[0]-1) <= splitAccuracy {
			return fmt.Sprintf("%g for %g", s[0], s[1])
		}
		if math.Abs(ratio*s[0]/s[1]-1) <= splitAccuracy {
			return fmt.Sprintf("%g for %g", s[1], s[0])
		}
	}
	return ""
}

// returnsHint is the end of the error of a price that is not positive, where the numbers look like returns.
func returnsHint(values []float64) string {
	if 5*floats.Count(func(v float64) bool { return v < 0 }, values) < len(values) {
		return ""
	}
	if medianSize(values) <= largestUsualReturn {
		return "; these look like returns: read them with LoadReturns (-returns)"
	}
	return "; if these are returns in percent, divide them by 100 and read them with LoadReturns (-returns)"
}

// medianSize returns the median of |v| over the numbers v that are there, 0 if there is none.
func medianSize(values []float64) float64 {
	sizes := []float64{}
	for _, v := range values {
		if !math.IsNaN(v) {
			sizes = append(sizes, math.Abs(v))
		}
	}
	if len(sizes) == 0 {
		return 0
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}
