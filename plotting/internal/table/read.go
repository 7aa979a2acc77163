package table

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"
)

// framer is what results of this module offer: themselves as a frame.
type framer interface{ Frame() dataframe.DataFrame }

func read(data any, o *Options) ([]column, error) {
	v := reflect.ValueOf(data)
	if !v.IsValid() || (v.Kind() == reflect.Pointer && v.IsNil()) {
		return nil, errors.New("table: data is nil; give a frame, a matrix, or a slice of structs")
	}
	switch d := data.(type) {
	case dataframe.DataFrame:
		return readFrame(d, o)
	case framer:
		return readFrame(d.Frame(), o)
	case mat.Matrix:
		return readMatrix(d, o), nil
	case [][]float64:
		return readRows(d)
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct {
		return readStructs(v)
	}
	return nil, fmt.Errorf("table: cannot show data of type %s; give a frame, a matrix, a slice of structs, or a slice of rows of numbers", v.Type())
}

func readFrame(df dataframe.DataFrame, o *Options) ([]column, error) {
	if df.Error() != nil {
		return nil, fmt.Errorf("table: the frame carries an error: %w", df.Error())
	}
	columns, names := make([]column, df.Ncol()), df.Names()
	for j, kind := range df.Types() { // by place, as columns that were renamed may share a name
		numbers, text := make([]float64, df.Nrow()), make([]string, df.Nrow())
		for i := range text {
			cell := df.Elem(i, j)
			if numbers[i], text[i] = cell.Float(), cell.String(); cell.IsNA() {
				text[i] = cmp.Or(o.Missing, text[i])
			}
		}
		if columns[j] = (column{name: names[j], text: text}); kind == series.Float || kind == series.Int {
			columns[j].numbers = numbers
		}
	}
	return columns, nil
}

func readMatrix(m mat.Matrix, o *Options) []column {
	rows, cols := m.Dims()
	columns := make([]column, cols)
	for j := range columns {
		columns[j] = column{name: fmt.Sprintf("c%d", j), numbers: mat.Col(nil, j, m)}
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

func readRows(rows [][]float64) ([]column, error) {
	if len(rows) == 0 {
		return nil, errors.New("table: the slice of rows is empty, so its columns are unknown; give a frame or a slice of structs for a table without rows")
	}
	columns := make([]column, len(rows[0]))
	for j := range columns {
		columns[j].name = fmt.Sprintf("c%d", j)
	}
	for i, row := range rows {
		if len(row) != len(columns) {
			return nil, fmt.Errorf("table: row %d has %d values and row 0 has %d; rows must have one length", i, len(row), len(columns))
		}
		for j, v := range row {
			columns[j].numbers = append(columns[j].numbers, v)
		}
	}
	return columns, nil
}

// words writes an identifier as people do: "AtLeast" is "At least".
func words(name string) string {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsLower(last) && unicode.IsUpper(r) {
			b.WriteString(" " + string(unicode.ToLower(r)))
		} else {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

func readStructs(rows reflect.Value) ([]column, error) {
	var columns []column
	structure := rows.Type().Elem()
	for j := range structure.NumField() {
		field := structure.Field(j)
		if !field.IsExported() {
			continue
		}
		name, unit, _ := strings.Cut(field.Tag.Get("table"), ",")
		c := column{name: cmp.Or(name, words(field.Name)), unit: unit}
		zero, named := reflect.Zero(field.Type), reflect.TypeFor[fmt.Stringer]() // as of time.Duration, which is text
		if (zero.CanFloat() || zero.CanInt() || zero.CanUint()) && !field.Type.Implements(named) {
			c.numbers = make([]float64, rows.Len())
		} else {
			c.text = make([]string, rows.Len())
		}
		for i := range rows.Len() {
			switch v := rows.Index(i).Field(j); { // v.Convert would link all conversions into every cell
			case c.numbers == nil:
				c.text[i] = fmt.Sprint(v.Interface())
			case v.CanFloat():
				c.numbers[i] = v.Float()
			case v.CanInt():
				c.numbers[i] = float64(v.Int())
			default:
				c.numbers[i] = float64(v.Uint())
			}
		}
		columns = append(columns, c)
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("table: type %s has no exported fields to show", structure)
	}
	return columns, nil
}
