// Package book tests the scripts of this folder: course.py keeps the table of contents, book.py makes the book.
package book

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python runs a script of this folder with an interpreter that has nbconvert, and returns what it said.
func python(t *testing.T, arguments ...string) (said string, err error) {
	t.Helper()
	for _, python := range []string{os.Getenv("SPARSERO_PYTHON"), "python3", "/usr/bin/python3"} {
		if python != "" && exec.Command(python, "-c", "import nbconvert, pygments").Run() == nil {
			text, err := exec.Command(python, arguments...).CombinedOutput()
			return string(text), err
		}
	}
	t.Skip("no Python with nbconvert; make setup installs it")
	return "", nil
}

// makeBook runs book.py.
func makeBook(t *testing.T, root, scripts, output string, more ...string) (said string, err error) {
	t.Helper()
	return python(t, append([]string{"book.py", "-root", root, "-scripts", scripts, "-output", output}, more...)...)
}

// TestCourse: what the repository keeps of the course is what its notebooks say.
func TestCourse(t *testing.T) {
	for _, script := range []string{"course.py", "course_test.py"} {
		if said, err := python(t, script); err != nil {
			t.Errorf("%s: %v\n%s", script, err, said)
		}
	}
}

// dot is a PNG of one pixel.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

type object = map[string]any

func markdown(source string) object {
	return object{"cell_type": "markdown", "metadata": object{}, "source": source}
}

func code(outputs ...object) object {
	return object{"cell_type": "code", "metadata": object{}, "execution_count": 1, "source": "1", "outputs": outputs}
}

func display(data object) object {
	return object{"output_type": "display_data", "metadata": object{}, "data": data}
}

// pageOf makes a book of one notebook with the cells and returns its page.
func pageOf(t *testing.T, cells ...object) (page, said string, err error) {
	t.Helper()
	root, site, scripts := t.TempDir(), t.TempDir(), t.TempDir()
	notebook := func(cells ...object) string {
		text, err := json.Marshal(object{"nbformat": 4, "nbformat_minor": 4, "metadata": object{}, "cells": append([]object{markdown("# A title")}, cells...)})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	picture, err := base64.StdEncoding.DecodeString(dot)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		root + "/notebooks/thumbnails/front.png": string(picture),
		root + "/notebooks/README.md":            "# The course\n\n## Where to begin\n\n**Here.** [00_a](00_a.ipynb)\n\n## All notebooks\n",
		root + "/notebooks/01_stress_days.ipynb": notebook(), // behind that picture
		root + "/notebooks/00_a.ipynb":           notebook(cells...), root + "/notebooks/solutions/00_a_solutions.ipynb": notebook(),
		root + "/notebooks/GLOSSARY.md": "# Terms\n\n## Deficit\n", root + "/sparsero/MIGRATION.md": "# Elsewhere\n",
	}
	for _, name := range []string{"katex.js", "katex.min.css", "auto-render.js", "vega.min.js", "vega-lite.min.js"} {
		files[filepath.Join(scripts, name)] = ""
	}
	for path, content := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if said, err = makeBook(t, root, scripts, site); err != nil {
		return "", said, err
	}
	content, err := os.ReadFile(filepath.Join(site, "00_a.html"))
	return string(content), said, err
}

