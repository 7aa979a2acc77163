package features

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// bytesOf writes numbers of one type in one byte order.
func bytesOf(order binary.AppendByteOrder, numbers any) string {
	var body bytes.Buffer
	if err := binary.Write(&body, order.(binary.ByteOrder), numbers); err != nil {
		panic(err)
	}
	return body.String()
}

// Every type, byte order and memory order holds the same numbers.
func TestTypesAndOrders(t *testing.T) {
	byRow, byColumn := []float64{1, 2, 3, 4, 5, 6}, []float64{1, 4, 2, 5, 3, 6} // [1 2 3; 4 5 6]
	types := map[string]func(values []float64) any{
		"i1": func(v []float64) any { return convert[int8](v) }, "u1": func(v []float64) any { return convert[uint8](v) },
		"i2": func(v []float64) any { return convert[int16](v) }, "u2": func(v []float64) any { return convert[uint16](v) },
		"i4": func(v []float64) any { return convert[int32](v) }, "u4": func(v []float64) any { return convert[uint32](v) },
		"i8": func(v []float64) any { return convert[int64](v) }, "u8": func(v []float64) any { return convert[uint64](v) },
		"f4": func(v []float64) any { return convert[float32](v) }, "f8": func(v []float64) any { return v },
	}
	for kind, numbers := range types {
		for mark, order := range map[string]binary.AppendByteOrder{"<": binary.LittleEndian, ">": binary.BigEndian, "|": binary.LittleEndian} {
			if mark == "|" && kind[1] != '1' || kind == "u1" && mark == ">" {
				continue // NumPy writes | for single bytes, and only for them
			}
			for fortran, values := range map[string][]float64{"False": byRow, "True": byColumn} {
				name := mark + kind + " fortran " + fortran
				a, err := parseArray(name, npyFile(mark+kind, fortran, "(2, 3)", bytesOf(order, numbers(values))))
				if err != nil {
					t.Errorf("%s: %v", name, err)
				} else if !slices.Equal(a.values, byRow) {
					t.Errorf("%s: %v, want %v", name, a.values, byRow)
				}
			}
		}
	}
}

func convert[T int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32](values []float64) []T {
	numbers := make([]T, len(values))
	for i, value := range values {
		numbers[i] = T(value)
	}
	return numbers
}

// What npyio writes, we read, whatever the numbers.
func TestWrittenArraysComeBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rows, columns := rapid.IntRange(1, 6).Draw(r, "rows"), rapid.IntRange(1, 6).Draw(r, "columns")
		values := rapid.SliceOfN(rapid.Float64(), rows*columns, rows*columns).Draw(r, "values")
		a, err := parseArray("x", written(t, mat.NewDense(rows, columns, values)))
		if err != nil {
			r.Fatal(err)
		}
		if !slices.Equal(a.values, values) || !slices.Equal(a.shape, []int{rows, columns}) {
			r.Fatalf("%v of shape %v, want %v", a.values, a.shape, values)
		}
	})
}

// A file cut short anywhere, or with bytes to spare, is never read as whole.
func TestNoTruncatedFileIsRead(t *testing.T) {
	for _, file := range [][]byte{
		written(t, mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})),
		npyFile("<f4", "False", "(1, 2)", "\x00\x00\x80\x3f\x00\x00\x00\x40"),
	} {
		if _, err := parseArray("whole", file); err != nil {
			t.Fatal(err)
		}
		for size := range file {
			if _, err := parseArray("cut", file[:size]); err == nil {
				t.Errorf("%d of %d bytes are read as whole", size, len(file))
			}
		}
		if _, err := parseArray("long", append(file, 0)); err == nil {
			t.Error("a byte to spare is not noticed")
		}
	}
}

