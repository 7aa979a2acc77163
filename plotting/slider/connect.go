package slider

import (
	"context"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/widgets"
	"github.com/sparsero/directions/plotting/notebook"
)

// answerWithin bounds the wait for the browser. GoNB itself gives it three seconds to connect; a
// slider that has not appeared a few seconds later never will.
const answerWithin = 7 * time.Second

// connect puts a slider and a button into an element of the page. It returns nil where no front
// end answers: GoNB's widgets wait for one without end, so they wait in a goroutine of their
// own, which ends with the cell.
//
// Both addresses are listened to before the widgets exist and are never closed: in GoNB 0.11.4 a
// message to an address without listener locks all others out (comms.dispatchValueUpdates
// returns without unlocking).
func connect(ctx context.Context, s Slider, element string) *front {
	if !notebook.Active() {
		return nil
	}
	answered := make(chan *front, 1)
	go func() {
		id := gonbui.UniqueId()
		values := comms.Listen[int]("/slider/" + id).LatestOnly()
		pressed := comms.Listen[int]("/done/" + id).LatestOnly()
		widgets.Slider(s.Min, s.Max, s.Value).WithAddress("/slider/" + id).AppendTo(element).Done()
		widgets.Button("done").WithAddress("/done/" + id).AppendTo(element).Done()
		answered <- &front{values: values.C, pressed: pressed.C}
	}()
	select {
	case f := <-answered:
		return f
	case <-time.After(answerWithin):
	case <-ctx.Done():
	}
	return nil
}
