package plotting

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/sparsero/directions/plotting/notebook"
)

// Least times between two updates of a progress display.
const (
	notebookEvery = 250 * time.Millisecond
	terminalEvery = 2 * time.Second
)

// Progress shows how far long work has come: in a notebook a bar that is redrawn in place, in
// a terminal a line now and then on standard error, with the rate and the remaining time. At
// the end it becomes one line. It may be used by several goroutines at once.
//
//	progress := plotting.NewProgress("calibrating", len(samples))
//	defer progress.Done()
//	for ... { progress.Add(1) }
type Progress struct {
	name  string
	total int

	mu       sync.Mutex
	done     int
	note     string
	started  time.Time
	last     time.Time
	finished bool

	id  string
	out io.Writer
	now func() time.Time
	// show delivers a state to the notebook; nil outside.
	show func(id, html, text string) error
	// err is the first error of show.
	err error
}

// NewProgress starts a progress display. A total of 0 means that the end is not known: only
// count and rate are shown.
func NewProgress(name string, total int) *Progress {
	p := &Progress{name: name, total: max(total, 0), out: os.Stderr, now: time.Now}
	if notebook.Active() {
		p.id = notebook.NewID()
		p.show = func(id, html, text string) error { return notebook.Update(id, notebook.Bundle{HTML: html, Text: text}) }
	}
	p.started = p.now()
	p.last = p.started
	p.draw()
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
		p.now, p.out, p.started = time.Now, io.Discard, time.Now()
	}
}

// Add counts n more units as done.
func (p *Progress) Add(n int) {
	p.lock()
	defer p.mu.Unlock()
	p.done += n
	p.tick()
}

// Update sets the number of units done, and the total if it is positive. It has the form of
// a callback.
func (p *Progress) Update(done, total int) {
	p.lock()
	defer p.mu.Unlock()
	p.done = done
	if total > 0 {
		p.total = total
	}
	p.tick()
}

// Note shows a short text beside the numbers, such as the best value so far.
func (p *Progress) Note(text string) {
	p.lock()
	defer p.mu.Unlock()
	p.note = text
	p.tick()
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
	text := p.summary()
	if p.show == nil {
		fmt.Fprintln(p.out, text)
		return p.err
	}
	p.keep(p.show(p.id, "<p>"+html.EscapeString(text)+"</p>", text))
	return p.err
}

func (p *Progress) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}

// tick redraws the display if the last time is long enough ago.
func (p *Progress) tick() {
	every := terminalEvery
	if p.show != nil {
		every = notebookEvery
	}
	if p.finished || p.now().Sub(p.last) < every {
		return
	}
	p.last = p.now()
	if p.show == nil {
		fmt.Fprintln(p.out, p.line())
		return
	}
	p.draw()
}

// draw shows the bar in a notebook.
func (p *Progress) draw() {
	if p.show == nil {
		return
	}
	bar := "<progress></progress>"
	if p.total > 0 {
		bar = fmt.Sprintf(`<progress max="%d" value="%d"></progress>`, p.total, min(p.done, p.total))
	}
	p.keep(p.show(p.id, bar+" "+html.EscapeString(p.line()), p.line()))
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
	if p.note != "" {
		text += ", " + p.note
	}
	return text
}

func (p *Progress) summary() string {
	text := fmt.Sprintf("%s: %d done", p.name, p.done)
	if p.total > p.done {
		text = fmt.Sprintf("%s: stopped after %d of %d", p.name, p.done, p.total)
	}
	text += " in " + duration(p.now().Sub(p.started).Seconds())
	if p.note != "" {
		text += ", " + p.note
	}
	return text
}

// duration writes seconds in the two largest units.
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= 10*time.Second:
		return fmt.Sprintf("%.0fs", seconds)
	}
	return fmt.Sprintf("%.1fs", seconds)
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