// TestBook looks at one page with everything that a page can hold: outputs cannot break it, and links lead to pages.
func TestBook(t *testing.T) {
	page, said, err := pageOf(t,
		markdown("[own](00_a.ipynb#A-title) [term](GLOSSARY.md#Deficit) [other](../sparsero/MIGRATION.md) [all](README.md) [far](https://example.org/a.ipynb) "+
			"[solved](solutions/00_a_solutions.ipynb) [taken](solutions/07_b_solutions.ipynb#Two)"),
		code(object{"output_type": "stream", "name": "stdout", "text": []string{"\x1b[31m<b>red</b>\x1b[0m\n", "&\n"}}),
		code(display(object{"image/png": dot, "text/plain": `a "figure"`, "application/vnd.vegalite.v5+json": object{"title": "</script><script>alert(1)</script>", "width": 2.5}})),
		code(display(object{"image/png": dot})),
		code(display(object{"text/html": "<table></table><script>sort()</script><script>new\nWebSocket(kernel)</script>"})),
		code(display(object{"text/html": "<script>new WebSocket(kernel)</script>"})),
	)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, want := range []string{
		`<a href="00_a.html#A-title">own</a>`, `<a href="glossary.html#Deficit">`, `<a href="migration.html">`, `<a href="index.html">all</a>`,
		`<a href="https://example.org/a.ipynb">`, `<a href="solutions/00_a_solutions.html">solved</a> taken`,
		"<pre>&lt;b&gt;red&lt;/b&gt;\n&amp;</pre>",
		`<img src="figures/00_a-1.png" width="0" height="0" alt="a &#34;figure&#34;">`, `"width":2.5`, `<img src="figures/00_a-2.png"`,
		`<div class="html"><table></table><script>sort()</script></div>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "WebSocket") || strings.Count(page, "interactive") != 1 {
		t.Errorf("the page holds what it should not:\n%s", page)
	}
}

// TestBookRefuses links that lead nowhere, and notebooks that were saved by hand with a failed cell.
func TestBookRefuses(t *testing.T) {
	_, said, err := pageOf(t, markdown("[x](gone.ipynb) [x](GLOSSARY.md#None) [x](#here) ![x](https://example.org/x.png)"))
	for _, want := range []string{"00_a.html: gone.html", "00_a.html: glossary.html#None", "00_a.html: #here", "00_a.html: https://example.org/x.png"} {
		if err == nil || !strings.Contains(said, want) {
			t.Errorf("error %v, want %q in:\n%s", err, want, said)
		}
	}
	_, said, err = pageOf(t, code(object{"output_type": "error", "ename": "E", "evalue": "exit status 1", "traceback": []string{}}))
	if err == nil || !strings.Contains(said, "a cell of 00_a failed: exit status 1") {
		t.Errorf("an error was published (%v):\n%s", err, said)
	}
}

// TestPanelsHaveTheirPlaces: every panel stands on a page, the playground too, and a section that is gone is told.
func TestPanelsHaveTheirPlaces(t *testing.T) {
	library, site := t.TempDir(), t.TempDir()
	for _, name := range []string{"katex.js", "katex.min.css", "auto-render.js", "vega.min.js", "vega-lite.min.js", "library.js", "wasm_exec.js"} {
		if err := os.WriteFile(filepath.Join(library, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if said, err := makeBook(t, filepath.Join("..", "..", ".."), library, site, "-live", library); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for page, panels := range map[string]int{
		"02_few_directions": 1, "03_value_gap": 1, "04_certificate_ladder": 1, "05_calibration": 1, "06_coverage_and_greedy": 2, "07_oracle_greedy": 1, "23_ladder_in_full": 1, "playground": 1, "index": 0,
	} {
		text, err := os.ReadFile(filepath.Join(site, page+".html"))
		if err != nil || strings.Count(string(text), `<section class="live"`) != panels || !strings.Contains(string(text), `href="playground.html"`) {
			t.Errorf("%s has not %d panels and a link to the playground: %v", page, panels, err)
		}
		if private := strings.Contains(string(text), "connect-src 'none'"); private != (page == "playground") {
			t.Errorf("%s forbids connections: %t", page, private)
		}
	}
	said, err := python(t, "-c", `import pathlib, book
site = book.Site(pathlib.Path("../../.."), None, "live")
site.with_panels("03_value_gap", [{"prose": "x", "sections": ["2"]}])`)
	if err == nil || !strings.Contains(said, "03_value_gap has no section 1") {
		t.Errorf("nobody missed the section: %s", said)
	}
}
