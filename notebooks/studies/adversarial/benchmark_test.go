package adversarial

import (
	"context"
	"testing"

	"github.com/sparsero/directions/datasets/features"
)

// standIn is the fitting part of the paper's size: 5,000 examples, 512 features.
func standIn(b *testing.B) *features.Set {
	set, err := features.StandIn(features.StandInOptions{Examples: 5000})
	if err != nil {
		b.Fatal(err)
	}
	return set
}

func BenchmarkTrain(b *testing.B) {
	set := standIn(b)
	for b.Loop() {
		if _, err := Train(context.Background(), set, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMine mines 15,000 directions of 512 features in ten steps each.
func BenchmarkMine(b *testing.B) {
	set := standIn(b)
	classifier := &Classifier{Weights: set.X.RawRowView(0)}
	for b.Loop() {
		if _, err := (Attack{}).Mine(context.Background(), classifier, set, 15000); err != nil {
			b.Fatal(err)
		}
	}
}
