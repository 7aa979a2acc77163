package book

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const (
	notebooks = "../../"
	teaching  = notebooks + "TEACHING.md"
)

var (
	planLine     = regexp.MustCompile(`^\| (\d+) \| [^|]+ \| ([^|]*) ?\|$`)
	figureLine   = regexp.MustCompile(`^\| (\d\d) \| ([^|]+) \| ([^|]+\?[^|]*) \| ([^|]+) \|$`)
	figureRow    = regexp.MustCompile(`(?m)^\| \d\d \|[^|\n]+\|[^|\n]+\|[^|\n]+\|$`) // as many columns, with or without a question
	sectionNamed = regexp.MustCompile(`(\d\d) section (\d)`)
	exerciseName = regexp.MustCompile(`(\d\d) exercise (\d)`)
	decimal      = regexp.MustCompile(`\d[\d,]*\.\d+|\d[\d,]{2,}`)
	makeTarget   = regexp.MustCompile("`make ([a-z-]+)")
)

// tutorial is what the plan may speak of.
type tutorial struct {
	text    string          // sources and printed outputs
	figures map[string]bool // by title
}

// TestTeaching reads TEACHING.md: six sessions of 90 minutes each, whose sections, figures, numbers, exercises and
// commands are there.
func TestTeaching(t *testing.T) {
	text, err := os.ReadFile(teaching)
	if err != nil {
		t.Fatal(err)
	}
	sessions := strings.Split(string(text), "\n## Session ")[1:]
	if len(sessions) != 6 {
		t.Fatalf("there are %d sessions", len(sessions))
	}
	for i, session := range sessions {
		session, _, _ = strings.Cut(session, "\n## ")
		checkSession(t, i+1, session)
	}
	rules, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range makeTarget.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(string(rules), "\n"+target[1]+": ") {
			t.Errorf("there is no make %s", target[1])
		}
	}
}

func checkSession(t *testing.T, number int, session string) {
	t.Helper()
	minutes, figures := 0, 0
	for _, line := range strings.Split(session, "\n") {
		if plan := planLine.FindStringSubmatch(line); plan != nil {
			part, _ := strconv.Atoi(plan[1])
			minutes += part
		}
		if figure := figureLine.FindStringSubmatch(line); figure != nil {
			figures++
			checkFigure(t, figure[1], figure[2], figure[4])
		}
	}
	if minutes != 90 {
		t.Errorf("session %d takes %d minutes", number, minutes)
	}
	if rows := len(figureRow.FindAllString(session, -1)); figures < 2 || figures != rows {
		t.Errorf("session %d asks a question before %d of %d figures", number, figures, rows)
	}
	if strings.Count(session, "**Drawing for the board.**") != 1 {
		t.Errorf("session %d has no drawing", number)
	}
	for _, named := range sectionNamed.FindAllStringSubmatch(session, -1) {
		if !strings.Contains(readTutorial(t, named[1]).text, "## "+named[2]+". ") {
			t.Errorf("session %d: %s has no section %s", number, named[1], named[2])
		}
	}
	homework := exerciseName.FindAllStringSubmatch(session, -1)
	for _, named := range homework {
		if !strings.Contains(readTutorial(t, named[1]).text, "**"+named[2]+".** ★") {
			t.Errorf("session %d: %s has no exercise %s", number, named[1], named[2])
		}
	}
	if len(homework) < 2 {
		t.Errorf("session %d has %d exercises as homework", number, len(homework))
	}
}

// checkFigure: the figure is in the tutorial, and the tutorial says or prints every number of the answer.
func checkFigure(t *testing.T, number, title, answer string) {
	t.Helper()
	lesson := readTutorial(t, number)
	if !lesson.figures[title] {
		t.Errorf("%s has no figure %q", number, title)
	}
	for _, value := range decimal.FindAllString(answer, -1) {
		if !strings.Contains(lesson.text, strings.TrimRight(value, ",")) {
			t.Errorf("%s neither says nor prints %s, the answer before %q", number, value, title)
		}
	}
}

func readTutorial(t *testing.T, number string) tutorial {
	t.Helper()
	paths, err := filepath.Glob(notebooks + number + "_*.ipynb")
	if err != nil || len(paths) != 1 {
		t.Fatalf("tutorial %s: %v", number, paths)
	}
	content, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			Source  lines
			Outputs []struct {
				Text lines
				Data map[string]json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(content, &notebook); err != nil {
		t.Fatal(err)
	}
	read, said := tutorial{figures: map[string]bool{}}, strings.Builder{}
	for _, cell := range notebook.Cells {
		said.WriteString(string(cell.Source) + "\n")
		for _, output := range cell.Outputs {
			said.WriteString(string(output.Text) + "\n" + plain(output.Data["text/plain"]) + "\n")
			for kind, data := range output.Data {
				if strings.HasPrefix(kind, "application/vnd.vegalite.") {
					read.figures[titleOf(data)] = true
				}
			}
		}
	}
	read.text = said.String()
	return read
}

// lines is text that a notebook stores as a string or as a list of lines.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	*l = lines(plain(data))
	return nil
}

func plain(data json.RawMessage) string {
	var whole string
	if json.Unmarshal(data, &whole) == nil {
		return whole
	}
	var parts []string
	if json.Unmarshal(data, &parts) != nil {
		return ""
	}
	return strings.Join(parts, "")
}

// titleOf a chart: a text, a list of lines, or an object with either.
func titleOf(chart json.RawMessage) string {
	var specification struct{ Title json.RawMessage }
	if json.Unmarshal(chart, &specification) != nil {
		return ""
	}
	var titled struct{ Text json.RawMessage }
	title := specification.Title
	if json.Unmarshal(title, &titled) == nil {
		title = titled.Text
	}
	var broken []string
	if json.Unmarshal(title, &broken) == nil {
		return strings.Join(broken, " ")
	}
	return plain(title)
}
