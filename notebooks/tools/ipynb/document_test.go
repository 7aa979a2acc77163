package ipynb

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDocumentKeepsJupytersForm(t *testing.T) {
	for _, name := range []string{"executed"} {
		path := filepath.Join("testdata", name+".ipynb")
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		document, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := document.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s changes by reading and writing:\n%s", path, got)
		}
	}
}

func TestParseRejectsWhatIsNoNotebook(t *testing.T) {
	cases := map[string]struct{ content, want string }{
		"text":          {"hello", "no JSON object"},
		"list":          {"[]", "no JSON object"},
		"old format":    {`{"nbformat": 3, "cells": []}`, "want 4"},
		"no format":     {`{"cells": []}`, "want 4"},
		"without cells": {`{"nbformat": 4}`, "no list of cells"},
	}
	for name, c := range cases {
		if _, err := Parse([]byte(c.content)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
	}
	if _, err := Read(filepath.Join("testdata", "absent.ipynb")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent file: error %v", err)
	}
}

func TestWriteReplacesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copy.ipynb")
	if err := os.WriteFile(path, []byte("older"), 0o644); err != nil {
		t.Fatal(err)
	}
	document := read(t, "executed")
	if err := document.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Cells()) != len(document.Cells()) {
		t.Errorf("%d cells came back, want %d", len(again.Cells()), len(document.Cells()))
	}
}

// read reads a notebook of testdata.
func read(t *testing.T, name string) *Document {
	t.Helper()
	document, err := Read(filepath.Join("testdata", name+".ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	return document
}
