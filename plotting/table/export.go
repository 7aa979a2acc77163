package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// MarshalJSON is an error: a table holds what it shows, which CSV, HTML and Text write.
func (t *Table) MarshalJSON() ([]byte, error) {
	return nil, errors.New("table: a table has no form in JSON; write it with CSV")
}

// CSV writes all rows and columns in full precision, with the header in the first line. It
// returns the error of the writer.
func (t *Table) CSV(w io.Writer) error {
	if w == nil {
		return errors.New("table: the writer is nil; open a file")
	}
	records := make([][]string, t.rows+1)
	for j := range t.columns {
		c := &t.columns[j]
		records[0] = append(records[0], c.header())
		for i := range t.rows {
			records[i+1] = append(records[i+1], c.raw(i))
		}
	}
	if err := csv.NewWriter(w).WriteAll(records); err != nil {
		return fmt.Errorf("table: writing CSV: %w", err)
	}
	return nil
}

// Save writes the table to a file whose name ends in .csv (all rows, full precision) or .html
// (the shown rows). Missing folders are made. It is an error if the name ends otherwise or if the
// file cannot be written.
func (t *Table) Save(path string) error {
	var data bytes.Buffer
	var err error
	switch kind := strings.ToLower(filepath.Ext(path)); kind {
	case ".csv":
		err = t.CSV(&data)
	case ".html":
		data.WriteString(t.HTML() + "\n")
	default:
		return fmt.Errorf("table: cannot save a table as %q; use .csv or .html", kind)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, data.Bytes(), 0o644)
	}
	if err != nil {
		return fmt.Errorf("table: saving %q: %w", t.title, err)
	}
	return nil
}
