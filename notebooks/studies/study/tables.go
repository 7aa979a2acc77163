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
	columns := make([][]string, t.Frame.Ncol())
	for j, name := range t.Frame.Names() {
		columns[j] = cells(t.Frame.Col(name))
	}
	writer := csv.NewWriter(w)
	if err := writer.Write(t.Frame.Names()); err != nil {
		return fmt.Errorf("study: table %s: %w", t.Name, err)
	}
	row := make([]string, len(columns))
	for i := range t.Frame.Nrow() {
		for j := range columns {
			row[j] = columns[j][i]
		}
		if err := writer.Write(row); err != nil {
			return fmt.Errorf("study: table %s: %w", t.Name, err)
		}
	}
	writer.Flush()
	if err := writer.Error(); err != nil {
		return fmt.Errorf("study: table %s: %w", t.Name, err)
	}
	return nil
}

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

// sideFile describes a folder of tables.
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

// WriteTables writes each table to <directory>/<name>.csv and, last, a side
// file <directory>/<study>.json with the study's configuration, seed, version,
// usage and list of tables. The folder is created if missing, and each
// file is replaced in one step, so that a killed run leaves no half file.
//
// Unless replace is set, it refuses to overwrite what it cannot improve: tables
// of another configuration, seed or version, tables of more finished units, or
// CSV files without a side file. These errors match [ErrForeign], and nothing
// is written.
func (r Record) WriteTables(directory string, replace bool, tables ...Table) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return fmt.Errorf("study: cannot create the folder of the tables: %w", err)
	}
	if !replace {
		if err := r.checkFolder(directory, tables); err != nil {
			return err
		}
	}
	r.keepUsage(directory)
	side := sideFile{Record: r, GoVersion: runtime.Version()}
	for _, table := range tables {
		var text bytes.Buffer
		if err := table.WriteCSV(&text); err != nil {
			return err
		}
		if err := replaceFile(filepath.Join(directory, table.Name+".csv"), text.Bytes()); err != nil {
			return err
		}
		side.Tables = append(side.Tables, tableRecord{
			File: table.Name + ".csv", Title: table.Title, Rows: table.Frame.Nrow(), Columns: table.Frame.Names(),
		})
	}
	text, err := json.MarshalIndent(side, "", "  ")
	if err != nil {
		return fmt.Errorf("study: side file of %s: %w", r.Study, err)
	}
	return replaceFile(r.sidePath(directory), append(text, '\n'))
}

// checkFolder reports tables that must not be overwritten.
func (r Record) checkFolder(directory string, tables []Table) error {
	path := r.sidePath(directory)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		for _, table := range tables {
			file := filepath.Join(directory, table.Name+".csv")
			if _, err := os.Stat(file); err == nil {
				return &ForeignError{Path: file, Field: "side file", Want: r.Study + ".json", Got: "absent"}
			}
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("study: cannot read the side file: %w", err)
	}
	var found sideFile
	if err := json.Unmarshal(text, &found); err != nil {
		return &ForeignError{Path: path, Field: "format", Want: "a side file of " + r.Study, Got: "unknown: " + err.Error()}
	}
	for _, field := range []struct{ name, want, got string }{
		{"study", r.Study, found.Study},
		{"version", r.Version, found.Version},
		{"seed", strconv.FormatUint(r.Seed, 10), strconv.FormatUint(found.Seed, 10)},
		{"configuration hash", r.Hash, found.Hash},
	} {
		if field.want != field.got {
			return &ForeignError{Path: path, Field: field.name, Want: field.want, Got: field.got}
		}
	}
	if found.Done > r.Done {
		return &ForeignError{Path: path, Field: "number of finished units", Want: strconv.Itoa(r.Done), Got: strconv.Itoa(found.Done)}
	}
	return nil
}

// replaceFile writes a file beside its place and moves it there in one step.
func replaceFile(path string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("study: cannot write %s: %w", path, err)
	}
	defer os.Remove(file.Name()) // gone already after the rename
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("study: cannot write %s: %w", path, err)
	}
	return nil
}
