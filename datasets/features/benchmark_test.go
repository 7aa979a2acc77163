package features_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sbinet/npyio/npy"
	"github.com/sparsero/directions/datasets/features"
)

func BenchmarkStandIn(b *testing.B) {
	for b.Loop() {
		if _, err := features.StandIn(features.StandInOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Reading the features of 12,000 images, 512 each, as PyTorch exports them.
func BenchmarkLoadNPY(b *testing.B) {
	const images, columns = 12_000, 512
	folder := b.TempDir()
	save := func(name string, value any) string {
		path := filepath.Join(folder, name)
		file, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		defer file.Close()
		if err := npy.Write(file, value); err != nil {
			b.Fatal(err)
		}
		return path
	}
	labels := make([]int64, images)
	for i := range labels {
		labels[i] = int64(3 + 2*(i%2))
	}
	x := save("x.npy", make([][columns]float32, images))
	y := save("y.npy", labels)
	b.SetBytes(images * columns * 4)
	for b.Loop() {
		if _, err := features.LoadNPY(x, y); err != nil {
			b.Fatal(err)
		}
	}
}
