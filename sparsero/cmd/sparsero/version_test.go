package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestVersion: the command and the changelog name the same release.
func TestVersion(t *testing.T) {
	changelog, err := os.ReadFile(filepath.Join("..", "..", "..", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)`).FindSubmatch(changelog)
	if newest == nil {
		t.Fatal("CHANGELOG.md has no heading of a release")
	}
	folder := t.TempDir()
	if got, want := runs(t, folder, "version", 0).stdout, "sparsero "+string(newest[1])+"\n"; got != want {
		t.Errorf("sparsero version prints %q, want %q", got, want)
	}
	for _, form := range []string{"-version", "--version"} {
		runs(t, folder, form, 0)
	}
	answer := read[struct{ Version string }](t, runs(t, folder, "version -json", 0))
	if answer.Version != string(newest[1]) {
		t.Errorf("as JSON the version is %q, want %q", answer.Version, newest[1])
	}
	runs(t, folder, "version a.json", 2)
}
