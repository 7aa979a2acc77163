package slider

import (
	"context"
	"errors"
	"fmt"
	"html"
	"time"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/plotting/notebook"
)

// Slider describes a slider over whole numbers; the drawing function turns them into whatever it
// needs.
type Slider struct {
	// Label stands beside the slider.
	Label string
	// Min and Max are the ends of the range, and Value is where the slider starts.
	Min, Max, Value int
	// Idle ends the cell when nothing was moved for so long; default DefaultIdle.
	Idle time.Duration
}

// DefaultIdle is the time after which a slider that nobody moves gives the kernel back.
const DefaultIdle = 10 * time.Minute

// front is a slider on the reader's screen.
type front struct {
	values  <-chan int // where the slider was moved to; only the latest is kept
	pressed <-chan int // presses of "done"
}

// Show shows the figure at Value and then, for each move of the slider, the figure at its new
// value, until the reader ends it, the context is done, or Idle has passed; none of these is an
// error. It returns the last value. It is an error if Min is not below Max, if Value is outside
// [Min, Max], or if the function is nil or returns one.
func (s Slider) Show(ctx context.Context, draw func(value int) (*plotting.Figure, error)) (value int, err error) {
	return s.show(ctx, draw, connect)
}

func (s Slider) show(ctx context.Context, draw func(value int) (*plotting.Figure, error), connect func(context.Context, Slider, string) *front) (value int, err error) {
	if s.Min >= s.Max || s.Value < s.Min || s.Value > s.Max {
		return s.Value, fmt.Errorf("slider: value %d and range [%d, %d] of %q do not fit; give Min < Max and a Value between them", s.Value, s.Min, s.Max, s.Label)
	}
	if draw == nil {
		return s.Value, fmt.Errorf("slider: the function that draws %q is nil", s.Label)
	}
	ctx, stop := plotting.Interruptible(ctx) // the stop button ends the slider, not the cell
	defer stop()
	place, picture := notebook.NewID(), notebook.NewID()
	if err := notebook.Update(place, s.waiting(place)); err != nil {
		return s.Value, err
	}
	var last *plotting.Figure
	at := func(value int) error {
		figure, err := draw(value)
		if err != nil {
			return err
		}
		last = figure
		return figure.Update(picture, false)
	}
	value, err = s.Value, at(s.Value)
	if f := connect(ctx, s, element(place)); f != nil && err == nil {
		value, err = s.follow(ctx, f, at)
	}
	err = errors.Join(err, notebook.Update(place, s.ended(value)))
	if err != nil {
		return value, err
	}
	if !notebook.Active() {
		return value, plotting.Show(last)
	}
	return value, last.Update(picture, true)
}

// follow draws the values of the slider until something ends it.
func (s Slider) follow(ctx context.Context, f *front, at func(int) error) (value int, err error) {
	value = s.Value
	idle := s.Idle
	if idle == 0 {
		idle = DefaultIdle
	}
	timer := time.NewTimer(idle)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return value, nil
		case <-timer.C:
			return value, nil
		case presses := <-f.pressed:
			if presses > 0 { // 0 is what the button says when it appears
				return value, nil
			}
		case moved := <-f.values:
			moved = min(max(moved, s.Min), s.Max)
			if moved == value {
				continue
			}
			value = moved
			if err := at(value); err != nil {
				return value, err
			}
			timer.Reset(idle)
		}
	}
}

// element is the identifier of the element of the page into which the slider is put.
func element(place string) string { return "slider_" + place }

// waiting is shown until the slider appears in it.
func (s Slider) waiting(place string) notebook.Bundle {
	return notebook.Bundle{Text: s.Label, HTML: fmt.Sprintf(`<div id="%s">%s [%d, %d] </div>`, element(place), html.EscapeString(s.Label), s.Min, s.Max)}
}

// ended replaces the slider.
func (s Slider) ended(value int) notebook.Bundle {
	text := fmt.Sprintf("%s = %d; run the cell in a live notebook to move it between %d and %d.", s.Label, value, s.Min, s.Max)
	return notebook.Bundle{Text: text, HTML: "<p>" + html.EscapeString(text) + "</p>"}
}
