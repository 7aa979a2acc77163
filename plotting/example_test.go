package plotting_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// fourLobes is a 2-D dictionary of 60 atoms in four lobes.
func fourLobes() *sparsero.Dictionary {
	atoms := mat.NewDense(60, 2, nil)
	for i := range 60 {
		angle := 2 * math.Pi * float64(i) / 60
		sin, cos := math.Sincos(angle)
		r := 1 + 0.5*math.Cos(4*angle)
		atoms.SetRow(i, []float64{r * cos, r * sin})
	}
	return must(sparsero.NewDictionary(atoms, nil))
}

// compass are m directions at equal angles.
func compass(m int) *mat.Dense {
	out := mat.NewDense(m, 2, nil)
	for j := range m {
		sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(m))
		out.SetRow(j, []float64{cos, sin})
	}
	return out
}

// normal is an n×p matrix of independent standard normal entries.
func normal(n, p int, seed uint64) *mat.Dense {
	source := rand.New(rand.NewPCG(seed, 1))
	out := mat.NewDense(n, p, nil)
	for i := range n {
		for j := range p {
			out.Set(i, j, source.NormFloat64())
		}
	}
	return out
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// outline draws the boundary of an ellipsoid around a center, c + A (cos θ, sin θ).
func outline(e *convex.Ellipsoid, center []float64) chart.Layer {
	shape, factor := &chart.Polygon{Look: chart.Look{Name: "ellipsoid", Color: style.Purple}, Fill: -1}, e.Factor()
	for degree := 0.0; degree < 360; degree += 2 {
		sin, cos := math.Sincos(degree * math.Pi / 180)
		shape.X = append(shape.X, center[0]+factor.At(0, 0)*cos+factor.At(0, 1)*sin)
		shape.Y = append(shape.Y, center[1]+factor.At(1, 0)*cos+factor.At(1, 1)*sin)
	}
	return shape
}

// arrows draws directions at equal angles as short arrows that begin at a distance from the origin.
func arrows(count int, from float64) chart.Layer {
	const length = 0.15
	s := &chart.Segments{Look: chart.Look{Name: "probe directions", Color: style.Green, Width: 1}, Arrow: true}
	for j := range count {
		sin, cos := math.Sincos(2 * math.Pi * (float64(j) + 0.5) / float64(count))
		s.X, s.Y = append(s.X, from*cos), append(s.Y, from*sin)
		s.X2, s.Y2 = append(s.X2, (from+length)*cos), append(s.Y2, (from+length)*sin)
	}
	return s
}

// A 2-D atomic set with the support line in one direction, and two layers for comparison.
func ExampleAtomicSet() {
	set := must(sparsero.NewAtomicSet(fourLobes(), []int{0, 15, 30, 45, 8}, 1))
	mean, ellipsoid, err := convex.FitEllipsoid(normal(100, 2, 8), 0.4)
	must(mean, err)
	figure, err := plotting.AtomicSet(set, &plotting.AtomicSetOptions{
		Direction: []float64{2, 1}, LabelAtoms: true, Layers: []chart.Layer{outline(ellipsoid, mean), arrows(12, 1.58)},
	})
	show("atomicset", figure, err)
	// Output:
	// Atomic set of 5 of 60 atoms, r = 1. In the direction at 26.57° the support is 1.342, reached by d0; the full dictionary reaches 1.364 with d1; r times the deficit is 0.0223.
}

// Which directions matter, in three pictures.
func ExampleSketch() {
	figure, err := plotting.Sketch(fourLobes(), []int{0, 15, 30, 45, 8}, compass(60), nil)
	show("sketch", figure, err)
	// Output:
	// 5 of 60 atoms. Left the dictionary, in the middle the chosen atoms as arrows, right the polytope of the chosen atoms inside that of all.
}

// Certificates from tight to loose on a logarithmic axis, with the exact value as a line; one of
// them promises nothing.
func ExampleBars_ladder() {
	figure, err := plotting.Bars(
		[]string{"pointwise r Δ", "uniform", "net", "Hausdorff", "at a covered direction"}, []float64{0.015, 0.31, 4.2, math.Inf(1), 0},
		&plotting.BarOptions{Title: "Certificate ladder", Label: "bound on the gap", Log: true, Marks: []plotting.Mark{{Value: 0.0123, Label: "true gap"}}})
	show("ladder", figure, err)
	// Output:
	// bound on the gap: pointwise r Δ 0.0150, uniform 0.310, net 4.20, Hausdorff ∞, at a covered direction 0.
}

// Named values of both signs.
func ExampleBars() {
	figure, err := plotting.Bars([]string{"equal weights", "robust", "short & levered"}, []float64{3.1, 4.25, -1.5}, &plotting.BarOptions{
		Title: "Return by portfolio", Label: "return [% per year]",
	})
	show("bars", figure, err)
	// Output:
	// return [% per year]: equal weights 3.10, robust 4.25, short & levered -1.50.
}

// scores are absolute values of standard normal numbers.
func scores(m int) []float64 {
	out := make([]float64, m)
	for i, v := range normal(m, 1, 7).RawMatrix().Data {
		out[i] = math.Abs(v)
	}
	return out
}

// Success curves with bands and a reference line.
func ExampleCurves() {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	figure, err := plotting.Curves([]plotting.Series{
		{Name: "greedy", X: x, Y: []float64{0.02, 0.1, 0.35, 0.7, 0.9, 0.97, 1, 1}, Low: []float64{0, 0.05, 0.27, 0.62, 0.84, 0.93, 0.97, 0.97}, High: []float64{0.06, 0.18, 0.44, 0.77, 0.94, 0.99, 1, 1}},
		{Name: "random", X: x, Y: []float64{0, 0.01, 0.02, 0.06, 0.1, 0.19, 0.31, 0.4}},
	}, &plotting.CurveOptions{Title: "Success against budget", XLabel: "budget b", YLabel: "share of runs without deficit", Markers: true,
		Marks: []plotting.Mark{{Value: 4, Label: "dimension p", Vertical: true}}, BandNote: "95 % intervals"})
	show("curves", figure, err)
	// Output:
	// share of runs without deficit against budget b: greedy ends at 1, random ends at 0.4; bands: 95 % intervals.
}

// Price paths over time with a gap.
func ExampleCurves_time() {
	var series []plotting.Series
	steps := normal(3, 1500, 4)
	for k, name := range []string{"AAPL", "GE", "Größe Ω"} {
		s := plotting.Series{Name: name}
		level := 100.0
		for day := range 1500 {
			level *= math.Exp(0.01 * steps.At(k, day))
			s.X, s.Y = append(s.X, 946684800+86400*float64(day)), append(s.Y, level)
			if k == 1 && day > 600 && day < 800 {
				s.Y[day] = math.NaN()
			}
		}
		series = append(series, s)
	}
	figure, err := plotting.Curves(series, &plotting.CurveOptions{Title: "Closing prices", YLabel: "price [$]", Time: true, LogY: true})
	show("prices", figure, err)
	// Output:
	// price [$] against date: AAPL ends at 58.38, GE ends at 121.8, Größe Ω ends at 92.26.
}

// Two samples over common bins.
func ExampleHistogram() {
	values := normal(600, 2, 9)
	figure, err := plotting.Histogram([]plotting.Sample{
		{Name: "standard", Values: mat.Col(nil, 0, values)},
		{Name: "shifted", Values: mat.Col(nil, 1, shifted{values, 1.5})},
	}, &plotting.HistogramOptions{Title: "Two samples", XLabel: "score z",
		Marks: []plotting.Mark{{Value: 1.5, Label: "mean 1.5", Vertical: true}}})
	show("histogram", figure, err)
	// Output:
	// Histogram of score z in 27 bins: standard has 600 values from -3.856 to 3.114, median -0.01722; shifted has 600 values from -1.448 to 4.844, median 1.466.
}

// shifted is a matrix with a number added to each entry.
type shifted struct {
	mat.Matrix
	by float64
}

func (s shifted) At(i, j int) float64 { return s.Matrix.At(i, j) + s.by }

// A plot of gonum is a figure too, without an interactive view.
func ExampleFigure() {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "x [m]", "sin x / x²"
	p.Add(must(plotter.NewLine(plotter.XYs{{X: 1, Y: 0.84}, {X: 2, Y: 0.23}, {X: 3, Y: 0.016}})))
	figure := &plotting.Figure{Title: "A gonum plot", Alt: "sin x / x² against x.", Static: p}
	png, err := figure.PNG(96)
	fmt.Println(len(png) > 0, err)
	// Output:
	// true <nil>
}

// A figure of layers: points with their intervals.
func ExampleNewFigure() {
	x, y := []float64{1, 2, 3, 4}, []float64{0.4, 0.7, 0.85, 0.9}
	low, high := []float64{0.25, 0.6, 0.78, 0.86}, []float64{0.5, 0.82, 0.93, 0.95}
	figure, err := plotting.NewFigure(&chart.Chart{
		Title: "Share of runs without deficit", X: chart.Axis{Label: "budget b"}, Y: chart.Axis{Label: "share", Max: 1},
		Layers: []chart.Layer{
			&chart.Segments{Look: chart.Look{Name: "95 % interval", Color: style.Blue}, X: x, Y: low, X2: x, Y2: high},
			&chart.Points{Look: chart.Look{Name: "greedy", Color: style.Blue}, X: x, Y: y},
		},
	}, "Shares with their intervals.")
	show("custom", figure, err)
	// Output:
	// Shares with their intervals.
}

// A frame as a table: in a notebook HTML, in a terminal text.
func ExampleShow() {
	coverage := must(selection.NewCoverage(must(sparsero.NewDictionary(normal(80, 6, 1), nil)), normal(100, 6, 2), nil))
	frame := must(selection.Greedy{}.Select(context.Background(), coverage, 20)).Frame().Select([]string{"budget", "atom", "coverage_ratio", "worst_deficit"})
	if err := plotting.Show(plotting.Table(frame, &plotting.TableOptions{Rows: 3})); err != nil {
		fmt.Println(err)
	}
	// Output:
	// budget  atom  coverage_ratio  worst_deficit
	// ──────  ────  ──────────────  ─────────────
	//      1    64          0.3154          11.72
	//      2    51          0.5651          10.68
	//      3    33          0.6927           8.90
	// 3 of 20 rows
}

// A table of a matrix with names for its columns.
func ExampleTable() {
	table, err := plotting.Table(mat.NewDense(2, 2, []float64{0.5, 12.25, 0.125, -3}), &plotting.TableOptions{
		Header: []string{"coverage", "gap [%]"}, Labels: []string{"greedy", "random"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(table)
	// Output:
	//         coverage  gap [%]
	// ──────  ────────  ───────
	// greedy    0.5000    12.25
	// random    0.1250    -3.00
}
