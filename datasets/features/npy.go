package features

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
)

// ReadNPY reads features and labels from two NumPy files. Features are a
// matrix of float32 or float64 with one row per example, labels a vector (or
// one column) of integers, floats or bools of any two values: the smaller
// value becomes -1, the larger +1 (False -1, True +1). Either byte order and
// either memory order is read. The set is named after the feature file, less
// its ending and a trailing "_x"; the classes after the label values.
//
// It returns an error that names the file when one cannot be opened, is no
// NumPy file or is cut short, when shape or type is another, when a feature is
// NaN or infinite, and when the labels do not hold exactly two values.
func ReadNPY(featuresPath, labelsPath string) (*Set, error) {
	x, err := loadArray(featuresPath)
	if err != nil {
		return nil, err
	}
	labels, err := loadArray(labelsPath)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(featuresPath), filepath.Ext(featuresPath))
	return fromArrays(strings.TrimSuffix(name, "_x"), x, labels)
}

// array is what a NumPy file holds.
type array struct {
	name   string    // the file, and the entry of an archive, for error texts
	kind   string    // the type of the entries as NumPy writes it, such as <f4
	shape  []int     // sizes, outermost first
	values []float64 // row by row, whatever the order in the file
}

func loadArray(path string) (array, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return array{}, fmt.Errorf("features: cannot read the NumPy file: %w; check the path", err)
	}
	return parseArray(path, content)
}

// fromArrays builds a set from a matrix of features and a vector of labels.
func fromArrays(name string, x, labels array) (*Set, error) {
	if !strings.Contains(x.kind, "f") {
		return nil, fmt.Errorf("features: %s holds %s, not float32 or float64; write x.astype(numpy.float32) and check that it is the feature file", x.name, x.kind)
	}
	if len(x.shape) != 2 || len(x.values) == 0 {
		return nil, fmt.Errorf("features: %s has the shape %s; features need two sizes (examples, features), both at least 1: write x.reshape(len(x), -1)", x.name, shapeText(x.shape))
	}
	column := len(labels.shape) == 2 && labels.shape[1] == 1
	if len(labels.shape) != 1 && !column {
		return nil, fmt.Errorf("features: %s has the shape %s; labels need one size (examples,): write y.reshape(-1)", labels.name, shapeText(labels.shape))
	}
	if x.shape[0] != labels.shape[0] {
		return nil, fmt.Errorf("features: %s has %d rows, %s %d labels; give one label per row, from the same export", x.name, x.shape[0], labels.name, labels.shape[0])
	}
	set, err := NewSet(name, mat.NewDense(x.shape[0], x.shape[1], x.values), labels.values)
	if err != nil {
		return nil, fmt.Errorf("%w (features %s, labels %s)", err, x.name, labels.name)
	}
	return set, nil
}

// parseArray reads a NumPy file from memory. The reader of npyio takes what it
// finds: it panics on some damaged headers, allocates what a header asks for,
// returns values of its own for a file cut short, and ignores what follows the
// array. Everything it relies on is checked before.
func parseArray(name string, content []byte) (array, error) {
	size, err := headerSize(content)
	if err != nil {
		return array{}, fmt.Errorf("features: %s: %w", name, err)
	}
	reader, err := openArray(content)
	if err != nil {
		return array{}, fmt.Errorf("features: %s: %w; write it again with numpy.save", name, err)
	}
	kind, shape := reader.Header.Descr.Type, reader.Header.Descr.Shape
	width, known := widths[strings.TrimLeft(kind, "<>|")]
	if !known {
		return array{}, fmt.Errorf("features: %s holds the type %q; write features as float32 or float64 and labels as integers, floats or bools", name, kind)
	}
	entries, err := entryCount(shape, width, len(content)-size)
	if err != nil {
		return array{}, fmt.Errorf("features: %s: %w", name, err)
	}
	values, err := readValues(reader, strings.TrimLeft(kind, "<>|"))
	if err != nil || len(values) != entries {
		return array{}, fmt.Errorf("features: %s: read %d of %d entries (%v); write it again with numpy.save", name, len(values), entries, err)
	}
	if reader.Header.Descr.Fortran && len(shape) == 2 {
		values = byRows(values, shape[0], shape[1])
	}
	return array{name: name, kind: kind, shape: shape, values: values}, nil
}

// widths holds the bytes per entry of the types that are read.
var widths = map[string]int{"b1": 1, "i1": 1, "u1": 1, "i2": 2, "u2": 2, "i4": 4, "u4": 4, "i8": 8, "u8": 8, "f4": 4, "f8": 8}

