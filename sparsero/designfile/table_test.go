package designfile

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// arrayText is an NPY file of float64 with the shape that is given.
func arrayText(shape string, values ...float64) string {
	data := []byte("\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n")
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return string(data)
}

// TestTablesHoldTheAtomsOfTheDesign: files with other numbers of lines or cells, or with numbers that are not finite, are
// refused.
func TestTablesHoldTheAtomsOfTheDesign(t *testing.T) {
	wide := func(spaces int) string {
		return arrayText("(3, 2)"+strings.Repeat(" ", spaces), 1, -2.5, 0, 3e10, 4, 5)
	}
	want := [][]float64{{1, -2.5}, {0, 3e10}, {4, 5}}
	for name, test := range map[string]struct {
		text  string
		taken bool
	}{
		"NPY":                                {arrayText("(3, 2)", 1, -2.5, 0, 3e10, 4, 5), true},
		"NPY of one row of numbers":          {arrayText("(6,)", 1, -2.5, 0, 3e10, 4, 5), true},
		"NPY with more columns":              {arrayText("(2, 3)", 1, -2.5, 0, 3e10, 4, 5), false},
		"NPY that is cut off":                {arrayText("(3, 2)", 1, -2.5, 0, 3e10, 4), false},
		"NPY with an infinite number":        {arrayText("(3, 2)", 1, -2.5, 0, math.Inf(-1), 4, 5), false},
		"NPY with a number that is none":     {arrayText("(3, 2)", 1, -2.5, 0, 3e10, 4, math.NaN()), false},
		"NPY with a long header":             {wide(60_000), true},
		"NPY with too long a header":         {wide(70_000), false},
		"NPY by columns":                     {strings.Replace(arrayText("(3, 2)", 1, 0, 4, -2.5, 3e10, 5), "False", "True", 1), false},
		"NPY of other numbers":               {strings.Replace(arrayText("(3, 2)", 1, -2.5, 0, 3e10, 4, 5), "<f8", "<i8", 1), false},
		"CSV":                                {"1,-2.5\n0,3e10\n4,5\n", true},
		"CSV without an end of its line":     {"1,-2.5\n0,3e10\n4,5", true},
		"CSV with a header":                  {"a,b\n1,-2.5\n0,3e10\n4,5\n", true},
		"CSV with labels and space":          {"label,a,b\nx, 1 ,-2.5\ny,0,\t3e10\r\nz,4,5\n", true},
		"CSV with two headers":               {"a,b\nc,d\n1,-2.5\n0,3e10\n4,5\n", false},
		"CSV with an atom less":              {"1,-2.5\n0,3e10\n", false},
		"CSV with a cell less":               {"1,-2.5\n0,3e10\n4\n", false},
		"CSV with a number that is none":     {"1,-2.5\n0,nan\n4,5\n", false},
		"CSV with a number beyond all":       {"1,-2.5\n0,3e1000\n4,5\n", false},
		"CSV with a number of another basis": {"1,-2.5\n0,0x3\n4,5\n", false},
		"CSV of nothing":                     {"", false},
	} {
		var atoms [][]float64
		err := lifted.Checked(func() {
			atoms = readTable(&lifted.Dictionary{Atoms: 3, Dimension: 2}, strings.NewReader(test.text))
		})
		if test.taken && (err != nil || !slices.EqualFunc(atoms, want, slices.Equal)) || !test.taken && !errors.Is(err, ErrNotCheckable) {
			t.Errorf("%s: %v, %v", name, atoms, err)
		}
	}
}

// TestTablesAreNotWiderThanAFile: atoms of more numbers than a file may hold are refused before there is room for one.
func TestTablesAreNotWiderThanAFile(t *testing.T) {
	err := lifted.Checked(func() {
		readTable(&lifted.Dictionary{Atoms: 1, Dimension: 2_000_000_000}, strings.NewReader(arrayText("(0,)")))
	})
	if !errors.Is(err, ErrNotCheckable) {
		t.Errorf("error %v", err)
	}
}
