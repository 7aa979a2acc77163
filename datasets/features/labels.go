package features

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// twoLabels maps the smaller of two label values to -1 and the larger to +1, and
// names the classes after the values.
func twoLabels(labels []float64) (y []float64, classes [2]string, err error) {
	for i, label := range labels {
		if math.IsNaN(label) || math.IsInf(label, 0) {
			return nil, classes, fmt.Errorf("features: label %d is %g; give every example one of two finite labels", i, label)
		}
	}
	found := slices.Compact(slices.Sorted(slices.Values(labels)))
	switch {
	case len(found) == 0:
		return nil, classes, errors.New("features: there are no labels; give one per example")
	case len(found) == 1:
		return nil, classes, fmt.Errorf("features: all %d labels are %g, the other class is empty; give examples of two classes", len(labels), found[0])
	case len(found) > 2:
		return nil, classes, fmt.Errorf("features: the labels hold more than two values (%g, %g, %g, ...); choose the examples of two classes before the export", found[0], found[1], found[2])
	}
	for class, value := range found {
		classes[class] = strconv.FormatFloat(value, 'g', -1, 64)
	}
	y = make([]float64, len(labels))
	for i, label := range labels {
		y[i] = -1
		if label == found[1] {
			y[i] = 1
		}
	}
	return y, classes, nil
}
