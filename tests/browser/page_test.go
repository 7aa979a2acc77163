package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The window is tall, because JupyterLab draws only what is in view: every cell of a tutorial is.
const (
	pageWidth  = 1400
	pageHeight = 15000
)

// lab is JupyterLab, or another page, in a tab of the browser; complaints are the errors on the browser's console.
type lab struct {
	t          *testing.T
	ctx        context.Context
	mutex      sync.Mutex
	complaints []string
}

// openBrowser starts a browser with an empty tab.
func openBrowser(t *testing.T) *lab {
	t.Helper()
	return newTab(t, newBrowser(t))
}

// newBrowser prepares a browser; its first tab starts it.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(pageWidth, pageHeight),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("no-proxy-server", true),
		chromedp.WSURLReadTimeout(patience))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	return allocator
}

// newTab opens an empty tab.
func newTab(t *testing.T, browser context.Context, options ...chromedp.ContextOption) *lab {
	t.Helper()
	ctx, stop := chromedp.NewContext(browser, options...)
	t.Cleanup(stop)
	l := &lab{t: t, ctx: ctx}
	t.Cleanup(func() {
		if t.Failed() {
			l.screenshot(filepath.Base(t.Name()) + "_failed")
		}
	})
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(pageWidth, pageHeight)); err != nil {
		t.Fatal(err) // the browser lives as long as the context of the first call, so this one has no limit
	}
	if err := chromedp.Listen(ctx, l.hear); err != nil {
		t.Fatal(err)
	}
	return l
}

// hear keeps what the browser's console shows in red.
func (l *lab) hear(event any) {
	complaint := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		complaint = e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			complaint += " " + thrown.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			for _, argument := range e.Args {
				complaint += strings.Trim(string(argument.Value), `"`) + argument.Description + " "
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			complaint = e.Entry.Text + " " + e.Entry.URL
		}
	}
	if complaint != "" {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.complaints = append(l.complaints, complaint)
	}
}

// checkConsole fails the test for every error on the console.
func (l *lab) checkConsole() {
	l.t.Helper()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, complaint := range l.complaints {
		l.t.Errorf("on the browser's console: %.500s", complaint)
	}
}

// load goes to an address until an expression holds there.
func (l *lab) load(address, expression string) {
	l.t.Helper()
	for attempt := 1; ; attempt++ {
		_, err := ask(l, 2*time.Minute, chromedp.Navigate(address))
		if err == nil {
			err = l.hold(2*time.Minute, expression)
		}
		if err == nil {
			return
		}
		if attempt == 5 {
			l.t.Fatalf("%s does not appear: %v", address, err)
		}
		l.t.Logf("%s is loaded again: %v", address, err)
	}
}

// openLab opens a notebook of the server in a fresh browser and waits until its kernel is idle.
func openLab(t *testing.T, s server, path string) *lab {
	t.Helper()
	l := openBrowser(t)
	// A workspace of its own opens no tab of another test.
	l.openNotebook(s, path, fmt.Sprintf("%s/lab/workspaces/test-%d/tree/%s?token=%s", s.url, time.Now().UnixNano(), path, s.token))
	return l
}

// openNotebook loads the page of a notebook and waits until its kernel is idle.
func (l *lab) openNotebook(s server, path, address string) {
	l.t.Helper()
	l.load(address, `document.querySelector('.jp-NotebookPanel .jp-Notebook .jp-Cell')`)
	// The page calls a kernel idle before it has one.
	waitFor(l.t, "the page to be connected to a kernel", func() bool { return s.connected(path) })
	l.waitIdle()
}

// ask runs an action within a time.
func ask[T any](l *lab, limit time.Duration, action chromedp.Action[T]) (T, error) {
	ctx, cancel := context.WithTimeout(l.ctx, limit)
	defer cancel()
	return chromedp.Run(ctx, action)
}

// do runs actions, or ends the test.
func (l *lab) do(actions ...chromedp.Action[chromedp.Void]) {
	l.t.Helper()
	if _, err := ask(l, patience, chromedp.Steps(actions...)); err != nil {
		l.t.Fatal(err)
	}
}

