package blocks_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/blocks"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// writeNPY writes random rows to a file of a folder.
func writeNPY(t testing.TB, folder, name string, seed uint64, n, p int) *mat.Dense {
	t.Helper()
	source, rows := rand.New(rand.NewPCG(seed, 1)), mat.NewDense(n, p, nil)
	rows.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, rows)
	var content bytes.Buffer
	if err := input.WriteMatrix(&content, rows); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, name), content.String())
	return rows
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// want finds a text in an error.
func want(t testing.TB, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one with %q", err, text)
	}
}

// Blocks that are cut from a file are its rows; described anew they have the same manifest, with a file without rows too.
func TestCutAndDescribe(t *testing.T) {
	folder := t.TempDir()
	atoms := writeNPY(t, folder, "atoms.npy", 1, 20, 3)
	cut := must(blocks.Cut(filepath.Join(folder, "atoms.npy"), filepath.Join(folder, "blocks"), 3))(t)
	manifest := filepath.Join(folder, "blocks", "manifest.json")
	before := must(os.ReadFile(manifest))(t)
	write(t, filepath.Join(folder, "blocks", "none.npy"), string(input.Header{Kind: "<f8", Shape: []int{0, 3}}.Bytes()))
	names := []string{"none.npy"}
	for _, block := range cut.Blocks {
		names = append(names, block.Name)
	}
	described := must(blocks.Describe(filepath.Join(folder, "blocks"), names...))(t)
	if !bytes.Equal(before, must(os.ReadFile(manifest))(t)) || !slices.Equal(cut.Blocks, described.Blocks) {
		t.Errorf("%v described anew are %v", cut.Blocks, described.Blocks)
	}
	task := must(blocks.NewTask(mat.NewDense(1, 3, []float64{1, 1, 1})))(t)
	task.Worst = 20
	got := must(must(blocks.Open(filepath.Join(folder, "blocks")))(t).Run(ctx, task))(t)
	for _, atom := range got.Challengers {
		if !slices.Equal(atom.Values, atoms.RawRowView(atom.Index)) {
			t.Errorf("atom %d is %v, want %v", atom.Index, atom.Values, atoms.RawRowView(atom.Index))
		}
	}
	whole := must(blocks.Cut(filepath.Join(folder, "atoms.npy"), filepath.Join(folder, "whole"), 1))(t)
	_, err := blocks.Cut(filepath.Join(folder, "whole", whole.Blocks[0].Name), filepath.Join(folder, "whole"), 1) // would lose the atoms
	want(t, err, "give another folder")
}

// A file of N numbers, as a matrix of one column is written, is cut as N atoms of dimension 1.
func TestCutOfOneColumn(t *testing.T) {
	folder := t.TempDir()
	atoms := writeNPY(t, folder, "atoms.npy", 1, 20, 1)
	cut := must(blocks.Cut(filepath.Join(folder, "atoms.npy"), filepath.Join(folder, "blocks"), 3))(t)
	task := must(blocks.NewTask(mat.NewDense(1, 1, []float64{1})))(t)
	task.Worst = 20
	for _, atom := range must(cut.Run(ctx, task))(t).Challengers {
		if cut.Dim() != 1 || !slices.Equal(atom.Values, atoms.RawRowView(atom.Index)) {
			t.Errorf("atom %d is %v, want %v", atom.Index, atom.Values, atoms.RawRowView(atom.Index))
		}
	}
}

// A block that is damaged, missing or doubled is named.
func TestBadBlocksAreNamed(t *testing.T) {
	folder := t.TempDir()
	for k, name := range []string{"first.npy", "second.npy", "third.npy"} {
		writeNPY(t, folder, name, uint64(k), 5, 2)
	}
	good := must(blocks.Describe(folder, "first.npy", "second.npy", "third.npy"))(t)
	task := must(blocks.NewTask(mat.NewDense(1, 2, []float64{1, 1})))(t)
	second := filepath.Join(folder, "second.npy")
	whole := must(os.ReadFile(second))(t)

	write(t, second, string(whole[:len(whole)-1])+"x")
	_, err := good.Run(ctx, task)
	want(t, err, "the checksum of second.npy")
	write(t, second, string(whole[:len(whole)-8]))
	_, err = good.Run(ctx, task)
	want(t, err, "second.npy")
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	_, err = good.Run(ctx, task)
	want(t, err, "second.npy: no such file")
	_, err = blocks.Describe(folder, "first.npy", "second.npy")
	want(t, err, "second.npy: no such file")
	write(t, second, string(must(os.ReadFile(filepath.Join(folder, "first.npy")))(t)))
	_, err = blocks.Describe(folder, "first.npy", "second.npy", "third.npy")
	want(t, err, "second.npy has the content of first.npy")
	_, err = blocks.Describe(folder, "first.npy", "third.npy", "first.npy")
	want(t, err, "first.npy has the content of first.npy")
}

func TestBadFolders(t *testing.T) {
	folder := t.TempDir()
	writeNPY(t, folder, "atoms.npy", 1, 20, 3)
	_, err := blocks.Cut(filepath.Join(folder, "atoms.npy"), folder, 21)
	want(t, err, "21 blocks for 20 atoms")
	_, err = blocks.Cut(filepath.Join(folder, "none.npy"), folder, 2)
	want(t, err, "none.npy")
	_, err = blocks.Open(folder)
	want(t, err, "write the manifest with Cut")
	_, err = new(blocks.Folder).Run(ctx, nil)
	want(t, err, "no atoms")
	for name, text := range map[string]string{
		"nothing":        `{}`,
		"a path":         `{"columns": 3, "blocks": [{"name": "../a.npy", "from": 0, "atoms": 2}]}`,
		"a gap":          `{"columns": 3, "blocks": [{"name": "a.npy", "from": 5, "atoms": 2}]}`,
		"a block twice":  `{"columns": 3, "blocks": [{"name": "a.npy", "from": 0, "atoms": 2, "sha256": "x"}, {"name": "a.npy", "from": 2, "atoms": 2, "sha256": "x"}]}`,
		"half an object": `{"columns": 3, "blocks": [`,
	} {
		write(t, filepath.Join(folder, "manifest.json"), text)
		if _, err := blocks.Open(folder); err == nil {
			t.Errorf("a manifest with %s is read", name)
		}
	}
}
