package selection_test

import (
	"context"
	"fmt"
	"math"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// One loop compares all policies: signal atoms near the diagonal and long decoys
// that no probe direction looks at.
func Example() {
	const signals, decoys = 12, 6
	atoms := mat.NewDense(signals+decoys, 2, nil)
	for i := range signals {
		angle := math.Pi/4 + 0.04*float64(i-signals/2)
		atoms.SetRow(i, []float64{math.Cos(angle), math.Sin(angle)})
	}
	for i := range decoys {
		atoms.SetRow(signals+i, []float64{0, -3})
	}
	d, _ := sparsero.NewDictionary(atoms, nil)
	probes := mat.NewDense(5, 2, []float64{1, 0.8, 1, 0.9, 1, 1, 0.9, 1, 0.8, 1})
	c, _ := selection.NewCoverage(d, probes, nil)
	for _, policy := range []selection.Policy{
		selection.Greedy{},
		selection.SetCover{},
		selection.TopActivation{},
		selection.Random{Seed: 1},
		selection.MaxNorm{},
	} {
		s, err := policy.Select(context.Background(), c, 2)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-15s coverage %.4f worst deficit %.4f atoms %v\n", s.Policy, s.CoverageRatio(2), s.WorstDeficit[1], s.Atoms)
	}
	// Output:
	// greedy          coverage 0.9984 worst deficit 0.0078 atoms [6 4]
	// set-cover       coverage 0.9989 worst deficit 0.0031 atoms [5 7]
	// top-activation  coverage 0.9981 worst deficit 0.0078 atoms [6 7]
	// random          coverage 0.9967 worst deficit 0.0145 atoms [7 8]
	// max-norm        coverage 0.0000 worst deficit 1.4142 atoms [12 13]
}

// Coverage of unit vectors by rows of similarities is facility location: two of six towns on
// a road represent all, where nearness falls with the distance.
func ExampleNewCoverage_facilityLocation() {
	towns := []float64{0, 1, 2, 10, 11, 12}
	nearness := mat.NewDense(6, 6, nil)
	for i, a := range towns {
		for j, b := range towns {
			nearness.Set(i, j, 1/(1+math.Abs(a-b)))
		}
	}
	rows, _ := sparsero.NewDictionary(nearness, nil)
	c, _ := selection.NewCoverage(rows, sparsero.Identity(6).Matrix, nil)
	s, err := selection.Greedy{}.Select(context.Background(), c, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v, on average %.2f near\n", s.Atoms, s.Coverage[1])
	// Output: [1 4], on average 0.67 near
}
