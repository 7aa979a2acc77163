package input

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table is a table of numbers with named columns and at most one column of text.
type Table struct {
	Names  []string  // of the numeric columns, distinct and not empty
	Values []float64 // rows × len(Names), row by row; finite, or NaN where a value is missing
	Texts  []string  // the column of text, one per row; nil if there is none
	Text   string    // the name of that column
	lines  []int     // where in the file each row stands
}

// Options say what a table holds.
type Options struct {
	Subject   string // what errors call the table, such as "the price file"
	Text      string // the column of text; "" for none
	TextFirst bool   // the first column is the one of text, whatever its name
	Labelled  bool   // the first column is the one of text if it is called label, date or day or has no name, or if its first cell begins with a letter or is a day
	Missing   bool   // a missing value is NaN; otherwise it is an error
	Bytes     int64  // how long the text is, for which memory is taken at once; 0 if that is not known
}

// missingMarks are the cells that count as a missing value, compared without regard to case and surrounding space.
var missingMarks = []string{"", "na", "n/a", "#n/a", "nan", "null", "none", "-"}

// ByteOrderMark is what spreadsheet exports may start with; it belongs to no name.
const ByteOrderMark = "\ufeff"

// Rows returns the number of rows.
func (t *Table) Rows() int { return len(t.Values) / max(len(t.Names), 1) }

// Place names a row for an error: its line in the file, counted from 1.
func (t *Table) Place(row int) string {
	if row >= 0 && row < len(t.lines) {
		row = t.lines[row]
	}
	return fmt.Sprintf("line %d", row)
}

// ReadTable reads a header line and the lines below it. Columns are separated by
// commas or, where the header has none, by semicolons or tabs.
//
// It returns an error that names the line and the column for a ragged line, text in
// a numeric column, a missing value (unless Options.Missing), and an infinite one;
// also for a column without a name, a name that stands twice, and a first line of
// numbers alone: it would be a row. One that counts the columns from 0 or 1 names them, unless all cells are whole numbers, too.
func ReadTable(r io.Reader, o Options) (*Table, error) {
	if r == nil {
		return nil, fmt.Errorf("the reader of %s is nil; open a file or wrap a string", o.Subject)
	}
	reader, err := newReader(r)
	if err != nil {
		return nil, fmt.Errorf("%s %w", o.Subject, err)
	}
	header, err := readHeader(reader, o)
	if err != nil {
		return nil, err
	}
	last, _ := reader.FieldPos(0)
	record, recordErr := reader.Read()
	if o.Missing && len(record) == len(header) && isHeader(record) {
		return nil, fmt.Errorf("lines 1 and 2 of %s are both headers, as yfinance writes them; leave one, such as Date,AAPL,MSFT, above the closing prices (in pandas prices[\"Close\"].to_csv(path), or prices.xs(\"Close\", axis=1, level=1).to_csv(path) where tickers stand first)", o.Subject)
	}
	o.TextFirst = o.TextFirst || o.Labelled && labelled(header, record)
	t, text, err := newTable(header, o)
	if err != nil {
		return nil, err
	}
	numbers, counting := numberNames(t.Names)
	titled := o.Text != "" || o.Labelled && labelled(header, nil) || o.Missing && !strings.ContainsAny(header[0], "0123456789")
	if numbers && !counting && !titled { // beside the name of a column of labels or days numbers are codes, of assets say
		return nil, fmt.Errorf("the first line of %s, %s, holds only numbers; put a line with the names of the columns above it, else this row would be taken for them", o.Subject, List(header))
	}
	for ; ; record, recordErr = reader.Read() {
		if errors.Is(recordErr, io.EOF) {
			if counting && text < 0 && wholeNumbers(t.Values) {
				return nil, fmt.Errorf("the first line of %s, %s, may be names or a row, as all cells are whole numbers; put names above it, or names such as c%s in its place", o.Subject, List(header), header[0])
			}
			return t, nil
		}
		if recordErr != nil {
			return nil, fmt.Errorf("cannot read %s: %w; repair the line", o.Subject, recordErr)
		}
		line, _ := reader.FieldPos(0)
		if len(header) == 1 { // an empty line, which the reader skips, is a missing value there
			for ; last+1 < line; last++ {
				t.lines = append(t.lines, last+1)
				if err := t.add([]string{""}, text, o); err != nil {
					return nil, err
				}
			}
		}
		last = line
		t.lines = append(t.lines, line)
		if len(record) != len(header) {
			return nil, fmt.Errorf("line %d of %s has %d fields but the header has %d; give one field per column", line, o.Subject, len(record), len(header))
		}
		if err := t.add(record, text, o); err != nil {
			return nil, err
		}
		if t.Rows() == sampledRows {
			t.reserve(reader.InputOffset(), o.Bytes)
		}
	}
}

func readHeader(reader *csv.Reader, o Options) ([]string, error) {
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is empty; give a header line with the names of the columns, and the data below it", o.Subject)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the header of %s: %w; give a file whose first line names the columns", o.Subject, err)
	}
	header = slices.Clone(header)
	for j := range header {
		header[j] = strings.TrimSpace(header[j])
	}
	return header, nil
}

// isHeader tells whether a line of prices names columns: its first cell has no digit, as days have, and words stand in
// the place of numbers.
func isHeader(record []string) bool {
	words := 0
	for _, cell := range record[min(1, len(record)):] {
		if _, err := Number(cell); err == nil {
			return false
		}
		if !isMissing(cell) {
			words++
		}
	}
	return words > 0 && !strings.ContainsAny(record[0], "0123456789")
}

func isMissing(cell string) bool {
	return slices.Contains(missingMarks, strings.ToLower(strings.TrimSpace(cell)))
}

