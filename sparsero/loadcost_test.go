package sparsero_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The pass that finds no NaN among the atoms finds the largest sizes, too: none follows, even if the atoms have changed.
func TestSizesComeFromThePassThatChecksTheAtoms(t *testing.T) {
	atoms := gaussian(50, 21, 1)
	direction, want := make([]float64, 21), 0.0
	for j := range direction {
		direction[j] = 1
		want += floats.Norm(mat.Col(nil, j, atoms), math.Inf(1))
	}
	d, err := sparsero.NewDictionary(input.Handed{Dense: atoms}, nil)
	if err != nil {
		t.Fatal(err)
	}
	atoms.Zero()
	if got := d.AlignmentReach(direction); got != want {
		t.Errorf("the sizes add up to %v, want %v", got, want)
	}
}

// Atoms that follow each other are shared with the dictionary that they come from, labels and all.
func TestAPartOfADictionaryIsNotCopied(t *testing.T) {
	const n, p = 4000, 60
	d, err := sparsero.NewDictionary(gaussian(n, p, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	indices := make([]int, n/2)
	for k := range indices {
		indices[k] = 7 + k
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	part, err := d.Subset(indices)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if used, most := after.TotalAlloc-before.TotalAlloc, uint64(8*len(indices)+20_000); used > most {
		t.Errorf("%d bytes for half of the atoms, want at most %d", used, most)
	}
	clear(indices)
	if want := d.Matrix().Slice(7, 7+n/2, 0, p); !mat.Equal(part.Matrix(), want) || part.Label(3) != "d10" {
		t.Errorf("other atoms, or %s for d10", part.Label(3))
	}
}

// A NumPy file is read into the memory that the dictionary keeps, and a CSV file takes no more besides than its text.
func TestFilesLoadInLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which runs the short tests, allocates memory of its own")
	}
	const n, p = 4000, 60
	d, err := sparsero.NewDictionary(gaussian(n, p, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	var text, array bytes.Buffer
	if err := d.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	if err := input.WriteMatrix(&array, d.Matrix()); err != nil {
		t.Fatal(err)
	}
	for _, file := range []struct {
		name    string
		content []byte
		share   float64 // of the file that may be allocated beyond the array
	}{{"atoms.npy", array.Bytes(), 0.05}, {"atoms.csv", text.Bytes(), 1.1}} {
		path := filepath.Join(t.TempDir(), file.name)
		if err := os.WriteFile(path, file.content, 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		loaded, err := sparsero.LoadDictionary(path)
		runtime.ReadMemStats(&after)
		if err != nil || !mat.Equal(loaded.Matrix(), d.Matrix()) {
			t.Fatalf("%s: %v, or other atoms", file.name, err)
		}
		const arrayBytes = 8 * n * p
		used, most := float64(after.TotalAlloc-before.TotalAlloc), arrayBytes+file.share*float64(len(file.content))
		if used > most {
			t.Errorf("%s of %d bytes: %.0f bytes were allocated, want at most %.0f", file.name, len(file.content), used, most)
		}
	}
}
