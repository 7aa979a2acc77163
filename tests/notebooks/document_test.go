package notebooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// document is a Jupyter notebook of format 4.
type document struct {
	Cells    []cell
	Metadata struct {
		Kernelspec struct{ Name, Language string }
	}
	Format int `json:"nbformat"`
}

// cell is one cell of a document.
type cell struct {
	// Kind is "code", "markdown" or "raw".
	Kind   string `json:"cell_type"`
	Source string `json:"-"`
	// Count is the execution count of a code cell, nil if it was not executed.
	Count   *int             `json:"execution_count"`
	Outputs []map[string]any `json:"outputs"`
}

// UnmarshalJSON joins the source, which Jupyter writes as a string or as a list of strings.
func (c *cell) UnmarshalJSON(content []byte) error {
	type plain cell
	var source struct{ Source any }
	if err := errors.Join(json.Unmarshal(content, (*plain)(c)), json.Unmarshal(content, &source)); err != nil {
		return err
	}
	switch source := source.Source.(type) {
	case string:
		c.Source = source
	case []any:
		for _, line := range source {
			c.Source += fmt.Sprint(line)
		}
	}
	return nil
}

// read reads a notebook file.
func read(path string) (*document, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d, err := parsed(content)
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, path)
	}
	return d, nil
}

// parsed reads a notebook from its JSON text.
func parsed(content []byte) (*document, error) {
	d := &document{}
	if err := json.Unmarshal(content, d); err != nil {
		return nil, fmt.Errorf("no notebook: %w", err)
	}
	if d.Format != 4 || d.Cells == nil {
		return nil, fmt.Errorf("nbformat %d with %d cells, want 4 with a list of cells", d.Format, len(d.Cells))
	}
	return d, nil
}

func TestParsed(t *testing.T) {
	for content, want := range map[string]string{
		"hello": "no notebook", "[]": "no notebook", `{"nbformat": 3, "cells": []}`: "want 4", `{"cells": []}`: "want 4", `{"nbformat": 4}`: "list of cells",
	} {
		if _, err := parsed([]byte(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", content, err, want)
		}
	}
	if _, err := read(filepath.Join("testdata", "absent.ipynb")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent file: error %v", err)
	}
	d, err := parsed([]byte(`{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["# A\n", "b"]}, {"cell_type": "code", "source": "x", "execution_count": 3}]}`))
	if err != nil || d.Cells[0].Source != "# A\nb" || d.Cells[1].Source != "x" || d.Cells[1].Count == nil {
		t.Errorf("read %+v (%v)", d, err)
	}
}
