package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
)

// maxDigits is the number of significant digits that carry a float64 through text unchanged.
const maxDigits = 17

// Ranges outside of which numbers are written with an exponent.
const (
	// largestPlain is the number of digits before the point above which an exponent is used.
	largestPlain = 9
	// largestWhole is the number below which float64 holds all whole ones, so that a table shows all their digits.
	largestWhole = 1 << 53
	// mostDecimals is the number of digits after the point above which an exponent is used.
	mostDecimals = 7
	// noise is the share of the largest number at or below which one may be what rounding left of 0.
	noise = 1e-12
)

// column is one column of data: numbers, or text where numbers is nil.
type column struct {
	name, unit string
	label      bool // row labels: no header
	numbers    []float64
	text       []string
	verb       string
	decimals   int // digits after the point; -1 = exponent
	digits     int
	missing    string // in place of NaN
	right      bool   // aligned to the right, as numbers are and texts of numbers alone
}

// holdsNumbers tells whether the column has numbers, or texts that all are some, such as bounds rounded to their safe side.
func (c *column) holdsNumbers() bool {
	noNumber := func(text string) bool { _, err := strconv.ParseFloat(text, 64); return err != nil }
	return c.numbers != nil || len(c.text) > 0 && !c.label && !slices.ContainsFunc(c.text, noNumber)
}

// choose sets the number of decimals from the first rows of the column, which are the ones
// shown: the largest value gets `digits` significant digits, and smaller ones as many
// decimals as it has, so that the column lines up. Where the values span so many orders of
// magnitude that the smallest would read as zero, every value is written on its own scale.
// Whole numbers alone have all their digits if they are below wholeBelow.
func (c *column) choose(digits, rows int, wholeBelow float64) {
	c.digits = digits
	if c.numbers == nil || c.verb != "" {
		return
	}
	shown := slices.DeleteFunc(slices.Clone(c.numbers[:min(rows, len(c.numbers))]), func(v float64) bool { return v-v != 0 }) // finite ones
	whole := !slices.ContainsFunc(shown, func(v float64) bool { return v != math.Trunc(v) })
	largest, smallest := floats.Norm(shown, math.Inf(1)), math.Inf(1)
	for _, v := range shown {
		if math.Abs(v) > noise*largest {
			smallest = min(smallest, math.Abs(v))
		}
	}
	switch {
	case largest == 0, whole && largest < wholeBelow:
		c.decimals = 0
	default:
		c.decimals = max(0, digits-1-magnitude(largest))
		if magnitude(largest) >= largestPlain || c.decimals > mostDecimals || -magnitude(smallest) > c.decimals {
			c.decimals = -1
		}
	}
}

// magnitude returns the power of ten of the leading digit.
func magnitude(v float64) int { return int(math.Floor(math.Log10(math.Abs(v)))) }

// Numbers writes the values at bars as a column of a table shows them, with so many significant digits of the largest.
func Numbers(values []float64, digits int) []string {
	c, texts := column{numbers: values, missing: "no value"}, make([]string, len(values))
	c.choose(digits, len(values), math.Pow10(largestPlain)) // bars leave no room for more digits
	for i := range texts {
		texts[i] = c.cell(i)
	}
	return texts
}

func (c *column) cell(i int) string {
	if c.numbers == nil {
		return c.text[i]
	}
	v := c.numbers[i]
	switch {
	case math.IsNaN(v):
		return cmp.Or(c.missing, "NaN")
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "-∞"
	case c.verb != "":
		return fmt.Sprintf(c.verb, v)
	case c.decimals < 0:
		return scaled(v, c.digits)
	}
	return minus(strconv.FormatFloat(v, 'f', c.decimals, 64))
}

// scaled writes a number on its own scale: plainly between 10^-4 and 10^largestPlain, with an
// exponent elsewhere, without trailing zeros.
func scaled(v float64, digits int) string {
	if v == 0 {
		return "0"
	}
	m := magnitude(v)
	if m >= largestPlain || m < -4 {
		return minus(strconv.FormatFloat(v, 'e', digits-1, 64))
	}
	s := strconv.FormatFloat(v, 'f', max(0, digits-1-m), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return minus(s)
}

// minus drops the sign of a number that was rounded to zero.
func minus(s string) string {
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") == "" {
		return s[1:]
	}
	return s
}
