package integer_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/integer"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// BenchmarkEnumeration lists the decisions of an instance of the default size.
func BenchmarkEnumeration(b *testing.B) {
	for name, family := range map[string]datasets.IntegerOptions{"K=5": {}, "K=6": {Cardinality: 6}} {
		b.Run(name, func(b *testing.B) {
			family.Seed = 5000
			i, err := datasets.NewIntegerInstance(family)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := integer.NewEnumeration(i); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSolve solves for random sets of ten atoms, with the shares known.
func BenchmarkSolve(b *testing.B) {
	i, err := datasets.NewIntegerInstance(datasets.IntegerOptions{Seed: 5000})
	if err != nil {
		b.Fatal(err)
	}
	e, err := integer.NewEnumeration(i)
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		if _, err := e.Solve(random.Perm(60)[:10], 1); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStudy runs ten seeds of the full study: all protocols, policies,
// budgets and random sets. Two hundred seeds take twenty times as long.
func BenchmarkStudy(b *testing.B) {
	config := integer.Config{Seeds: []integer.Seeds{{First: 5000, Count: 10}}}
	for b.Loop() {
		if _, err := integer.Run(context.Background(), datasets.IntegerOptions{}, config, study.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
