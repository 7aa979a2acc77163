package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Header describes the array in a NumPy file.
type Header struct {
	Kind   string // the type of the values as NumPy writes it, such as <f4
	Shape  []int  // sizes, outermost first
	Offset int64  // bytes before the first value
}

// Array is what a NumPy file holds.
type Array struct {
	Kind    string // of the stored values, as in "<f4"
	Shape   []int
	Values  []float64 // row by row
	Squares float64   // the sum of the squares of the values, finite only if all values are
}

// longestHeader is far more than the header of any plain array takes, in bytes.
const longestHeader = 1 << 20

// magic opens every NumPy file.
const magic = "\x93NUMPY"

// ReadHeader reads the header of a NumPy file of format 1 to 3, as numpy.save writes it, and compares the size of the
// array with that of the file. It is an error if the file is no NumPy file, holds values that are no integers, floats
// or truth values or stand column by column, or is shorter or longer than its header says.
func ReadHeader(r io.Reader, size int64) (Header, error) {
	if r == nil {
		return Header{}, errors.New("the reader of the NumPy file is nil; open the file first")
	}
	prefix := make([]byte, 12)
	got, err := io.ReadFull(r, prefix[:10])
	if !bytes.HasPrefix(prefix[:got], []byte(magic)) {
		return Header{}, fmt.Errorf("this is no NumPy file (its %d bytes do not start with \\x93NUMPY); write it with numpy.save", size)
	}
	length, start := int64(binary.LittleEndian.Uint16(prefix[8:])), int64(10)
	if version := prefix[6]; err == nil && (version < 1 || version > 3) {
		return Header{}, fmt.Errorf("the format version is %d.%d; write versions 1 to 3, as numpy.save does", version, prefix[7])
	} else if err == nil && version > 1 { // four bytes for the length
		_, err = io.ReadFull(r, prefix[10:])
		length, start = int64(binary.LittleEndian.Uint32(prefix[8:])), 12
	}
	if err != nil || start+length > size {
		return Header{}, fmt.Errorf("the header is cut short: the file ends after %d bytes; copy it again", size)
	}
	if length > longestHeader {
		return Header{}, fmt.Errorf("a header of %d bytes is not that of an array; write the file with numpy.save", length)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return Header{}, fmt.Errorf("cannot read the header: %w; copy the file again", err)
	}
	h, err := parseHeader(text)
	if err != nil {
		return Header{}, err
	}
	h.Offset = start + length
	return h, h.fits(size - h.Offset)
}

// parseHeader reads a text such as {'descr': '<f4', 'fortran_order': False, 'shape': (100, 64), }. It compiles the
// patterns, as a program that reads no file would be linked with all of package regexp for those of a variable.
func parseHeader(text []byte) (Header, error) {
	kind := regexp.MustCompile(`['"]descr['"]\s*:\s*['"]([^'"]*)['"]`).FindSubmatch(text)
	order := regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(True|False)`).FindSubmatch(text)
	shape := regexp.MustCompile(`['"]shape['"]\s*:\s*\(([\d\s,]*)\)`).FindSubmatch(text)
	if kind == nil || order == nil || shape == nil {
		return Header{}, fmt.Errorf("the header %s does not name the type, the order and the shape of a plain array; write the file again with numpy.save", Quote(string(text)))
	}
	if string(order[1]) == "True" {
		return Header{}, errors.New("the array is stored by columns; save numpy.ascontiguousarray of it")
	}
	h := Header{Kind: string(kind[1])}
	if h.Width() == 0 {
		return Header{}, fmt.Errorf("values of the type %s are not read; write features and atoms as float32 or float64, labels as integers, floats or bools", Quote(h.Kind))
	}
	for size := range strings.SplitSeq(string(shape[1]), ",") {
		if size = strings.TrimSpace(size); size == "" {
			continue // after the last comma
		}
		number, err := strconv.Atoi(size)
		if err != nil {
			return Header{}, fmt.Errorf("the shape (%s) is no list of sizes; write the file again with numpy.save", Quote(string(shape[1])))
		}
		h.Shape = append(h.Shape, number)
	}
	return h, nil
}

// kinds are the types that are read, and the bytes that a value takes.
var kinds = map[string]int{"b1": 1, "i1": 1, "u1": 1, "i2": 2, "u2": 2, "i4": 4, "u4": 4, "i8": 8, "u8": 8, "f4": 4, "f8": 8}

// Width returns the bytes that a value takes, 0 for a type that is not read.
func (h Header) Width() int { return kinds[strings.TrimLeft(h.Kind, "<>|=")] }

// fits compares the array with the bytes that follow the header.
func (h Header) fits(available int64) error {
	needed := int64(h.Width())
	for _, size := range h.Shape {
		if size > 0 && needed > math.MaxInt64/int64(size) {
			needed = math.MaxInt64
			continue
		}
		needed *= int64(size)
	}
	switch {
	case needed > available:
		return fmt.Errorf("the file is cut short: the shape %s needs %d bytes, %d follow the header; copy the file again", ShapeText(h.Shape), needed, available)
	case needed < available:
		return fmt.Errorf("the shape %s needs %d bytes, but %d follow the header; write the file again with numpy.save", ShapeText(h.Shape), needed, available)
	}
	return nil
}

// Decode stores the values that data holds, Width bytes each, and may reorder data. Both may share memory if data ends
// where values end. It panics if data is shorter, or if the type is none that [ReadHeader] accepts.
func (h Header) Decode(values []float64, data []byte) {
	width := h.Width()
	if width == 0 || len(data)/width < len(values) {
		panic(fmt.Sprintf("input: %d bytes do not hold %d values of the type %s; use a header from ReadHeader", len(data), len(values), Quote(h.Kind)))
	}
	if h.Kind[0] == '>' {
		for k := range values {
			slices.Reverse(data[width*k : width*(k+1)])
		}
	}
	switch kind := strings.TrimLeft(h.Kind, "<>|="); kind {
	case "f8":
		for k := range values {
			values[k] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*k:]))
		}
	case "f4":
		for k := range values {
			values[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*k:])))
		}
	default:
		unused := 64 - 8*width // bits
		for k := range values {
			bits := uint64(0)
			for at, part := range data[width*k : width*(k+1)] {
				bits |= uint64(part) << (8 * at)
			}
			switch kind[0] {
			case 'i':
				values[k] = float64(int64(bits<<unused) >> unused)
			case 'u':
				values[k] = float64(bits)
			default:
				values[k] = float64(min(bits, 1))
			}
		}
	}
}

