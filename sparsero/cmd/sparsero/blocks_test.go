package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// spoil makes a worker fail on the first try of one block each: killed, slow, or cut short.
func spoil(marks, block string) {
	mark := filepath.Join(marks, block)
	if _, err := os.Stat(mark); err == nil {
		return
	}
	_ = os.WriteFile(mark, nil, 0o666)
	switch block {
	case "0":
		itself, _ := os.FindProcess(os.Getpid())
		_ = itself.Kill()
		time.Sleep(time.Minute)
	case "1":
		time.Sleep(time.Minute)
	case "2":
		os.Stdout.WriteString(`{"task":"ab`)
		os.Exit(0)
	}
}

// writeNPY writes random rows to a file of a folder.
func writeNPY(t *testing.T, folder, name string, seed uint64, n, p int) *mat.Dense {
	t.Helper()
	source, rows := rand.New(rand.NewPCG(seed, 1)), mat.NewDense(n, p, nil)
	rows.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, rows)
	var content bytes.Buffer
	if err := input.WriteMatrix(&content, rows); err != nil {
		t.Fatal(err)
	}
	file(t, folder, name, content.String())
	return rows
}

// A file cut into blocks that processes answer for gives the path of one machine, with workers that are killed, slow
// or cut short at first, and the rows of the chosen atoms.
func TestSelectFromBlocks(t *testing.T) {
	folder := t.TempDir()
	atoms, probes := writeNPY(t, folder, "atoms.npy", 1, 500, 6), writeNPY(t, folder, "probes.npy", 2, 40, 6)
	runs(t, folder, "cut FOLDER/atoms.npy FOLDER/blocks -blocks 7", 0)
	t.Setenv("SPARSERO_IS_THE_COMMAND", "1")
	t.Setenv("SPARSERO_SPOIL", t.TempDir())
	o := runs(t, folder, "select FOLDER/blocks FOLDER/probes.npy -budget 12 -patience 10s -json -o FOLDER/few.csv", 0)
	if failures := o.stderr[strings.LastIndex(o.stderr, ",")+1:]; failures < " 3 workers failed" { // a slow machine may fail more
		t.Errorf("it says %s", o.stderr)
	}
	one := read[selection.Selection](t, runs(t, folder, "select FOLDER/atoms.npy FOLDER/probes.npy -budget 12 -json", 0))
	result := read[shard.Result](t, o)
	got := result.Selection
	if !result.Verified || !slices.Equal(got.Atoms, one.Atoms) || !slices.Equal(got.Gains, one.Gains) || !slices.Equal(got.Bounds, one.Bounds) {
		t.Errorf("verified %v\n%v\nwant\n%v", result.Verified, got, one)
	}
	few, err := sparsero.LoadDictionary(filepath.Join(folder, "few.csv"))
	if err != nil || few.Size() != got.Len() {
		t.Fatalf("%v: %v", few, err)
	}
	for k, i := range got.Atoms {
		if !slices.Equal(few.Atom(k), atoms.RawRowView(i)) || few.Labels()[k] != got.Labels[k] {
			t.Errorf("row %d is %v, %s", k, few.Atom(k), few.Labels()[k])
		}
	}

	// A limit on rounds ends with what is proven.
	o = runs(t, folder, "select FOLDER/blocks FOLDER/probes.npy -budget 12 -propose 1 -rounds 1 -json", 3)
	part := read[shard.Result](t, o)
	if part.Verified || !slices.Equal(part.Selection.Atoms[:part.Same], one.Atoms[:part.Same]) || !strings.Contains(o.stderr, "raise -rounds") {
		t.Errorf("%+v: %s", part, o.stderr)
	}
	coverage, err := selection.NewCoverage(&block{atoms}, probes, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last := part.Selection.Len(); part.Selection.Bounds[last-1] < coverage.Value(one.Prefix(last)) {
		t.Errorf("the bound %v is below what %d atoms reach", part.Selection.Bounds[last-1], last)
	}
}

// block is atoms in memory.
type block struct{ *mat.Dense }

func (b *block) Size() int { n, _ := b.Dims(); return n }
func (b *block) Dim() int  { _, p := b.Dims(); return p }

func (b *block) Rows(_ []float64, from, to int) ([]float64, error) {
	return b.RawMatrix().Data[from*b.Dim() : to*b.Dim()], nil
}

// The same blocks described anew have the same manifest, with a file without rows too; a changed block is refused by
// its checksum.
func TestDescribeAndChecksums(t *testing.T) {
	folder := t.TempDir()
	writeNPY(t, folder, "atoms.npy", 1, 20, 3)
	writeNPY(t, folder, "probes.npy", 2, 4, 3)
	runs(t, folder, "cut FOLDER/atoms.npy FOLDER/blocks -blocks 3", 0)
	runs(t, folder, "cut FOLDER/atoms.npy FOLDER/whole -blocks 1", 0)
	again := runs(t, folder, "cut FOLDER/whole/atoms-00000-of-00001.npy FOLDER/whole -blocks 1", 2) // would lose the atoms
	if !strings.Contains(again.stderr, "give another folder") {
		t.Error(again.stderr)
	}
	runs(t, folder, "cut FOLDER/whole/atoms-00000-of-00001.npy FOLDER/third -blocks 1", 0)
	manifest := filepath.Join(folder, "blocks", "manifest.json")
	before, _ := os.ReadFile(manifest)
	opened, err := shard.Open(filepath.Join(folder, "blocks"))
	if err != nil {
		t.Fatal(err)
	}
	file(t, folder, "blocks/none.npy", string(input.Header{Kind: "<f8", Shape: []int{0, 3}}.Bytes()))
	line := "describe FOLDER/blocks none.npy"
	for _, block := range opened.Blocks {
		line += " " + block.Name
	}
	o := runs(t, folder, line, 0)
	if after, _ := os.ReadFile(manifest); !bytes.Equal(before, after) || !strings.Contains(o.stdout, "20 atoms of dimension 3 in 3 blocks") {
		t.Errorf("%s\nbefore\n%s\n%s", after, before, o.stdout)
	}

	path := filepath.Join(folder, "blocks", opened.Blocks[1].Name)
	content, _ := os.ReadFile(path)
	content[len(content)-1] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SPARSERO_IS_THE_COMMAND", "1")
	o = runs(t, folder, "select FOLDER/blocks FOLDER/probes.npy", 2)
	if !strings.Contains(o.stderr, "block 1 failed 3 times") || !strings.Contains(o.stderr, "the checksum of "+opened.Blocks[1].Name) {
		t.Error(o.stderr)
	}
}

func TestBadUsageOfBlocks(t *testing.T) {
	folder := t.TempDir()
	writeNPY(t, folder, "atoms.npy", 1, 20, 3)
	runs(t, folder, "cut FOLDER/atoms.npy FOLDER/blocks -blocks 3", 0)
	if err := os.Mkdir(filepath.Join(folder, "other"), 0o777); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"cut FOLDER/atoms.npy FOLDER/other -blocks 21":                 "21 blocks for 20 atoms",
		"cut FOLDER/none.npy FOLDER/other":                             "none.npy: no such file",
		"describe FOLDER/other x.npy":                                  "x.npy: no such file",
		"describe FOLDER/other":                                        "got 1 files",
		"select FOLDER/other FOLDER/atoms.npy":                         "write the manifest with Cut",
		"select FOLDER/blocks FOLDER/atoms.npy -budget 30":             "budget 30 for 20 atoms",
		"select FOLDER/blocks FOLDER/atoms.npy -rule random":           "use greedy",
		"select FOLDER/blocks FOLDER/atoms.npy -rounds -1":             "-1 rounds",
		"select FOLDER/blocks FOLDER/atoms.npy -command FOLDER/absent": "absent: no such file",
		"work FOLDER/blocks one":                                       `"one" is no number`,
		"work FOLDER/blocks 0":                                         "the task on the standard input",
	} {
		if o := runs(t, folder, line, 2); !strings.Contains(o.stderr, want) {
			t.Errorf("sparsero %s: %q, want %q in it", line, o.stderr, want)
		}
	}
	for name, text := range map[string]string{
		"nothing":       `{}`,
		"a path":        `{"columns": 3, "blocks": [{"name": "../a.npy", "from": 0, "atoms": 2}]}`,
		"a gap":         `{"columns": 3, "blocks": [{"name": "a.npy", "from": 5, "atoms": 2}]}`,
		"half a object": `{"columns": 3, "blocks": [`,
	} {
		file(t, folder, "other/manifest.json", text)
		if _, err := shard.Open(filepath.Join(folder, "other")); err == nil {
			t.Errorf("a manifest with %s is read", name)
		}
	}
	if _, err := json.Marshal(must(shard.Open(filepath.Join(folder, "blocks")))); err == nil {
		t.Error("a folder travels as JSON")
	}
}
