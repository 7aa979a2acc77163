package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/gonum/stat"
)

// Sample is a list of values whose distribution is drawn.
type Sample struct {
	// Name is the legend entry; default none.
	Name string
	// Values are the data. NaN is left out; infinite values have no bin but count for the share that a bin holds.
	Values []float64
}

// HistogramOptions describe a histogram; nil gives the defaults.
type HistogramOptions struct {
	// Title stands above the picture; default none.
	Title string
	// XLabel and YLabel name the axes, with units in brackets; default "value", and "density" or "count".
	XLabel, YLabel string
	// Bins is the number of bins, 1 to 1000; default by the rule of Freedman and Diaconis, and
	// for a short range of whole numbers one bin for each.
	Bins int
	// Counts makes the height of a bin the number of its values; default density, where the
	// area of the bins is the share of finite values.
	Counts bool
	// Marks are reference lines; default none.
	Marks []Mark
}

// Histogram draws the distributions of samples over common bins. It is an error if there is
// no sample with a finite value, or if the number of bins is out of range.
//
// Source of the default width 2 IQR n^(-1/3): Freedman and Diaconis, "On the histogram as a density estimator", 1981.
func Histogram(samples []Sample, o *HistogramOptions) (*Figure, error) {
	o = given(o)
	if o.Bins < 0 || o.Bins > mostBins {
		return nil, fmt.Errorf("plotting: Bins %d is outside [1, %d]; leave it 0 for the default", o.Bins, mostBins)
	}
	var all []float64
	infinite, total := 0, 0
	for _, s := range samples {
		values, known := finite(s.Values)
		all, infinite, total = append(all, values...), infinite+known-len(values), total+len(s.Values)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("plotting: none of the %d values of %d samples is finite: %w", total, len(samples), chart.ErrNoData)
	}
	slices.Sort(all)
	if math.IsInf(all[len(all)-1]-all[0], 0) || math.IsInf(all[len(all)-1]*2, 0) || math.IsInf(all[0]*2, 0) {
		return nil, fmt.Errorf("plotting: values from %g to %g have no bins; use smaller units", all[0], all[len(all)-1])
	}
	edges := binEdges(all, o.Bins)
	subtitle := ""
	if infinite > 0 {
		subtitle = fmt.Sprintf("%d of %d values are infinite and have no bin", infinite, total)
	}
	c := &chart.Chart{
		Title: o.Title, Subtitle: subtitle,
		X: chart.Axis{Label: cmp.Or(o.XLabel, "value")},
		Y: chart.Axis{Label: cmp.Or(o.YLabel, map[bool]string{true: "count", false: "density"}[o.Counts]), Zero: true},
	}
	for i, s := range samples {
		c.Layers = append(c.Layers, binned(s, edges, o.Counts, style.Series(i))...)
	}
	for _, m := range o.Marks {
		c.Layers = append(c.Layers, m.layer())
	}
	return NewFigure(c, histogramAlt(samples, o, len(edges)-1))
}

// Limits of the number of bins: what may be asked for, and what the default rule gives.
const (
	mostBins        = 1000
	leastChosenBins = 5
	mostChosenBins  = 60
	sameValue       = mostBins * 0x1p-50 // share of the largest value within which all are one, as bins have no width there
)

// binEdges returns the ends of the bins for sorted values; the last bin holds its upper end.
func binEdges(sorted []float64, bins int) []float64 {
	low, high := sorted[0], sorted[len(sorted)-1]
	if high-low <= sameValue*max(-low, high) {
		half := max(math.Abs(low)*0.05, 0.5)
		low, high = low-half, high+half
		bins = max(bins, 1)
	}
	whole := bins == 0 && high-low < mostChosenBins && !slices.ContainsFunc(sorted, func(v float64) bool { return v != math.Trunc(v) })
	if whole {
		low, high, bins = low-0.5, high+0.5, int(high-low)+1
	}
	if bins == 0 {
		n := float64(len(sorted))
		width := 2 * (ranked(sorted, 0.75) - ranked(sorted, 0.25)) / math.Cbrt(n)
		bins = leastChosenBins
		if width > 0 {
			bins = int(min(max(math.Ceil((high-low)/width), leastChosenBins), mostChosenBins))
		}
	}
	edges := make([]float64, bins+1)
	for k := range edges {
		f := float64(k) / float64(bins)
		edges[k] = low*(1-f) + high*f
	}
	return edges
}

func binned(s Sample, edges []float64, counts bool, ink color.NRGBA) []chart.Layer {
	heights, n := binCounts(s.Values, edges)
	if n == 0 {
		return nil
	}
	k := len(heights)
	x, y := append([]float64{edges[0]}, edges...), make([]float64, k+2)
	bins, numbers := make([]string, k+2), make([]float64, k+2)
	for i := range y {
		b := min(max(i-1, 0), k-1)
		bins[i], numbers[i] = fmt.Sprintf("%s to %s", label.Number(edges[b]), label.Number(edges[b+1])), heights[b]
		if i == 0 || i == k+1 {
			continue // the outline starts and ends on the axis
		}
		y[i] = heights[b]
		if !counts {
			y[i] /= float64(n) * (edges[b+1] - edges[b])
		}
	}
	fill := chart.Look{Name: s.Name, Color: style.Fade(ink, 0.3), NoTooltip: true}
	line := chart.Look{Name: s.Name, Color: ink, Width: 1.2, Columns: []chart.Column{{Name: "bin", Text: bins}, {Name: "count", Numbers: numbers}}}
	return []chart.Layer{
		&chart.Band{Look: fill, X: x, Low: make([]float64, k+2), High: y, Step: true},
		&chart.Line{Look: line, X: x, Y: y, Step: true},
	}
}

// finite returns the finite ones of some values in their order, and the number of all but NaN.
func finite(values []float64) (sorted []float64, known int) {
	sorted = slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	known = len(sorted)
	sorted = slices.DeleteFunc(sorted, func(v float64) bool { return math.IsInf(v, 0) })
	slices.Sort(sorted)
	return sorted, known
}

// binCounts returns the number of values in each bin, and of all values but NaN.
func binCounts(values, edges []float64) (counts []float64, n int) {
	sorted, n := finite(values)
	dividers := slices.Clone(edges)
	dividers[len(edges)-1] = math.Nextafter(edges[len(edges)-1], math.Inf(1)) // the last bin holds its upper end
	return stat.Histogram(nil, dividers, sorted, nil), n
}

func histogramAlt(samples []Sample, o *HistogramOptions, bins int) string {
	var parts []string
	for i, s := range samples {
		sorted := slices.DeleteFunc(slices.Clone(s.Values), math.IsNaN)
		slices.Sort(sorted)
		if len(sorted) == 0 {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s has %d values from %s to %s, median %s",
			cmp.Or(s.Name, fmt.Sprintf("sample %d", i+1)), len(sorted), label.Number(sorted[0]), label.Number(sorted[len(sorted)-1]), label.Number(ranked(sorted, 0.5))))
	}
	return fmt.Sprintf("Histogram of %s in %d bins: %s.", label.Unicode(cmp.Or(o.XLabel, "value")), bins, strings.Join(parts, "; "))
}
