package browser

import (
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The list of completions, once it is shown, and the box with the help.
const (
	completions = `document.querySelector('.jp-Completer:not(.lm-mod-hidden)')`
	tooltip     = `document.querySelector('.jp-Tooltip')`
	secondCell  = `document.querySelectorAll('.jp-Notebook .jp-CodeCell')[1].querySelector('.cm-content').textContent`
)

// TestCompletion completes a name by Tab, accepts it, and asks for help on it by Shift+Tab.
func TestCompletion(t *testing.T) {
	s := pageServer(t)
	defer s.endSessions(t)
	s.write(t, "page_help.ipynb", program(
		"import (\n\t\"fmt\"\n\n\t\"github.com/sparsero/directions/sparsero\"\n)\n\n%%\nfmt.Println(sparsero.Identity(2))",
		"%%\nsparsero.NewAtomicS"))
	l := openLab(t, s, "page_help.ipynb")
	l.runCell(0)
	l.wait("the first cell has run", hasRun(0))
	l.waitIdle()
	l.request("completion", completions+`?.textContent.includes('NewAtomicSet')`, kb.Tab)
	l.screenshot("completion")
	l.press(kb.Enter)
	l.wait("the name is completed", secondCell+`.endsWith('sparsero.NewAtomicSet')`)
	l.request("contextual help", tooltip+`?.textContent.includes('NewAtomicSet builds')`, kb.Tab, chromedp.ModifierShift)
	l.screenshot("contextual_help")
	if s.container == "" {
		return
	}
	// The kernel and gopls, which reads what the build has kept for it.
	answer := must(t, "exec", s.container, "sh", "-c", "cat $(grep -lE '^Name:.(gonb|gopls)$' /proc/[0-9]*/status) | awk '/^RssAnon/ { total += $2 } END { print total / 1000 }'")
	used, err := strconv.ParseFloat(answer, 64)
	t.Logf("the kernel and gopls hold %.0f MB of memory", used)
	if err != nil || used > 300 {
		t.Errorf("the kernel and gopls hold %s MB of memory, want at most 300", answer)
	}
}

// request puts the cursor behind the last word of the second cell and presses a key until what it asks for appears: a
// kernel asks gopls 12 s after its start at the earliest, and gopls then reads the packages first.
func (l *lab) request(what, appears, key string, modifiers ...chromedp.Modifier) {
	l.t.Helper()
	for range 30 {
		l.click(codeCell(1)+`.querySelector('.cm-line:last-child')`, 0.9)
		l.press(key, modifiers...)
		if l.hold(10*time.Second, appears) == nil {
			return
		}
		l.press(kb.Escape)
	}
	l.t.Fatalf("no %s appears", what)
}
