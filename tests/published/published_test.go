// Package published compares the library with numbers that others have printed: one table, which is the test and from which
// README.md is written.
package published

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var regenerate = flag.Bool("regen", false, "write README.md anew; it takes all data beside the repository and DIRECTIONS_LONG=all")

// source is where numbers are printed.
type source struct {
	text     string
	examples []example
}

// example computes some numbers at once.
type example struct {
	title   string
	slow    bool // takes more than five seconds: with DIRECTIONS_LONG=all alone
	compute func(*testing.T) []float64
	numbers []number
}

// number is one that is printed.
type number struct {
	what    string
	printed string
	// within is how far ours may be from the print. 0: half a unit of the last digit behind a point, 1e-6 of the number otherwise.
	within float64
	// right is what the print should be, and why says so, where it is wrong.
	right, why string
}

// plain makes numbers without a remark from pairs of what and printed.
func plain(pairs ...string) (numbers []number) {
	for pair := range slices.Chunk(pairs, 2) {
		numbers = append(numbers, number{what: pair[0], printed: pair[1]})
	}
	return numbers
}

// parse returns a printed number, a fraction perhaps, and how far the value may be from it.
func (n number) parse(text string) (value, within float64) {
	if top, bottom, fraction := strings.Cut(text, "/"); fraction {
		value = must(strconv.ParseFloat(top, 64)) / must(strconv.ParseFloat(bottom, 64))
		return value, 1e-6 * math.Abs(value)
	}
	value = must(strconv.ParseFloat(text, 64))
	within = 1e-6 * math.Max(1, math.Abs(value))
	mantissa, exponent, scientific := strings.Cut(text, "e")
	if _, decimals, point := strings.Cut(mantissa, "."); point {
		power := -float64(len(decimals))
		if scientific {
			power += must(strconv.ParseFloat(exponent, 64))
		}
		within = math.Max(0.5*math.Pow(10, power), 1e-9*math.Abs(value))
	}
	if n.within > 0 {
		within = n.within
	}
	return value, within
}

func TestPublished(t *testing.T) {
	page, complete := "", true
	for _, s := range table {
		page += "\n## " + s.text + "\n\n| | printed | here |\n|---|---:|---:|\n"
		for _, e := range s.examples {
			var rows []string
			t.Run(e.title, func(t *testing.T) { rows = e.check(t) })
			page += strings.Join(rows, "")
			complete = complete && len(rows) == len(e.numbers)
		}
	}
	count := 0
	for _, s := range table {
		for _, e := range s.examples {
			count += len(e.numbers)
		}
	}
	header := fmt.Sprintf(pageHeader, count, len(table))
	if count < 40 || len(table) < 12 {
		t.Errorf("the table has %d numbers of %d sources; it should have 40 of 12", count, len(table))
	}
	if *regenerate {
		if !complete || t.Failed() {
			t.Fatal("README.md is not written: some numbers were not computed, or do not agree")
		}
		if err := os.WriteFile("README.md", []byte(header+page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(header + page) {
		if !strings.Contains(string(stored), line) {
			t.Errorf("README.md does not hold %q; write it anew with -regen", line)
		}
	}
}

// check compares the numbers of an example and returns their rows of the page.
func (e example) check(t *testing.T) (rows []string) {
	if e.slow && os.Getenv("DIRECTIONS_LONG") != "all" {
		t.Skip("takes more than five seconds; set DIRECTIONS_LONG=all")
	}
	values := e.compute(t)
	if len(values) != len(e.numbers) {
		t.Fatalf("%d values for %d numbers", len(values), len(e.numbers))
	}
	for k, n := range e.numbers {
		text, remark := n.printed, ""
		if n.within > 0 {
			remark = fmt.Sprintf(" (compared to %g)", n.within)
		}
		if n.right != "" {
			text, remark = n.right, ". The print is wrong: "+n.why
			if wrong, within := n.parse(n.printed); math.Abs(values[k]-wrong) <= within {
				t.Errorf("%s, %s: the print %s is right", e.title, n.what, n.printed)
			}
		}
		if want, within := n.parse(text); !(math.Abs(values[k]-want) <= within*(1+1e-12)) {
			t.Errorf("%s, %s: %.10g, published %s", e.title, n.what, values[k], text)
		}
		here := strconv.FormatFloat(math.Round(values[k]*1e7)/1e7+0, 'g', 7, 64)
		rows = append(rows, fmt.Sprintf("| %s: %s%s | %s | %s |\n", e.title, n.what, remark, n.printed, here))
	}
	return rows
}

const pageHeader = `# Agrees with the literature

%d published numbers of %d sources, computed by this library. Each is compared to the last digit that is printed (whole numbers
and fractions to a millionth), unless the row says otherwise; where the print is wrong, the row says why. The table is that of
` + "[table_test.go](table_test.go); `go test ./tests/published` compares, `DIRECTIONS_LONG=all go test ./tests/published -regen`" + `
writes this page. Data of others lie beside the repository and do not belong to it; without them the tests that need them are skipped.
`
