package plotting

import (
	"errors"
	"testing"
	"time"

	"github.com/sparsero/directions/plotting/notebook"
)

// TestLive: pictures in between are throttled and without chart, the last state is complete.
func TestLive(t *testing.T) {
	now := time.Unix(100, 0)
	var between, final []notebook.Bundle
	l := &Live{now: func() time.Time { return now },
		show: func(b notebook.Bundle) error { between = append(between, b); return nil },
		end:  func(b notebook.Bundle) error { final = append(final, b); return nil }}
	made := 0
	draw := func(value float64) func() (*Figure, error) {
		return func() (*Figure, error) { made++; return Bars([]string{"a"}, []float64{value}, nil) }
	}
	for step := range 25 {
		if err := l.Draw(draw(float64(step))); err != nil {
			t.Fatal(err)
		}
		now = now.Add(100 * time.Millisecond)
	}
	if len(between) != 3 || made != 3 {
		t.Errorf("%d pictures shown and %d made in 2.5 s, want 3", len(between), made)
	}
	for _, b := range between {
		if b.VegaLite != nil || b.PNG == nil {
			t.Error("a picture in between has a chart or lacks the PNG")
		}
	}
	if err := errors.Join(l.Done(), l.Done()); err != nil {
		t.Fatal(err)
	}
	if len(final) != 1 || final[0].VegaLite == nil || final[0].Text != "Value: a 24." {
		t.Errorf("the last state is %+v", final)
	}
}

func TestLiveErrors(t *testing.T) {
	l := NewLive()
	if err := l.Done(); err != nil {
		t.Errorf("a display without figure ends with %v", err)
	}
	cause := errors.New("the cause")
	if err := l.Draw(func() (*Figure, error) { return nil, cause }); err != nil {
		t.Errorf("outside a notebook nothing is drawn before the end, and the error is %v", err)
	}
	if err := l.Done(); !errors.Is(err, cause) {
		t.Errorf("error %v, want the cause", err)
	}
}
