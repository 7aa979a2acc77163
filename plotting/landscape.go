package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
	"gonum.org/v1/gonum/mat"
)

// LandscapeOptions describe a deficit landscape; nil gives the defaults.
type LandscapeOptions struct {
	// Title and Subtitle stand above the picture; default "Deficit in all directions".
	Title, Subtitle string
	// Budgets are the prefixes of the path drawn in the static picture, each between 1 and
	// the length of the path; default a third, two thirds and all of it.
	Budgets []int
	// Probes are probe directions, M×2, marked at the edge; default none.
	Probes mat.Matrix
	// Width and Height are the size in CSS pixels; default 640 × 470.
	Width, Height float64
}

// landscapeSteps is the number of directions at which a landscape is computed: one for each
// degree.
const landscapeSteps = 360

// DeficitLandscape draws the alignment deficit Δ_{S_b}(s) over all unit directions s of a 2-D
// dictionary in polar form: the distance of the curve from the centre in direction s is the
// deficit there. The atoms are a path: its first b atoms are the choice of size b. The
// interactive view has a slider for b.
//
// It is an error if the dictionary does not have two columns, if the path is empty or names
// an atom that does not exist, or if a budget is out of range.
func DeficitLandscape(d *sparsero.Dictionary, atoms []int, o *LandscapeOptions) (*Figure, error) {
	if o == nil {
		o = &LandscapeOptions{}
	}
	budgets, err := checkLandscape(d, atoms, o)
	if err != nil {
		return nil, err
	}
	deficits := pathDeficits(d, atoms)
	ring := niceRing(deficits, budgets)
	reach := 1.28 * ring * float64(ringCount)
	c := &chart.Chart{
		Title: cmp.Or(o.Title, "Deficit in all directions"), Subtitle: o.Subtitle, Equal: true,
		Width: cmp.Or(o.Width, style.DefaultWidth), Height: cmp.Or(o.Height, 470),
		X:       chart.Axis{Hidden: true, Min: -reach, Max: reach},
		Y:       chart.Axis{Hidden: true, Min: -reach, Max: reach},
		Sliders: []chart.Slider{{Name: "budget", Label: "budget b", Min: 1, Max: float64(len(atoms)), Step: 1, Value: float64(budgets[len(budgets)-1])}},
	}
	c.Layers = append(rings(ring), probeMarks(o.Probes, ring*ringCount)...)
	parts := make([]string, len(budgets))
	for k, b := range budgets {
		c.Layers = append(c.Layers, polarCurve(deficits[b-1], b, style.Series(k)))
		worst, at := worstOf(deficits[b-1])
		parts[k] = fmt.Sprintf("b = %d: worst deficit %s at %d°", b, short(worst), at)
	}
	c.Layers = append(c.Layers, liveLandscape(deficits)...)
	alt := "Deficit over all directions"
	for k, p := range parts {
		alt += map[bool]string{true: ": ", false: "; "}[k == 0] + p
	}
	return NewFigure(c, alt+".")
}

// checkLandscape checks the arguments and returns the budgets in increasing order.
func checkLandscape(d *sparsero.Dictionary, atoms []int, o *LandscapeOptions) ([]int, error) {
	if d == nil {
		return nil, fmt.Errorf("plotting: dictionary is nil; build one with sparsero.NewDictionary")
	}
	if d.Dim() != 2 {
		return nil, fmt.Errorf("plotting: the dictionary has dimension %d; a landscape over all directions needs 2", d.Dim())
	}
	if err := input.CheckIndices("atoms", atoms, d.Size()); err != nil {
		return nil, fmt.Errorf("plotting: %w", err)
	}
	if len(atoms) == 0 {
		return nil, fmt.Errorf("plotting: atoms is empty: %w; give a path of at least one atom", chart.ErrNoData)
	}
	if o.Probes != nil {
		if err := input.CheckRows("Probes", "direction", o.Probes, d.Dim()); err != nil {
			return nil, fmt.Errorf("plotting: %w", err)
		}
	}
	n := len(atoms)
	budgets := slices.Clone(o.Budgets)
	if budgets == nil {
		budgets = []int{max(1, n/3), max(1, 2*n/3), n}
	}
	for _, b := range budgets {
		if b < 1 || b > n {
			return nil, fmt.Errorf("plotting: budget %d is outside [1, %d], the lengths of the path", b, n)
		}
	}
	slices.Sort(budgets)
	return slices.Compact(budgets), nil
}

