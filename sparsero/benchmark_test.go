package sparsero_test

import (
	"context"
	"testing"

	"github.com/sparsero/directions/sparsero"
)

func BenchmarkScores(b *testing.B) {
	d := benchmarkDictionary(b, 2000, 64)
	directions := gaussian(800, 64, 2)
	for b.Loop() {
		if _, err := d.Scores(directions); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSupport(b *testing.B) {
	d := benchmarkDictionary(b, 15000, 64)
	s := gaussian(1, 64, 2).RawRowView(0)
	for b.Loop() {
		d.Support(s)
	}
}

// Gauges of 100 points with 40 atoms that span dimension 20 with their
// negatives, by the default backend.
func BenchmarkGauges(b *testing.B) {
	d := benchmarkDictionary(b, 20, 20).AntipodalClosure()
	set, err := sparsero.FullSet(d, 1)
	if err != nil {
		b.Fatal(err)
	}
	points := gaussian(100, 20, 3)
	gauge, err := sparsero.NewGauge(set)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for k := range 100 {
			if _, _, err := gauge.Of(context.Background(), points.RawRowView(k)); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkSupportVertices(b *testing.B) {
	for _, test := range []struct {
		name string
		n, p int
	}{{"plane, N=2000", 2000, 2}, {"p=5, N=500", 500, 5}} {
		d := benchmarkDictionary(b, test.n, test.p)
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := d.SupportVertices(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchmarkDictionary(b *testing.B, n, p int) *sparsero.Dictionary {
	b.Helper()
	d, err := sparsero.NewDictionary(gaussian(n, p, 1), nil)
	if err != nil {
		b.Fatal(err)
	}
	return d
}
