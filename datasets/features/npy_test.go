package features

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// npyFile writes a version-1 NumPy file with the given header fields and bytes.
func npyFile(kind, order, shape, body string) []byte {
	text := "{'descr': '" + kind + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }"
	text += strings.Repeat(" ", 64-(10+len(text)+1)%64) + "\n"
	return []byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)}) + text + body)
}

// bytesOf writes numbers of one type in one byte order.
func bytesOf(order binary.AppendByteOrder, numbers any) string {
	var body bytes.Buffer
	if err := binary.Write(&body, order.(binary.ByteOrder), numbers); err != nil {
		panic(err)
	}
	return body.String()
}

// The two label values may be anything; the smaller is -1, and the classes are called by them.
func TestLabelsOfAnyTwoValues(t *testing.T) {
	x := npyFile("<f4", "False", "(3, 1)", bytesOf(binary.LittleEndian, []float32{1, 2, 3}))
	classes := map[string][2]string{"int8": {"-1", "1"}, "bool": {"0", "1"}, "int64": {"3", "5"}, "float64": {"-7.25", "0.5"}, "one column": {"2", "9"}}
	for name, labels := range map[string][]byte{
		"int8":       npyFile("|i1", "False", "(3,)", "\x01\xff\x01"),
		"bool":       npyFile("|b1", "False", "(3,)", "\x01\x00\x01"),
		"int64":      npyFile("<i8", "False", "(3,)", bytesOf(binary.LittleEndian, []int64{5, 3, 5})),
		"float64":    npyFile("<f8", "False", "(3,)", bytesOf(binary.LittleEndian, []float64{0.5, -7.25, 0.5})),
		"one column": npyFile("|u1", "False", "(3, 1)", "\x09\x02\x09"),
	} {
		s, err := fromFiles(t, x, labels)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !slices.Equal(s.Y, []float64{1, -1, 1}) || s.Classes != classes[name] || s.Name != "task" {
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
	return LoadNPY(filepath.Join(folder, "task_x.npy"), filepath.Join(folder, "task_y.npy"))
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
		{"half precision", npyFile("<f2", "False", "(2, 2)", "12345678"), y, []string{"task_x.npy", `the type "<f2"`, "write features and atoms as float32 or float64"}},
		{"text labels", x, npyFile("<U3", "False", "(2,)", strings.Repeat("abcd", 6)), []string{"task_y.npy", `"<U3"`}},
		{"a vector of features", npyFile("<f4", "False", "(4,)", floats(1, 2, 3, 4)), y, []string{"shape [4]", "reshape(len(x), -1)"}},
		{"images in place of features", npyFile("<f4", "False", "(2, 1, 2)", floats(1, 2, 3, 4)), y, []string{"shape [2 1 2]", "reshape"}},
		{"no examples", npyFile("<f4", "False", "(0, 2)", ""), y, []string{"shape [0 2]"}},
		{"no features", npyFile("<f4", "False", "(2, 0)", ""), y, []string{"shape [2 0]"}},
		{"a matrix of labels", x, npyFile("|i1", "False", "(2, 2)", "\x01\x00\x00\x01"), []string{"shape [2 2]", "y.reshape(-1)"}},
		{"a scalar label", x, npyFile("|i1", "False", "()", "\x01"), []string{"shape []"}},
		{"too few labels", x, npyFile("|i1", "False", "(1,)", "\x01"), []string{"has 2 rows", "1 labels"}},
		{"one class", x, npyFile("|i1", "False", "(2,)", "\x01\x01"), []string{"labels", "task_y.npy"}},
		{"three classes", npyFile("<f4", "False", "(3, 1)", floats(1, 2, 3)), npyFile("|i1", "False", "(3,)", "\x00\x01\x02"), []string{"(0, 1, 2, ...)"}},
		{"NaN label", x, npyFile("<f4", "False", "(2,)", floats(1, nan)), []string{"label 1 is NaN"}},
		{"NaN feature", npyFile("<f4", "False", "(2, 2)", floats(1, 2, nan, 4)), y, []string{"NaN in row 1, column 0", "task_x.npy"}},
		{"infinite feature", npyFile("<f4", "False", "(2, 2)", floats(1, -inf, 3, 4)), y, []string{"-Inf in row 0, column 1"}},
		{"cut short", x[:len(x)-3], y, []string{"16 bytes"}},
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
	_, err := LoadNPY(gone, gone)
	expectSays(t, err, "gone.npy", "check the path")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
}
