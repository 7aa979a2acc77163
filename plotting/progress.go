package plotting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/sparsero/directions/plotting/internal/notebook"
)

// Least times between two updates of a progress display.
const (
	notebookEvery = 250 * time.Millisecond
	terminalEvery = 2 * time.Second
)

// Progress shows how far long work has come: in a notebook a bar that is redrawn in place, in
// a terminal a line now and then on standard error, with the rate and the remaining time. At
// the end it becomes one line. It may be used by several goroutines at once; NewProgress makes one.
//
//	progress := plotting.NewProgress("calibrating", len(samples))
//	defer progress.Done()
//	for ... { progress.Add(1) }
type Progress struct {
	name  string
	total int

	mu       sync.Mutex
	done     int
	started  time.Time
	last     time.Time
	finished bool

	every time.Duration
	now   func() time.Time
	// show delivers a state: HTML to a notebook, text to a terminal.
	show func(html, text string) error
	// err is the first error of show.
	err error
}

// NewProgress starts a progress display. A total of 0 means that the end is not known: only
// count and rate are shown.
func NewProgress(name string, total int) *Progress {
	p := &Progress{name: name, total: max(total, 0), every: terminalEvery, now: time.Now, started: time.Now(), last: time.Now()}
	p.show = func(_, text string) error {
		_, err := fmt.Fprintln(os.Stderr, text)
		return err
	}
	if notebook.Active() {
		id := notebook.NewID()
		p.every = notebookEvery
		p.show = func(html, text string) error { return notebook.Update(id, notebook.Bundle{HTML: html, Text: text}) }
		p.draw()
	}
	return p
}

// MarshalJSON is an error: a display cannot travel.
func (p *Progress) MarshalJSON() ([]byte, error) {
	return nil, errors.New("plotting: a progress display has no form in JSON; write the numbers that it shows")
}

// lock locks p; one that was not made by NewProgress starts here, without a display.
func (p *Progress) lock() {
	p.mu.Lock()
	if p.now == nil {
		p.now, p.started, p.show = time.Now, time.Now(), func(string, string) error { return nil }
	}
}

// Add counts n more units as done.
func (p *Progress) Add(n int) {
	p.lock()
	defer p.mu.Unlock()
	p.done += n
	if !p.finished && p.now().Sub(p.last) >= p.every {
		p.last = p.now()
		p.draw()
	}
}

// Done replaces the display by one line that says how many units were done in which time. It
// returns the first error of the display; a second call does nothing.
func (p *Progress) Done() error {
	p.lock()
	defer p.mu.Unlock()
	if p.finished {
		return p.err
	}
	p.finished = true
	text := fmt.Sprintf("%s: %d done", p.name, p.done)
	if p.total > p.done {
		text = fmt.Sprintf("%s: stopped after %d of %d", p.name, p.done, p.total)
	}
	text += " in " + duration(p.now().Sub(p.started).Seconds())
	p.err = cmp.Or(p.err, p.show("<p>"+html.EscapeString(text)+"</p>", text))
	return p.err
}

// draw shows the bar and the state.
func (p *Progress) draw() {
	bar := "<progress></progress>"
	if p.total > 0 {
		bar = fmt.Sprintf(`<progress max="%d" value="%d"></progress>`, p.total, min(p.done, p.total))
	}
	p.err = cmp.Or(p.err, p.show(bar+" "+html.EscapeString(p.line()), p.line()))
}

// line is the state as text: "calibrating: 120 of 1000 (12 %), 45/s, 20s left".
func (p *Progress) line() string {
	elapsed := p.now().Sub(p.started).Seconds()
	text := fmt.Sprintf("%s: %d", p.name, p.done)
	if p.total > 0 {
		text = fmt.Sprintf("%s: %d of %d (%d %%)", p.name, p.done, p.total, 100*min(p.done, p.total)/p.total)
	}
	if p.done > 0 && elapsed > 0 {
		rate := float64(p.done) / elapsed
		text += fmt.Sprintf(", %s/s", short(rate))
		if p.total > p.done {
			text += ", " + duration(float64(p.total-p.done)/rate) + " left"
		}
	}
	return text
}

// duration writes seconds, from ten on without decimals and from a minute on with its unit.
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d >= 10*time.Second {
		return d.Round(time.Second).String()
	}
	return d.Round(time.Second / 10).String()
}

// Interruptible returns a context that ends when the user interrupts the program: by the
// notebook's stop button, which sends the interrupt signal to the running cell, or by Ctrl-C.
// The kernel kills the cell five seconds later, so that the work has to return what it has by
// then. Call stop to give the signal its usual effect back.
//
//	ctx, stop := plotting.Interruptible(context.Background())
//	defer stop()
func Interruptible(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(parent, os.Interrupt)
}
