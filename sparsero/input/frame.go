package input

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// FromFrame reads a frame. All columns but the one of text hold floats or integers.
// Errors are those of [ReadTable], with rows counted from 0, and a frame that carries an error
// or has no rows.
func FromFrame(frame dataframe.DataFrame, o Options) (*Table, error) {
	if frame.Err != nil {
		return nil, fmt.Errorf("%s carries an error: %w; repair it before the call", o.Subject, frame.Err)
	}
	if frame.Nrow() == 0 {
		return nil, fmt.Errorf("%s is empty (%d rows, %d columns); give at least one row", o.Subject, frame.Nrow(), frame.Ncol())
	}
	names := frame.Names()
	t, text, err := newTable(names, o)
	if err != nil {
		return nil, err
	}
	t.place = "row"
	t.Values = make([]float64, frame.Nrow()*len(t.Names))
	position := 0
	for j, name := range names {
		column := frame.Col(name)
		if j == text {
			if t.Texts, err = columnTexts(column); err != nil {
				return nil, err
			}
			continue
		}
		if err := t.setColumn(position, column, o); err != nil {
			return nil, err
		}
		position++
	}
	return t, nil
}

// columnTexts returns a column as text, numbers with all their digits.
func columnTexts(column series.Series) ([]string, error) {
	texts := column.Records()
	for i := range texts {
		if column.Elem(i).IsNA() || texts[i] == "" {
			return nil, missingText(fmt.Sprintf("row %d", i), column.Name)
		}
		if column.Type() == series.Float {
			texts[i] = strconv.FormatFloat(column.Elem(i).Float(), 'g', -1, 64)
		}
	}
	return texts, nil
}

func (t *Table) setColumn(position int, column series.Series, o Options) error {
	if kind := column.Type(); kind != series.Float && kind != series.Int {
		return fmt.Errorf("column %s of %s holds %s values, first %s; make it numeric, drop it, or name it as the one of labels", Quote(column.Name), o.Subject, kind, Quote(column.Elem(0).String()))
	}
	for i, value := range column.Float() {
		switch {
		case (column.Elem(i).IsNA() || math.IsNaN(value)) && !o.Missing:
			return missingValue(t.Place(i), column.Name)
		case math.IsInf(value, 0):
			return fmt.Errorf("infinite value %v in row %d, column %s; correct it or drop the row", value, i, Quote(column.Name))
		}
		t.Values[i*len(t.Names)+position] = value
	}
	return nil
}
