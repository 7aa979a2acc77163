package selection

import (
	"fmt"
	"io"
	"os"

	"github.com/sparsero/directions/sparsero/internal/input"
)

// File is a dictionary in a NumPy file (.npy), an N×p array of numbers stored by
// rows. Its rows are read when they are asked for, by several goroutines at once too.
type File struct {
	file   *os.File
	header input.Header
	n, p   int
}

// OpenNPY opens a NumPy file of format 1 to 3 that holds an N×p array, or N numbers for p = 1, of floats (float32, float64)
// or integers (each is the float64 next to it) of either byte order in C order, as numpy.save writes it. The caller must
// close it. It is an error if the file is anything else, or shorter or longer than its header says.
func OpenNPY(path string) (*File, error) {
	file, header, err := input.OpenArray(path)
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	shape := header.Shape
	if len(shape) == 1 {
		shape = append(shape, 1)
	}
	if len(shape) != 2 || shape[0] < 1 || shape[1] < 1 {
		file.Close()
		return nil, fmt.Errorf("selection: %s: the array has the shape %s; save an N×p array with one atom per row, N and p at least 1", path, input.ShapeText(shape))
	}
	return &File{file, header, shape[0], shape[1]}, nil
}

// Size implements [Source].
func (f *File) Size() int { return f.n }

// Dim implements [Source].
func (f *File) Dim() int { return f.p }

// Rows implements [Source]. It is an error if the range or the buffer does not fit, or the file cannot be read.
func (f *File) Rows(buffer []float64, from, to int) ([]float64, error) {
	if from < 0 || from >= to || to > f.n || len(buffer)/f.p < to-from {
		return nil, fmt.Errorf("selection: atoms %d to %d of %d of dimension %d do not fit a buffer of %d values; ask for at least one atom, and %d values for each", from, to, f.n, f.p, len(buffer), f.p)
	}
	values := buffer[:(to-from)*f.p]
	width := int64(f.p) * int64(f.header.Width())
	read := io.NewSectionReader(f.file, f.header.Offset+int64(from)*width, int64(to-from)*width)
	if _, err := f.header.Fill(values, read); err != nil {
		return nil, fmt.Errorf("selection: atoms %d to %d of %s: %w", from, to-1, f.file.Name(), err)
	}
	return values, nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
