package selection_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
)

// size is a workload: N atoms of dimension p, M probe directions, budget B.
type size struct{ n, p, m, b int }

func (s size) String() string { return fmt.Sprintf("N=%d,M=%d,p=%d,B=%d", s.n, s.m, s.p, s.b) }

// sizes are the X-shaped experiment and a tenth of the largest frozen-feature
// experiment.
var sizes = []size{{2000, 2, 801, 32}, {5000, 64, 300, 50}}

func BenchmarkNewCoverage(b *testing.B) {
	for _, s := range sizes {
		in := randomInstance(b, s.n, s.p, s.m, 1)
		b.Run(s.String(), func(b *testing.B) {
			for b.Loop() {
				if _, err := selection.NewCoverage(in.dictionary, in.directions, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSelect(b *testing.B) {
	for _, s := range sizes {
		in := randomInstance(b, s.n, s.p, s.m, 1)
		for _, policy := range []selection.Policy{
			selection.Greedy{},
			selection.Greedy{Plain: true},
			selection.MaxGap{},
			selection.MaxGap{ByGain: true},
			selection.SetCover{},
			selection.Random{},
		} {
			b.Run(name(policy)+"/"+s.String(), func(b *testing.B) {
				for b.Loop() {
					if _, err := policy.Select(context.Background(), in.coverage, s.b); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
