package selection_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// countdown is a context that ends after so many questions.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestEndOfSetCoverIsSaid: a cover with a threshold that is not the smallest one is marked Partial, of the whole budget too.
func TestEndOfSetCoverIsSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector half a minute, in which it looks at nothing that runs side by side")
	}
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(rows int) *mat.Dense {
		m := mat.NewDense(rows, 3, nil)
		m.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, m)
		return m
	}
	c := newInstance(t, draw(60), draw(40)).coverage
	whole, err := selection.SetCover{}.Select(context.Background(), c, 5)
	if err != nil {
		t.Fatal(err)
	}
	partial := 0
	for questions := range 400 {
		ctx := &countdown{Context: context.Background()}
		ctx.left.Store(int64(questions))
		s, err := selection.SetCover{}.Select(ctx, c, 5)
		switch {
		case err != nil:
			t.Fatal(err)
		case s.Partial:
			partial++
		case s.WorstDeficit[4] != whole.WorstDeficit[4]:
			t.Fatalf("after %d questions: worst deficit %v without a word, %v in the whole", questions, s.WorstDeficit, whole.WorstDeficit)
		}
	}
	if partial == 0 {
		t.Error("no selection was interrupted")
	}
}
