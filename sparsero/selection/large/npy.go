package large

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"unsafe"
)

// File is a dictionary in a NumPy file (.npy), an N×p array of float32 or float64
// stored by rows. Its rows are read when they are asked for.
type File struct {
	file   *os.File
	offset int64 // of the first value
	n, p   int
	width  int // bytes of a value
}

// OpenNPY opens a NumPy file of format 1 to 3 that holds a two-dimensional array of
// little-endian float32 or float64 values in C order, as numpy.save writes it. The
// caller must close it. It is an error if the file is anything else, or shorter
// than its header says.
func OpenNPY(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("large: %w", err)
	}
	f := &File{file: file}
	if err := f.readHeader(); err != nil {
		file.Close()
		return nil, fmt.Errorf("large: %s: %w", path, err)
	}
	return f, nil
}

// The dictionary that follows the magic string, for example
// {'descr': '<f4', 'fortran_order': False, 'shape': (100, 64), }.
var (
	descrPattern   = regexp.MustCompile(`['"]descr['"]\s*:\s*['"]([^'"]*)['"]`)
	fortranPattern = regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(True|False)`)
	shapePattern   = regexp.MustCompile(`['"]shape['"]\s*:\s*\(\s*(\d+)\s*,\s*(\d+)\s*,?\s*\)`)
)

// longestHeader is far more than the header of any plain array takes.
const longestHeader = 1 << 20

// readHeader finds the shape, the type of the values and where they start.
func (f *File) readHeader() error {
	prefix := make([]byte, 12)
	if _, err := io.ReadFull(f.file, prefix[:10]); err != nil || !bytes.HasPrefix(prefix, []byte("\x93NUMPY")) {
		return fmt.Errorf("not a NumPy file; write one with numpy.save")
	}
	length, start := int64(binary.LittleEndian.Uint16(prefix[8:])), int64(10)
	if prefix[6] > 1 { // formats 2 and 3 have four bytes for the length
		if _, err := io.ReadFull(f.file, prefix[10:]); err != nil {
			return fmt.Errorf("the header is cut off")
		}
		length, start = int64(binary.LittleEndian.Uint32(prefix[8:])), 12
	}
	if prefix[6] < 1 || prefix[6] > 3 || length > longestHeader {
		return fmt.Errorf("NumPy format %d.%d with a header of %d bytes is not known; write the file with numpy.save", prefix[6], prefix[7], length)
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(f.file, header); err != nil {
		return fmt.Errorf("the header is cut off")
	}
	f.offset = start + length
	return f.parse(header)
}

// parse reads the dictionary of the header and checks the size of the file.
func (f *File) parse(header []byte) error {
	descr, fortran, shape := descrPattern.FindSubmatch(header), fortranPattern.FindSubmatch(header), shapePattern.FindSubmatch(header)
	switch {
	case descr == nil || fortran == nil:
		return fmt.Errorf("the header %q has no type or order", header)
	case shape == nil:
		return fmt.Errorf("the array is not two-dimensional; save an N×p array with one atom per row")
	case string(fortran[1]) == "True":
		return fmt.Errorf("the array is stored by columns; save numpy.ascontiguousarray of it")
	}
	switch string(descr[1]) {
	case "<f4":
		f.width = 4
	case "<f8":
		f.width = 8
	default:
		return fmt.Errorf("values of type %q are not supported; save the array as float32 or float64", descr[1])
	}
	var errRows, errColumns error
	f.n, errRows = strconv.Atoi(string(shape[1]))
	f.p, errColumns = strconv.Atoi(string(shape[2]))
	if errRows != nil || errColumns != nil || f.n < 1 || f.p < 1 || f.n > math.MaxInt/f.p/f.width {
		return fmt.Errorf("shape (%s, %s) is not usable; save at least one atom of dimension at least 1", shape[1], shape[2])
	}
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if want := f.offset + int64(f.n)*int64(f.p)*int64(f.width); info.Size() < want {
		return fmt.Errorf("%d bytes are too few for shape (%d, %d), which needs %d; the file is cut off", info.Size(), f.n, f.p, want)
	}
	return nil
}

// Size implements [Atoms].
func (f *File) Size() int { return f.n }

// Dim implements [Atoms].
func (f *File) Dim() int { return f.p }

// Rows implements [Atoms].
func (f *File) Rows(buffer []float64, from, to int) ([]float64, error) {
	values := buffer[:(to-from)*f.p]
	// The bytes are read to the end of the buffer and widened from its start, which
	// never overtakes them.
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 8*len(values))
	read := memory[len(memory)-f.width*len(values):]
	if _, err := f.file.ReadAt(read, f.offset+int64(from)*int64(f.p)*int64(f.width)); err != nil {
		return nil, fmt.Errorf("large: atoms %d to %d of %s: %w", from, to-1, f.file.Name(), err)
	}
	if f.width == 8 {
		for k := range values {
			values[k] = math.Float64frombits(binary.LittleEndian.Uint64(read[8*k:]))
		}
		return values, nil
	}
	for k := range values {
		values[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(read[4*k:])))
	}
	return values, nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
