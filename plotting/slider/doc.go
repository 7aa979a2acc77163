// Package slider is a slider cell with a live kernel: each move calls a Go function, which draws
// a new figure.
//
// The sliders inside the figures of package plotting need no kernel, since the browser evaluates
// an expression. Here Go itself answers, so that a move may solve a linear program. The cell
// runs until the reader presses "done" or the notebook's stop button; the last figure stays.
//
//	value, err := slider.Slider{Label: "budget b", Min: 1, Max: 12, Value: 4}.Show(ctx,
//		func(b int) (*plotting.Figure, error) { return plotting.AtomicSet(sets[b], nil) })
//
// Where no front end answers, as in an automatic run, and outside notebooks, the figure at the
// first value is shown and Show returns.
package slider
