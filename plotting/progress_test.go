package plotting

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// stopped is a progress display with a clock that the test moves.
func stopped(total int, inNotebook bool) (p *Progress, clock *time.Time, shown *[]string) {
	now := time.Unix(0, 0)
	var lines []string
	p = &Progress{name: "work <b>", total: total, every: terminalEvery, started: now, last: now, now: func() time.Time { return now }}
	p.show = func(html, text string) error {
		if inNotebook {
			text = html + "|" + text
		}
		lines = append(lines, text)
		return nil
	}
	if inNotebook {
		p.every = notebookEvery
	}
	return p, &now, &lines
}

func TestProgressInTerminal(t *testing.T) {
	p, clock, shown := stopped(100, false)
	for range 80 {
		*clock = clock.Add(100 * time.Millisecond)
		p.Add(1)
	}
	*clock = clock.Add(100 * time.Second)
	p.Add(20)
	p.Done()
	p.Done()
	want := []string{
		"work <b>: 20 of 100 (20 %), 10/s, 8s left",
		"work <b>: 40 of 100 (40 %), 10/s, 6s left",
		"work <b>: 60 of 100 (60 %), 10/s, 4s left",
		"work <b>: 80 of 100 (80 %), 10/s, 2s left",
		"work <b>: 100 of 100 (100 %), 0.9259/s",
		"work <b>: 100 done in 1m48s",
	}
	if got := strings.Join(*shown, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("printed\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestProgressInNotebook(t *testing.T) {
	p, clock, shown := stopped(4, true)
	p.draw()
	for range 3 {
		*clock = clock.Add(100 * time.Millisecond)
		p.Add(1)
	}
	p.Done()
	want := []string{
		`<progress max="4" value="0"></progress> work &lt;b&gt;: 0 of 4 (0 %)|work <b>: 0 of 4 (0 %)`,
		`<progress max="4" value="3"></progress> work &lt;b&gt;: 3 of 4 (75 %), 10/s, 100ms left|work <b>: 3 of 4 (75 %), 10/s, 100ms left`,
		`<p>work &lt;b&gt;: stopped after 3 of 4 in 300ms</p>|work <b>: stopped after 3 of 4 in 300ms`,
	}
	if got := strings.Join(*shown, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("shown\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestProgressWithoutTotal(t *testing.T) {
	p, clock, shown := stopped(0, true)
	*clock = clock.Add(time.Minute)
	p.Add(120)
	p.Done()
	want := "<progress></progress> work &lt;b&gt;: 120, 2/s|work <b>: 120, 2/s\n<p>work &lt;b&gt;: 120 done in 1m0s</p>|work <b>: 120 done in 1m0s"
	if got := strings.Join(*shown, "\n"); got != want {
		t.Errorf("shown\n%s\nwant\n%s", got, want)
	}
}

// TestProgressIsThrottled: a million steps in one second give a handful of updates, and
// several goroutines count right.
func TestProgressIsThrottled(t *testing.T) {
	p, clock, shown := stopped(1_000_000, true)
	for k := range 1_000_000 {
		if k%1000 == 0 {
			*clock = clock.Add(time.Millisecond)
		}
		p.Add(1)
	}
	if len(*shown) != 4 {
		t.Errorf("%d updates in a second, want 4", len(*shown))
	}
	q, _, _ := stopped(0, false)
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 1000 {
				q.Add(1)
			}
		}()
	}
	group.Wait()
	if q.done != 8000 {
		t.Errorf("counted %d of 8000", q.done)
	}
}

func TestProgressKeepsTheFirstError(t *testing.T) {
	p, _, _ := stopped(1, true)
	p.show = func(string, string) error { return fmt.Errorf("the pipe is closed") }
	p.draw()
	if err := p.Done(); err == nil || err.Error() != "the pipe is closed" {
		t.Errorf("error %v", err)
	}
}

// TestInterruptible: the interrupt signal, which the notebook's stop button sends, ends the
// context and not the program.
func TestInterruptible(t *testing.T) {
	ctx, stop := Interruptible(context.Background())
	defer stop()
	if ctx.Err() != nil {
		t.Fatal("the context ended before the signal")
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Skipf("this system sends no interrupt signal: %v", err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(2 * time.Minute):
		t.Error("the context did not end within two minutes of the signal")
	}
}
