package features

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sparsero/directions/sparsero/input"
	"gonum.org/v1/gonum/mat"
)

// ReadNPY reads features and labels from two NumPy files. Features are a
// matrix of float32 or float64 with one row per example, labels a vector (or
// one column) of integers, floats or bools of any two values: the smaller
// value becomes -1, the larger +1 (False -1, True +1). Either byte order and
// either memory order is read. The set is named after the feature file, less
// its ending and a trailing "_x"; the classes after the label values.
//
// It returns an error that names the file when one cannot be opened, is no
// NumPy file or is cut short, when shape or type is another, when a feature is
// NaN or infinite, and when the labels do not hold exactly two values.
func ReadNPY(featuresPath, labelsPath string) (*Set, error) {
	x, err := input.LoadArray(featuresPath)
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	labels, err := input.LoadArray(labelsPath)
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	return fromArrays(strings.TrimSuffix(baseName(featuresPath), "_x"), array{x, featuresPath}, array{labels, labelsPath})
}

// ReadNPZ reads features and labels from the named arrays of one NumPy archive,
// as numpy.savez(path, x=x, y=y) and numpy.savez_compressed write it with the
// names "x" and "y". Types, shapes and labels are those of [ReadNPY]; the set is
// named after the file.
//
// It returns the errors of ReadNPY, one that lists the arrays of the archive
// when it has none of that name, and one when an array would unpack to more than
// 100 times its size and 16 MB.
func ReadNPZ(path, featuresName, labelsName string) (*Set, error) {
	arrays, err := input.LoadArrays(path, featuresName, labelsName)
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	return fromArrays(baseName(path), array{arrays[0], path + ", array " + featuresName}, array{arrays[1], path + ", array " + labelsName})
}

// baseName is the name of a file without its folder and ending.
func baseName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// array is an array and where it comes from, for errors.
type array struct {
	input.Array
	name string
}

// fromArrays builds a set from a matrix of features and a vector of labels.
func fromArrays(name string, x, labels array) (*Set, error) {
	if !strings.Contains(x.Kind, "f") {
		return nil, fmt.Errorf("features: %s holds %s, not float32 or float64; write x.astype(numpy.float32) and check that it is the feature file", x.name, x.Kind)
	}
	if len(x.Shape) != 2 || len(x.Values) == 0 {
		return nil, fmt.Errorf("features: %s has the shape %s; features need two sizes (examples, features), both at least 1: write x.reshape(len(x), -1)", x.name, input.ShapeText(x.Shape))
	}
	column := len(labels.Shape) == 2 && labels.Shape[1] == 1
	if len(labels.Shape) != 1 && !column {
		return nil, fmt.Errorf("features: %s has the shape %s; labels need one size (examples,): write y.reshape(-1)", labels.name, input.ShapeText(labels.Shape))
	}
	if x.Shape[0] != labels.Shape[0] {
		return nil, fmt.Errorf("features: %s has %d rows, %s %d labels; give one label per row, from the same export", x.name, x.Shape[0], labels.name, labels.Shape[0])
	}
	set, err := NewSet(name, mat.NewDense(x.Shape[0], x.Shape[1], x.Values), labels.Values)
	if err != nil {
		return nil, fmt.Errorf("%w (features %s, labels %s)", err, x.name, labels.name)
	}
	return set, nil
}
