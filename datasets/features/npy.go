package features

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// LoadNPY reads features and labels from two NumPy files, in either byte order. Features are a matrix of float32 or
// float64 with one row per example, labels a vector (or one column) of integers, floats or bools, of which [NewSet]
// makes -1 and +1. The set is named after the feature file, less its ending and a trailing "_x".
//
// It returns an error that names the file when one cannot be opened, is no NumPy file or is cut short, when shape or
// type is another, when a feature is NaN or infinite, and when the labels do not hold exactly two values.
func LoadNPY(featuresPath, labelsPath string) (*Set, error) {
	x, err := sparsero.LoadArray(featuresPath)
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	labels, err := sparsero.LoadArray(labelsPath)
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	if !strings.Contains(x.Kind, "f") {
		return nil, fmt.Errorf("features: %s holds %s, not float32 or float64; write x.astype(numpy.float32) and check that it is the feature file", featuresPath, x.Kind)
	}
	if len(x.Shape) != 2 || len(x.Values) == 0 {
		return nil, fmt.Errorf("features: %s has the shape %v; features need two sizes (examples, features), both at least 1: write x.reshape(len(x), -1)", featuresPath, x.Shape)
	}
	column := len(labels.Shape) == 2 && labels.Shape[1] == 1
	if len(labels.Shape) != 1 && !column {
		return nil, fmt.Errorf("features: %s has the shape %v; labels need one size (examples,): write y.reshape(-1)", labelsPath, labels.Shape)
	}
	if x.Shape[0] != labels.Shape[0] {
		return nil, fmt.Errorf("features: %s has %d rows, %s %d labels; give one label per row, from the same export", featuresPath, x.Shape[0], labelsPath, labels.Shape[0])
	}
	base := filepath.Base(featuresPath)
	name := strings.TrimSuffix(strings.TrimSuffix(base, filepath.Ext(base)), "_x")
	set, err := NewSet(name, mat.NewDense(x.Shape[0], x.Shape[1], x.Values), labels.Values)
	if err != nil {
		return nil, fmt.Errorf("%w (features %s, labels %s)", err, featuresPath, labelsPath)
	}
	return set, nil
}
