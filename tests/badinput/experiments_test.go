package badinput

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/study"
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
		{"features of another shape", read(saved("flat.npy", []float32{1, 2}), y), []string{"flat.npy", "(2,)"}, nil},
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

// resultsCases lets a study find units that are not its own.
func resultsCases(t *testing.T) []badCase {
	path := filepath.Join(t.TempDir(), "squares")
	run := func(power int, path string) func() error {
		return failing(func() (*study.Results[int], error) {
			return study.Run(context.Background(), study.Experiment[int]{
				Name: "powers", Version: "1", Configuration: map[string]int{"Power": power}, Units: []string{"2"},
				Run: func(context.Context, int) (int, error) { return 1 << power, nil },
			}, study.Options{Path: path})
		})
	}
	if err := run(2, path)(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(path, "2.json"))
	if err != nil {
		t.Fatal(err)
	}
	other := func(content []byte) string {
		folder := t.TempDir()
		write(t, filepath.Join(folder, "2.json"), content)
		return folder
	}
	cut, diary := other(content[:len(content)/2]), other([]byte("my diary\n"))
	return []badCase{
		{"unit of another configuration", run(3, path), []string{path, "Power is 2", "3", "left as it is"}, study.ErrForeign},
		{"unit cut short", run(2, cut), []string{cut, "2.json"}, study.ErrCorrupt},
		{"unit that is none", run(2, diary), []string{diary, "2.json"}, study.ErrCorrupt},
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
