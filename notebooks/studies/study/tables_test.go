package study

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

func exampleTable() Table {
	return Table{Name: "walks_means", Title: "Means.", Frame: dataframe.New(
		series.New([]string{"a", "b, c", "d"}, series.String, "Policy"),
		series.New([]int{1, 2, 30}, series.Int, "B"),
		series.New([]float64{100. / 3, math.NaN(), math.Inf(1)}, series.Float, "Success (%)"),
		series.New([]bool{true, false, true}, series.Bool, "Nested"),
	)}
}

func TestWriteCSV(t *testing.T) {
	var text bytes.Buffer
	if err := exampleTable().WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	want := "Policy,B,Success (%),Nested\na,1,33.333333333333336,true\n\"b, c\",2,,false\nd,30,+Inf,true\n"
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
}

// TestMissingCells: a missing whole number, truth value or text is an empty field, as NaN is, and columns of one name keep their cells.
func TestMissingCells(t *testing.T) {
	var text bytes.Buffer
	rows := dataframe.ReadCSV(strings.NewReader("a,B,c,d\nx,1,true,2.5\nNA,NA,NA,NA\n")).Rename("B", "d")
	if err := (Table{Name: "t", Frame: rows}).WriteCSV(&text); err != nil || text.String() != "a,B,c,B\nx,1,true,2.5\n,,,\n" {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestWriteTables(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "results")
	record := mustRun(t, walks(3, 3, nil), Options{}).Record
	if err := record.WriteTables(folder, exampleTable()); err != nil {
		t.Fatal(err)
	}
	var side map[string]any
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(folder, "walks.json"))), &side); err != nil {
		t.Fatal(err)
	}
	if side["study"] != "walks" || side["version"] != "1" || side["finished"] != 3.0 || side["configuration_hash"] != record.Hash {
		t.Errorf("side file %v", side)
	}
	if steps := side["configuration"].(map[string]any)["Steps"]; steps != 3.0 {
		t.Errorf("configuration in the side file: Steps = %v, want 3", steps)
	}
	if err := record.WriteTables(folder, exampleTable()); err != nil {
		t.Errorf("writing the same tables again: %v", err)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 2 {
		t.Errorf("%d files in the folder (%v), want the table and the side file", len(files), err)
	}
}

func TestWriteTablesWantsAllUnits(t *testing.T) {
	record, folder := mustRun(t, walks(3, 3, nil), Options{}).Record, filepath.Join(t.TempDir(), "results")
	record.Done = 2
	if err := record.WriteTables(folder, exampleTable()); err == nil || !strings.Contains(err.Error(), "2 of 3 units") {
		t.Errorf("tables of two of three units: error = %v", err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("tables of two of three units were written")
	}
}

func TestWriteTablesReportsABrokenFrame(t *testing.T) {
	record := mustRun(t, walks(3, 3, nil), Options{}).Record
	broken := Table{Name: "broken", Frame: dataframe.New()}
	if err := record.WriteTables(t.TempDir(), broken); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("error = %v, want one that names the table", err)
	}
}
