package solver

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	// mpsInfinite is the size from which bounds and right-hand sides in a file stand for none, as for HiGHS and CPLEX.
	mpsInfinite = 1e20
	// mpsLargest is the largest file that is read, in bytes.
	mpsLargest = 1 << 30
)

// ReadMPS reads a model in MPS format, free or fixed with names that hold no blanks. It reads what WriteMPS writes into
// a model with the same optimum: names are unescaped, group/name gives the group back, and a row that was written twice
// stays two. The sections are NAME, OBJSENSE, ROWS, COLUMNS with integer markers, RHS, RANGES, BOUNDS, QUADOBJ or
// QSECTION (a triangle of H in 1/2 x'Hx), QMATRIX (all of H) and ENDATA. The first row of kind N is the objective,
// others are rows without bounds. A bound of 1e20 or more is none; an integer column without any bound is binary, as
// HiGHS takes it.
//
// Errors name line and column of the file (counted from 1): another section, a number that is none, a name that the
// file has not introduced or has twice, a second vector of sides, ranges or bounds, a negative upper bound where the
// file leaves the lower one to the reader.
func ReadMPS(r io.Reader) (*Model, error) {
	if r == nil {
		return nil, errors.New("solver: the reader is nil; open a file")
	}
	data, err := readAtMost(r, mpsLargest)
	if err != nil {
		return nil, fmt.Errorf("solver: MPS: %w", err)
	}
	return readMPS(bytes.TrimPrefix(data, []byte(byteOrderMark)))
}

// readAtMost reads to the end, which must come within so many bytes.
func readAtMost(r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("larger than %d bytes", most)
	}
	return data, err
}

// field is a word of a line and the column, counted from 1, at which it begins.
type field struct {
	text   string
	column int
}

// fieldsOf are the words of a line.
func fieldsOf(line string) (fields []field) {
	column := 1
	for word := range strings.SplitSeq(strings.ReplaceAll(line, "\t", " "), " ") {
		if word != "" {
			fields = append(fields, field{word, column})
		}
		column += len(word) + 1
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
	section         string
	number          int // of the line
	model           *Model
	rows            []mpsRow
	objective       int // its row, -1 before it came
	columns         []mpsColumn
	rowOf, columnOf map[string]int
	entered         map[[2]int]bool
	vectors         map[string]string // by section
	whole           bool              // between integer markers
	quadratic       []Term
}

// mpsError leaves the reader where the file is wrong.
type mpsError struct{ error }

func readMPS(data []byte) (model *Model, err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case mpsError:
			err = reason.error
		default:
			panic(reason)
		}
	}()
	r := &mpsReader{objective: -1, model: NewModel(""), rowOf: map[string]int{}, columnOf: map[string]int{}, entered: map[[2]int]bool{}, vectors: map[string]string{}}
	for line := range bytes.Lines(data) {
		r.number++
		text := strings.TrimRight(string(line), " \t\r\n")
		if text == "" || text[0] == '*' {
			continue
		}
		if text[0] != ' ' && text[0] != '\t' {
			r.begin(fieldsOf(text))
		} else {
			r.entry(fieldsOf(text))
		}
		if r.section == "ENDATA" {
			return r.build()
		}
	}
	r.fail(field{"", 1}, "the file ends without ENDATA; it may be cut short")
	return nil, nil
}

// fail ends the reading with an error at a field of the line.
func (r *mpsReader) fail(at field, format string, arguments ...any) {
	panic(mpsError{fmt.Errorf("solver: MPS line %d, column %d: %s", r.number, at.column, fmt.Sprintf(format, arguments...))})
}

// want fails where something does not hold.
func (r *mpsReader) want(holds bool, at field, format string, arguments ...any) {
	if !holds {
		r.fail(at, format, arguments...)
	}
}

// begin starts a section.
func (r *mpsReader) begin(words []field) {
	switch r.section = strings.ToUpper(words[0].text); r.section {
	case "NAME":
		if len(words) > 1 {
			r.model.name = unescaped(words[1].text)
		}
	case "OBJSENSE":
		if len(words) > 1 {
			r.sense(words[1])
		}
	case "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS":
		if len(words) > 1 {
			r.fail(words[1], "%q stands beside the section %s; begin a line with a blank if it is an entry", words[1].text, r.section)
		}
	case "QUADOBJ", "QSECTION", "QMATRIX", "ENDATA":
	default:
		r.fail(words[0], "section %q is not among NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, QUADOBJ, QSECTION, QMATRIX and ENDATA; leave it out or model it with rows", words[0].text)
	}
}

func (r *mpsReader) entry(words []field) {
	switch r.section {
	case "OBJSENSE":
		r.sense(words[0])
	case "ROWS":
		r.rowEntry(words)
	case "COLUMNS":
		r.columnEntry(words)
	case "RHS", "RANGES":
		r.sideEntry(words)
	case "BOUNDS":
		r.boundEntry(words)
	case "QUADOBJ", "QSECTION", "QMATRIX":
		r.quadraticEntry(words)
	default:
		r.fail(words[0], "%q stands in no section; begin with ROWS", words[0].text)
	}
}

func (r *mpsReader) sense(word field) {
	sense := strings.ToUpper(word.text)
	r.want(slices.Contains([]string{"MAX", "MAXIMIZE", "MAXIMISE", "MIN", "MINIMIZE", "MINIMISE"}, sense), word, "the sense %q is neither MAX nor MIN", word.text)
	r.model.SetMaximize(strings.HasPrefix(sense, "MAX"))
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

// unescaped undoes mpsFile.name; a name that it did not write may stay as it is.
func unescaped(name string) string {
	parts := strings.Split(name, "%")
	for k, part := range parts[1:] {
		code := part[:min(len(part), 2)]
		plain, _ := hex.DecodeString(code)
		if len(plain) == 0 {
			return name
		}
		parts[k+1] = string(plain) + part[len(code):]
	}
	return strings.Join(parts, "")
}
