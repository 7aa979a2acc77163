package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// TestMain is the program itself where a test starts it as a worker, spoiled on the first try of one block each if
// asked: killed, slow, or cut short.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "work" {
		if marks := os.Getenv("SHARDS_SPOIL"); marks != "" {
			spoil(marks, os.Args[3])
		}
		main()
		return
	}
	os.Exit(m.Run())
}

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

func matrix(seed uint64, n, p int) *mat.Dense {
	source := rand.New(rand.NewPCG(seed, 1))
	m := mat.NewDense(n, p, nil)
	m.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, m)
	return m
}

func writeNPY(t *testing.T, name string, m *mat.Dense) string {
	t.Helper()
	var content bytes.Buffer
	path := filepath.Join(t.TempDir(), name)
	if err := input.WriteMatrix(&content, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// call runs a command, which must succeed, and returns what it prints.
func call(t *testing.T, arguments ...string) (stdout, stderr string) {
	t.Helper()
	var out, said bytes.Buffer
	if err := run(context.Background(), arguments, strings.NewReader(""), &out, &said); err != nil {
		t.Fatal(err)
	}
	return out.String(), said.String()
}

// A file cut into blocks that processes answer for gives the path of one machine, with workers that are killed, slow
// or cut short at first.
func TestCutAndSelect(t *testing.T) {
	atoms, probes := matrix(1, 500, 6), matrix(2, 40, 6)
	file, probesFile, folder := writeNPY(t, "atoms.npy", atoms), writeNPY(t, "probes.npy", probes), t.TempDir()
	call(t, "cut", file, folder, "7")
	t.Setenv("SHARDS_SPOIL", t.TempDir())
	stdout, stderr := call(t, "select", "-budget", "12", "-patience", "5s", folder, probesFile)
	var result shard.Result
	if err := json.Unmarshal([]byte(stdout), &result); err != nil {
		t.Fatal(err)
	}
	if failures := stderr[strings.LastIndex(stderr, ",")+1:]; failures < " 3 workers failed" { // a slow machine may fail more
		t.Errorf("it says %s", stderr)
	}
	source, err := selection.OpenNPY(file)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	coverage, err := selection.NewCoverage(source, probes, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := selection.Greedy{StopAtFull: true}.Select(context.Background(), coverage, 12)
	if err != nil {
		t.Fatal(err)
	}
	got := result.Selection
	if !result.Verified || !slices.Equal(got.Atoms, want.Atoms) || !slices.Equal(got.Gains, want.Gains) || !slices.Equal(got.Bounds, want.Bounds) {
		t.Errorf("verified %v\n%v\nwant\n%v", result.Verified, got, want)
	}
}

// The same blocks described anew have the same manifest; a changed block is refused by its checksum.
func TestDescribeAndChecksums(t *testing.T) {
	file, folder := writeNPY(t, "atoms.npy", matrix(1, 20, 3)), t.TempDir()
	call(t, "cut", file, folder, "3")
	manifest := filepath.Join(folder, "manifest.json")
	before, _ := os.ReadFile(manifest)
	opened, err := shard.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"describe", folder}
	for _, block := range opened.Blocks {
		names = append(names, block.Name)
	}
	call(t, names...)
	if after, _ := os.ReadFile(manifest); !bytes.Equal(before, after) {
		t.Errorf("%s\nbefore\n%s", after, before)
	}

	path := filepath.Join(folder, opened.Blocks[1].Name)
	content, _ := os.ReadFile(path)
	content[len(content)-1] ^= 1
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	probes := writeNPY(t, "probes.npy", matrix(2, 4, 3))
	refused(t, "block 1 failed 3 times", "select", folder, probes)
	refused(t, "the checksum of "+opened.Blocks[1].Name, "select", folder, probes)
}

func refused(t *testing.T, says string, arguments ...string) {
	t.Helper()
	var out, said bytes.Buffer
	if err := run(context.Background(), arguments, strings.NewReader("{"), &out, &said); err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("%v, want an error that says %q", err, says)
	}
}

func TestRefusals(t *testing.T) {
	file, folder := writeNPY(t, "atoms.npy", matrix(1, 20, 3)), t.TempDir()
	call(t, "cut", file, folder, "3")
	other := t.TempDir()
	for says, arguments := range map[string][]string{
		"is none of these":              {"sort"},
		"21 blocks for 20 atoms":        {"cut", file, other, "21"},
		"give a number":                 {"cut", file, other, "many"},
		"no such file":                  {"cut", "none.npy", other, "2"},
		"write the manifest with Cut":   {"select", other, file},
		"name the folder":               {"select", folder},
		"the task on the standard":      {"work", folder, "0"},
		"flag provided but not defined": {"select", "-none", folder, file},
		"budget 30 for 20 atoms":        {"select", "-budget", "30", folder, file},
		"x.npy: no such file":           {"describe", other, "x.npy"},
	} {
		refused(t, says, arguments...)
	}
	for name, text := range map[string]string{
		"nothing":       `{}`,
		"a path":        `{"columns": 3, "blocks": [{"name": "../a.npy", "from": 0, "atoms": 2}]}`,
		"a gap":         `{"columns": 3, "blocks": [{"name": "a.npy", "from": 5, "atoms": 2}]}`,
		"half a object": `{"columns": 3, "blocks": [`,
	} {
		if err := os.WriteFile(filepath.Join(other, "manifest.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := shard.Open(other); err == nil {
			t.Errorf("a manifest with %s is read", name)
		}
	}
	_, said := call(t, "help")
	if !strings.Contains(said, "shards select") || !strings.Contains(said, "-patience") {
		t.Errorf("help says %s", said)
	}
}
