package solver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	// mpsInfinite is the size from which bounds and right-hand sides in a file stand for none, as for HiGHS and CPLEX.
	mpsInfinite = 1e20
	// mpsLargest is the largest file that is read, in bytes.
	mpsLargest = 1 << 30
)

// ReadMPS reads a model in MPS format, free or, where names hold blanks, with fields at the fixed columns 2, 5, 15, 25, 40 and
// 50. It reads what WriteMPS writes into a model with the same optimum: names are unescaped, group/name gives the group
// back, and a row that was written twice stays two. The sections are NAME, OBJSENSE, ROWS, COLUMNS with integer markers, RHS, RANGES,
// BOUNDS, QUADOBJ or QSECTION (a triangle of H in 1/2 x'Hx), QMATRIX (all of H) and ENDATA. The first row of kind N is the objective, others
// are rows without bounds. A bound of 1e20 or more is none; an integer column without any bound is binary, as HiGHS takes it.
//
// Errors name line and column of the file (counted from 1): another section, a number that is none, a name that the file
// has not introduced or has twice, a negative upper bound where the file leaves the lower one to the reader.
func ReadMPS(r io.Reader) (*Model, error) {
	if r == nil {
		return nil, errors.New("solver: the reader is nil; open a file")
	}
	data, err := io.ReadAll(io.LimitReader(r, mpsLargest+1))
	if err == nil && len(data) > mpsLargest {
		err = fmt.Errorf("larger than %d bytes", mpsLargest)
	}
	if err != nil {
		return nil, fmt.Errorf("solver: MPS: %w", err)
	}
	model, err := readMPS(data, freeFields)
	if err != nil {
		if fixed, other := readMPS(data, fixedFields); other == nil {
			return fixed, nil
		}
	}
	return model, err
}

// field is a word of a line and the column, counted from 1, at which it begins.
type field struct {
	text   string
	column int
}

// freeFields are the words of a line.
func freeFields(line string) []field {
	var fields []field
	for at := 0; at < len(line); {
		if line[at] == ' ' || line[at] == '\t' {
			at++
			continue
		}
		end := at
		for end < len(line) && line[end] != ' ' && line[end] != '\t' {
			end++
		}
		fields = append(fields, field{line[at:end], at + 1})
		at = end
	}
	return fields
}

// fixedFields cuts a line at the columns of fixed format; empty fields at its end are none.
func fixedFields(line string) []field {
	if strings.Contains(line, "'MARKER'") { // where writers differ in the columns
		return freeFields(line)
	}
	starts := [...]int{1, 4, 14, 24, 39, 49}
	var fields []field
	for k, start := range starts {
		end := len(line)
		if k+1 < len(starts) {
			end = min(end, starts[k+1])
		}
		if start < end {
			fields = append(fields, field{strings.TrimSpace(line[start:end]), start + 1})
		}
	}
	for len(fields) > 0 && fields[len(fields)-1].text == "" {
		fields = fields[:len(fields)-1]
	}
	if len(fields) > 0 && fields[0].text == "" { // the first is for kinds alone
		fields = fields[1:]
	}
	return fields
}

// mpsRow and mpsColumn are what a file says of a row and of a column.
type mpsRow struct {
	row        Row
	kind       string
	side, span float64 // NaN for no range
}

type mpsColumn struct {
	column         Column
	lower, upper   float64
	bounded, below bool // any bound was given, a lower one was
}

// mpsReader is the state of reading.
type mpsReader struct {
	fields          func(line string) []field
	section         string
	number          int // of the line
	model           *Model
	rows            []mpsRow
	objective       int // its row, -1 before it came
	columns         []mpsColumn
	rowOf, columnOf map[string]int
	entered         map[[2]int]bool
	whole           bool // between integer markers
	quadratic       []Term
	ended           bool
}

func readMPS(data []byte, fields func(string) []field) (*Model, error) {
	r := &mpsReader{fields: fields, objective: -1, model: NewModel(""), rowOf: map[string]int{}, columnOf: map[string]int{}, entered: map[[2]int]bool{}}
	for line := range bytes.Lines(data) {
		r.number++
		text := strings.TrimRight(string(line), " \t\r\n")
		if text == "" || text[0] == '*' {
			continue
		}
		var err error
		if text[0] != ' ' && text[0] != '\t' {
			err = r.begin(freeFields(text))
		} else if words := r.fields(text); len(words) > 0 {
			err = r.entry(words)
		}
		if err != nil {
			return nil, err
		}
		if r.ended {
			return r.build()
		}
	}
	return nil, r.fail(field{"", 1}, "the file ends without ENDATA; it may be cut short")
}

func (r *mpsReader) fail(at field, format string, arguments ...any) error {
	return fmt.Errorf("solver: MPS line %d, column %d: %s", r.number, at.column, fmt.Sprintf(format, arguments...))
}

