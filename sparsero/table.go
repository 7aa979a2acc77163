package sparsero

import (
	"io"

	"github.com/sparsero/directions/sparsero/internal/frame"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Table is a table of numbers with named columns and at most one column of text.
type Table = input.Table

// TableOptions say what a table holds.
type TableOptions = input.Options

// ReadTable reads a header line and the lines below it, separated by commas, semicolons or tabs. The errors name the line and
// the column: a ragged line, text in a column of numbers, a missing value that is not asked for, an infinite one, a column
// without a name or with the name of another.
func ReadTable(r io.Reader, o TableOptions) (*Table, error) { return input.ReadTable(r, o) }

// LoadArray reads a NumPy file of numbers with its shape. It is an error if the file is none, or shorter than its
// header says; sizes are checked before memory is allocated. Integers beyond 2^53 become the nearest float64.
func LoadArray(path string) (input.Array, error) { return input.LoadArray(path) }

// NewRows begins a dataframe that is collected row by row, with columns whose names are separated by commas.
func NewRows(columns string) *frame.Rows { return frame.NewRows(columns) }
