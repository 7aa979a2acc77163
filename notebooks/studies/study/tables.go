package study

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
// configuration, seed, units, version, time and list of tables, and each table to
// <directory>/<name>.csv. The folder is created if missing. The side file comes first,
// so that after a kill at any moment the same study may write its tables again.
//
// Unless replace is set, tables of another configuration, seed or version, tables of units
// that this study does not have, and tables of more finished units stay as they are: the
// error matches [ErrForeign], and nothing is written.
func (r Record) WriteTables(directory string, replace bool, tables ...Table) error {
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
	path := filepath.Join(directory, r.Study+".json")
	if !replace {
		if err := r.checkFolder(path); err != nil {
			return err
		}
	}
	err = os.MkdirAll(directory, 0o755)
	if err == nil {
		err = os.WriteFile(path, append(description, '\n'), 0o644)
	}
	for k := 0; k < len(tables) && err == nil; k++ {
		err = os.WriteFile(filepath.Join(directory, side.Tables[k].File), contents[k].Bytes(), 0o644)
	}
	if err != nil {
		return fmt.Errorf("study: cannot write the tables of %s: %w; make room or give another folder, and run again", r.Study, err)
	}
	return nil
}

// ErrForeign says that the tables in a folder belong to another experiment.
var ErrForeign = errors.New("study: foreign tables")

// checkFolder reports tables beside the path of the side file that must not be overwritten.
func (r Record) checkFolder(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("study: cannot read the side file: %w", err)
	}
	var found Record
	if json.Unmarshal(text, &found) != nil {
		return nil // torn by a kill, or being written by the same study
	}
	for _, key := range found.Keys {
		if !slices.Contains(r.Keys, key) {
			return fmt.Errorf("%w: the tables beside %s have a unit %q that %s lacks; they were left as they are: give another folder",
				ErrForeign, path, key, r.fileName())
		}
	}
	if found.fileName() != r.fileName() || found.Done > r.Done {
		return fmt.Errorf("%w: the tables beside %s are those of %s with %d units, not of %s with %d; they were left as they are: give another folder",
			ErrForeign, path, found.fileName(), found.Done, r.fileName(), r.Done)
	}
	return nil
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
