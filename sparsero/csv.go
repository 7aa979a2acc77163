package sparsero

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// defaultLabelColumn names the label column of frames when the labels did not come from a named column.
const defaultLabelColumn = "label"

// Frame returns the dictionary as a frame with one atom per row: the label column first if the dictionary has labels,
// then one numeric column per coordinate. The frame's own WriteCSV keeps six decimals; [Dictionary.WriteCSV] keeps all.
func (d *Dictionary) Frame() dataframe.DataFrame {
	var columns []series.Series
	if d.labelled {
		name := d.labelColumn
		for slices.Contains(d.Columns(), name) { // of a coordinate
			name += "_"
		}
		columns = append(columns, series.New(d.Labels(), series.String, name))
	}
	for j, name := range d.Columns() {
		columns = append(columns, series.New(mat.Col(nil, j, d.atoms), series.Float, name))
	}
	return dataframe.New(columns...)
}

// ReadCSV builds a dictionary from text: a header line, then one atom per line, with columns separated by commas or,
// where the header has none, by semicolons or tabs. All columns but labelColumn must be numeric; labelColumn ("" for
// none) gives the labels. Ragged lines, text in a numeric column, missing and infinite values are errors that name the
// line (1-based, header included) and the column, and so is a first line of numbers that do not count the columns: it
// would be an atom.
func ReadCSV(r io.Reader, labelColumn string) (*Dictionary, error) {
	return readCSV(r, input.Options{Text: labelColumn})
}

func readCSV(r io.Reader, o input.Options) (*Dictionary, error) {
	o.Subject = "the CSV input"
	t, err := input.ReadTable(r, o)
	if err == nil && t.Rows() == 0 {
		err = errors.New("the CSV input has a header but no rows; give one per line")
	}
	if err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	options := &DictionaryOptions{Labels: t.Texts, Columns: t.Names}
	d, err := own(mat.NewDense(t.Rows(), len(t.Names), t.Values), floats.Dot(t.Values, t.Values), options)
	if err == nil && t.Text != "" {
		d.labelColumn = t.Text
	}
	return d, err
}

// LoadDictionary reads a dictionary from a file by its content: a NumPy file with an N×p array, an atom per row (or
// with N numbers, p = 1), or text as [ReadCSV] reads it, the first column of which holds the labels if it is called
// "label", as [Dictionary.WriteCSV] always calls it, or date or day, in any case, if it has no name, as an index has
// none, or if its first cell begins with a letter or is a day such as 2020-01-31. All atoms are held in memory;
// selection.OpenNPY reads them where they are needed. Errors name the file, and are those of [ReadCSV], of
// [NewDictionary] and of input.LoadArray.
func LoadDictionary(path string) (*Dictionary, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("sparsero: %w; check the path", err)
	}
	defer file.Close()
	content := bufio.NewReader(file)
	start, _ := content.Peek(len("\x93NUMPY")) // what cannot be read is told by the reader
	if string(start) == "\x93NUMPY" {
		return loadArray(path)
	}
	size := int64(0)
	if status, err := file.Stat(); err == nil && status.Mode().IsRegular() {
		size = status.Size()
	}
	d, err := readCSV(content, input.Options{Labelled: true, Bytes: size})
	if err != nil {
		return nil, fmt.Errorf("%w (file %s)", err, path)
	}
	return d, nil
}

func loadArray(path string) (*Dictionary, error) {
	a, err := input.LoadArray(path)
	if err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	if len(a.Shape) < 1 || len(a.Shape) > 2 || len(a.Values) == 0 {
		return nil, fmt.Errorf("sparsero: %s: the array has the shape %s; save an N×p array with one atom per row, N and p at least 1", path, input.ShapeText(a.Shape))
	}
	d, err := own(mat.NewDense(a.Shape[0], len(a.Values)/a.Shape[0], a.Values), a.Squares, nil)
	if err != nil {
		return nil, fmt.Errorf("%w (file %s)", err, path)
	}
	return d, nil
}

// WriteCSV writes the dictionary in the form that [ReadCSV] and [LoadDictionary] read, all digits
// included: a column "label" first if the dictionary has labels, whatever theirs was called, then one column per
// coordinate. It is an error, and nothing is written, if names or labels would not
// come back as they are: an empty label, say, or a coordinate "label". Other errors are those of the writer.
func (d *Dictionary) WriteCSV(w io.Writer) error {
	if w == nil || d.Size() == 0 {
		return errors.New("sparsero: the writer is nil or the dictionary holds no atoms; open a file, and build a dictionary with NewDictionary")
	}
	record := d.Columns()
	if d.labelled {
		record = slices.Insert(record, 0, defaultLabelColumn)
	}
	var text bytes.Buffer
	writer := csv.NewWriter(&text)
	_ = writer.Write(record) // a buffer takes everything
	for i := range d.Size() {
		record = record[:0]
		if d.labelled {
			record = append(record, d.Label(i))
		}
		for _, value := range d.RawRowView(i) {
			record = append(record, strconv.FormatFloat(value, 'g', -1, 64))
		}
		_ = writer.Write(record)
	}
	writer.Flush()
	back, err := readCSV(bytes.NewReader(text.Bytes()), input.Options{Labelled: true})
	if err != nil {
		return fmt.Errorf("%w (a name or a label of the dictionary does not fit into CSV; rename it)", err)
	}
	if !d.equal(back) {
		return errors.New("sparsero: a name or a label of the dictionary changes in CSV; use names without line ends and leading space, and none that is label, date or day")
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
