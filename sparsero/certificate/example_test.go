package certificate_test

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// The gap of every objective b over a square, at once.
func ExampleSolveUniform() {
	set := mustSet([]int{0, 1}, 1, []float64{1, 0}, []float64{0, 1}, []float64{0.8, 0.8})
	u, err := certificate.SolveUniform(context.Background(), set, box(2, -1, 1), sparsero.Identity(2), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("no objective loses more than %.2f; that is reached at x = %.0f\n", u.Bound, u.X)
	// Output: no objective loses more than 0.61; that is reached at x = [1 1]
}

// A chosen set that is enlarged by its inflation factor is safe for the full one.
func ExampleSolveInflation() {
	set := mustSet([]int{0, 1}, 1, []float64{1, 0}, []float64{0, 1}, []float64{0.8, 0.8})
	f, err := certificate.SolveInflation(context.Background(), set)
	if err != nil {
		fmt.Println(err)
		return
	}
	safe, err := f.SafeSet(set)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("factor %.2f because of atom %d: use radius %.1f\n", f.Factor, f.Atom, safe.Radius())
	// Output: factor 1.61 because of atom 2: use radius 1.6
}

// A net with a proven radius turns deficits at finitely many directions into a bound.
func ExampleNewNetBound() {
	ctx := context.Background()
	set := mustSet([]int{0, 1}, 1, []float64{1, 0}, []float64{0, 1}, []float64{0.8, 0.8})
	net, err := certificate.GridNet(ctx, set.Dictionary(), box(2, -1, 1), sparsero.Identity(2), 0.1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	bound, err := certificate.NewNetBound(set, net)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(net)
	fmt.Printf("worst deficit on the net %.4f, bound %.4f, as printed %.4f\n", bound.MaxDeficit, bound.Bound, bound.Printed)
	// Output:
	// grid net: 256 directions, radius 0.100001
	// worst deficit on the net 0.5626, bound 0.6876, as printed 0.7626
}

// Probes are no net, whatever their number; a fine net says what radius they have as one.
func ExampleNet_Cover() {
	d := mustSet(nil, 1, []float64{1, 0}, []float64{0, 1}).Dictionary()
	fine, err := certificate.GridNet(context.Background(), d, box(2, 0, 1), sparsero.Identity(2), 0.01, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := fine.Cover(matrix([]float64{1, 0}, []float64{0, 1}, []float64{1, 1}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(net)
	// Output: covering grid net: 3 directions, radius 1.00001
}

// The rungs of the ladder for one choice of atoms, from the certificate of one
// decision to what holds for every objective.
func Example() {
	ctx := context.Background()
	set := mustSet([]int{0, 1}, 1, []float64{1, 0}, []float64{0, 1}, []float64{0.8, 0.8})
	region, q := box(2, -1, 1), sparsero.Identity(2)

	point, err := certificate.NewPointwise(set, []float64{1, 0.5}) // q(x) at a minimiser of the small model
	if err != nil {
		fmt.Println(err)
		return
	}
	uniform, err := certificate.SolveUniform(ctx, set, region, q, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := certificate.GridNet(ctx, set.Dictionary(), region, q, 0.05, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	bound, err := certificate.NewNetBound(set, net)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("this decision loses at most %.3f\n", point.Bound)
	fmt.Printf("no objective loses more than %.3f, by a net at most %.3f\n", uniform.Bound, bound.Bound)
	// Output:
	// this decision loses at most 0.201
	// no objective loses more than 0.601, by a net at most 0.644
}
