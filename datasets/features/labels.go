package features

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sparsero/directions/sparsero/input"
)

// labelsFromNumbers maps the smaller of two label values to -1 and the larger
// to +1, and names the classes after the values.
func labelsFromNumbers(values []float64) (y []float64, classes [2]string, err error) {
	for i, value := range values {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return nil, classes, fmt.Errorf("features: label %d is %g; give every example one of two finite labels", i, value)
		}
	}
	y, found, err := twoLabels(values)
	if err != nil {
		return nil, classes, err
	}
	for class, value := range found {
		classes[class] = strconv.FormatFloat(value, 'g', -1, 64)
	}
	return y, classes, nil
}

// labelsFromText does the same for a column of a table: numbers are compared
// as numbers, words by their bytes.
func labelsFromText(words []string) (y []float64, classes [2]string, err error) {
	values := make([]float64, len(words))
	for i, word := range words {
		value, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
			return twoLabels(words)
		}
		values[i] = value
	}
	return labelsFromNumbers(values)
}

// twoLabels maps each label to -1 or +1 by its rank among the two values found.
func twoLabels[T string | float64](labels []T) (y []float64, classes [2]T, err error) {
	if len(labels) == 0 {
		return nil, classes, errors.New("features: there are no labels; give one per example")
	}
	const enough = 3 // values that an error lists
	var found []T
	for _, label := range labels {
		if !slices.Contains(found, label) {
			if found = append(found, label); len(found) == enough {
				break
			}
		}
	}
	slices.Sort(found)
	switch {
	case len(found) == 1:
		return nil, classes, fmt.Errorf("features: all %d labels are %s, the other class is empty; give examples of two classes", len(labels), valueText(found[0]))
	case len(found) > 2:
		return nil, classes, fmt.Errorf("features: the labels hold more than two values (%s, %s, %s, ...); choose the examples of two classes before the export",
			valueText(found[0]), valueText(found[1]), valueText(found[2]))
	}
	y = make([]float64, len(labels))
	for i, label := range labels {
		y[i] = -1
		if label == found[1] {
			y[i] = 1
		}
	}
	return y, [2]T(found), nil
}

// valueText writes a label for an error, quoted if it is text.
func valueText(label any) string {
	if text, ok := label.(string); ok {
		return input.Quote(text)
	}
	return fmt.Sprint(label)
}
