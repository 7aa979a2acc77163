package features

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// Set holds the features of examples of two classes.
type Set struct {
	Name    string     // where the features come from; shown in tables and figures
	X       *mat.Dense // n×p, rows are examples, columns are features; finite
	Y       []float64  // n labels, each -1 or +1
	Classes [2]string  // the names of the classes labelled -1 and +1
}

// NewSet returns the set of the rows of x (n×p) with labels of any two values: the smaller value becomes -1, the larger
// +1, and the class names are the values as text until the caller replaces them. The set keeps x without a copy and
// copies the labels.
//
// It returns an error when the shapes differ, a feature or a label is NaN or
// infinite, or the labels do not hold exactly two values.
func NewSet(name string, x *mat.Dense, labels []float64) (*Set, error) {
	y, classes, err := twoLabels(labels)
	if err != nil {
		return nil, err
	}
	return checked(&Set{Name: name, X: x, Y: y, Classes: classes})
}

func checked(s *Set) (*Set, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
}

// Check returns an error that names what is wrong with the set, or nil: X has a row per label and only finite entries,
// every label is -1 or +1, and both classes have an example and a name of their own.
func (s *Set) Check() error {
	if s == nil {
		return errors.New("features: the set is nil; read or generate one")
	}
	if _, err := sparsero.NewDictionary(s.X, nil); err != nil {
		return fmt.Errorf("features: X: %w", err)
	}
	n, _ := s.X.Dims()
	if len(s.Y) != n {
		return fmt.Errorf("features: Y has %d labels for the %d rows of X; give one label per row", len(s.Y), n)
	}
	for i, label := range s.Y {
		if label != -1 && label != 1 {
			return fmt.Errorf("features: label %d of Y is %g; use -1 and +1, or build the set with NewSet", i, label)
		}
	}
	for class, count := range s.counts() {
		if count == 0 {
			return fmt.Errorf("features: class %q (label %+d) has no example among %d; give examples of both classes", s.Classes[class], 2*class-1, n)
		}
	}
	if s.Classes[0] == s.Classes[1] {
		return fmt.Errorf("features: both classes are named %q; name them apart", s.Classes[0])
	}
	return nil
}

// Dimension returns the number of features p, 0 without X.
func (s *Set) Dimension() int {
	if s.X == nil {
		return 0
	}
	_, p := s.X.Dims()
	return p
}

// counts returns the number of examples labelled -1 and +1.
func (s *Set) counts() [2]int {
	var counts [2]int
	for _, label := range s.Y {
		counts[classOf(label)]++
	}
	return counts
}

func classOf(label float64) int {
	if label > 0 {
		return 1
	}
	return 0
}

// String describes the set in a line: its name, shape and class counts.
func (s *Set) String() string {
	counts := s.counts()
	return fmt.Sprintf("%s: %d examples × %d features, %d %s (-1), %d %s (+1)",
		s.Name, len(s.Y), s.Dimension(), counts[0], s.Classes[0], counts[1], s.Classes[1])
}

// Subset returns the examples with the given rows, copied in that order. It
// returns an error when a row is out of range or a class stays empty.
func (s *Set) Subset(rows []int) (*Set, error) {
	if len(rows) == 0 {
		return nil, errors.New("features: rows is empty; list at least one row of each class")
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	subset := &Set{
		Name: s.Name, Classes: s.Classes,
		X: mat.NewDense(len(rows), s.Dimension(), nil), Y: make([]float64, len(rows)),
	}
	for i, row := range rows {
		if row < 0 || row >= len(s.Y) {
			return nil, fmt.Errorf("features: rows[%d] = %d is out of range; use 0 to %d", i, row, len(s.Y)-1)
		}
		subset.X.SetRow(i, s.X.RawRowView(row))
		subset.Y[i] = s.Y[row]
	}
	return checked(subset)
}

// twoLabels maps the smaller of two label values to -1 and the larger to +1, and names the classes after the values.
func twoLabels(labels []float64) (y []float64, classes [2]string, err error) {
	for i, label := range labels {
		if math.IsNaN(label) || math.IsInf(label, 0) {
			return nil, classes, fmt.Errorf("features: label %d is %g; give every example one of two finite labels", i, label)
		}
	}
	found := slices.Compact(slices.Sorted(slices.Values(labels)))
	switch {
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
