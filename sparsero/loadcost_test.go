package sparsero_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

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
