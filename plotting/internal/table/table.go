// Package table turns frames, matrices and structs into tables that read well: numbers
// aligned and rounded by significance, units in headers, long data capped with a count.
//
// Where things are:
//
//	read           what may become a table: frames, matrices, structs
//	table, column  rows that are shown; digits, units, and which columns count as numbers
//	write          text and HTML, and how their columns are aligned
//
// A Table writes itself as text for a terminal and as escaped HTML for a notebook; its data write themselves as files.
package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Defaults of Options.
const (
	defaultRows    = 20
	defaultColumns = 12
	defaultDigits  = 4
)

// Options shape a table; the zero value, and nil, give the defaults.
type Options struct {
	// Title stands above the table; default none.
	Title string
	// Rows is the largest number of rows shown, at least 1; default 20. A count
	// below the table tells how many there are.
	Rows int
	// Columns is the largest number of columns shown, at least 1; default 12.
	Columns int
	// Digits is the number of significant digits of the largest value of a column, 1 to 17; default 4.
	Digits int
	// Header names the columns of a matrix; default c0, c1, ... For frames and structs it replaces the names.
	Header []string
	// Labels names the rows in a first column without header; default none for frames and
	// structs, r0, r1, ... for matrices.
	Labels []string
	// Formats maps a column name to a verb of package fmt for its numbers, such as "%.2f";
	// default rounding by significance.
	Formats map[string]string
	// Missing is written in place of NaN; default "NaN".
	Missing string
}

// Table is data ready to be written. It keeps every row; only Rows and Columns of them are shown.
type Table struct {
	title   string
	columns []column
	rows    int // number of rows in the data
	show    int // largest number of rows shown
	wide    int // largest number of columns shown
}

// New builds a table from
//   - a gota dataframe, or anything with a method Frame() dataframe.DataFrame,
//   - a gonum mat.Matrix (vectors included),
//   - a slice of structs: one column for each exported field, named by the field or by its tag
//     `table:"name"` or `table:"name,unit"`; what is no number is text,
//   - a slice of rows of numbers, [][]float64.
//
// A frame that carries an error returns that error; nil data, ragged rows and options that name an unknown column are
// errors. Tables without rows are allowed: they show their header and "0 rows".
func New(data any, o *Options) (*Table, error) {
	o = cmp.Or(o, &Options{})
	if o.Rows < 0 || o.Columns < 0 || o.Digits < 0 || o.Digits > maxDigits {
		return nil, fmt.Errorf("table: rows %d, columns %d and digits %d must not be negative, and digits at most %d; leave them 0 for the defaults", o.Rows, o.Columns, o.Digits, maxDigits)
	}
	columns, err := read(data, o)
	if err != nil {
		return nil, err
	}
	t := &Table{title: o.Title, columns: columns, show: cmp.Or(o.Rows, defaultRows), wide: cmp.Or(o.Columns, defaultColumns)}
	if len(columns) > 0 {
		t.rows = max(len(columns[0].numbers), len(columns[0].text))
	}
	if err := t.name(o); err != nil {
		return nil, err
	}
	if err := t.decorate(o); err != nil {
		return nil, err
	}
	return t, nil
}

// Title returns the title given in the options.
func (t *Table) Title() string { return t.title }

// name applies the header and the row labels of the options.
func (t *Table) name(o *Options) error {
	if o.Header != nil {
		if len(o.Header) != len(t.columns) {
			return fmt.Errorf("table: header has %d names for %d columns; give one for each", len(o.Header), len(t.columns))
		}
		for j, name := range o.Header {
			t.columns[j].name = name
		}
	}
	if o.Labels != nil {
		if len(o.Labels) != t.rows {
			return fmt.Errorf("table: labels has %d names for %d rows; give one for each", len(o.Labels), t.rows)
		}
		t.columns = append([]column{{label: true, text: slices.Clone(o.Labels)}}, t.columns...)
	}
	return nil
}

// decorate applies formats, which name columns.
func (t *Table) decorate(o *Options) error {
	for name, verb := range o.Formats {
		c, err := t.find(name)
		if err != nil {
			return err
		}
		if c.numbers == nil {
			return fmt.Errorf("table: formats names column %q, which is text; formats are for numbers", name)
		}
		if strings.Contains(fmt.Sprintf(verb, 1.5), "%!") {
			return fmt.Errorf("table: format %q of column %q does not print one number; use a verb such as %%.2f", verb, name)
		}
		c.verb = verb
	}
	for j := range t.columns {
		t.columns[j].missing = o.Missing
		t.columns[j].choose(cmp.Or(o.Digits, defaultDigits), min(t.rows, t.show), largestWhole)
		t.columns[j].right = t.columns[j].holdsNumbers()
	}
	return nil
}

func (t *Table) find(name string) (*column, error) {
	var names []string
	for j := range t.columns {
		if t.columns[j].label {
			continue
		}
		if t.columns[j].name == name {
			return &t.columns[j], nil
		}
		names = append(names, t.columns[j].name)
	}
	return nil, fmt.Errorf("table: formats names column %q, which is not in the table; it has %q", name, names)
}

// shown returns the columns and the number of rows that are displayed.
func (t *Table) shown() (columns []column, rows int) {
	return t.columns[:min(len(t.columns), t.wide)], min(t.rows, t.show)
}

// caption says how much of the data is shown, for instance "20 of 126 rows"; it is empty
// when nothing is left out, and "0 rows" for a table without rows.
func (t *Table) caption() string {
	var parts []string
	columns, rows := t.shown()
	switch {
	case t.rows == 0:
		parts = append(parts, "0 rows")
	case rows < t.rows:
		parts = append(parts, fmt.Sprintf("%d of %d rows", rows, t.rows))
	}
	if len(columns) < len(t.columns) {
		parts = append(parts, fmt.Sprintf("%d of %d columns", len(columns), len(t.columns)))
	}
	return strings.Join(parts, ", ")
}