// LoadArray reads the NumPy file at path. It takes 8 bytes per value. Errors name the file, and are those of [OpenArray]
// and of the system.
func LoadArray(path string) (Array, error) {
	file, h, err := OpenArray(path)
	if err != nil {
		return Array{}, err
	}
	defer file.Close()
	return h.read(path, file)
}

// OpenArray opens the NumPy file at path and reads its header; the caller must close it. Errors name the file, and are
// those of [ReadHeader] and of the system.
func OpenArray(path string) (*os.File, Header, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, Header{}, fmt.Errorf("cannot open the NumPy file: %w; check the path", err)
	}
	var h Header
	status, err := file.Stat()
	if err == nil && !status.Mode().IsRegular() { // whose size is not known
		err = errors.New("arrays are read from files, not from a pipe or a folder; save the array as one")
	} else if err == nil {
		h, err = ReadHeader(file, status.Size())
	}
	if err != nil {
		return nil, h, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return file, h, nil
}

// read reads the values that follow the header of the file at path.
func (h Header) read(path string, r io.Reader) (Array, error) {
	count := 1
	for _, size := range h.Shape {
		count *= size
	}
	values := Uncleared[float64](count)
	squares, err := h.Fill(values, r)
	if err != nil {
		return Array{}, fmt.Errorf("%s: the values end too early: %w; copy the file again", path, err)
	}
	return Array{h.Kind, h.Shape, values, squares}, nil
}

// fillBlock is how many values [Header.Fill] reads at once: so few that they are in the cache when they are widened and summed.
const fillBlock = 1 << 15

// inMemory is the type of values that stand in a file as they do in memory.
var inMemory = [2]string{">f8", "<f8"}[binary.NativeEndian.AppendUint16(nil, 1)[0]]

// Fill reads values from the bytes that follow and returns the sum of their squares. It takes no memory of its own:
// each block of bytes is read to the end of its values and widened from their start, which never overtakes them. Errors
// are those of the reader.
func (h Header) Fill(values []float64, r io.Reader) (squares float64, err error) {
	for block := range slices.Chunk(values, fillBlock) {
		memory := unsafe.Slice((*byte)(unsafe.Pointer(&block[0])), 8*len(block))
		data := memory[len(memory)-h.Width()*len(block):]
		if _, err := io.ReadFull(r, data); err != nil {
			return 0, err
		}
		if h.Kind != inMemory {
			h.Decode(block, data)
		}
		squares += floats.Dot(block, block)
	}
	return squares, nil
}

// ShapeText writes a shape as NumPy does, of many sizes the first ones.
func ShapeText(shape []int) string {
	const shown = 4
	sizes := strings.Trim(fmt.Sprint(shape[:min(len(shape), shown)]), "[]")
	sizes = strings.ReplaceAll(sizes, " ", ", ")
	switch {
	case len(shape) == 1:
		sizes += ","
	case len(shape) > shown:
		sizes += ", ..."
	}
	return "(" + sizes + ")"
}

// WriteMatrix writes a matrix as a NumPy file of format 1 with float64 values, one row after the other; a matrix of one
// column becomes an array of one dimension. [LoadArray] and numpy.load read it back bit by bit. Errors are those of
// the writer, and one for a matrix or a writer that is nil.
func WriteMatrix(w io.Writer, m *mat.Dense) error {
	if w == nil || m == nil {
		return errors.New("the writer or the matrix is nil; open a file, and give a matrix")
	}
	rows, columns := m.Dims()
	shape := []int{rows, columns}
	if columns == 1 {
		shape = shape[:1]
	}
	data := Header{Kind: "<f8", Shape: shape}.Bytes()
	_, err := w.Write(data)
	for i := 0; i < rows && err == nil; i++ {
		data = data[:0]
		for _, v := range m.RawRowView(i) {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		_, err = w.Write(data)
	}
	return err
}

// Bytes returns the 128 bytes with which a NumPy file of format 1 begins that holds values of the
// given kind and at most two sizes, one row after the other.
func (h Header) Bytes() []byte {
	const length = 118 // so that the values start at byte 128
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", h.Kind, ShapeText(h.Shape))
	return fmt.Appendf(nil, "%s\x01\x00%c\x00%-*s\n", magic, length, length-1, text)
}
