package scaling

import (
	"context"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// BenchmarkStudy runs one seed at the paper's sizes, N up to 15,000 with 512
// features, one unit at a time.
func BenchmarkStudy(b *testing.B) {
	for _, task := range []adversarial.Task{{}, {Classifiers: 50}} {
		b.Run(task.Name(), func(b *testing.B) {
			for b.Loop() {
				if _, err := Run(context.Background(), []adversarial.Task{task}, Config{Seeds: 1}, study.Options{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkConvergence runs a small study on dictionaries of different and of
// nearly equal atoms, which bounds in float32 cannot tell apart.
func BenchmarkConvergence(b *testing.B) {
	small := adversarial.Generated{Options: features.StandInOptions{Examples: 3000, Features: 128}}
	for _, steps := range []int{5, 40} {
		task := adversarial.Task{Features: small, Attack: adversarial.Attack{Steps: steps, Step: 0.1}}
		b.Run(task.Name(), func(b *testing.B) {
			for b.Loop() {
				if _, err := Run(context.Background(), []adversarial.Task{task}, Config{Seeds: 1, Sizes: []int{2000}}, study.Options{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
