package book

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// step is the part of a line that leads to a neighbour, for instance "Next: [04_epsilon_net](04_epsilon_net.ipynb)".
var step = regexp.MustCompile(`(?i)(previous|next): \[[^\]]*\]\([^)]*\)`)

// lastProse is the index of the last cell of prose.
func (l *Lesson) lastProse() int {
	last := 0
	for index, cell := range l.Document.Cells() {
		if cell.Kind == "markdown" && strings.TrimSpace(cell.Source) != "" {
			last = index
		}
	}
	return last
}

// closing is the text of the last cell of prose, and the same with the right links to the neighbours. Words behind a
// link stay as they are.
func (l *Lesson) closing() (is, should string) {
	is = l.Document.Cells()[l.lastProse()].Source
	found := map[string]bool{}
	should = step.ReplaceAllStringFunc(is, func(part string) string {
		direction, _, _ := strings.Cut(part, ":")
		neighbour := l.neighbour(strings.ToLower(direction))
		if neighbour == nil {
			return part
		}
		found[strings.ToLower(direction)] = true
		if strings.Contains(part, "("+neighbour.Name+".ipynb)") {
			return part
		}
		return direction + ": " + neighbour.link()
	})
	for _, direction := range []string{"previous", "next"} {
		if neighbour := l.neighbour(direction); neighbour != nil && !found[direction] {
			separator := " "
			if len(found) == 0 {
				separator = "\n\n"
			}
			if !strings.HasSuffix(should, ".") && len(found) > 0 {
				separator = ". "
			}
			should += fmt.Sprintf("%s%s: %s.", separator, strings.ToUpper(direction[:1])+direction[1:], neighbour.link())
			found[direction] = true
		}
	}
	return is, should
}

func (l *Lesson) neighbour(direction string) *Lesson {
	if direction == "next" {
		return l.Next
	}
	return l.Previous
}

// MissingNeighbours tells whether the notebook's last words do not lead to its neighbours in reading order.
func (l *Lesson) MissingNeighbours() bool {
	is, should := l.closing()
	return is != should
}

func (l *Lesson) writeNeighbours(folder string) error {
	is, should := l.closing()
	if is == should {
		return nil
	}
	l.Document.SetSource(l.lastProse(), should)
	return l.Document.Write(filepath.Join(folder, l.Name+".ipynb"))
}
