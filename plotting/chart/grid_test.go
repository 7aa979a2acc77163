package chart

import (
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// grids are grids of different shapes.
func grids() map[string]*Grid {
	x := []float64{1, 2, 3}
	line := func(label string, scale float64) *Chart {
		return &Chart{Y: Axis{Label: label}, Layers: []Layer{&Line{Look: Look{Name: "a"}, X: x, Y: []float64{scale, 2 * scale, scale}}}}
	}
	square := &Chart{Title: "T", Equal: true, Layers: []Layer{&Points{Look: Look{Name: "p_{1}"}, X: x, Y: x}}}
	sliding := line("s", 1)
	sliding.Sliders = []Slider{{Name: "t", Min: 0, Max: 1, Step: 0.1, Value: 1}}
	sliding.Layers = append(sliding.Layers, &Text{X: x, Y: x, Labels: []string{"", "", ""}, Panel: 1, Look: Look{Only: LiveOnly}})
	return map[string]*Grid{
		"one":          {Charts: []*Chart{line("y", 1)}},
		"one legend":   {Title: "<b>&", Charts: []*Chart{line("y", 1), line("a long label", 1e5), line("", 1e-3)}},
		"own legends":  {Columns: 3, Charts: []*Chart{line("y", 1), square, sliding, {Layers: everyLayer()}}},
		"every kind":   {Columns: 1, Charts: []*Chart{sliding, {Layers: everyLayer(), X: Axis{Scale: Log}}, sliding}},
		"a heat map":   {Charts: []*Chart{{Layers: []Layer{&Cells{NRows: 2, NCols: 2, Values: []float64{1, 2, 3, 4}, Label: "v"}}}, line("y", 1)}},
		"many columns": {Columns: 9, Charts: []*Chart{line("y", 1), line("y", 2)}},
	}
}

func TestGrids(t *testing.T) {
	for name, g := range grids() {
		picture, err := g.Static()
		if err != nil {
			t.Fatal(err)
		}
		width, height := picture.Size()
		if _, err := style.PNG(picture, width, height, 48); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		data, remark, err := g.Live()
		if err != nil || remark != "" {
			t.Errorf("%s: %v, remark %q", name, err, remark)
		}
		if strings.ContainsAny(string(data), "<>") && !strings.Contains(string(data), "=>") {
			t.Errorf("%s: the specification holds < or >", name)
		}
	}
}

// TestGridIsAligned: the data areas of a column start and end at one x, those of a row at one y.
func TestGridIsAligned(t *testing.T) {
	for name, g := range grids() {
		p, err := g.prepare()
		if err != nil {
			t.Fatal(err)
		}
		picture, err := g.Static()
		if err != nil {
			t.Fatal(err)
		}
		width, height := picture.Size()
		size := vg.Rectangle{Max: vg.Point{X: vg.Length(width) * style.Pixel, Y: vg.Length(height) * style.Pixel}}
		cells := p.cells(draw.Canvas{Canvas: new(recorder.Canvas), Rectangle: size})
		least := p.align(cells)
		for i, panel := range p.panels {
			own := panel.drawWithin(cells[i], insets{})
			for _, gap := range []vg.Length{least[i].left - own.left, least[i].right - own.right, least[i].top - own.top, least[i].bottom - own.bottom} {
				if gap < -1e-9 || math.IsNaN(float64(gap)) {
					t.Errorf("%s: chart %d has %v of the insets %v", name, i, own, least[i])
				}
			}
			for j := range i {
				if i%p.columns == j%p.columns && (least[i].left != least[j].left || cells[i].Min.X != cells[j].Min.X) {
					t.Errorf("%s: charts %d and %d of a column start at different places", name, j, i)
				}
			}
		}
	}
}

func TestBadGrids(t *testing.T) {
	line := &Chart{Layers: []Layer{&Line{X: []float64{1}, Y: []float64{1}}}}
	for want, g := range map[string]*Grid{
		"has no charts":  {},
		"has -1 columns": {Columns: -1, Charts: []*Chart{line}},
		"chart 1 of":     {Charts: []*Chart{line, nil}},
		"has no layers":  {Charts: []*Chart{{}}},
	} {
		_, err := g.Static()
		_, _, live := g.Live()
		for _, err := range []error{err, live} {
			if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "chart: ") {
				t.Errorf("error %v, want %q", err, want)
			}
		}
	}
}

// TestGridThins: a grid of long charts stays below the limit and says so.
func TestGridThins(t *testing.T) {
	n := 100_000
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i)
	}
	c := &Chart{Layers: []Layer{&Points{X: x, Y: x}}}
	data, remark, err := (&Grid{Charts: []*Chart{c, c, c}}).Live()
	if err != nil || !strings.Contains(remark, "of 100000 rows") || !strings.Contains(string(data), remark) || len(data) > LiveLimit {
		t.Errorf("%d bytes, remark %q, error %v", len(data), remark, err)
	}
}
