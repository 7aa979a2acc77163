package robust_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"pgregory.net/rapid"
)

// Every rung bounds the value gap, the ordered ones are in order, and the safe
// outer model encloses the full value.
func TestLadderIsOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		indices := drawSubset(t, p.Dictionary().Size())
		ladder := get(p.Ladder(ctx, indices, radius, &robust.LadderOptions{MaxPoints: 200}))(t)
		gap, previous := ladder.Rungs[0].Bound.Float(), 0.0
		for _, rung := range ladder.Rungs {
			if rung.Bound.Float() < gap-tolerance*(1+gap) {
				t.Fatalf("%s: %v is below the gap %v", rung.Name, rung.Bound.Float(), gap)
			}
			if !rung.Ordered {
				continue
			}
			if rung.Bound.Float() < previous-tolerance*(1+previous) {
				t.Fatalf("%s: %v is below the rung before, %v", rung.Name, rung.Bound.Float(), previous)
			}
			previous = rung.Bound.Float()
		}
		if rows := ladder.Frame().Nrow(); rows != len(ladder.Rungs) || rows != 7 {
			t.Fatalf("%d rows for %d rungs", rows, len(ladder.Rungs))
		}
		if ladder.Net.Size() > 200 {
			t.Fatalf("net of %d points", ladder.Net.Size())
		}
	})
}

// The rung of the printed theorem is rounded up, as all others are.
func TestPrintedRungIsNotBelowItsTheorem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), rapid.Float64Range(0.1, 1).Draw(t, "radius")
		indices := drawSubset(t, p.Dictionary().Size())
		ladder := get(p.Ladder(ctx, indices, radius, &robust.LadderOptions{MaxPoints: 10}))(t)
		set := get(sparsero.NewAtomicSet(p.Dictionary(), indices, radius))(t)
		bound := get(certificate.NewNetBound(set, ladder.Net))(t)
		k := slices.IndexFunc(ladder.Rungs, func(r robust.Rung) bool { return r.Name == "net as printed" })
		exact := new(big.Rat).Mul(new(big.Rat).SetFloat64(radius), new(big.Rat).SetFloat64(min(bound.Printed.Float(), bound.Trivial.Float())))
		if new(big.Rat).SetFloat64(ladder.Rungs[k].Bound.Float()).Cmp(exact) < 0 {
			t.Fatalf("rung %v below %s", ladder.Rungs[k].Bound.Float(), exact.FloatString(25))
		}
	})
}

// Work that its context cuts short at the uniform certificate makes no ladder: the net behind it ends with the error of
// the context. A rung of a ladder is that of the whole work.
func TestNoRungIsCutShort(t *testing.T) {
	p := must(portfolio())(t)
	of := func(within context.Context) (detail string, err error) {
		l, err := p.Ladder(within, []int{0, 1}, 0.5, &robust.LadderOptions{MaxPoints: 30})
		if err == nil {
			detail = l.Rungs[slices.IndexFunc(l.Rungs, func(r robust.Rung) bool { return r.Name == "exact uniform" })].Detail
		}
		return detail, err
	}
	whole := must(of(ctx))(t)
	for questions, left := 0, -1; left < 0; questions++ {
		inner, cancel := context.WithCancel(ctx)
		within := &fuse{Context: inner, cancel: cancel, left: questions}
		detail, err := of(within)
		if left = within.left; err == nil && detail != whole || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("ended at question %d: %q, not %q; error %v", questions, detail, whole, err)
		}
		cancel()
	}
}

func TestLadderRejectsBadInput(t *testing.T) {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1})
	constraint := robust.Constraint{Map: sparsero.Identity(2), Limit: 1}
	certain := must(robust.NewProblem(d, box(0, 1, 1, 1), sparsero.AffineMap{}, constraint))(t)
	_, err := certain.Ladder(ctx, nil, 1, nil)
	checkMessage(t, "certain objective", err, "objective")
	constrained := must(robust.NewProblem(d, box(0, 1, 1, 1), sparsero.Identity(2), constraint))(t)
	_, err = constrained.Ladder(ctx, nil, 1, nil)
	checkMessage(t, "robust constraint", err, "1 robust constraint;")
	p := must(robust.NewProblem(d, box(0, 1, 1, 1), sparsero.Identity(2)))(t)
	_, err = p.Ladder(ctx, []int{7}, 1, nil)
	checkMessage(t, "index", err, "indices")
	_, err = p.Ladder(ctx, nil, -1, nil)
	checkMessage(t, "radius", err, "radius")
}

func ExampleProblem_Ladder() {
	p, err := portfolio()
	if err != nil {
		fmt.Println(err)
		return
	}
	ladder, err := p.Ladder(ctx, []int{0, 1}, 0.5, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rung := range ladder.Rungs {
		if rung.Ordered {
			fmt.Printf("%-14s %.4f\n", rung.Name, rung.Bound.Float())
		}
	}
	// Output:
	// value gap      0.0084
	// pointwise      0.0150
	// exact uniform  0.0150
	// net            0.0165
	// net as printed 0.0203
}

// The rung of the inflation is the difference of the two models that it names, also where the decision of the outer one
// shows less: atoms (1,0) and (0,1) of three, the last of which is (3,0), and a decision that no atom but the second harms.
func TestInflationIsTheDifferenceOfItsModels(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}, []float64{3, 0}), box(0, 1, 1, -10), sparsero.Identity(2)))(t)
	for _, radius := range []float64{1, 0.25} {
		ladder := must(p.Ladder(ctx, []int{0, 1}, radius, nil))(t)
		k := slices.IndexFunc(ladder.Rungs, func(r robust.Rung) bool { return r.Name == "inflation" })
		if bound := ladder.Rungs[k].Bound.Float(); !near(bound, 2*radius) {
			t.Errorf("inflation %v, want (-10 + 3 r) - (-10 + r) at r = %v", bound, radius)
		}
	}
}