// hold waits until an expression of JavaScript is true.
func (l *lab) hold(limit time.Duration, expression string) error {
	end := time.Now().Add(limit)
	var last error
	for time.Now().Before(end) {
		var holds bool
		if holds, last = ask(l, time.Minute, chromedp.Evaluate[bool]("Boolean("+expression+")")); holds && last == nil {
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return fmt.Errorf("waited %v in vain for %s (%v)", limit, expression, last)
}

// wait is hold with patience, or the end of the test.
func (l *lab) wait(what, expression string) {
	l.t.Helper()
	if err := l.hold(patience, expression); err != nil {
		l.t.Fatalf("%s: %v", what, err)
	}
}

// waitIdle waits until the page shows that the kernel is idle.
func (l *lab) waitIdle() {
	l.t.Helper()
	l.wait("the kernel becomes idle", `document.querySelector('.jp-NotebookPanel .jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'`)
}

// evaluate returns the value of an expression of JavaScript.
func evaluate[T any](l *lab, expression string) (value T) {
	l.t.Helper()
	value, err := ask(l, patience, chromedp.Evaluate[T](expression))
	if err != nil {
		l.t.Fatal(err)
	}
	return value
}

// point returns a point of an element, of its first line if it is a link that wraps, whose middle may lie outside of it: across is
// 0 at its left edge and 1 at its right.
func (l *lab) point(element string, across float64) (x, y float64) {
	l.t.Helper()
	l.wait("an element is there to click", fmt.Sprintf(`(() => { const r = (%s)?.getClientRects()[0]; return r && r.width > 0 })()`, element))
	at := evaluate[[]float64](l, fmt.Sprintf(`(() => { const r = (%s).getClientRects()[0]; return [r.left + %g * r.width, r.top + r.height / 2] })()`, element, across))
	return at[0], at[1]
}

// click moves the mouse to an element and clicks.
func (l *lab) click(element string, across float64) {
	l.t.Helper()
	x, y := l.point(element, across)
	l.do(chromedp.MouseEvent(chromedp.MouseMoved, x, y), chromedp.MouseClickXY(x, y))
}

// menu clicks an entry of the menu bar, and again when the menu closed without obeying.
func (l *lab) menu(title, command string) {
	l.t.Helper()
	entry := fmt.Sprintf(`document.querySelector('.lm-Menu-item[data-command="%s"]')`, command)
	for attempt := 1; ; attempt++ {
		l.click(fmt.Sprintf(`[...document.querySelectorAll('.lm-MenuBar-item')].find(e => e.textContent.trim() === '%s')`, title), 0.5)
		if l.hold(10*time.Second, entry) == nil {
			break
		}
		if attempt == 5 {
			l.t.Fatalf("the menu %s does not open", title)
		}
	}
	l.click(entry, 0.3)
}

// runAll runs every cell, and waits until none of them runs.
func (l *lab) runAll() {
	l.t.Helper()
	l.start("the first cell", prompts+`.some(p => /\[[*\d]+\]/.test(p))`, func() { l.menu("Run", "runmenu:run-all") })
	l.wait("all cells have run", prompts+`.every(p => /\[(\d+|-)\]/.test(p)) || document.querySelector('[data-mime-type="application/vnd.jupyter.error"]')`)
	l.waitIdle()
}

// start does something until it has an effect: a page that is still settling may swallow what a user does.
func (l *lab) start(what, effect string, act func()) {
	l.t.Helper()
	for range 10 {
		act()
		if l.hold(30*time.Second, effect) == nil {
			return
		}
	}
	l.t.Fatalf("%s does not start", what)
}

// prompts lists what stands before the code cells: [ ]: before a run, [*]: in a run, [3]: after it, and [-] for a folded one,
// which shows nothing.
const prompts = `[...document.querySelectorAll('.jp-Notebook .jp-CodeCell')].map(e => e.querySelector('.jp-InputPrompt:not(.jp-Placeholder-prompt)')?.textContent || '[-]')`

// hasRun tells whether a code cell has come to its end.
func hasRun(index int) string { return fmt.Sprintf(`/\[\d+\]/.test(%s[%d])`, prompts, index) }

// codeCell is the element of a code cell.
func codeCell(index int) string {
	return fmt.Sprintf(`document.querySelectorAll('.jp-Notebook .jp-CodeCell')[%d]`, index)
}

// runCell runs one code cell by Shift+Enter.
func (l *lab) runCell(index int) {
	l.t.Helper()
	l.start("the cell", fmt.Sprintf(`/\[[*\d]+\]/.test(%s[%d])`, prompts, index), func() {
		l.click(codeCell(index)+`.querySelector('.cm-content')`, 0.5)
		l.wait("the cell is active", codeCell(index)+`.classList.contains('jp-mod-active')`)
		l.press(kb.Enter, chromedp.ModifierShift)
	})
}

// press presses one key of the package kb with modifiers.
func (l *lab) press(key string, modifiers ...chromedp.Modifier) {
	l.t.Helper()
	l.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

// save saves by the menu and waits until the page shows no unsaved change.
func (l *lab) save() {
	l.t.Helper()
	l.menu("File", "docmanager:save")
	l.wait("the page shows everything saved", `!document.querySelector('.lm-DockPanel-tabBar .lm-mod-current.jp-mod-dirty')`)
}

// screenshot keeps the page, down to its last cell, among the results.
func (l *lab) screenshot(name string) {
	l.t.Helper()
	folder := os.Getenv("DIRECTIONS_RESULTS")
	if folder == "" {
		return
	}
	height, err := ask(l, patience, chromedp.Evaluate[float64](`Math.max(800, ...[...document.querySelectorAll('.jp-Notebook .jp-Cell')].map(e => e.getBoundingClientRect().bottom + 60))`))
	picture, err2 := ask(l, patience, func(ctx context.Context, target *chromedp.Target) ([]byte, error) {
		clip := &page.Viewport{Width: pageWidth, Height: min(height, pageHeight), Scale: 1}
		result, err := cdp.Call(ctx, target, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: clip})
		return result.Data, err
	})
	err = errors.Join(err, err2)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644)
	}
	if err != nil {
		l.t.Logf("no screenshot of %s: %v", name, err)
	}
}

// insert types text where the cursor is.
func (l *lab) insert(text string) {
	l.t.Helper()
	l.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}
