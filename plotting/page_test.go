package plotting_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/sparsero"
)

// pageOf saves a figure as a page and returns its text.
func pageOf(t *testing.T, f *plotting.Figure, path string) string {
	t.Helper()
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	return string(must(os.ReadFile(path)))
}

// TestPageToMail: one file, which loads nothing, keeps the sliders and cannot be broken out of by a title.
func TestPageToMail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figure.html")
	f := must(plotting.AtomicSet(must(sparsero.NewAtomicSet(fourLobes(), []int{0, 15, 30, 45, 8}, 1)), nil))
	f.Title = `</title><script>alert("title")</script>`
	page := pageOf(t, f, path)
	for _, found := range []string{" src=", "<link", "@import", "alert(\"title\")</script>"} {
		if strings.Contains(page, found) {
			t.Errorf("the page holds %q", found)
		}
	}
	f.Live = nil
	if still := pageOf(t, f, path); strings.Contains(still, "<script") || !strings.Contains(still, "<svg") {
		t.Error("a figure without an interactive view needs its picture and no script")
	}
	f.Static = nil
	if err := f.Save(path); err == nil {
		t.Error(err)
	}
}

// TestPageInBrowser: the chart takes the place of the picture, with a slider for each of its numbers.
func TestPageInBrowser(t *testing.T) {
	browser := findBrowser(t)
	path := filepath.Join(t.TempDir(), "figure.html")
	pageOf(t, must(plotting.AtomicSet(must(sparsero.NewAtomicSet(fourLobes(), []int{0, 15, 30, 45, 8}, 1)), nil)), path)
	output, err := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000",
		"--user-data-dir="+t.TempDir(), "--dump-dom", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	if sliders := strings.Count(string(output), `type="range"`); sliders != 2 || !strings.Contains(string(output), `class="marks"`) {
		t.Errorf("%d sliders, not 2, or no chart", sliders)
	}
}