// pathDeficits returns Δ_{S_b} at each degree for every prefix of the path, in O(N + B) for each.
func pathDeficits(d *sparsero.Dictionary, atoms []int) [][]float64 {
	out := make([][]float64, len(atoms))
	reached, full := make([]float64, landscapeSteps), make([]float64, landscapeSteps)
	for k := range full {
		full[k] = d.Support(direction(k))
	}
	for b, i := range atoms {
		out[b] = make([]float64, landscapeSteps)
		atom := d.RawRowView(i)
		for k := range reached {
			s := direction(k)
			reached[k] = max(reached[k], atom[0]*s[0]+atom[1]*s[1])
			out[b][k] = max(0, full[k]-reached[k])
		}
	}
	return out
}

// direction is the unit vector at k degrees.
func direction(k int) []float64 {
	sin, cos := math.Sincos(2 * math.Pi * float64(k) / landscapeSteps)
	return []float64{cos, sin}
}

func worstOf(deficits []float64) (worst float64, degree int) {
	for k, v := range deficits {
		if v > worst {
			worst, degree = v, k
		}
	}
	return worst, degree
}

// ringCount is the number of rings of equal deficit.
const ringCount = 4

// niceRing returns the distance of rings such that they hold the smallest drawn budget.
func niceRing(deficits [][]float64, budgets []int) float64 {
	worst, _ := worstOf(deficits[budgets[0]-1])
	if worst == 0 {
		return 1.0 / ringCount
	}
	raw := worst / ringCount
	step := niceStep(raw)
	for _, factor := range []float64{1, 1.25, 1.5, 2, 2.5} {
		if step*factor >= raw {
			return step * factor
		}
	}
	return 2.5 * step
}

// ringAngle is the angle at which the values of the rings stand, between the labelled ones.
const ringAngle = 67

// rings draws circles of equal deficit with their values.
func rings(ring float64) []chart.Layer {
	circles := &chart.Polygon{Look: chart.Look{Color: color.NRGBA{R: 0xdd, G: 0xdd, B: 0xdd, A: 0xff}, Width: 0.7}, Fill: -1}
	values := &chart.Text{Look: chart.Look{Color: style.Grey}}
	between := direction(ringAngle)
	for k := 1; k <= ringCount; k++ {
		r := ring * float64(k)
		for deg := 0; deg < landscapeSteps; deg += 3 {
			s := direction(deg)
			circles.X, circles.Y, circles.Groups = append(circles.X, r*s[0]), append(circles.Y, r*s[1]), append(circles.Groups, k)
		}
		values.X, values.Y, values.Labels = append(values.X, r*between[0]), append(values.Y, r*between[1]), append(values.Labels, short(r))
	}
	reach := ring * ringCount
	degrees := &chart.Text{Look: chart.Look{Color: style.Grey}}
	for deg := 0; deg < 360; deg += 45 {
		s := direction(deg)
		degrees.X, degrees.Y = append(degrees.X, 1.13*reach*s[0]), append(degrees.Y, 1.13*reach*s[1])
		degrees.Labels = append(degrees.Labels, fmt.Sprintf("%d°", deg))
	}
	return []chart.Layer{circles, values, degrees}
}

