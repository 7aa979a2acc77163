package study

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
)

// Table is one table of a study.
type Table struct {
	// Name is the name of its file without ".csv".
	Name string
	// Title says in a sentence what it shows.
	Title string
	// Frame holds the rows. Columns are named as in the paper; a column that
	// starts with "paper_value" holds what the paper prints in that place.
	Frame dataframe.DataFrame
}

// Table returns a table of a study, whose name begins with that of the study.
func (r Record) Table(name, title string, rows dataframe.DataFrame) Table {
	return Table{Name: r.Study + "_" + name, Title: title, Frame: rows}
}

// WriteCSV writes the frame with a header line. Numbers are written with the fewest digits that restore them exactly,
// NaN as an empty field, infinity as "+Inf". The errors are those of the frame and of the writer.
func (t Table) WriteCSV(w io.Writer) error {
	if t.Frame.Err != nil {
		return fmt.Errorf("study: table %s: %w", t.Name, t.Frame.Err)
	}
	rows := make([][]string, t.Frame.Nrow()+1)
	for j, name := range t.Frame.Names() {
		rows[0] = append(rows[0], name)
		for i := range t.Frame.Nrow() {
			rows[i+1] = append(rows[i+1], cell(t.Frame.Elem(i, j)))
		}
	}
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("study: table %s: %w", t.Name, err)
	}
	return nil
}

// cell returns an entry as text.
func cell(entry series.Element) string {
	switch {
	case entry.IsNA():
		return ""
	case entry.Type() == series.Float:
		return strconv.FormatFloat(entry.Float(), 'g', -1, 64)
	}
	return entry.String()
}

// sideFile describes the tables of a study in a folder.
type sideFile struct {
	Record
	GoVersion string        `json:"go_version"`
	Tables    []tableRecord `json:"tables"`
}

type tableRecord struct {
	File    string   `json:"file"`
	Title   string   `json:"title"`
	Rows    int      `json:"rows"`
	Columns []string `json:"columns"`
}

// WriteTables writes each table to <directory>/<name>.csv, and then a side file <directory>/<study>.json with the
// study's configuration, units, version, time and list of tables, in the place of what was there. The folder is created
// if missing. It is an error if units are missing.
func (r Record) WriteTables(directory string, tables ...Table) error {
	if r.Partial() {
		return fmt.Errorf("study: %s has %d of %d units; finish it before its tables are written", r.Study, r.Done, len(r.Keys))
	}
	side := sideFile{Record: r, GoVersion: runtime.Version()}
	contents := make([]bytes.Buffer, len(tables))
	for k, table := range tables {
		if err := table.WriteCSV(&contents[k]); err != nil {
			return err
		}
		side.Tables = append(side.Tables, tableRecord{
			File: table.Name + ".csv", Title: table.Title, Rows: table.Frame.Nrow(), Columns: table.Frame.Names(),
		})
	}
	description, err := json.MarshalIndent(side, "", "  ")
	if err != nil {
		return fmt.Errorf("study: side file of %s: %w", r.Study, err)
	}
	err = os.MkdirAll(directory, 0o755)
	for k := 0; k < len(tables) && err == nil; k++ {
		err = os.WriteFile(filepath.Join(directory, side.Tables[k].File), contents[k].Bytes(), 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(directory, r.Study+".json"), append(description, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("study: cannot write the tables of %s: %w; make room or give another folder, and run again", r.Study, err)
	}
	return nil
}

// Summarise returns a table with a row for the different keys that observe adds for the finished units: the keys, and what summary
// makes of them, as [tally.Groups.Frame] says.
func (r *Results[R]) Summarise(columns string, observe func(*R, *tally.Groups), summary func(keys []any, numbers [][]float64) []any) dataframe.DataFrame {
	var groups tally.Groups
	for k := range r.Units {
		observe(&r.Units[k].Result, &groups)
	}
	return groups.Frame(columns, summary)
}
