// Package book makes the course out of the notebooks: the table of contents in notebooks/README.md with its
// thumbnails, and the links between neighbours. book.py beside it makes the book, a static site of all notebooks as they
// were saved, which needs no network and no server.
package book

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sparsero/directions/notebooks/tools/ipynb"
)

// Lesson is one notebook of the course, as its own first cell describes it.
type Lesson struct {
	// Name is the file's name without extension, for instance 04_epsilon_net.
	Name string
	// Title is the heading of the first cell.
	Title string
	// Learn are the points of "What you will learn".
	Learn []string
	// Paper names the sections of the paper, Time the running time; both in Markdown, empty where the cell says nothing.
	Paper, Time string
	// Solutions is the name of the notebook with the solutions, empty where there is none.
	Solutions string
	// Document is the notebook.
	Document *ipynb.Document
	// Previous and Next are the neighbours in reading order, nil at the ends.
	Previous, Next *Lesson
}

// ReadCourse reads the lessons of a folder in reading order, which is the order of the names. A notebook without a
// title belongs to nobody's course and is left out; so is what lies in subfolders.
func ReadCourse(folder string) ([]*Lesson, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.ipynb"))
	if err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	var course []*Lesson
	for _, path := range paths {
		lesson, err := readLesson(path)
		if err != nil {
			return nil, err
		}
		if lesson != nil {
			course = append(course, lesson)
		}
	}
	if len(course) == 0 {
		return nil, fmt.Errorf("book: there is no notebook with a title in %s", folder)
	}
	for i, lesson := range course[1:] {
		course[i].Next, lesson.Previous = lesson, course[i]
	}
	return course, nil
}

func readLesson(path string) (*Lesson, error) {
	document, err := ipynb.Read(path)
	if err != nil {
		return nil, err
	}
	cells := document.Cells()
	if len(cells) == 0 || cells[0].Kind != "markdown" || !strings.HasPrefix(cells[0].Source, "# ") {
		return nil, nil
	}
	lesson := &Lesson{Name: strings.TrimSuffix(filepath.Base(path), ".ipynb"), Document: document}
	lesson.describe(cells[0].Source)
	solutions, err := filepath.Glob(filepath.Join(filepath.Dir(path), "solutions", lesson.Name+"_solutions.ipynb"))
	if err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	if len(solutions) > 0 {
		lesson.Solutions = lesson.Name + "_solutions"
	}
	return lesson, nil
}

// field is a line such as "**Paper**: section 2.1."
var field = regexp.MustCompile(`(?m)^\*\*(Paper|Running time)\*\*: (.*?)\.?\s*$`)

// describe takes the fields of the lesson from the text of the first cell.
func (l *Lesson) describe(text string) {
	heading, rest, _ := strings.Cut(text, "\n")
	l.Title = strings.TrimSpace(strings.TrimPrefix(heading, "# "))
	for _, line := range strings.Split(rest, "\n") {
		if point, found := strings.CutPrefix(line, "- "); found {
			l.Learn = append(l.Learn, strings.TrimRight(point, ";. "))
		}
	}
	for _, match := range field.FindAllStringSubmatch(rest, -1) {
		if match[1] == "Paper" {
			l.Paper = match[2]
		} else {
			l.Time, _, _ = strings.Cut(match[2], ". ")
		}
	}
}

// Number is what the file's name starts with, for instance 04; empty for a name without a number.
func (l *Lesson) Number() string {
	number, _, _ := strings.Cut(l.Name, "_")
	if strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return number
}
