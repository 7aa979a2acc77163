package cifar_test

import (
	"bytes"
	"testing"

	"github.com/sparsero/directions/datasets/cifar"
)

// One file of CIFAR-10, 10,000 images.
func BenchmarkDecode(b *testing.B) {
	file := bytes.Repeat(record10(3, 1, 2, 3), 10_000)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		if _, err := cifar.Decode(bytes.NewReader(file), cifar.CIFAR10); err != nil {
			b.Fatal(err)
		}
	}
}
