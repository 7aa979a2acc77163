package sparsero

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// missingMarks are the cell texts that count as a missing value in CSV input,
// compared without regard to case and surrounding space.
var missingMarks = []string{"", "na", "n/a", "nan", "null", "none", "-"}

// ReadCSV builds a dictionary from comma-separated text: a header line, then
// one atom per line. All columns but labelColumn must be numeric; labelColumn
// ("" for none) gives the labels. Ragged lines, text in a numeric column,
// missing and infinite values are errors that name the line (1-based, header
// included) and the column, and so is a first line of numbers that do not count
// the columns: it would be an atom.
func ReadCSV(r io.Reader, labelColumn string) (*Dictionary, error) {
	if r == nil {
		return nil, errors.New("sparsero: the CSV reader is nil; open a file or wrap a string")
	}
	reader := csv.NewReader(r)
	reader.FieldsPerRecord = -1 // checked here, to name what is wrong
	reader.TrimLeadingSpace = true
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("sparsero: the CSV input is empty; give a header line and one atom per line")
	}
	if err != nil {
		return nil, fmt.Errorf("sparsero: cannot read the CSV header: %w", err)
	}
	header = slices.Clone(header)
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // spreadsheet exports start with a byte order mark
	label := -1
	if labelColumn != "" {
		if label = slices.Index(header, labelColumn); label < 0 {
			return nil, fmt.Errorf("sparsero: the CSV input has no column %q; its columns are %q; use one of them, or \"\" for no labels", labelColumn, header)
		}
	}
	if holdsAtom(header, label) {
		return nil, fmt.Errorf("sparsero: the first line of the CSV input, %q, holds only numbers; put a line with the names of the columns above it, else this atom would be taken for them", header)
	}
	return readAtoms(reader, header, label, labelColumn)
}

// holdsAtom tells whether a header holds numbers only, besides the label, that do not
// count the columns from 0 or 1, as some programs name them.
func holdsAtom(header []string, label int) bool {
	count := 0
	counts := [2]bool{true, true}
	for j, name := range header {
		if j == label {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(name), 64)
		if err != nil {
			return false
		}
		counts[0] = counts[0] && value == float64(count)
		count++
		counts[1] = counts[1] && value == float64(count)
	}
	return count > 0 && !counts[0] && !counts[1]
}

// readAtoms reads the lines below the header. label is the position of the
// label column, or -1.
func readAtoms(reader *csv.Reader, header []string, label int, labelColumn string) (*Dictionary, error) {
	var labels, names []string
	for j, name := range header {
		if j != label {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("sparsero: the CSV input has no numeric column besides %q; give at least one coordinate", labelColumn)
	}
	columns := make([][]float64, len(names))
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("sparsero: cannot read the CSV input: %w", err)
		}
		line, _ := reader.FieldPos(0)
		if len(record) != len(header) {
			return nil, fmt.Errorf("sparsero: line %d of the CSV input has %d fields but the header has %d; every line needs one field per column", line, len(record), len(header))
		}
		k := 0
		for j, cell := range record {
			if j == label {
				if strings.TrimSpace(cell) == "" {
					return nil, fmt.Errorf("sparsero: missing label in line %d, column %q; fill it or choose another label column", line, header[j])
				}
				labels = append(labels, cell)
				continue
			}
			value, err := parseCell(cell, line, header[j])
			if err != nil {
				return nil, err
			}
			columns[k] = append(columns[k], value)
			k++
		}
	}
	if len(columns[0]) == 0 {
		return nil, errors.New("sparsero: the CSV input has a header but no atoms; give one atom per line")
	}
	return newNamedDictionary(columns, names, labels, labelColumn)
}

func parseCell(cell string, line int, column string) (float64, error) {
	text := strings.TrimSpace(cell)
	if slices.Contains(missingMarks, strings.ToLower(text)) {
		return 0, fmt.Errorf("sparsero: missing value in line %d, column %q; drop the line or fill the value", line, column)
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("sparsero: %q in line %d, column %q is not a number; fix the cell, or name the column as the label column", cell, line, column)
	}
	if math.IsInf(value, 0) {
		return 0, fmt.Errorf("sparsero: infinite value %q in line %d, column %q; values must be finite", cell, line, column)
	}
	return value, nil
}
