package compare

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/sparsero/directions/sparsero/selection/large"
	"gonum.org/v1/gonum/stat"
)

// GrowthSizes are the numbers of atoms of the growth figure.
var GrowthSizes = []int{2000, 5000, 10000, 20000, 50000, 100000, 200000}

// SlopeTarget is the largest slope of time against N on logarithmic axes that is
// called linear.
const SlopeTarget = 1.05

// growthDirections, growthDimension and growthBudget are M, p and B of the figure.
const growthDirections, growthDimension, growthBudget = 1000, 64, 50

// Point is the time of scores and greedy for N atoms.
type Point struct {
	Atoms         int
	Median, Least float64 // ms
}

// Growth measures scores and greedy against the number of atoms, M = 1,000
// directions, p = 64, B = 50, clustered data, the sizes in turn.
func Growth(ctx context.Context, sizes []int, repetitions int, log io.Writer) ([]Point, error) {
	largest := 0
	for _, n := range sizes {
		largest = max(largest, n)
	}
	all := cloud(9, largest+growthDirections, growthDimension, 200)
	directions := all.slice(largest, largest+growthDirections).dense()
	sides := make([]side, len(sizes))
	for k, n := range sizes {
		atoms, err := large.FromFloat32(all.slice(0, n).values, growthDimension)
		if err != nil {
			return nil, err
		}
		sides[k] = ours(func() error {
			coverage, err := large.NewCoverage(ctx, atoms, directions, nil)
			if err != nil {
				return err
			}
			_, err = large.Greedy{SkipBounds: true}.Select(ctx, coverage, growthBudget)
			return err
		})
	}
	measured, err := inTurn(ctx, repetitions, sides...)
	if err != nil {
		return nil, err
	}
	points := make([]Point, len(sizes))
	for k, n := range sizes {
		points[k] = Point{n, 1e3 * measured[k].median(), 1e3 * measured[k].least()}
		fmt.Fprintf(log, "scores + greedy, N=%s: %s ms\n", thousands(n), digits(points[k].Median))
	}
	return points, nil
}

// Slope fits log time = a + k log N by least squares and returns k.
func Slope(points []Point) float64 {
	x, y := make([]float64, len(points)), make([]float64, len(points))
	for k, p := range points {
		x[k], y[k] = math.Log(float64(p.Atoms)), math.Log(p.Median)
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return slope
}

// WriteGrowth writes the points as CSV.
func WriteGrowth(w io.Writer, points []Point) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"atoms", "median_ms", "least_ms"}); err != nil {
		return err
	}
	for _, p := range points {
		if err := out.Write([]string{strconv.Itoa(p.Atoms), digits(p.Median), digits(p.Least)}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