// probeMarks draws probe directions on the outer ring.
func probeMarks(directions mat.Matrix, reach float64) []chart.Layer {
	if directions == nil {
		return nil
	}
	points := &chart.Points{Look: chart.Look{Name: "probe directions", Color: style.Green, Width: 2.4}, Shape: chart.Diamond}
	m, _ := directions.Dims()
	for j := range m {
		x, y := directions.At(j, 0), directions.At(j, 1)
		if n := math.Hypot(x, y); n > 0 {
			points.X, points.Y = append(points.X, reach*x/n), append(points.Y, reach*y/n)
		}
	}
	return []chart.Layer{points}
}

// polarCurve draws the deficit of one prefix in the static picture.
func polarCurve(deficits []float64, budget int, ink color.NRGBA) chart.Layer {
	look := chart.Look{Name: fmt.Sprintf("Δ at b = %d", budget), Color: ink, Width: 1.6, Only: chart.StaticOnly}
	shape := &chart.Polygon{Look: look, Fill: 0.12}
	for k, v := range deficits {
		s := direction(k)
		shape.X, shape.Y = append(shape.X, v*s[0]), append(shape.Y, v*s[1])
	}
	return shape
}

// Resolution of the interactive view, which holds every prefix of the path.
const (
	// liveBudgets is the number of prefixes, evenly spaced along longer paths.
	liveBudgets = 30
	// liveStep is the distance of the directions of a curve in degrees.
	liveStep = 2
)

// landscapeRows are rows of directions with their deficits at a budget.
type landscapeRows struct{ x, y, budgets, degrees, deficits []float64 }

func (r *landscapeRows) add(budget, degree int, deficit float64) {
	s := direction(degree)
	r.x, r.y = append(r.x, deficit*s[0]), append(r.y, deficit*s[1])
	r.budgets, r.degrees, r.deficits = append(r.budgets, float64(budget)), append(r.degrees, float64(degree)), append(r.deficits, deficit)
}

// look shows the rows of the smallest listed budget that is not below that of the slider.
func (r *landscapeRows) look(more ...vega.Object) chart.Look {
	return chart.Look{
		Color: style.Black, Only: chart.LiveOnly,
		Columns: []chart.Column{{Name: "b", Numbers: r.budgets}, {Name: "degrees", Numbers: r.degrees}, {Name: "deficit", Numbers: r.deficits}},
		Transform: append([]vega.Object{
			{"filter": "datum.b>=budget"},
			{"joinaggregate": []vega.Object{{"op": "min", "field": "b", "as": "nearest"}}}, {"filter": "datum.b==datum.nearest"},
		}, more...),
	}
}

// liveLandscape draws the prefix at the budget of the slider, and its worst direction.
func liveLandscape(deficits [][]float64) []chart.Layer {
	var curve, peaks landscapeRows
	stride := (len(deficits) + liveBudgets - 1) / liveBudgets
	for b := len(deficits) - 1; b >= 0; b -= stride {
		for k := 0; k < landscapeSteps; k += liveStep {
			curve.add(b+1, k, deficits[b][k])
		}
		worst, at := worstOf(deficits[b])
		peaks.add(b+1, at, worst)
	}
	shape, star := curve.look(), peaks.look()
	shape.Name, shape.Color, shape.Width = "Δ at the slider", style.Blue, 1.6
	star.Name, star.Color, star.Width = "worst direction", style.Vermillion, 4
	line := func(panel int, text string) chart.Layer {
		look := peaks.look(vega.Object{"calculate": text, "as": "label"})
		return &chart.Text{Look: look, X: peaks.x, Y: peaks.y, Labels: make([]string, len(peaks.x)), Panel: panel}
	}
	return []chart.Layer{
		&chart.Polygon{Look: shape, X: curve.x, Y: curve.y, Fill: 0.15},
		&chart.Points{Look: star, X: peaks.x, Y: peaks.y, Shape: chart.Star},
		line(1, "'b = '+datum.b"), line(2, "'worst Δ = '+format(datum.deficit,'.4~g')"), line(3, "'at '+datum.degrees+'°'"),
	}
}