// begin starts a section.
func (r *mpsReader) begin(words []field) error {
	switch r.section = strings.ToUpper(words[0].text); r.section {
	case "NAME":
		if len(words) > 1 {
			r.model.name = unescaped(words[1].text)
		}
	case "OBJSENSE":
		if len(words) > 1 {
			return r.sense(words[1])
		}
	case "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "QUADOBJ", "QSECTION", "QMATRIX":
	case "ENDATA":
		r.ended = true
	default:
		return r.fail(words[0], "section %q is not among NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, QUADOBJ, QSECTION, QMATRIX and ENDATA; leave it out or model it with rows", words[0].text)
	}
	return nil
}

func (r *mpsReader) entry(words []field) error {
	switch r.section {
	case "OBJSENSE":
		return r.sense(words[0])
	case "ROWS":
		return r.rowEntry(words)
	case "COLUMNS":
		return r.columnEntry(words)
	case "RHS", "RANGES":
		return r.sideEntry(words)
	case "BOUNDS":
		return r.boundEntry(words)
	case "QUADOBJ", "QSECTION", "QMATRIX":
		return r.quadraticEntry(words)
	}
	return r.fail(words[0], "%q stands in no section; begin with ROWS", words[0].text)
}

func (r *mpsReader) sense(word field) error {
	switch strings.ToUpper(word.text) {
	case "MAX", "MAXIMIZE", "MAXIMISE":
		r.model.SetSense(Maximize)
	case "MIN", "MINIMIZE", "MINIMISE":
		r.model.SetSense(Minimize)
	default:
		return r.fail(word, "the sense %q is neither MAX nor MIN", word.text)
	}
	return nil
}

func (r *mpsReader) rowEntry(words []field) error {
	if len(words) != 2 {
		return r.fail(words[0], "a row has %d fields; give its kind, N, L, G or E, and its name", len(words))
	}
	kind, name := strings.ToUpper(words[0].text), words[1].text
	if !slices.Contains([]string{"N", "L", "G", "E"}, kind) {
		return r.fail(words[0], "the kind %q of a row is none of N, L, G and E", words[0].text)
	}
	if _, twice := r.rowOf[name]; twice {
		return r.fail(words[1], "row %q stands twice in ROWS", name)
	}
	r.rowOf[name] = len(r.rows)
	if kind == "N" && r.objective < 0 {
		r.objective = len(r.rows)
	}
	at := len(r.rows) // without the objective
	if r.objective >= 0 {
		at--
	}
	group, rest, grouped := strings.Cut(name, "/")
	if !grouped {
		group, rest = "", name
	}
	r.rows = append(r.rows, mpsRow{kind: kind, row: Row{Name: original(rest, at), Group: unescaped(group)}, span: math.NaN()})
	return nil
}

// columnEntry reads a marker or up to two entries of a column.
func (r *mpsReader) columnEntry(words []field) error {
	if len(words) == 3 && words[1].text == "'MARKER'" {
		switch words[2].text {
		case "'INTORG'":
			r.whole = true
		case "'INTEND'":
			r.whole = false
		default:
			return r.fail(words[2], "the marker %s is neither 'INTORG' nor 'INTEND'", words[2].text)
		}
		return nil
	}
	if len(words) != 3 && len(words) != 5 {
		return r.fail(words[0], "an entry has %d fields; give a column, and a row with a number once or twice (names with blanks need the fields of fixed format)", len(words))
	}
	name := words[0].text
	j, known := r.columnOf[name]
	switch {
	case !known:
		j = len(r.columns)
		r.columnOf[name] = j
		r.columns = append(r.columns, mpsColumn{column: Column{Name: original(name, j), Integer: r.whole}, upper: math.Inf(1)})
	case j != len(r.columns)-1:
		return r.fail(words[0], "column %q comes again after others; keep its entries together", name)
	}
	for k := 1; k < len(words); k += 2 {
		i, value, err := r.rowAndNumber(words[k], words[k+1])
		if err != nil {
			return err
		}
		if r.entered[[2]int{i, j}] {
			return r.fail(words[k], "column %q has a second entry in row %q; give one number", name, words[k].text)
		}
		r.entered[[2]int{i, j}] = true
		if i == r.objective {
			r.columns[j].column.Cost = value
		} else {
			row := &r.rows[i].row
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, value)
		}
	}
	return nil
}

func (r *mpsReader) rowAndNumber(name, number field) (row int, value float64, err error) {
	row, known := r.rowOf[name.text]
	if !known {
		return 0, 0, r.fail(name, "row %q is not in ROWS", name.text)
	}
	value, err = r.value(number)
	return row, value, err
}

func (r *mpsReader) value(word field) (float64, error) {
	value, err := strconv.ParseFloat(word.text, 64)
	if err != nil || math.IsNaN(value) {
		return 0, r.fail(word, "%q is not a number of float64", word.text)
	}
	if math.Abs(value) >= mpsInfinite && (r.section == "RHS" || r.section == "BOUNDS") {
		value = math.Inf(int(math.Copysign(1, value)))
	}
	return value, nil
}

