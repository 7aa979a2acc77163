package large_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/sparsero/directions/sparsero/selection/large"
	"gonum.org/v1/gonum/mat"
)

// Atoms in memory: eight of them in the plane, probed along the axes.
func ExampleGreedy() {
	atoms, err := large.FromFloat32([]float32{
		1, 0, 0.9, 0.1, 0, 2, 0.1, 1.9,
		-1, 0, -0.9, 0.1, 0, -2, 0.1, -1.9,
	}, 2)
	if err != nil {
		log.Fatal(err)
	}
	axes := mat.NewDense(4, 2, []float64{1, 0, 0, 1, -1, 0, 0, -1})
	coverage, err := large.NewCoverage(context.Background(), atoms, axes, nil)
	if err != nil {
		log.Fatal(err)
	}
	s, err := large.Greedy{}.Select(context.Background(), coverage, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Atoms, s.Gains)
	fmt.Printf("%.2f of the coverage of all atoms\n", s.CoverageRatio(3))
	// Output:
	// [2 6 0] [0.5 0.5 0.25]
	// 0.83 of the coverage of all atoms
}

// A dictionary in a NumPy file is read in blocks and never held.
func ExampleOpenNPY() {
	path, err := writeExample()
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(filepath.Dir(path))
	file, err := large.OpenNPY(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	axes := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	coverage, err := large.NewCoverage(context.Background(), file, axes, &large.Options{Stream: true})
	if err != nil {
		log.Fatal(err)
	}
	s, err := large.MaxGap{}.Select(context.Background(), coverage, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d atoms of dimension %d, chosen %v, worst deficit %v\n", file.Size(), file.Dim(), s.Atoms, s.WorstDeficit)
	// Output: 3 atoms of dimension 2, chosen [1 0], worst deficit [1 0]
}

// writeExample does what numpy.save does with a 3×2 array of float32.
func writeExample() (path string, err error) {
	directory, err := os.MkdirTemp("", "large")
	if err != nil {
		return "", err
	}
	content := []byte("\x93NUMPY\x01\x00\x76\x00")
	content = fmt.Appendf(content, "%-117s\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }")
	content, err = binary.Append(content, binary.LittleEndian, []float32{1, 0, 0, 2, 0.5, 1})
	if err != nil {
		return "", err
	}
	path = filepath.Join(directory, "atoms.npy")
	return path, os.WriteFile(path, content, 0o600)
}

// A run that does not fit is refused before it starts.
func ExampleMemoryError() {
	atoms, err := large.FromFloat32(make([]float32, 1_000_000), 1)
	if err != nil {
		log.Fatal(err)
	}
	directions := mat.NewDense(1000, 1, nil)
	_, err = large.NewCoverage(context.Background(), atoms, directions, &large.Options{MemoryLimit: 1e9, Workers: 1})
	var refused *large.MemoryError
	fmt.Println(errors.As(err, &refused))
	fmt.Println(err)
	// Output:
	// true
	// large: 1000000 atoms with 1000 directions need 2.11 GB but 1.00 GB may be used; set Options.Stream, which needs 58.4 MB and more time, or raise Options.MemoryLimit
}
