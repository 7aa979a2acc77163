package synthetic

import (
	"context"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// BenchmarkStudy runs two seeds of the full study on one core. A hundred seeds
// take fifty times as long.
func BenchmarkStudy(b *testing.B) {
	for b.Loop() {
		if _, err := Run(context.Background(), datasets.XShapeOptions{}, Config{Seeds: 2}, study.Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCircleRadius proves the radius of 801 directions.
func BenchmarkCircleRadius(b *testing.B) {
	c := Config{}.withDefaults()
	u, err := newUnit(datasets.XShapeOptions{}, &c, 0)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := CircleRadius(context.Background(), u.data.Dictionary, u.data.Directions); err != nil {
			b.Fatal(err)
		}
	}
}
