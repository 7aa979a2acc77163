package selection_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
)

// npy returns a NumPy file with the given header dictionary and values.
func npy(version byte, header string, values any) []byte {
	var file bytes.Buffer
	file.WriteString("\x93NUMPY")
	file.Write([]byte{version, 0})
	if version == 1 {
		binary.Write(&file, binary.LittleEndian, uint16(len(header)))
	} else {
		binary.Write(&file, binary.LittleEndian, uint32(len(header)))
	}
	file.WriteString(header)
	binary.Write(&file, binary.LittleEndian, values)
	return file.Bytes()
}

func header(descr string, n, p int) string {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", descr, n, p)
	return text + strings.Repeat(" ", 63-(len(text)+10)%64) + "\n"
}

// swapped turns the bytes of each value around.
func swapped(values []float32) []uint32 {
	turned := make([]uint32, len(values))
	for k, value := range values {
		turned[k] = bits.ReverseBytes32(math.Float32bits(value))
	}
	return turned
}

func write(t *testing.T, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "atoms.npy")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFilesHoldWhatWasWritten(t *testing.T) {
	single := []float32{1, -2, 3.5, float32(math.Pi), 0, 1e-40}
	double := []float64{1, -2, 3.5, math.Pi, 0, 1e-300}
	widened := make([]float64, len(single))
	for k, value := range single {
		widened[k] = float64(value)
	}
	for _, version := range []byte{1, 2, 3} {
		for _, test := range []struct {
			content []byte
			want    []float64
		}{
			{npy(version, header("<f4", 3, 2), single), widened},
			{npy(version, header("<f8", 3, 2), double), double},
			{npy(version, header("<i2", 3, 2), []int16{1, -2, 3, 4, 5, 6}), []float64{1, -2, 3, 4, 5, 6}},
			{npy(version, header(">f4", 3, 2), swapped(single)), widened},
		} {
			file, err := selection.OpenNPY(write(t, test.content))
			if err != nil {
				t.Fatal(err)
			}
			if file.Size() != 3 || file.Dim() != 2 {
				t.Fatalf("shape (%d, %d), want (3, 2)", file.Size(), file.Dim())
			}
			for from := range 3 {
				for to := from + 1; to <= 3; to++ {
					rows, err := file.Rows(make([]float64, 10), from, to)
					if err != nil || !slices.Equal(rows, test.want[2*from:2*to]) {
						t.Fatalf("rows %d to %d: %v (%v), want %v", from, to, rows, err, test.want[2*from:2*to])
					}
				}
			}
			// Out of range, or without an atom.
			for _, none := range [][2]int{{-1, 1}, {-1, -1}, {2, 2}, {2, 1}, {2, 4}, {3, 4}} {
				if _, err := file.Rows(make([]float64, 10), none[0], none[1]); err == nil {
					t.Fatalf("atoms %d to %d were read", none[0], none[1])
				}
			}
			for _, short := range []int{1, 3} { // of 2 values for one atom, of 4 for two
				if _, err := file.Rows(make([]float64, short), 0, (short+1)/2); err == nil {
					t.Fatalf("%d atoms were read into %d values", (short+1)/2, short)
				}
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := file.Rows(make([]float64, 10), 0, 1); err == nil {
				t.Fatal("a closed file was read")
			}
		}
	}
}

func TestBadFiles(t *testing.T) {
	values := make([]float32, 6)
	good := header("<f4", 3, 2)
	cases := map[string]struct {
		content []byte
		text    string
	}{
		"something else":   {[]byte("x,y\n1,2\n3,4\n5,6\n"), "NumPy"},
		"header cut off":   {npy(1, good, values)[:40], "header"},
		"values cut off":   {npy(1, good, values[:5]), "cut"},
		"no dimension":     {npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }", values[:1]), "()"},
		"three dimensions": {npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }", values), "(1, 2, 3)"},
		"by columns":       {npy(1, strings.Replace(good, "False", "True", 1), values), "columns"},
		"half precision":   {npy(1, header("<f2", 3, 4), values), `type "<f2"`},
		"no atoms":         {npy(1, header("<f4", 0, 2), values[:0]), "(0, 2)"},
		"overflow":         {npy(1, header("<f4", math.MaxInt, 8), values), "cut"},
		// The count of bytes fits into 64 bits and, with those of the header, no longer.
		"overflow by the header": {npy(1, header("<f4", math.MaxInt64/4, 1), values), "cut"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := selection.OpenNPY(write(t, test.content))
			wantError(t, err, test.text)
		})
	}
	file, err := selection.OpenNPY(write(t, npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", values))) // as a column is written
	if err != nil || file.Size() != 6 || file.Dim() != 1 || file.Close() != nil {
		t.Errorf("six numbers: %v", err)
	}
	if _, err := selection.OpenNPY(filepath.Join(t.TempDir(), "missing.npy")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// A dictionary streamed from a file gives the picks and values of the same
// dictionary in memory.
func TestStreamedFileEqualsMemory(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 1000
	}
	const m, p, budget = 60, 10, 12
	data := randomFloat32(n, p, 8)
	file, err := selection.OpenNPY(write(t, npy(1, header("<f4", n, p), data)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	directions := gaussian(m, p, 8)
	held := mustCoverage(t, dictionaryOf(t, data, p), directions, nil)
	streamed := mustCoverage(t, file, directions, &selection.CoverageOptions{Storage: selection.Streamed})
	for _, policy := range storedRules(nil) {
		want, got := selectAtoms(t, policy, held, budget), selectAtoms(t, policy, streamed, budget)
		if !sameBits(got, want) {
			t.Fatalf("streamed %+v, in memory %+v", got, want)
		}
	}
}

// Whatever the bytes of a file, opening it must not crash.
func FuzzOpenNPY(f *testing.F) {
	f.Add(npy(1, header("<f4", 3, 2), make([]float32, 6)))
	f.Add(npy(2, header("<f8", 1, 1), make([]float64, 1)))
	f.Add([]byte("\x93NUMPY\x01\x00\xff\xff{'descr':"))
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := selection.OpenNPY(write(t, content))
		if err != nil {
			return
		}
		defer file.Close()
		if _, err := file.Rows(make([]float64, file.Dim()), file.Size()-1, file.Size()); err != nil {
			t.Fatalf("the last of %d×%d values cannot be read: %v", file.Size(), file.Dim(), err)
		}
	})
}
