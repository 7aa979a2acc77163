package browser

import (
	"fmt"
	"strings"
	"testing"
)

const shownPage = `document.querySelector('.jp-MarkdownViewer .jp-RenderedMarkdown')`

// TestCoursePage opens the printed link: the course, rendered, with its pictures, its reading paths, and what is done.
func TestCoursePage(t *testing.T) {
	s := pageServer(t)
	if s.container == "" {
		t.Skip("a local JupyterLab opens its launcher")
	}
	defer s.endSessions(t)
	passed := program("%test\nfunc TestExercise1(t *testing.T) {}")
	passed["cells"].([]map[string]any)[0]["outputs"] = []any{map[string]any{
		"output_type": "stream", "name": "stdout", "text": "=== RUN   TestExercise1\n--- PASS: TestExercise1 (0.00s)\nPASS\n"}}
	before := s.page(t)
	_, bare := tutorial(t, "03_value_gap.ipynb")
	s.write(t, "03_value_gap.ipynb", passed)
	after := s.page(t)
	if !strings.Contains(before, "☐☐☐") || strings.Contains(before, "☑ |") || !strings.Contains(after, "03_value_gap_solutions.ipynb)) | ☑ |") {
		t.Errorf("the page is\n%.3000s\nand when an exercise is done\n%.3000s", before, after)
	}
	s.write(t, "03_value_gap.ipynb", bare)

	l := openBrowser(t)
	l.load(fmt.Sprintf("%s/lab/tree/README.md?token=%s", s.url, s.token), shownPage+`?.textContent.includes('Where to begin')`)
	l.wait("the thumbnails are drawn", `(() => { const i = [...`+shownPage+`.querySelectorAll('img')]; return i.length > 20 && i.every(e => e.naturalWidth > 0) })()`)
	l.wait("the paths lead to notebooks", shownPage+`.querySelectorAll('a[href*=".ipynb"]').length > 50`)
	l.wait("no name of a tutorial is cut in the panel of files", `(() => { const n = [...document.querySelectorAll('.jp-DirListing-itemText')]; `+
		`return n.length > 20 && n.every(e => e.scrollWidth <= e.clientWidth + 1) })()`)
	l.screenshot("course")
	if evaluate[bool](l, `document.body.textContent.includes('Jupyter news')`) {
		t.Error("the page asks about news")
	}
	l.click(shownPage+`.querySelector('a[href*="02_few_directions.ipynb"]')`, 0.5)
	l.wait("the notebook opens", `document.querySelector('.jp-NotebookPanel .jp-Notebook .jp-Cell')`)
	l.waitIdle()
	l.click(`document.querySelector('[data-id="jp-running-sessions"]')`, 0.5)
	l.wait("the kernel is listed", `document.querySelector('#jp-running-sessions')?.textContent.includes('02_few_directions')`)
	l.screenshot("running")
	l.checkConsole()
}

// page is the text of the page of the course.
func (s server) page(t *testing.T) string {
	t.Helper()
	var answer struct{ Content string }
	decode(t, s.call(t, "GET", contents("README.md")+"?content=1", nil), &answer)
	return answer.Content
}

// TestTerminal runs go in the terminal of the page, and looks for the pager and the editor.
func TestTerminal(t *testing.T) {
	s := pageServer(t)
	if s.container == "" {
		t.Skip("the terminal of a local JupyterLab is that of its user")
	}
	var terminal struct{ Name string }
	decode(t, s.call(t, "POST", "/api/terminals", nil), &terminal)
	defer s.request("DELETE", "/api/terminals/"+terminal.Name, s.token, nil)
	l := openBrowser(t)
	l.load(fmt.Sprintf("%s/lab/workspaces/terminal/tree/GLOSSARY.md?token=%s", s.url, s.token), shownPage)
	evaluate[bool](l, fmt.Sprintf(`(() => {
		window.said = '';
		const socket = new WebSocket(location.origin.replace('http', 'ws') + '/terminals/websocket/%s?token=%s');
		socket.onmessage = e => { const [kind, text] = JSON.parse(e.data); if (kind === 'stdout') window.said += text };
		socket.onopen = () => socket.send(JSON.stringify(['stdin', 'go version; less --version; nano --version; echo $BASH\r']));
		return true })()`, terminal.Name, s.token))
	for _, said := range []string{"go version go1", "less 6", "GNU nano", "/bin/bash"} {
		l.wait("the terminal says "+said, fmt.Sprintf("window.said.includes('%s')", said))
	}
}
