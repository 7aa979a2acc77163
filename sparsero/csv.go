package sparsero

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/sparsero/directions/sparsero/input"
	"gonum.org/v1/gonum/mat"
)

// ReadCSV builds a dictionary from text: a header line, then one atom per line, with
// columns separated by commas or, where the header has none, by semicolons or tabs.
// All columns but labelColumn must be numeric; labelColumn ("" for none) gives the
// labels. Ragged lines, text in a numeric column, missing and infinite values are
// errors that name the line (1-based, header included) and the column, and so is a
// first line of numbers that do not count the columns: it would be an atom.
func ReadCSV(r io.Reader, labelColumn string) (*Dictionary, error) {
	t, err := input.ReadTable(r, input.Options{Subject: "the CSV input", Text: labelColumn})
	if err == nil && t.Rows() == 0 {
		err = errors.New("the CSV input has a header but no atoms; give one atom per line")
	}
	if err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	return fromTable(t)
}

// fromTable builds a dictionary from a table with an atom per row.
func fromTable(t *input.Table) (*Dictionary, error) {
	options := &DictionaryOptions{Labels: t.Texts, Columns: t.Names}
	d, err := NewDictionary(mat.NewDense(t.Rows(), len(t.Names), t.Values), options)
	if err == nil && t.Texts != nil {
		d.labelColumn = t.Text
	}
	return d, err
}

// WriteCSV writes the dictionary in the form that [ReadCSV] reads, all digits
// included: the label column first if the dictionary has labels, then one column per
// coordinate. It is an error, and nothing is written, if names or labels would not
// come back as they are: an empty label, say. Other errors are those of the writer.
func (d *Dictionary) WriteCSV(w io.Writer) error {
	if w == nil || d.Size() == 0 {
		return errors.New("sparsero: the writer is nil or the dictionary holds no atoms; open a file, and build a dictionary with NewDictionary")
	}
	labelColumn, record := "", d.Columns()
	if d.labels != nil {
		labelColumn = d.frameLabelName()
		record = slices.Insert(record, 0, labelColumn)
	}
	var text bytes.Buffer
	writer := csv.NewWriter(&text)
	_ = writer.Write(record) // a buffer takes everything
	for i := range d.Size() {
		record = record[:0]
		if d.labels != nil {
			record = append(record, d.Label(i))
		}
		for _, value := range d.RawRowView(i) {
			record = append(record, strconv.FormatFloat(value, 'g', -1, 64))
		}
		_ = writer.Write(record)
	}
	writer.Flush()
	back, err := ReadCSV(bytes.NewReader(text.Bytes()), labelColumn)
	if err != nil {
		return fmt.Errorf("%w (a name or a label of the dictionary does not fit into CSV; rename it)", err)
	}
	if !d.equal(back) {
		return errors.New("sparsero: a name or a label of the dictionary changes in CSV; use names without line ends and leading space")
	}
	_, err = w.Write(text.Bytes())
	return err
}

// equal tells whether two dictionaries have the same atoms, bit by bit, and names.
func (d *Dictionary) equal(other *Dictionary) bool {
	return d.Dim() == other.Dim() && slices.Equal(d.Labels(), other.Labels()) && slices.Equal(d.Columns(), other.Columns()) &&
		slices.EqualFunc(d.atoms.RawMatrix().Data, other.atoms.RawMatrix().Data, func(a, b float64) bool {
			return math.Float64bits(a) == math.Float64bits(b)
		})
}
