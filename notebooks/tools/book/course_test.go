package book

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/notebooks/tools/ipynb"
)

var folder = filepath.Join("..", "..", "..", "notebooks")

func readCourse(t *testing.T) []*Lesson {
	t.Helper()
	course, err := ReadCourse(folder)
	if err != nil {
		t.Fatal(err)
	}
	return course
}

func TestContentsAreCurrent(t *testing.T) {
	written, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := Contents(readCourse(t)); string(written) != want {
		t.Errorf("notebooks/README.md is not what the notebooks say; run make contents. It should be:\n%s", want)
	}
}

// TestThumbnails looks at size and form only: the picture itself may change in the last digit of a colour when a
// notebook is run again.
func TestThumbnails(t *testing.T) {
	for _, lesson := range readCourse(t) {
		if !lesson.Illustrated() {
			continue
		}
		content, err := os.ReadFile(ThumbnailPath(folder, lesson))
		if err != nil {
			t.Errorf("%v; run make contents", err)
			continue
		}
		if len(content) > MaximumThumbnail {
			t.Errorf("the thumbnail of %s has %d bytes, at most %d are wanted", lesson.Name, len(content), MaximumThumbnail)
		}
		if _, err := png.Decode(bytes.NewReader(content)); err != nil {
			t.Errorf("the thumbnail of %s: %v", lesson.Name, err)
		}
	}
}

func TestNotebooksLeadToTheirNeighbours(t *testing.T) {
	for _, lesson := range readCourse(t) {
		if lesson.MissingNeighbours() {
			_, should := lesson.closing()
			lines := strings.Split(strings.TrimSpace(should), "\n")
			t.Errorf("%s does not lead to its neighbours; run make contents, or end it with: %s", lesson.Name, lines[len(lines)-1])
		}
	}
}

func TestNotebooksSayWhatTheyAre(t *testing.T) {
	for _, lesson := range readCourse(t) {
		if len(lesson.Learn) == 0 || lesson.Paper == "" || lesson.Time == "" {
			t.Errorf("%s: the first cell names %d points to learn, paper %q, running time %q; none may be missing",
				lesson.Name, len(lesson.Learn), lesson.Paper, lesson.Time)
		}
		exercises := strings.Contains(lesson.text(), "## Exercises")
		if exercises != (lesson.Solutions != "") {
			t.Errorf("%s: exercises %v, solutions %q; the one needs the other", lesson.Name, exercises, lesson.Solutions)
		}
	}
}

// text is all prose of the lesson.
func (l *Lesson) text() string {
	var text strings.Builder
	for _, cell := range l.Document.Cells() {
		if cell.Kind == "markdown" {
			text.WriteString(cell.Source + "\n")
		}
	}
	return text.String()
}

func TestReadingPathsNameNotebooks(t *testing.T) {
	course := readCourse(t)
	for _, plan := range plans {
		for _, name := range plan.lessons {
			if !strings.Contains(name, "_") {
				continue // a word, for what may come
			}
			if paths := ReadingPaths(course); !holds(paths, plan.name, name) {
				t.Errorf("the path %q names %s, which is not there", plan.name, name)
			}
		}
	}
}

func holds(paths []ReadingPath, path, lesson string) bool {
	for _, candidate := range paths {
		for _, found := range candidate.Lessons {
			if candidate.Name == path && found.Name == lesson {
				return true
			}
		}
	}
	return false
}

// lesson makes a lesson whose last cell of prose is the text.
func lesson(t *testing.T, name, closing string) *Lesson {
	t.Helper()
	document, err := ipynb.Parse([]byte(`{"nbformat": 4, "metadata": {}, "cells": [
		{"cell_type": "markdown", "source": "# A title"}, {"cell_type": "markdown", "source": ""}, {"cell_type": "code", "source": "%%"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	document.SetSource(1, closing)
	return &Lesson{Name: name, Title: "A title", Document: document}
}

func TestClosing(t *testing.T) {
	first, last := lesson(t, "00_a", "x"), lesson(t, "02_c", "x")
	for _, test := range []struct{ is, should string }{
		{"Words.", "Words.\n\nPrevious: [00_a](00_a.ipynb). Next: [02_c](02_c.ipynb)."},
		{"Previous: [00_a](00_a.ipynb).", "Previous: [00_a](00_a.ipynb). Next: [02_c](02_c.ipynb)."},
		{"previous: [00 A](00_a.ipynb)", "previous: [00 A](00_a.ipynb). Next: [02_c](02_c.ipynb)."},
		{"Previous: [z](z.ipynb). Next: [02_c](02_c.ipynb), at last.", "Previous: [00_a](00_a.ipynb). Next: [02_c](02_c.ipynb), at last."},
		{"Next: [02_c](02_c.ipynb). Previous: [00_a](00_a.ipynb).", "Next: [02_c](02_c.ipynb). Previous: [00_a](00_a.ipynb)."},
	} {
		middle := lesson(t, "01_b", test.is)
		middle.Previous, middle.Next = first, last
		if _, should := middle.closing(); should != test.should {
			t.Errorf("%q becomes\n%q, want\n%q", test.is, should, test.should)
		}
	}
}

func TestDescribe(t *testing.T) {
	described := &Lesson{Name: "04_nets"}
	described.describe("# Nets: a title\n\n**What you will learn**\n\n- to see;\n- to prove.\n\n**Paper**: section 3.1 (Theorem 3.1).\n" +
		"**Running time**: half a minute. Three seeds run live.\n")
	if described.Title != "Nets: a title" || len(described.Learn) != 2 || described.Learn[1] != "to prove" ||
		described.Paper != "section 3.1 (Theorem 3.1)" || described.Time != "half a minute" || described.Number() != "04" {
		t.Errorf("read %+v", described)
	}
	if number := (&Lesson{Name: "troubleshooting_x"}).Number(); number != "" {
		t.Errorf("troubleshooting_x has the number %q", number)
	}
}

func TestPictureOf(t *testing.T) {
	if _, err := pictureOf(map[string]any{"data": map[string]any{"image/png": "!"}}); err == nil {
		t.Error("a picture that is not base64 was accepted")
	}
	if found, err := pictureOf(map[string]any{"data": map[string]any{"text/plain": "x"}}); found != nil || err != nil {
		t.Errorf("a text became the picture %v (%v)", found, err)
	}
	if _, err := thumbnail([]byte("short")); err == nil {
		t.Error("a thumbnail was made of no PNG")
	}
}
