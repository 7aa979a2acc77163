package slider

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/plotting"
)

// bars is a figure that shows a value.
func bars(value int) (*plotting.Figure, error) {
	return plotting.Bars([]string{"value"}, []float64{float64(value)}, nil)
}

// on is a front end on which the reader makes the given moves.
func on(values, pressed chan int) func(context.Context, Slider, string) *front {
	return func(context.Context, Slider, string) *front { return &front{values: values, pressed: pressed} }
}

// TestMoves: the reader moves the slider twice and presses "done"; values outside the range are
// put into it, and the announcement of the button does not end the cell.
func TestMoves(t *testing.T) {
	t.Setenv(plotting.FiguresVariable, t.TempDir())
	values, pressed := make(chan int), make(chan int)
	go func() {
		pressed <- 0
		values <- 4
		values <- 40
		pressed <- 1
	}()
	value, err := Slider{Label: "b", Min: 1, Max: 9, Value: 2}.show(context.Background(), bars, on(values, pressed))
	if value != 9 || err != nil {
		t.Errorf("the slider ends at %d (%v), want 9", value, err)
	}
}

// TestEnds: without front end, with a context that is done, and after a while without move the
// cell ends with the first value and no error.
func TestEnds(t *testing.T) {
	t.Setenv(plotting.FiguresVariable, t.TempDir())
	s := Slider{Label: "b", Min: 1, Max: 9, Value: 2, Idle: time.Millisecond}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	silent := on(make(chan int), make(chan int))
	nobody := func(context.Context, Slider, string) *front { return nil }
	for name, run := range map[string]func() (int, error){
		"no front end":    func() (int, error) { return s.show(context.Background(), bars, nobody) },
		"outside":         func() (int, error) { return s.Show(context.Background(), bars) },
		"context is done": func() (int, error) { s := s; s.Idle = time.Hour; return s.show(done, bars, silent) },
		"idle":            func() (int, error) { return s.show(context.Background(), bars, silent) },
	} {
		if value, err := run(); value != 2 || err != nil {
			t.Errorf("%s: %d, %v", name, value, err)
		}
	}
}

func TestErrors(t *testing.T) {
	cause := errors.New("the cause")
	failing := func(int) (*plotting.Figure, error) { return nil, cause }
	if _, err := (Slider{Min: 0, Max: 1}).Show(context.Background(), failing); !errors.Is(err, cause) {
		t.Errorf("error %v, want the cause", err)
	}
	for want, s := range map[string]Slider{"range [1, 1]": {Min: 1, Max: 1, Value: 1}, "value 5": {Min: 1, Max: 2, Value: 5}} {
		if _, err := s.Show(context.Background(), bars); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := (Slider{Max: 1}).Show(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "is nil") {
		t.Errorf("error %v", err)
	}
}

// TestTextsAreEscaped: a label cannot open an element.
func TestTextsAreEscaped(t *testing.T) {
	s := Slider{Label: `<script>alert("x")</script>`, Max: 1}
	for _, b := range []string{s.waiting("id").HTML, s.ended(0).HTML} {
		if strings.Contains(b, "<script") {
			t.Errorf("HTML %s", b)
		}
	}
}
