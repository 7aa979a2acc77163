// Package dow30 reads the daily closing prices of the thirty stocks of the Dow Jones index, 31 December 1990 to 2 January
// 2001, adjusted for splits and dividends: dow30.csv beside this file.
//
// The table is the data set DowJones30 of the R package fBasics (Diethelm Wuertz and others, Rmetrics), as Debian
// distributes it in r-cran-fbasics, under the GNU General Public License, version 2 or later: see dow30.csv.license. It is
// kept apart for that reason. No Go program contains it; Load reads the file where it lies, and package datasets (prices.go)
// knows its form. Name the [Source] wherever prices are shown. extract.py repeats the extraction.
package dow30

import (
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/sparsero/directions/datasets"
)

// Source is what to print beside whatever shows these prices.
const Source = "DowJones30 of the R package fBasics (GPL-2 or later), Debian r-cran-fbasics"

// Load reads the 2,529 days of 30 stocks from the file at path; an empty path means the one beside the source of this
// package, on the machine that compiled the program. A program that was moved to another machine, or built with
// -trimpath, takes the file along. It is an error if the file cannot be read as prices.
func Load(path string) (*datasets.PriceTable, error) {
	if path == "" {
		_, source, _, _ := runtime.Caller(0)
		path = filepath.Join(filepath.Dir(source), "dow30.csv")
	}
	table, err := datasets.LoadPrices(path, nil)
	if err != nil {
		return nil, fmt.Errorf("dow30: %w; the file is datasets/dow30/dow30.csv of the module, give its path", err)
	}
	return table, nil
}
