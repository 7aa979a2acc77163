// Package studytest looks up rows of tables, for tests of studies.
package studytest

import (
	"testing"

	"github.com/go-gota/gota/dataframe"
)

// Row returns the only row of a frame with the given values in the given columns.
func Row(t testing.TB, f dataframe.DataFrame, match map[string]string) map[string]any {
	t.Helper()
	if f.Err != nil {
		t.Fatal(f.Err)
	}
	var found map[string]any
	for _, values := range f.Maps() {
		fits := true
		for name, want := range match {
			fits = fits && values[name] == want
		}
		if fits && found != nil {
			t.Fatalf("two rows with %v", match)
		}
		if fits {
			found = values
		}
	}
	if found == nil {
		t.Fatalf("no row with %v in\n%v", match, f)
	}
	return found
}