// The two label values may be anything; the smaller is -1.
func TestLabelsOfAnyTwoValues(t *testing.T) {
	x := npyFile("<f4", "False", "(3, 1)", bytesOf(binary.LittleEndian, []float32{1, 2, 3}))
	for name, labels := range map[string][]byte{
		"int8":       npyFile("|i1", "False", "(3,)", "\x01\xff\x01"),
		"bool":       npyFile("|b1", "False", "(3,)", "\x01\x00\x01"),
		"int64":      npyFile("<i8", "False", "(3,)", bytesOf(binary.LittleEndian, []int64{5, 3, 5})),
		"float64":    npyFile("<f8", "False", "(3,)", bytesOf(binary.LittleEndian, []float64{0.5, -7, 0.5})),
		"one column": npyFile("|u1", "False", "(3, 1)", "\x09\x02\x09"),
	} {
		s, err := fromFiles(t, x, labels)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !slices.Equal(s.Y, []float64{1, -1, 1}) || s.Name != "task" {
			t.Errorf("%s: %v labelled %v, want task labelled 1 -1 1", name, s, s.Y)
		}
	}
}

// fromFiles writes both files to a folder and reads them.
func fromFiles(t *testing.T, x, y []byte) (*Set, error) {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string][]byte{"task_x.npy": x, "task_y.npy": y} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return ReadNPY(filepath.Join(folder, "task_x.npy"), filepath.Join(folder, "task_y.npy"))
}

func TestBadNumPyFiles(t *testing.T) {
	floats := func(values ...float32) string { return bytesOf(binary.LittleEndian, values) }
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := npyFile("<f4", "False", "(2, 2)", floats(1, 2, 3, 4))
	y := npyFile("|i1", "False", "(2,)", "\xff\x01")
	for _, test := range []struct {
		name string
		x, y []byte
		says []string
	}{
		{"labels in place of features", y, y, []string{"task_x.npy holds |i1", "astype(numpy.float32)"}},
		{"half precision", npyFile("<f2", "False", "(2, 2)", "12345678"), y, []string{`the type "<f2"`, "write features as float32 or float64"}},
		{"complex", npyFile("<c8", "False", "(1, 1)", "12345678"), y, []string{`"<c8"`}},
		{"Python objects", npyFile("|O", "False", "(2, 2)", "12345678"), y, []string{`the type "|O"`}},
		{"text labels", x, npyFile("<U3", "False", "(2,)", strings.Repeat("abcd", 6)), []string{"task_y.npy", `"<U3"`, "labels as integers, floats or bools"}},
		{"a vector of features", npyFile("<f4", "False", "(4,)", floats(1, 2, 3, 4)), y, []string{"shape (4,)", "two sizes", "reshape(len(x), -1)"}},
		{"images in place of features", npyFile("<f4", "False", "(2, 1, 2)", floats(1, 2, 3, 4)), y, []string{"shape (2, 1, 2)", "reshape"}},
		{"no examples", npyFile("<f4", "False", "(0, 2)", ""), y, []string{"shape (0, 2)", "at least 1"}},
		{"no features", npyFile("<f4", "False", "(2, 0)", ""), y, []string{"shape (2, 0)"}},
		{"a matrix of labels", x, npyFile("|i1", "False", "(2, 2)", "\x01\x00\x00\x01"), []string{"shape (2, 2)", "y.reshape(-1)"}},
		{"a scalar label", x, npyFile("|i1", "False", "()", "\x01"), []string{"shape ()"}},
		{"too few labels", x, npyFile("|i1", "False", "(1,)", "\x01"), []string{"has 2 rows", "1 labels", "from the same export"}},
		{"one class", x, npyFile("|i1", "False", "(2,)", "\x01\x01"), []string{"all 2 labels are 1", "other class is empty", "task_y.npy"}},
		{"three classes", npyFile("<f4", "False", "(3, 1)", floats(1, 2, 3)), npyFile("|i1", "False", "(3,)", "\x00\x01\x02"), []string{"more than two values", "[0 1 2]", "choose the examples of two classes"}},
		{"NaN label", x, npyFile("<f4", "False", "(2,)", floats(1, nan)), []string{"label 1 is NaN", "two finite labels"}},
		{"NaN feature", npyFile("<f4", "False", "(2, 2)", floats(1, 2, nan, 4)), y, []string{"NaN in row 1, column 0", "drop the example", "task_x.npy"}},
		{"infinite feature", npyFile("<f4", "False", "(2, 2)", floats(1, -inf, 3, 4)), y, []string{"-Inf in row 0, column 1"}},
		{"cut short", x[:len(x)-3], y, []string{"cut short", "needs 16 bytes, 13 follow", "copy the file again"}},
		{"bytes to spare", append(bytes.Clone(x), 1, 2), y, []string{"needs 16 bytes, but 18 follow"}},
		{"header cut short", x[:20], y, []string{"header is cut short after 20 of"}},
		{"empty file", nil, y, []string{"no NumPy file", "its 0 bytes", "numpy.save"}},
		{"another format", []byte("x1,x2,label\n1,2,3\n"), y, []string{"no NumPy file"}},
		{"version 3", bytes.Replace(x, []byte("NUMPY\x01"), []byte("NUMPY\x03"), 1), y, []string{"format version is 3", "versions 1 and 2"}},
		{"a header without a line end", bytes.Replace(x, []byte("\n"), []byte(" "), 1), y, []string{"does not end with a line feed"}},
		{"a header without a shape", bytes.Replace(x, []byte("'shape'"), []byte("'SHAPE'"), 1), y, []string{"invalid dictionary", "numpy.save"}},
		{"a header that makes npyio panic", bytes.Replace(x, []byte("(2, 2)"), []byte("}     "), 1), y, []string{"task_x.npy"}},
		{"a shape that overflows", npyFile("<f4", "False", "(4294967296, 4294967296)", ""), y, []string{"shape (4294967296, 4294967296) needs more than the 0 bytes"}},
		{"a negative size", npyFile("<f4", "False", "(-2, -2)", floats(1, 2, 3, 4)), y, []string{"(-2, -2) holds a negative size"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := fromFiles(t, test.x, test.y)
			expectSays(t, err, test.says...)
		})
	}
}

