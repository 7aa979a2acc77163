package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
)

// Network is a drawing of nodes and of the lines between them, such as a power grid.
type Network struct {
	// Places are the nodes in the picture, in any unit. At least one.
	Places [][2]float64
	// Names are written beside the nodes, one for each; nil means none.
	Names []string
	// Lines are pairs of nodes, by their positions in Places; Sources are nodes that are drawn as diamonds.
	Lines   [][2]int
	Sources []int
	// Node, Source, Failed and Mark are the entries of the legend; default "node", "source", "failed" and "marked".
	Node, Source, Failed, Mark string
}

// The shares of what a line may carry at which its colour changes. Solvers reach a limit up to rounding, which is no overload.
const (
	halfLoad = 0.5
	fullLoad = 1 + 1e-6
)

// Layers returns the layers of a chart that draw the network: each line in the colour of its load, as a share of what
// it may carry, and a star on each of the marked lines. A load of NaN is a line that has failed. It is an error if
// there is not one load for each line, or if a position is not in its list.
func (n *Network) Layers(loads []float64, marked ...int) ([]chart.Layer, error) {
	if err := n.check(loads, marked); err != nil {
		return nil, err
	}
	looks := []chart.Look{{Name: "up to half of its limit", Color: style.Grey}, {Name: "up to its limit", Color: style.Blue},
		{Name: "over its limit", Color: style.Vermillion, Width: 4}, {Name: cmp.Or(n.Failed, "failed"), Color: style.Black, Dash: style.Dash(1)}}
	segments, layers := make([]*chart.Segments, len(looks)), []chart.Layer(nil)
	for k, look := range looks {
		segments[k] = &chart.Segments{Look: look}
		layers = append(layers, segments[k])
	}
	for l, line := range n.Lines {
		from, to, s := n.Places[line[0]], n.Places[line[1]], segments[loadClass(loads[l])]
		s.X, s.Y, s.X2, s.Y2 = append(s.X, from[0]), append(s.Y, from[1]), append(s.X2, to[0]), append(s.Y2, to[1])
	}
	nodes, sources, stars, names := n.points()
	for _, l := range marked {
		from, to := n.Places[n.Lines[l][0]], n.Places[n.Lines[l][1]]
		stars.X, stars.Y = append(stars.X, (from[0]+to[0])/2), append(stars.Y, (from[1]+to[1])/2)
	}
	return append(layers, nodes, sources, stars, names, n.room()), nil
}

func (n *Network) check(loads []float64, marked []int) error {
	nodes, lines := len(n.Places), len(n.Lines)
	outside := func(size int) func(int) bool { return func(k int) bool { return k < 0 || k >= size } }
	switch {
	case nodes == 0 || n.Names != nil && len(n.Names) != nodes:
		return fmt.Errorf("plotting: Places has %d nodes and Names %d entries; give at least one node, and a name for each or none", nodes, len(n.Names))
	case len(loads) != lines:
		return fmt.Errorf("plotting: loads has %d entries for the %d Lines; give one for each", len(loads), lines)
	case slices.ContainsFunc(n.Lines, func(ends [2]int) bool { return outside(nodes)(ends[0]) || outside(nodes)(ends[1]) }):
		return fmt.Errorf("plotting: an end of Lines is none of the %d Places; give positions from 0 on", nodes)
	case slices.ContainsFunc(n.Sources, outside(nodes)):
		return fmt.Errorf("plotting: Sources is %v and there are %d Places; give positions from 0 on", n.Sources, nodes)
	case slices.ContainsFunc(marked, outside(lines)):
		return fmt.Errorf("plotting: marked is %v and there are %d Lines; give positions from 0 on", marked, lines)
	}
	return nil
}

// loadClass is the position of a load among the looks of Layers.
func loadClass(load float64) int {
	switch {
	case math.IsNaN(load):
		return 3
	case math.Abs(load) > fullLoad:
		return 2
	case math.Abs(load) > halfLoad:
		return 1
	}
	return 0
}

// room is a point that cannot be seen, to the right of all nodes, so that their names are not cut.
func (n *Network) room() chart.Layer {
	left, right, high := math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, place := range n.Places {
		left, right, high = min(left, place[0]), max(right, place[0]), max(high, place[1])
	}
	return &chart.Text{X: []float64{right + 0.04*(right-left)}, Y: []float64{high}, Labels: []string{""}}
}

// points returns the marks of nodes and sources, no stars yet, and the names.
func (n *Network) points() (nodes, sources, stars *chart.Points, names *chart.Text) {
	nodes = &chart.Points{Look: chart.Look{Name: cmp.Or(n.Node, "node"), Color: style.Black}}
	sources = &chart.Points{Look: chart.Look{Name: cmp.Or(n.Source, "source"), Color: style.Green, Width: 6}, Shape: chart.Diamond}
	stars = &chart.Points{Look: chart.Look{Name: cmp.Or(n.Mark, "marked"), Color: style.Orange, Width: 8}, Shape: chart.Star}
	names = &chart.Text{Dx: 9, Dy: 8}
	for k, place := range n.Places {
		points := nodes
		if slices.Contains(n.Sources, k) {
			points = sources
		}
		points.X, points.Y = append(points.X, place[0]), append(points.Y, place[1])
		if n.Names != nil {
			names.X, names.Y, names.Labels = append(names.X, place[0]), append(names.Y, place[1]), append(names.Labels, n.Names[k])
		}
	}
	return nodes, sources, stars, names
}
