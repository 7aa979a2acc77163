package scaling

import (
	"context"
	"testing"

	"github.com/sparsero/directions/datasets/adversarial"
	"github.com/sparsero/directions/sparsero/study"
)

// BenchmarkStudy runs one seed at the paper's sizes, N up to 15,000 with 512
// features, one unit at a time.
func BenchmarkStudy(b *testing.B) {
	for _, construction := range []adversarial.Construction{adversarial.Single{}, adversarial.Ensemble{}} {
		b.Run(construction.Name(), func(b *testing.B) {
			for b.Loop() {
				sources := []Source{adversarial.Task{Construction: construction}}
				if _, err := Run(context.Background(), sources, Config{Seeds: 1}, study.Options{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
