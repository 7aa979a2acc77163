package chart

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Check reports what keeps a chart from being drawn: no layer, or none with a row; lists of a layer that differ in length
// or hold infinite values; a column with the name of a coordinate. Both renderings call it. ErrNoData is among the errors.
func (c *Chart) Check() error {
	if c == nil {
		return errors.New("chart: the chart is nil; give a Chart with at least one layer")
	}
	if len(c.Layers) == 0 {
		return fmt.Errorf("chart: %q has no layers: %w", c.Title, ErrNoData)
	}
	if c.Equal && (c.X.Scale == Log || c.Y.Scale == Log) {
		return fmt.Errorf("chart: %q has Equal and a logarithmic axis, whose units differ in length; leave out one of them", c.Title)
	}
	rows := 0
	for i, l := range c.Layers {
		if l == nil || reflect.ValueOf(l).Kind() == reflect.Pointer && reflect.ValueOf(l).IsNil() {
			return fmt.Errorf("chart: layer %d of %q is nil; leave it out", i, c.Title)
		}
		if err := errors.Join(checkLists(l), checkOthers(l)); err != nil {
			return fmt.Errorf("chart: layer %d (%s) of %q: %w", i, l.look().Name, c.Title, err)
		}
		rows += len(l.lists()[0].Values)
	}
	if rows == 0 {
		return fmt.Errorf("chart: all layers of %q are empty: %w; give at least one row", c.Title, ErrNoData)
	}
	return nil
}

// checkLists reports lists of different lengths and infinite values; NaN is allowed.
func checkLists(l Layer) error {
	lists := l.lists()
	rows := len(lists[0].Values)
	for _, c := range lists {
		if len(c.Values) != rows {
			return fmt.Errorf("%s has %d values and %s has %d; give lists of one length", c.Name, len(c.Values), lists[0].Name, rows)
		}
	}
	for _, c := range lists {
		for k, v := range c.Values {
			if math.IsInf(v, 0) && !c.Infinite {
				return fmt.Errorf("%s[%d] is %v, and only finite values can be drawn; leave it out or mark it missing with NaN", c.Name, k, v)
			}
		}
	}
	return l.look().checkColumns(rows)
}

// checkOthers reports what else is wrong besides the lists.
func checkOthers(l Layer) error {
	switch l := l.(type) {
	case *Text:
		if len(l.Labels) != len(l.X) {
			return fmt.Errorf("labels has %d texts for %d rows; give one for each", len(l.Labels), len(l.X))
		}
	case *Bars:
		if l.Thickness < 0 || l.Thickness > 1 {
			return fmt.Errorf("thickness %g is outside [0, 1]; it is a fraction of the room of a bar", l.Thickness)
		}
	case *Rule:
		if math.IsNaN(l.Value) {
			return fmt.Errorf("value is NaN: %w; leave the rule out", ErrNoData)
		}
	}
	return nil
}

// reserved are the names of fields that the rows of a layer have themselves.
var reserved = []string{"x", "y", "x2", "y2", "low", "high", "from", "to", "label", "series", "order", "xname", "yname", "value"}

func (l *Look) checkColumns(rows int) error {
	for _, c := range l.Columns {
		if slices.Contains(reserved, c.Name) {
			return fmt.Errorf("column %q has the name of a coordinate; choose another", c.Name)
		}
		if n := max(len(c.Numbers), len(c.Text)); n != rows {
			return fmt.Errorf("column %q has %d values for %d rows; give one for each", c.Name, n, rows)
		}
	}
	return nil
}
