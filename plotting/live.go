package plotting

import (
	"sync"
	"time"

	"github.com/sparsero/directions/plotting/notebook"
)

// liveEvery is the default of Live.Every: drawing and sending a picture takes about a tenth of it.
const liveEvery = time.Second

// Live is a figure that changes while work goes on: in a notebook it is redrawn in place, and
// the last state stays as a full figure with its interactive view. In a terminal only the last
// state is shown. It may be used by several goroutines at once.
//
//	live := plotting.NewLive()
//	... live.Draw(func() (*plotting.Figure, error) { return plotting.Curves(series, nil) })
//	must(live.Done())
type Live struct {
	// Every is the least time between two pictures; default a second.
	Every time.Duration

	mu     sync.Mutex
	last   time.Time
	latest func() (*Figure, error)

	now  func() time.Time
	show func(notebook.Bundle) error // a picture in between; nil outside notebooks
	end  func(notebook.Bundle) error
}

// NewLive returns a live display that shows nothing yet.
func NewLive() *Live {
	l := &Live{now: time.Now, end: notebook.Show}
	if notebook.Active() {
		id := notebook.NewID()
		l.show = func(b notebook.Bundle) error { return notebook.Update(id, b) }
		l.end = l.show
	}
	return l
}

// Draw shows the figure that the function makes, unless the last one is younger than Every:
// then the function is only kept for Done. Call it after each step; it costs nothing in
// between. It returns the error of the function or of the display.
func (l *Live) Draw(figure func() (*Figure, error)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latest = figure
	every := l.Every
	if every == 0 {
		every = liveEvery
	}
	if l.show == nil || l.now().Sub(l.last) < every {
		return nil
	}
	l.last = l.now()
	bundle, err := bundleOfCall(figure)
	if err != nil {
		return err
	}
	bundle.VegaLite = nil // a chart would flicker; the last state has it
	return l.show(bundle)
}

// Done shows the last state in full. Without a Draw before it does nothing. It returns the error
// of the function that draws it or of the display.
func (l *Live) Done() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.latest == nil {
		return nil
	}
	bundle, err := bundleOfCall(l.latest)
	if err != nil {
		return err
	}
	l.latest = nil
	return l.end(bundle)
}

func bundleOfCall(figure func() (*Figure, error)) (notebook.Bundle, error) {
	f, err := figure()
	if err != nil {
		return notebook.Bundle{}, err
	}
	return bundleOf(f)
}
