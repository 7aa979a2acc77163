// Package page puts figures and tables on the page of a notebook. It stands apart from package lesson, so that a cell
// that shows nothing is linked without a plotting library, in two thirds of the time.
package page

import (
	"github.com/sparsero/directions/notebooks/lesson"
	"github.com/sparsero/directions/plotting"
)

// Show displays figures, tables and whatever [plotting.Show] takes, and ends the cell on an error among them.
func Show(items ...any) { lesson.Must(items, plotting.Show(items...)) }
