// Package frame turns lists of records into frames.
package frame

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Column writes one column about records of one type.
type Column[T any] func(rows []T) series.Series

// Col returns the column of this name with a value for each record.
func Col[T any, V string | float64 | int | bool](name string, value func(T) V) Column[T] {
	return func(rows []T) series.Series {
		values := make([]V, len(rows))
		for i, row := range rows {
			values[i] = value(row)
		}
		return series.New(values, kindOf[V](), name)
	}
}

// kindOf returns the type of a column that holds such values.
func kindOf[V any]() series.Type {
	switch any(*new(V)).(type) {
	case float64:
		return series.Float
	case int:
		return series.Int
	case bool:
		return series.Bool
	}
	return series.String
}

// Of returns the frame with one row for each record.
func Of[T any](rows []T, columns ...Column[T]) dataframe.DataFrame {
	list := make([]series.Series, len(columns))
	for k, column := range columns {
		list[k] = column(rows)
	}
	return dataframe.New(list...)
}
