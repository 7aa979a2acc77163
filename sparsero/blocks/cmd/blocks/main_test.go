package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

func TestMain(m *testing.M) {
	flag.Parse()
	log.LogLevel = "error"
	beam.Init()
	os.Exit(m.Run())
}

// runs runs a command line and returns what it prints.
func runs(t *testing.T, line ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(context.Background(), &out, line)
	return out.String(), err
}

// A file is cut, described and chosen from; what is no command line says how one looks.
func TestCommand(t *testing.T) {
	folder := t.TempDir()
	atoms, cut := filepath.Join(folder, "atoms.npy"), filepath.Join(folder, "blocks")
	var content bytes.Buffer
	if err := input.WriteMatrix(&content, mat.NewDense(4, 2, []float64{2, 0, 0, 1, -1, 1, 1, 1})); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(atoms, content.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	*count = 2
	if said, err := runs(t, "cut", atoms, cut); err != nil || said != "4 atoms of dimension 2 in 2 blocks\n" {
		t.Errorf("%q, %v", said, err)
	}
	if said, err := runs(t, "describe", cut, "atoms-00001-of-00002.npy"); err != nil || said != "2 atoms of dimension 2 in 1 blocks\n" {
		t.Errorf("%q, %v", said, err)
	}
	*budget = 1
	said, err := runs(t, "select", cut, atoms)
	if err != nil {
		t.Fatal(err)
	}
	var result struct { // bounds are not read back: what a text says is not proven
		Verified  bool
		Selection struct{ Labels []string }
	}
	if err := json.Unmarshal([]byte(said), &result); err != nil || !result.Verified || result.Selection.Labels[0] != "d1" {
		t.Errorf("%v: %s", err, said)
	}
	for _, line := range [][]string{nil, {"cut", atoms}, {"work", cut, "0"}, {"select", cut}} {
		if _, err := runs(t, line...); err == nil || !strings.Contains(err.Error(), "usage") {
			t.Errorf("%v: error %v", line, err)
		}
	}
	if _, err := runs(t, "select", folder, atoms); err == nil || !strings.Contains(err.Error(), "manifest") {
		t.Errorf("no blocks: error %v", err)
	}
}
