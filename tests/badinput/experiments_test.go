package badinput

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/sbinet/npyio/npy"
	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/mat"
)

// featureCases hands wrong files of frozen features to their readers.
func featureCases(t *testing.T) []badCase {
	folder := t.TempDir()
	saved := func(name string, value any) string {
		var content bytes.Buffer
		if err := npy.Write(&content, value); err != nil {
			t.Fatal(err)
		}
		return write(t, filepath.Join(folder, name), content.Bytes())
	}
	x := saved("x.npy", mat.NewDense(2, 2, []float64{1, 2, 3, 4}))
	y := saved("y.npy", []int8{-1, 1})
	content, err := os.ReadFile(x)
	if err != nil {
		t.Fatal(err)
	}
	short := write(t, filepath.Join(folder, "short.npy"), content[:len(content)-8])
	read := func(x, y string) func() error {
		return failing(func() (*features.Set, error) { return features.LoadNPY(x, y) })
	}
	split := func(fractions ...float64) func() error {
		return failing(func() ([]*features.Set, error) {
			set, err := features.LoadNPY(x, y)
			if err != nil {
				t.Fatal(err)
			}
			return set.Split(fractions, 1)
		})
	}
	return []badCase{
		{"features that are not there", read(filepath.Join(folder, "gone.npy"), y), []string{"gone.npy"}, os.ErrNotExist},
		{"labels read as features", read(y, y), []string{"y.npy", "|i1", "float32"}, nil},
		{"features of another shape", read(saved("flat.npy", []float32{1, 2}), y), []string{"flat.npy", "[2]"}, nil},
		{"features cut short", read(short, y), []string{"short.npy", "32 bytes", "24"}, nil},
		{"features that are no NumPy file", read(write(t, filepath.Join(folder, "text.npy"), []byte("a,b\n1,2\n")), y), []string{"text.npy", "no NumPy file"}, nil},
		{"NaN feature", read(saved("nan.npy", mat.NewDense(2, 2, []float64{1, 2, nan, 4})), y), []string{"NaN", "row 1, column 0"}, nil},
		{"infinite feature", read(saved("inf.npy", mat.NewDense(2, 2, []float64{1, inf, 3, 4})), y), []string{"Inf", "row 0, column 1"}, nil},
		{"fewer labels than features", read(x, saved("one.npy", []int8{1})), []string{"2 rows", "1 labels"}, nil},
		{"labels of one class", read(x, saved("same.npy", []int8{1, 1})), []string{"all 2 labels are 1", "other class is empty"}, nil},
		{"labels of three classes", read(saved("three_x.npy", mat.NewDense(3, 1, nil)), saved("three_y.npy", []int8{0, 1, 2})), []string{"more than two", "(0, 1, 2, ...)"}, nil},
		{"part without a class", split(0.2, 0.8), []string{"fractions[0] = 0.2"}, nil},
		{"fractions above 1", split(0.6, 0.6), []string{"1.2"}, nil},
		{"stand-in of negative rank", failing(func() (*features.Set, error) {
			return features.StandIn(features.StandInOptions{Rank: -3})
		}), []string{"Rank", "-3"}, nil},
	}
}

// write stores a file and returns its path.
func write(t *testing.T, path string, content []byte) string {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