// beginsDay is how a cell begins that holds a day.
const beginsDay = `^\s*\d{4}-\d\d-\d\d`

// matches tells whether a cell begins as a pattern says. It compiles the pattern, as a program that reads no table
// would be linked with all of package regexp for that of a variable.
func matches(pattern, cell string) bool { return regexp.MustCompile(pattern).MatchString(cell) }

// beginsLabel tells whether a cell begins as a label that no number could be meant by, which a currency before one is not.
func beginsLabel(cell string) bool {
	return matches(`^\s*\pL|`+beginsDay, cell) && !matches(`^\s*(EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|Rs\.?)\s*[-+]?\d`, cell)
}

// labelled tells whether the first column holds labels, given the first row, nil for none.
func labelled(header, row []string) bool {
	named := slices.Contains([]string{"", "label", "date", "day"}, strings.ToLower(header[0]))
	if len(header) == 1 || named || len(row) == 0 {
		return len(header) > 1 && named
	}
	_, err := Number(row[0])
	return err != nil && !isMissing(row[0]) && beginsLabel(row[0])
}

// sampledRows is the number of rows from which the length of the others is foretold.
const sampledRows = 64

// reserve takes memory for the rows of a text, of which so many bytes have been read, and a little more for shorter lines to come.
func (t *Table) reserve(read, bytes int64) {
	rows := float64(sampledRows) * float64(bytes) / float64(read)
	if more := int(1.03*rows) - t.Rows(); more > 0 {
		t.Values = slices.Grow(t.Values, more*len(t.Names))
		t.lines = slices.Grow(t.lines, more)
	}
}

// newTable checks the names of the columns and finds the column of text, -1 for none.
func newTable(header []string, o Options) (*Table, int, error) {
	text := -1
	if o.TextFirst {
		text = 0
	} else if o.Text != "" {
		if text = slices.Index(header, o.Text); text < 0 {
			return nil, 0, fmt.Errorf("%s has no column %s among its %d columns %s; use one of them", o.Subject, Quote(o.Text), len(header), List(header))
		}
	}
	t := &Table{}
	seen := make(map[string]int, len(header))
	for j, name := range header {
		if first, twice := seen[name]; twice {
			return nil, 0, fmt.Errorf("columns %d and %d of %s are both named %s; rename or drop one of them", first+1, j+1, o.Subject, Quote(name))
		}
		seen[name] = j
		if j == text {
			t.Text, t.Texts = name, []string{}
			continue
		}
		if name == "" {
			return nil, 0, fmt.Errorf("column %d of %s has no name; name every column in the header, or drop it", j+1, o.Subject)
		}
		t.Names = append(t.Names, name)
	}
	if len(t.Names) == 0 {
		return nil, 0, fmt.Errorf("%s has no numeric column besides %s; let the first line name the columns, at least one more, between commas, semicolons or tabs, and drop lines above it", o.Subject, Quote(header[0]))
	}
	return t, text, nil
}

// numberNames tells whether all names are numbers, and whether they count the columns from 0 or 1, as some programs name them.
func numberNames(names []string) (numbers, counting bool) {
	counts := [2]bool{true, true}
	for j, name := range names {
		if _, err := Number(name); err != nil {
			return false, false
		}
		counts[0] = counts[0] && name == strconv.Itoa(j)
		counts[1] = counts[1] && name == strconv.Itoa(j+1)
	}
	return true, counts[0] || counts[1]
}

// wholeNumbers tells whether all values are whole or missing, and there is one.
func wholeNumbers(values []float64) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) && v == v })
}

// add appends a line.
func (t *Table) add(record []string, text int, o Options) error {
	place := t.Place(len(t.lines) - 1)
	column := 0
	for j, cell := range record {
		if j == text {
			if strings.TrimSpace(cell) == "" {
				return missingCell("label", place, t.Text)
			}
			if !utf8.ValidString(cell) {
				return fmt.Errorf("%s in %s, column %s is no UTF-8; save the file as UTF-8", Quote(cell), place, Quote(t.Text))
			}
			t.Texts = append(t.Texts, strings.Clone(cell)) // a part would keep the whole line in memory
			continue
		}
		value, err := number(cell, place, t.Names[column], o)
		if err != nil {
			return err
		}
		t.Values = append(t.Values, value)
		column++
	}
	return nil
}

func number(cell, place, column string, o Options) (float64, error) {
	value, err := Number(cell)
	if err == nil && value-value == 0 {
		return value, nil // no mark of a missing value is a finite number
	}
	if isMissing(cell) {
		if o.Missing {
			return math.NaN(), nil
		}
		return 0, missingCell("value", place, column)
	}
	if math.IsInf(value, 0) {
		return 0, fmt.Errorf("infinite value %s in %s, column %s; correct it or drop the line", Quote(cell), place, Quote(column))
	}
	advice := "write numbers as 1234.5, without currency, per cent or marks of thousands"
	switch {
	case errors.Is(err, strconv.ErrRange):
		advice = "float64 holds none so small, so give the column in other units, or 0"
	case !o.TextFirst:
		advice += ", or name the column as the one of labels (-labels of the command)"
	case o.Missing && matches(beginsDay, cell):
		advice += "; let the days stand in the first column"
	case o.Missing && beginsLabel(cell):
		advice += "; leave it empty where it is missing; a table has a column for each name, so turn a long one of names and values around"
	case o.Missing:
		advice += "; leave it empty where it is missing"
	}
	return 0, fmt.Errorf("%s in %s, column %s is not a number; %s", Quote(cell), place, Quote(column), advice)
}

func missingCell(what, place, column string) error {
	return fmt.Errorf("missing %s in %s, column %s; drop the line or fill the %s", what, place, Quote(column), what)
}
