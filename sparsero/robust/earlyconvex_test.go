package robust_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
)

// interrupting is a convex set that ends a context when it is asked so many times.
type interrupting struct {
	convex.Set
	left int
	end  context.CancelFunc
}

func (i *interrupting) Support(s []float64) float64 {
	if i.left--; i.left == 0 {
		i.end()
	}
	return i.Set.Support(s)
}

// TestEarlyEndOverAConvexSet: once a model was solved the work returns its point, evaluated against the whole set,
// whatever question the context ends at.
func TestEarlyEndOverAConvexSet(t *testing.T) {
	ball := must(convex.NewEllipsoid(matrix([]float64{1, 0}, []float64{0, 1}), 1))(t)
	first := 0
	for left := 1; left <= 12; left++ {
		set := &interrupting{Set: ball}
		p := must(robust.NewConvex(set, box(-1, 1, -3, -2), sparsero.Identity(2),
			robust.Constraint{Name: "load", Map: sparsero.Identity(2), Limit: 1}))(t)
		within, cancel := context.WithCancel(ctx)
		set.left, set.end = left, cancel
		s, err := p.SolveFull(within, 1, nil)
		cancel()
		if err != nil {
			t.Fatalf("ended at question %d: %v", left, err)
		}
		value := -3*s.X[0] - 2*s.X[1] + math.Hypot(s.X[0], s.X[1])
		if !near(s.FullValue(), value) || s.LowerBound.Float() > s.FullValue() {
			t.Errorf("question %d: %v at %v, at least %v; want %v", left, s.FullValue(), s.X, s.LowerBound, value)
		}
		if s.Partial && s.Rounds == 1 {
			first++
		}
	}
	if first == 0 {
		t.Error("no work ended in its first round")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	p := must(robust.NewConvex(ball, box(-1, 1, -3, -2), sparsero.Identity(2)))(t)
	if _, err := p.SolveFull(ended, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before the first model: %v", err)
	}
}
