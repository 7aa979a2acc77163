// Package paper reads the numbers that the paper prints, which stand beside those of the studies.
package paper

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Numbers are what the paper prints, as text, by table and keys. They stand in the columns
// paper_value of the studies' tables.
type Numbers map[string]string

// ReadPaper reads a line for each number: the table without the name of the study, the keys that say
// which number it is, and the number as the paper prints it, separated by tabs. Lines that begin with
// #, and those without a tab, hold none.
func ReadPaper(text string) Numbers {
	numbers := make(Numbers)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if end := strings.LastIndexByte(line, '\t'); end >= 0 && line[0] != '#' {
			numbers[line[:end]] = line[end+1:]
		}
	}
	return numbers
}

// Text returns what the paper prints in a table for some keys, "" for nothing.
func (n Numbers) Text(table string, keys ...any) string {
	for _, key := range keys {
		table += "\t" + fmt.Sprint(key)
	}
	return n[table]
}

// Number is a number as the paper prints it: its value, NaN for nothing, and how far it was rounded
// at most, by its digits.
type Number struct{ Value, Rounding float64 }

// Number returns the same as a number; what is none gives NaN.
func (n Numbers) Number(table string, keys ...any) Number {
	text := n.Text(table, keys...)
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return Number{Value: math.NaN()}
	}
	number := Number{Value: value}
	if _, decimals, found := strings.Cut(text, "."); found {
		number.Rounding = 0.5 * math.Pow10(-len(decimals))
	}
	return number
}
