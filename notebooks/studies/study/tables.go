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
	"time"

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
// "+Inf". Other texts that a spreadsheet would take for a formula get an
// apostrophe in front. The errors are those of the frame and of the writer.
func (t Table) WriteCSV(w io.Writer) error {
	if t.Frame.Err != nil {
		return fmt.Errorf("study: table %s: %w", t.Name, t.Frame.Err)
	}
	rows := make([][]string, t.Frame.Nrow()+1)
	for _, name := range t.Frame.Names() {
		rows[0] = append(rows[0], harmless(name))
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
		texts := column.Records()
		for i, text := range texts {
			texts[i] = harmless(text)
		}
		return texts
	}
	texts := make([]string, column.Len())
	for i, v := range column.Float() {
		if !math.IsNaN(v) {
			texts[i] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return texts
}

// harmless returns a text that no spreadsheet takes for a formula: one that
// begins with =, +, -, @, a tab or a line break and is no number gets an
// apostrophe in front, which spreadsheets read as "this is text".
func harmless(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r\n", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// sideFile describes the tables of a study in a folder.
type sideFile struct {
	Record
	// Writing is true from before the first table is written until the last one
	// is in its place; a run that finds it set was killed there, and the next one
	// writes all tables again.
	Writing   bool          `json:"writing,omitempty"`
	GoVersion string        `json:"go_version"`
	Tables    []tableRecord `json:"tables"`
}

type tableRecord struct {
	File    string   `json:"file"`
	Title   string   `json:"title"`
	Rows    int      `json:"rows"`
	Columns []string `json:"columns"`
}

// WriteTables writes each table to <directory>/<name>.csv, and a side file
// <directory>/<study>.json with the study's configuration, seed, version, usage
// and list of tables. The folder is created if missing.
//
// Each file is replaced in one step. The side file comes first, marked as being
// written, and once more at the end, so that after a kill at any moment the same
// study writes its tables again by itself. A lock keeps two runs from writing to
// one folder at a time ([ErrBusy]).
//
// Unless replace is set, it refuses to overwrite what it cannot improve: tables
// of another configuration, seed or version, tables of more finished units, or
// CSV files without a side file. These errors match [ErrForeign], and nothing
// is written. Names of tables and of the study must be plain file names.
func (r Record) WriteTables(directory string, replace bool, tables ...Table) error {
	side := sideFile{Record: r, Writing: true, GoVersion: runtime.Version()}
	texts := make([][]byte, len(tables))
	for k, table := range tables {
		if err := checkFileName("table", table.Name); err != nil {
			return err
		}
		var text bytes.Buffer
		if err := table.WriteCSV(&text); err != nil {
			return err
		}
		texts[k] = text.Bytes()
		side.Tables = append(side.Tables, tableRecord{
			File: table.Name + ".csv", Title: table.Title, Rows: table.Frame.Nrow(), Columns: table.Frame.Names(),
		})
	}
	if err := checkFileName("study", r.Study); err != nil {
		return err
	}
	unlock, err := lockFolder(directory)
	if err != nil {
		return err
	}
	defer unlock()
	if !replace {
		if err := r.checkFolder(directory, tables); err != nil {
			return err
		}
	}
	side.keepUsage(directory)
	if err := side.write(directory); err != nil {
		return err
	}
	for k, table := range tables {
		if err := replaceFile(filepath.Join(directory, table.Name+".csv"), texts[k]); err != nil {
			return err
		}
	}
	side.Writing = false
	return side.write(directory)
}

// write replaces the side file.
func (s sideFile) write(directory string) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("study: side file of %s: %w", s.Study, err)
	}
	return replaceFile(s.sidePath(directory), append(text, '\n'))
}

// checkFileName reports a name that is hidden or leads out of its folder.
func checkFileName(what, name string) error {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, `/\:`) {
		return fmt.Errorf("study: the %s is called %.200q, which is no plain file name; use a name without /, \\, : and a leading dot", what, name)
	}
	return nil
}

// folderWait is how long WriteTables waits for another run that writes to the folder.
const folderWait = 10 * time.Second

// lockFolder creates a folder if it is missing and takes its lock, which also
// ends with the process.
func lockFolder(directory string) (unlock func() error, err error) {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return nil, fmt.Errorf("study: cannot create the folder of the tables: %w", err)
	}
	folder, err := os.Open(directory)
	if err != nil {
		return nil, fmt.Errorf("study: cannot open the folder of the tables: %w", err)
	}
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if err = lock(folder); err == nil {
			return folder.Close, nil
		}
		if time.Since(begin) > folderWait {
			folder.Close()
			return nil, fmt.Errorf("%w: another run is writing tables to %s; wait for it or give another folder (%v)", ErrBusy, directory, err)
		}
	}
}

// checkFolder reports tables that must not be overwritten.
func (r Record) checkFolder(directory string, tables []Table) error {
	path := r.sidePath(directory)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		for _, table := range tables {
			file := filepath.Join(directory, table.Name+".csv")
			if _, err := os.Stat(file); err == nil {
				return foreign(file, field{"side file", r.Study + ".json", "absent"})
			}
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("study: cannot read the side file: %w", err)
	}
	var found sideFile
	if err := json.Unmarshal(text, &found); err != nil {
		return foreign(path, field{"format", "a side file of " + r.Study, "unknown: " + err.Error()})
	}
	if found.Done > r.Done {
		return foreign(path, field{"number of finished units", strconv.Itoa(r.Done), strconv.Itoa(found.Done)})
	}
	return checkFields(path,
		field{"study", r.Study, found.Study},
		field{"version", r.Version, found.Version},
		field{"seed", strconv.FormatUint(r.Seed, 10), strconv.FormatUint(found.Seed, 10)},
		field{"configuration hash", r.Hash, found.Hash},
	)
}

// replaceFile writes a file beside its place and moves it there in one step.
// The file beside it has a fixed name, so that one left by a kill is replaced;
// the lock of the folder keeps others from it.
func replaceFile(path string, content []byte) error {
	unfinished := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".unfinished")
	err := writeSynced(unfinished, content)
	if err == nil {
		err = os.Rename(unfinished, path)
	}
	if err != nil {
		os.Remove(unfinished)
		return fmt.Errorf("study: cannot write %s: %w; what was there before is still there: make room or give another folder, and run again", path, err)
	}
	return nil
}

// writeSynced writes a file and waits until it is on disk.
func writeSynced(path string, content []byte) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}
