package book

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ReadingPath is a way through the course for a reader with a purpose.
type ReadingPath struct {
	Name, Reason string
	Lessons      []*Lesson
}

// plans lists the reading paths by the names of their notebooks. An entry without an underscore stands for all notebooks
// with that word in their name, so that later ones find their place.
var plans = []struct {
	name, reason string
	lessons      []string
}{
	{"An afternoon", "The idea whole, with pictures: three hours, the first exercise of each included.",
		[]string{"00_quickstart", "02_atomic_sets", "03_value_gap", "06_calibration", "07_coverage_and_greedy", "09_oracle_greedy"}},
	{"A lecture", "The statements of the paper in their order, each with its picture, its proof's idea and where it fails: " +
		"three double hours.",
		[]string{"02_atomic_sets", "03_value_gap", "04_epsilon_net", "05_certificate_ladder", "10_average_to_worst",
			"06_calibration", "07_coverage_and_greedy", "08_hardness", "12_inexact_greedy", "09_oracle_greedy", "11_lp_duality", "errata"}},
	{"A practitioner", "From one's own table to a decision with a certificate and a radius, and what to do when something refuses.",
		[]string{"00_quickstart", "01_your_own_data", "05_certificate_ladder", "06_calibration", "09_oracle_greedy",
			"troubleshooting", "refuses", "infeasible", "figures", "speed"}},
	{"The paper's experiments", "Repeated over many seeds, the paper's value beside ours.", []string{"experiment"}},
}

// ReadingPaths resolves the reading paths; what does not exist (yet) is left out, and so is a path without notebooks.
func ReadingPaths(course []*Lesson) []ReadingPath {
	var paths []ReadingPath
	for _, plan := range plans {
		path := ReadingPath{Name: plan.name, Reason: plan.reason}
		for _, wanted := range plan.lessons {
			for _, lesson := range course {
				named := lesson.Name == wanted || slices.Contains(strings.Split(lesson.Name, "_"), wanted)
				if named && !slices.Contains(path.Lessons, lesson) {
					path.Lessons = append(path.Lessons, lesson)
				}
			}
		}
		if len(path.Lessons) > 0 {
			paths = append(paths, path)
		}
	}
	return paths
}

// Contents is the text of notebooks/README.md.
func Contents(course []*Lesson) string {
	var page strings.Builder
	page.WriteString(`# The course

<!-- Written by make contents from the notebooks; change those, or notebooks/tools/book, and run it again. -->

Each notebook opens with what it teaches, shows every claim in a picture or a checked cell, and closes with pitfalls and
exercises. ` + "`make notebooks NOTEBOOK=00_quickstart`" + ` runs one, ` + "`make lab`" + ` opens them in JupyterLab, and
` + "`make book`" + ` turns all of them into pages that any browser shows without a network, ` + "`build/book/index.html`" + `.
Symbols and terms: [GLOSSARY](GLOSSARY.md).

## Where to begin

`)
	for _, path := range ReadingPaths(course) {
		var names []string
		for _, lesson := range path.Lessons {
			names = append(names, lesson.link())
		}
		fmt.Fprintf(&page, "**%s.** %s %s\n\n", path.Name, path.Reason, strings.Join(names, " → "))
	}
	page.WriteString("## All notebooks\n\n| | notebook | in the paper | runs |\n|---|---|---|---|\n")
	for _, lesson := range course {
		picture, solutions := "", ""
		if lesson.Illustrated() {
			picture = fmt.Sprintf("![%s](thumbnails/%s.png)", lesson.Name, lesson.Name)
		}
		if lesson.Solutions != "" {
			solutions = fmt.Sprintf(" ([solutions](solutions/%s.ipynb))", lesson.Solutions)
		}
		fmt.Fprintf(&page, "| %s | [%s](%s.ipynb)%s | %s | %s |\n", picture, lesson.FullTitle(), lesson.Name, solutions,
			lesson.PaperText(), lesson.TimeText())
	}
	page.WriteString("\nThe tables that the experiments show are in [results](results), computed by " + "`make studies`.\n")
	return page.String()
}

// FullTitle is the title with the number before it.
func (l *Lesson) FullTitle() string {
	if l.Number() == "" {
		return l.Title
	}
	return l.Number() + " " + l.Title
}

func (l *Lesson) link() string { return fmt.Sprintf("[%s](%s.ipynb)", l.Name, l.Name) }

// PaperText and TimeText are the fields as plain text: sentences end, formulas in code stay.
func (l *Lesson) PaperText() string { return strings.ReplaceAll(l.Paper, "`", "") }

// TimeText is the running time.
func (l *Lesson) TimeText() string { return strings.ReplaceAll(l.Time, "`", "") }

// WriteContents writes what the repository keeps of the course: notebooks/README.md, notebooks/thumbnails, and in each
// notebook the links to its neighbours.
func WriteContents(root string) error {
	folder := filepath.Join(root, "notebooks")
	course, err := ReadCourse(folder)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, "thumbnails"), 0o755); err != nil {
		return fmt.Errorf("book: %w", err)
	}
	for _, lesson := range course {
		thumbnail, err := lesson.Thumbnail()
		if err != nil {
			return err
		}
		if thumbnail != nil {
			if err := os.WriteFile(ThumbnailPath(folder, lesson), thumbnail, 0o644); err != nil {
				return fmt.Errorf("book: %w", err)
			}
		}
		if err := lesson.writeNeighbours(folder); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "README.md"), []byte(Contents(course)), 0o644); err != nil {
		return fmt.Errorf("book: %w", err)
	}
	return nil
}

// ThumbnailPath is where a lesson's thumbnail is kept.
func ThumbnailPath(folder string, lesson *Lesson) string {
	return filepath.Join(folder, "thumbnails", lesson.Name+".png")
}