func expectSays(t *testing.T, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

func TestMissingFiles(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone.npy")
	_, err := ReadNPY(gone, gone)
	expectSays(t, err, "gone.npy", "check the path")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
	_, err = ReadNPZ(gone, "x", "y")
	expectSays(t, err, "gone.npy", "check the path")
	_, err = LoadCSV(gone, "y")
	expectSays(t, err, "gone.npy", "check the path")
}

func TestArchives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cat_dog.npz")
	x := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	if err := npz.Write(path, map[string]any{"features.npy": x, "labels.npy": []int32{8, 3, 8}, "other.npy": []float64{1}}); err != nil {
		t.Fatal(err)
	}
	s, err := ReadNPZ(path, "features", "labels")
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(s.X, x) || !slices.Equal(s.Y, []float64{1, -1, 1}) || s.Name != "cat_dog" || s.Classes != [2]string{"3", "8"} {
		t.Errorf("%v labelled %v", s, s.Y)
	}
	_, err = ReadNPZ(path, "x", "labels")
	expectSays(t, err, `no array "x"`, `["features" "labels" "other"]`, "use one of")
	_, err = ReadNPZ(path, "features", "other")
	expectSays(t, err, "3 rows", "1 labels", "array other")

	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range content { // no single damaged byte changes a number unnoticed
		damaged := bytes.Clone(content)
		damaged[at] ^= 0xff
		got, err := readArchive("damaged.npz", bytes.NewReader(damaged), int64(len(damaged)), "features", "labels")
		if err == nil && (!mat.Equal(got.X, x) || fmt.Sprint(got.Y) != "[1 -1 1]") {
			t.Errorf("byte %d: %v", at, got.X)
		}
	}
	_, err = readArchive("no.npz", strings.NewReader("no archive"), 10, "x", "y")
	expectSays(t, err, "no.npz is no NumPy archive", "numpy.savez")
}
