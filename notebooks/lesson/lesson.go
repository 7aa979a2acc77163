// Package lesson holds what every notebook of this course needs in most of its cells. Notebooks import its names
// without a prefix:
//
//	import . "github.com/sparsero/directions/notebooks/lesson"
//
// A program elsewhere needs [Must] at most, which is three lines of its own.
package lesson

import (
	"fmt"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// stop ends a cell with a message.
var stop = log.Fatal

// Must returns the value of a call that succeeded. An error, whose text says what to change, ends the cell.
func Must[T any](value T, err error) T {
	if err != nil {
		stop(err)
	}
	return value
}

// Claim prints a sentence of the lesson that holds; one that does not hold ends the cell.
func Claim(sentence string, holds bool) {
	if !holds {
		stop("this does not hold: " + sentence)
	}
	fmt.Println("checked:", sentence)
}

// Stored reads the table NAME.csv that make studies or make compare wrote into the folder results beside the notebooks;
// solutions find it one folder up. A table that is missing or broken ends the cell.
func Stored(name string, options ...dataframe.LoadOption) dataframe.DataFrame {
	file, err := os.Open(filepath.Join("results", name+".csv"))
	if os.IsNotExist(err) {
		file, err = os.Open(filepath.Join("..", "results", name+".csv"))
	}
	if err != nil {
		stop(fmt.Errorf("lesson: there is no stored table %q: %w", name, err.(*fs.PathError).Err))
	}
	defer file.Close()
	table := dataframe.ReadCSV(file, options...)
	if table.Err != nil {
		stop(fmt.Errorf("lesson: stored table %q: %w", name, table.Err))
	}
	return table
}

// Where returns the rows of a table whose column has the value.
func Where(table dataframe.DataFrame, column string, value any) dataframe.DataFrame {
	return table.Filter(dataframe.F{Colname: column, Comparator: series.Eq, Comparando: value})
}

// Normal draws n numbers from the standard normal distribution.
func Normal(random *rand.Rand, n int) []float64 {
	values := make([]float64, n)
	for k := range values {
		values[k] = random.NormFloat64()
	}
	return values
}