// headerSize returns the number of bytes before the array: the magic, two bytes
// of version, the length of the header's text (2 bytes in version 1, 4 in
// version 2) and the text, which ends with a line feed.
func headerSize(content []byte) (int, error) {
	const magic = "\x93NUMPY"
	if !bytes.HasPrefix(content, []byte(magic)) {
		return 0, fmt.Errorf("this is no NumPy file (its %d bytes do not start with \\x93NUMPY); write it with numpy.save", len(content))
	}
	var size int
	switch {
	case len(content) < 12:
		return 0, fmt.Errorf("the header is cut short after %d bytes; copy the file again", len(content))
	case content[6] == 1:
		size = 10 + int(binary.LittleEndian.Uint16(content[8:]))
	case content[6] == 2:
		size = 12 + int(binary.LittleEndian.Uint32(content[8:]))
	default:
		return 0, fmt.Errorf("the format version is %d; write versions 1 and 2, as numpy.save does for numeric arrays", content[6])
	}
	if size > len(content) {
		return 0, fmt.Errorf("the header is cut short after %d of %d bytes; copy the file again", len(content), size)
	}
	if content[size-1] != '\n' {
		return 0, errors.New("the header does not end with a line feed; write the file again with numpy.save")
	}
	return size, nil
}

// openArray reads the header, whose parser panics on text it does not expect.
func openArray(content []byte) (reader *npy.Reader, err error) {
	defer func() {
		if recover() != nil {
			reader, err = nil, errors.New("the header is unreadable")
		}
	}()
	return npy.NewReader(bytes.NewReader(content))
}

// entryCount returns the product of the sizes, provided that the array fills
// the bytes that follow the header.
func entryCount(shape []int, width, available int) (int, error) {
	entries := 1
	for _, size := range shape {
		if size < 0 {
			return 0, fmt.Errorf("the shape %s holds a negative size; write the file again with numpy.save", shapeText(shape))
		}
		if size > 0 && entries > available/size { // the product could overflow
			return 0, fmt.Errorf("the shape %s needs more than the %d bytes that follow the header; copy the file again", shapeText(shape), available)
		}
		entries *= size
	}
	switch needed := entries * width; {
	case needed > available:
		return 0, fmt.Errorf("the file is cut short: the shape %s needs %d bytes, %d follow the header; copy the file again", shapeText(shape), needed, available)
	case needed < available:
		return 0, fmt.Errorf("the shape %s needs %d bytes, but %d follow the header; write the file again with numpy.save", shapeText(shape), needed, available)
	}
	return entries, nil
}

// readValues reads all entries, in the order of the file, as float64.
func readValues(reader *npy.Reader, kind string) ([]float64, error) {
	switch kind {
	case "b1":
		var bools []bool
		err := reader.Read(&bools)
		values := make([]float64, len(bools))
		for i, value := range bools {
			if value {
				values[i] = 1
			}
		}
		return values, err
	case "i1":
		return readNumbers[int8](reader)
	case "u1":
		return readNumbers[uint8](reader)
	case "i2":
		return readNumbers[int16](reader)
	case "u2":
		return readNumbers[uint16](reader)
	case "i4":
		return readNumbers[int32](reader)
	case "u4":
		return readNumbers[uint32](reader)
	case "i8":
		return readNumbers[int64](reader)
	case "u8":
		return readNumbers[uint64](reader)
	case "f4":
		return readNumbers[float32](reader)
	default:
		return readNumbers[float64](reader)
	}
}

func readNumbers[T int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64](reader *npy.Reader) ([]float64, error) {
	var numbers []T
	err := reader.Read(&numbers)
	values := make([]float64, len(numbers))
	for i, number := range numbers {
		values[i] = float64(number)
	}
	return values, err
}

// byRows turns values stored column by column into values stored row by row.
func byRows(values []float64, rows, columns int) []float64 {
	ordered := make([]float64, len(values))
	for i := range rows {
		for j := range columns {
			ordered[i*columns+j] = values[j*rows+i]
		}
	}
	return ordered
}

// shapeText writes a shape as NumPy does.
func shapeText(shape []int) string {
	text := strings.Trim(fmt.Sprint(shape), "[]")
	if len(shape) == 1 {
		return "(" + text + ",)"
	}
	return "(" + strings.ReplaceAll(text, " ", ", ") + ")"
}
