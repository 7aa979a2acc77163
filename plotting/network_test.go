package plotting_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/plotting/chart"
)

// TestNetwork: every line stands once, in the class of its load, between its nodes; sources and marks stand where they belong.
func TestNetwork(t *testing.T) {
	n := &plotting.Network{Places: [][2]float64{{0, 0}, {4, 0}, {4, 2}, {0, 2}}, Names: []string{"a", "b", "c", "d"},
		Lines: [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}, Sources: []int{2}, Mark: "decides"}
	layers, err := n.Layers([]float64{0.5, -0.51, 1 + 1e-9, -1.01, math.NaN()}, 1, 4)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	points := map[string][2]float64{}
	for _, layer := range layers {
		switch l := layer.(type) {
		case *chart.Segments:
			lines[l.Name] = len(l.X)
			if l.Name == "over its limit" && (l.X[0] != 0 || l.Y[0] != 2 || l.X2[0] != 0 || l.Y2[0] != 0) {
				t.Errorf("line d-a is drawn from (%g, %g) to (%g, %g)", l.X[0], l.Y[0], l.X2[0], l.Y2[0])
			}
		case *chart.Points:
			points[l.Name] = [2]float64{l.X[len(l.X)-1], l.Y[len(l.Y)-1]}
		}
	}
	if lines["up to half of its limit"] != 1 || lines["up to its limit"] != 2 || lines["over its limit"] != 1 || lines["failed"] != 1 {
		t.Errorf("lines by class: %v", lines)
	}
	if points["source"] != [2]float64{4, 2} || points["node"] != [2]float64{0, 2} || points["decides"] != [2]float64{2, 1} {
		t.Errorf("last points: %v", points)
	}
	if _, err := plotting.NewFigure(&chart.Chart{Layers: layers}, "a square"); err != nil {
		t.Error(err)
	}
}

func TestNetworkRefuses(t *testing.T) {
	square := func() *plotting.Network {
		return &plotting.Network{Places: [][2]float64{{0, 0}, {1, 0}}, Lines: [][2]int{{0, 1}}}
	}
	for named, change := range map[string]func(*plotting.Network) (loads []float64, marked []int){
		"Places":  func(n *plotting.Network) ([]float64, []int) { n.Places = nil; return []float64{0}, nil },
		"Names":   func(n *plotting.Network) ([]float64, []int) { n.Names = []string{"a"}; return []float64{0}, nil },
		"loads":   func(n *plotting.Network) ([]float64, []int) { return nil, nil },
		"Lines":   func(n *plotting.Network) ([]float64, []int) { n.Lines[0][1] = 2; return []float64{0}, nil },
		"Sources": func(n *plotting.Network) ([]float64, []int) { n.Sources = []int{-1}; return []float64{0}, nil },
		"marked":  func(n *plotting.Network) ([]float64, []int) { return []float64{0}, []int{1} },
	} {
		n := square()
		loads, marked := change(n)
		if _, err := n.Layers(loads, marked...); err == nil || !strings.Contains(err.Error(), named) {
			t.Errorf("%s: %v", named, err)
		}
	}
}
