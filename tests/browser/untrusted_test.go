package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestUntrustedNotebookRunsNothing opens a notebook that came from somebody else, with scripts and buttons in an output and in Markdown:
// no script runs, and a click on a button starts nothing. JupyterLab 4.0 let buttons name a command, such as one that opens a terminal.
func TestUntrustedNotebookRunsNothing(t *testing.T) {
	image(t)
	s := pageServer(t)
	const button = `<button data-commandlinker-command="terminal:create-new" data-commandlinker-args="{}">show the figure</button>`
	foreign := program("// made elsewhere")
	cells := foreign["cells"].([]map[string]any)
	cells[0]["execution_count"] = 1
	cells[0]["outputs"] = []any{map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": map[string]any{
		"text/html": `<script>window.hit = 1</script><img src="x" onerror="window.hit = 2">` + button, "text/plain": "a figure"}}}
	foreign["cells"] = append(cells, map[string]any{"cell_type": "markdown", "id": "text", "metadata": map[string]any{},
		"source": `<img src="x" onerror="window.hit = 3"> Click: ` + button})
	s.write(t, "foreign.ipynb", foreign)
	defer s.endSessions(t)
	l := openLab(t, s, "foreign.ipynb")

	const buttons = `[...document.querySelectorAll('.jp-Notebook button')].filter(b => b.textContent.includes('show the figure'))`
	l.wait("both buttons are there", buttons+`.length === 2`)
	for k := range 2 {
		l.click(fmt.Sprintf("%s[%d]", buttons, k), 0.5)
	}
	// A terminal is asked for within the click; the page then settles.
	time.Sleep(2 * time.Second)
	if terminals := strings.TrimSpace(string(s.call(t, "GET", "/api/terminals", nil))); terminals != "[]" {
		t.Errorf("a click in a foreign notebook opened the terminal %s", terminals)
	}
	if found := evaluate[string](l, buttons+`.map(b => b.outerHTML).join(' ')`); strings.Contains(found, "commandlinker") {
		t.Errorf("a foreign notebook names commands: %s", found)
	}
	if hit := evaluate[float64](l, `window.hit || 0`); hit != 0 {
		t.Errorf("script %g of a foreign notebook ran", hit)
	}
}
