package synthetic

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// paperText holds what section 5.1 and appendix F print, a line for a number: the table without
// the name of the study, the keys of the row, and the number as text, because its digits tell how
// far it was rounded.
//
//go:embed paper.tsv
var paperText string

// paper is paperText by table and keys.
var paper = readPaper(paperText)

func readPaper(text string) map[string]string {
	numbers := make(map[string]string)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if end := strings.LastIndexByte(line, '\t'); end >= 0 && line[0] != '#' {
			numbers[line[:end]] = line[end+1:]
		}
	}
	return numbers
}

// paperOf returns what the paper prints in a table for some keys, "" for nothing.
func paperOf(table string, keys ...any) string {
	for _, key := range keys {
		table += "\t" + fmt.Sprint(key)
	}
	return paper[table]
}

// The budgets of the tables of appendix F.2 and F.3.
var (
	representativeBudgets = []int{1, 3, 4, 5, 9, 19, 29}
	decompositionBudgets  = []int{3, 5, 9, 19, 29}
)

// printed is a number as the paper prints it, with the width of its rounding.
type printed struct {
	value, rounding float64
}

// parse reads a number of the paper; "" gives NaN.
func parse(text string) printed {
	if text == "" {
		return printed{math.NaN(), 0}
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("synthetic: paper value " + strconv.Quote(text) + " is no number")
	}
	p := printed{value: value}
	if _, decimals, found := strings.Cut(text, "."); found {
		p.rounding = 0.5 * math.Pow10(-len(decimals))
	}
	return p
}
