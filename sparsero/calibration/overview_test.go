package calibration_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/sparsero/directions/sparsero/calibration"
	"gonum.org/v1/gonum/mat"
)

// Three parts of a sample: the first would choose the set (here it is given),
// the second sets its radius, the third reports.
func Example() {
	ctx, random := context.Background(), rand.New(rand.NewPCG(7, 0))
	samples := mat.NewDense(4000, 2, nil)
	for i := range 4000 {
		samples.SetRow(i, []float64{random.NormFloat64(), random.NormFloat64()})
	}
	split, err := calibration.NewSplit(4000, &calibration.SplitOptions{Seed: 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	parts, err := split.Take(samples)
	if err != nil {
		fmt.Println(err)
		return
	}
	set := axes(2)
	score := func(u mat.Matrix) ([]float64, error) { return calibration.GaugeScores(ctx, set, u) } // gauge(u) <= r: u is in the set
	radius, err := parts.Calibration.Calibrate(calibration.OrderStatistic{Alpha: 0.1, Delta: 1e-3}, score)
	if err != nil {
		fmt.Println(err)
		return
	}
	scores, err := score(parts.Report)
	if err != nil {
		fmt.Println(err)
		return
	}
	outside, err := calibration.CountViolations(scores, radius.Value.Float(), 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("r = %.2f, the %d-th of %d gauges\n", radius.Value, radius.Rank, radius.Samples)
	fmt.Println("new samples outside:", outside)
	// Output:
	// r = 2.89, the 929-th of 1000 gauges
	// new samples outside: 85 of 1000 violate: 0.085 (95% interval 0.06845 to 0.1041)
}