// sideEntry reads up to two right-hand sides or ranges; the name of their vector may be left out.
func (r *mpsReader) sideEntry(words []field) error {
	if len(words)%2 == 1 {
		words = words[1:]
	}
	if len(words) != 2 && len(words) != 4 {
		return r.fail(field{"", 1}, "an entry of %s has %d fields; give a row with a number once or twice", r.section, len(words))
	}
	for k := 0; k < len(words); k += 2 {
		i, value, err := r.rowAndNumber(words[k], words[k+1])
		switch {
		case err != nil:
			return err
		case r.section == "RHS":
			r.rows[i].side = value
		case r.rows[i].kind == "N":
			return r.fail(words[k], "row %q has no side for a range to start from", words[k].text)
		default:
			r.rows[i].span = value
		}
	}
	return nil
}

// boundEntry reads a bound; the name of its vector may be left out.
func (r *mpsReader) boundEntry(words []field) error {
	kind := strings.ToUpper(words[0].text)
	numbers := 1
	if slices.Contains([]string{"FR", "MI", "PL", "BV"}, kind) {
		numbers = 0
	}
	at := len(words) - 1 - numbers // of the column's name
	if numbers == 0 && len(words) == 4 {
		at-- // a number that plays no part
	}
	if at < 1 || at > 2 {
		return r.fail(words[0], "a bound has %d fields; give its kind, its vector, the column and, but for FR, MI, PL and BV, a number", len(words))
	}
	j, known := r.columnOf[words[at].text]
	if !known {
		return r.fail(words[at], "column %q is not in COLUMNS", words[at].text)
	}
	value := 0.0
	if numbers == 1 {
		var err error
		if value, err = r.value(words[at+1]); err != nil {
			return err
		}
	}
	c := &r.columns[j]
	if (kind == "UP" || kind == "UI") && value < 0 && !c.below && c.lower == 0 {
		return r.fail(words[at+1], "column %q has the upper bound %v and no lower one: some read 0, others none; say LO or MI before it", words[at].text, value)
	}
	return r.setBound(words[0], kind, c, value)
}

func (r *mpsReader) setBound(at field, kind string, c *mpsColumn, value float64) error {
	c.bounded = true
	switch kind {
	case "LO", "LI":
		c.lower, c.below = value, true
	case "UP", "UI":
		c.upper = value
	case "FX":
		c.lower, c.upper, c.below = value, value, true
	case "FR":
		c.lower, c.upper, c.below = math.Inf(-1), math.Inf(1), true
	case "MI":
		c.lower, c.below = math.Inf(-1), true
	case "PL":
		c.upper = math.Inf(1)
	case "BV":
		c.lower, c.upper, c.below = 0, 1, true
	default:
		return r.fail(at, "the kind %q of a bound is none of LO, UP, FX, FR, MI, PL, BV, LI and UI", at.text)
	}
	c.column.Integer = c.column.Integer || kind == "BV" || kind == "LI" || kind == "UI"
	return nil
}

// quadraticEntry reads an entry of H in 1/2 x'Hx: an off-diagonal one of a triangle stands for both.
func (r *mpsReader) quadraticEntry(words []field) error {
	if len(words) != 3 {
		return r.fail(words[0], "an entry of %s has %d fields; give two columns and a number", r.section, len(words))
	}
	var at [2]int
	for k := range at {
		j, known := r.columnOf[words[k].text]
		if !known {
			return r.fail(words[k], "column %q is not in COLUMNS", words[k].text)
		}
		at[k] = j
	}
	value, err := r.value(words[2])
	if at[0] == at[1] || r.section == "QMATRIX" {
		value /= 2
	}
	r.quadratic = append(r.quadratic, Term{I: at[0], J: at[1], Value: value})
	return err
}

// build makes the model.
func (r *mpsReader) build() (*Model, error) {
	for _, c := range r.columns {
		if c.column.Integer && !c.bounded {
			c.upper = 1
		}
		c.column.Bounds = Between(c.lower, c.upper)
		r.model.AddColumn(c.column)
	}
	for i, row := range r.rows {
		if i == r.objective {
			r.model.SetOffset(0 - row.side)
			continue
		}
		row.row.Bounds = row.bounds()
		r.model.AddRow(row.row)
	}
	for _, t := range r.quadratic {
		r.model.AddQuadratic(t.I, t.J, t.Value)
	}
	if err := r.model.Validate(); err != nil {
		return nil, fmt.Errorf("solver: MPS: %w", err)
	}
	return r.model, nil
}

// bounds are those of a row of a kind with a side and perhaps a range.
func (row *mpsRow) bounds() Bounds {
	lower, upper := math.Inf(-1), math.Inf(1)
	if row.kind == "E" || row.kind == "G" {
		lower = row.side
	}
	if row.kind == "E" || row.kind == "L" {
		upper = row.side
	}
	switch span := math.Abs(row.span); {
	case math.IsNaN(span):
	case row.kind == "L" || row.kind == "E" && row.span < 0:
		lower = row.side - span
	default:
		upper = row.side + span
	}
	return Between(lower, upper)
}

// original undoes what WriteMPS did to the name of the row or column at a place.
func original(name string, at int) string {
	return unescaped(strings.TrimSuffix(name, "#"+strconv.Itoa(at)))
}

// unescaped undoes mpsName; a name that it did not write may stay as it is.
func unescaped(name string) string {
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}
