package table

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"
)

// framer is what results of this module offer: themselves as a frame.
type framer interface{ Frame() dataframe.DataFrame }

// read turns data into columns.
func read(data any, o *Options) ([]column, error) {
	if v := reflect.ValueOf(data); !v.IsValid() || (v.Kind() == reflect.Pointer && v.IsNil()) {
		return nil, errors.New("table: data is nil; give a frame, a matrix, or a slice")
	}
	switch d := data.(type) {
	case dataframe.DataFrame:
		return readFrame(d)
	case *dataframe.DataFrame:
		return readFrame(*d)
	case framer:
		return readFrame(d.Frame())
	case mat.Matrix:
		return readMatrix(d, o), nil
	}
	return readValue(reflect.ValueOf(data))
}

func readFrame(df dataframe.DataFrame) ([]column, error) {
	if df.Error() != nil {
		return nil, fmt.Errorf("table: the frame carries an error: %w", df.Error())
	}
	columns := make([]column, df.Ncol())
	for j, name := range df.Names() {
		s := df.Col(name)
		if s.Err != nil {
			return nil, fmt.Errorf("table: column %q of the frame: %w", name, s.Err)
		}
		columns[j] = column{name: name}
		switch s.Type() {
		case series.Float, series.Int:
			columns[j].numbers = s.Float()
			if columns[j].numbers == nil {
				columns[j].numbers = []float64{}
			}
		default:
			columns[j].text = s.Records()
		}
	}
	return columns, nil
}

func readMatrix(m mat.Matrix, o *Options) []column {
	rows, cols := m.Dims()
	columns := make([]column, cols)
	for j := range columns {
		columns[j] = column{name: fmt.Sprintf("c%d", j), numbers: make([]float64, rows)}
		for i := range rows {
			columns[j].numbers[i] = m.At(i, j)
		}
	}
	if o.Labels != nil || o.Header != nil {
		return columns
	}
	labels := make([]string, rows)
	for i := range labels {
		labels[i] = fmt.Sprintf("r%d", i)
	}
	return append([]column{{label: true, text: labels}}, columns...)
}

func readValue(v reflect.Value) ([]column, error) {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		one := reflect.MakeSlice(reflect.SliceOf(v.Type()), 0, 1)
		return readStructs(reflect.Append(one, v))
	case reflect.Map:
		return readMap(v)
	case reflect.Slice, reflect.Array:
		element := v.Type().Elem()
		if element.Kind() == reflect.Pointer {
			element = element.Elem()
		}
		switch {
		case element.Kind() == reflect.Struct:
			return readStructs(v)
		case element.Kind() == reflect.Slice || element.Kind() == reflect.Array:
			return readRows(v)
		default:
			return []column{fromValues("value", elements(v))}, nil
		}
	}
	return nil, fmt.Errorf("table: cannot show data of type %s; give a frame, a matrix, a slice of structs, or a slice of rows", v.Type())
}

func elements(v reflect.Value) []reflect.Value {
	out := make([]reflect.Value, v.Len())
	for i := range out {
		out[i] = v.Index(i)
	}
	return out
}

// readStructs makes a column from each exported field.
func readStructs(v reflect.Value) ([]column, error) {
	structure := v.Type().Elem()
	if structure.Kind() == reflect.Pointer {
		structure = structure.Elem()
	}
	rows := make([]reflect.Value, v.Len())
	for i := range rows {
		rows[i] = v.Index(i)
		if rows[i].Kind() == reflect.Pointer {
			if rows[i].IsNil() {
				return nil, fmt.Errorf("table: element %d of the slice is nil; leave it out", i)
			}
			rows[i] = rows[i].Elem()
		}
	}
	var columns []column
	for _, field := range reflect.VisibleFields(structure) {
		tag := field.Tag.Get("table")
		if !field.IsExported() || field.Anonymous || tag == "-" {
			continue
		}
		name, unit, _ := strings.Cut(tag, ",")
		if name == "" {
			name = field.Name
		}
		values := make([]reflect.Value, len(rows))
		for i, row := range rows {
			value, err := row.FieldByIndexErr(field.Index)
			if err != nil {
				value = reflect.Value{} // a field of an embedded nil pointer
			}
			values[i] = value
		}
		c := fromTyped(name, field.Type, values)
		c.unit = unit
		columns = append(columns, c)
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("table: type %s has no exported fields to show", structure)
	}
	return columns, nil
}

func readMap(v reflect.Value) ([]column, error) {
	if v.Type().Key().Kind() != reflect.String {
		return nil, fmt.Errorf("table: cannot show a map with keys of type %s; use string keys", v.Type().Key())
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	values := make([]reflect.Value, len(keys))
	for i, k := range keys {
		values[i] = v.MapIndex(k)
	}
	return []column{fromValues("key", keys), fromValues("value", values)}, nil
}

// readRows makes columns from a slice of rows, which must have one length.
func readRows(v reflect.Value) ([]column, error) {
	if v.Len() == 0 {
		return nil, errors.New("table: the slice of rows is empty, so its columns are unknown; give a frame or a slice of structs for a table without rows")
	}
	width := v.Index(0).Len()
	columns := make([]column, width)
	for j := range columns {
		values := make([]reflect.Value, v.Len())
		for i := range values {
			if row := v.Index(i); row.Len() != width {
				return nil, fmt.Errorf("table: row %d has %d values and row 0 has %d; rows must have one length", i, row.Len(), width)
			}
			values[i] = v.Index(i).Index(j)
		}
		columns[j] = fromValues(fmt.Sprintf("c%d", j), values)
	}
	return columns, nil
}

// fromTyped makes a column of a known type, which decides for an empty column too.
func fromTyped(name string, t reflect.Type, values []reflect.Value) column {
	if len(values) > 0 || !isNumber(t) {
		return fromValues(name, values)
	}
	return column{name: name, numbers: []float64{}}
}

// fromValues makes a column of numbers if every value is one, and of text otherwise.
func fromValues(name string, values []reflect.Value) column {
	numbers := make([]float64, len(values))
	for i, v := range values {
		if v.IsValid() && v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		number, ok := asNumber(v)
		if !ok {
			return column{name: name, text: asText(values)}
		}
		numbers[i] = number
	}
	if len(values) == 0 {
		return column{name: name, text: []string{}}
	}
	return column{name: name, numbers: numbers}
}

// isNumber tells whether values of a type are shown as numbers. Types with a String method,
// such as time.Duration and enumerations, are text.
func isNumber(t reflect.Type) bool {
	if t.Implements(reflect.TypeFor[fmt.Stringer]()) {
		return false
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		return true
	}
	return false
}

func asNumber(v reflect.Value) (float64, bool) {
	if !v.IsValid() {
		return math.NaN(), true
	}
	if !isNumber(v.Type()) {
		return 0, false
	}
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	return v.Float(), true
}

func asText(values []reflect.Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		if v.IsValid() && v.CanInterface() {
			out[i] = fmt.Sprint(v.Interface())
		}
	}
	return out
}
