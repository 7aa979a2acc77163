package study

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
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

// WriteCSV writes the frame with a header line. Numbers are written with the
// fewest digits that restore them exactly, NaN as an empty field, infinity as
// "+Inf". The errors are those of the frame and of the writer.
func (t Table) WriteCSV(w io.Writer) error {
	if t.Frame.Err != nil {
		return fmt.Errorf("study: table %s: %w", t.Name, t.Frame.Err)
	}
	rows := make([][]string, t.Frame.Nrow()+1)
	for _, name := range t.Frame.Names() {
		rows[0] = append(rows[0], name)
		for i, text := range cells(t.Frame.Col(name)) {
			rows[i+1] = append(rows[i+1], text)
		}
	}
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("study: table %s: %w", t.Name, err)
	}
	return nil
}

// cells returns the entries of a column as text.
func cells(column series.Series) []string {
	if column.Type() != series.Float {
		return column.Records()
	}
	texts := make([]string, column.Len())
	for i, v := range column.Float() {
		if !math.IsNaN(v) {
			texts[i] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return texts
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

// WriteTables writes a side file <directory>/<study>.json with the study's
// configuration, seed, version, times and list of tables, and each table to
// <directory>/<name>.csv. The folder is created if missing.
//
// Each file is replaced in one step. The side file comes first, so that after a kill
// at any moment the same study may write its tables again.
//
// Unless replace is set, it refuses to overwrite what it cannot improve: tables
// of another configuration, seed or version, tables of more finished units, or
// CSV files without a side file. These errors match [ErrForeign], and nothing
// is written. Names of tables and of the study must be plain file names.
func (r Record) WriteTables(directory string, replace bool, tables ...Table) error {
	side := sideFile{Record: r, GoVersion: runtime.Version()}
	if err := checkFileName("study", r.Study); err != nil {
		return err
	}
	contents := make([][]byte, len(tables))
	for k, table := range tables {
		if err := checkFileName("table", table.Name); err != nil {
			return err
		}
		var text bytes.Buffer
		if err := table.WriteCSV(&text); err != nil {
			return err
		}
		contents[k] = text.Bytes()
		side.Tables = append(side.Tables, tableRecord{
			File: table.Name + ".csv", Title: table.Title, Rows: table.Frame.Nrow(), Columns: table.Frame.Names(),
		})
	}
	description, err := json.MarshalIndent(side, "", "  ")
	if err != nil {
		return fmt.Errorf("study: side file of %s: %w", r.Study, err)
	}
	path := filepath.Join(directory, r.Study+".json")
	if !replace {
		if err := side.checkFolder(path); err != nil {
			return err
		}
	}
	if err := replaceFile(path, append(description, '\n')); err != nil {
		return err
	}
	for k, table := range side.Tables {
		if err := replaceFile(filepath.Join(directory, table.File), contents[k]); err != nil {
			return err
		}
	}
	return nil
}

// checkFileName reports a name that is hidden or leads out of its folder.
func checkFileName(what, name string) error {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, `/\:`) {
		return fmt.Errorf("study: the %s is called %.200q, which is no plain file name; use a name without /, \\, : and a leading dot", what, name)
	}
	return nil
}

// checkFolder reports tables beside the path of the side file that must not be overwritten.
func (s sideFile) checkFolder(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		for _, table := range s.Tables {
			file := filepath.Join(filepath.Dir(path), table.File)
			if _, err := os.Stat(file); err == nil {
				return foreign(file, field{"side file", filepath.Base(path), "absent"})
			}
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("study: cannot read the side file: %w", err)
	}
	var found sideFile
	if err := json.Unmarshal(text, &found); err != nil {
		return foreign(path, field{"format", "a side file of " + s.Study, "unknown: " + err.Error()})
	}
	if found.Done > s.Done {
		return foreign(path, field{"number of finished units", strconv.Itoa(s.Done), strconv.Itoa(found.Done)})
	}
	return s.check(path, found.Origin)
}

// Frame returns the rows of the table whose name ends in "_" and the suffix, an empty frame if there is none.
func Frame(tables []Table, suffix string) dataframe.DataFrame {
	for _, table := range tables {
		if strings.HasSuffix(table.Name, "_"+suffix) {
			return table.Frame
		}
	}
	return dataframe.DataFrame{Err: fmt.Errorf("study: no table is called %q", suffix)}
}
