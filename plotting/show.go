package plotting

import (
	"fmt"
	"os"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/sparsero/directions/plotting/table"
	"gonum.org/v1/plot"
)

// Show displays each item: a *Figure, a *table.Table, a *plot.Plot, or any data that Table
// takes. In a GoNB notebook an item becomes one bundle of the output, with an interactive
// chart where there is one, a picture or HTML, and text; in a terminal a table is printed and
// a picture is written to a file whose path is printed, in build/figures or the folder that the
// environment variable DIRECTIONS_FIGURES names.
//
// An error among the items is returned at once, so that the result of a call that returns a
// figure and an error can be passed as it is:
//
//	err := plotting.Show(plotting.AtomicSet(set, nil))
func Show(items ...any) error {
	for _, item := range items {
		if err, ok := item.(error); ok {
			return err
		}
	}
	for _, item := range items {
		if item == nil { // the nil error of a call whose results are shown
			continue
		}
		name, message, err := messageOf(item)
		switch {
		case err != nil:
			return err
		case gonbui.IsNotebook:
			err = send(message)
		default:
			err = terminal.show(os.Stdout, name, message)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// messageOf returns the title of an item, and the item in all its forms as GoNB sends them to the front end, which shows the
// richest that it knows: JupyterLab the interactive chart, a code host the PNG, a plain text viewer the text line.
func messageOf(item any) (title string, message *protocol.DisplayData, err error) {
	switch v := item.(type) {
	case *Figure:
		if v == nil {
			return "", nil, fmt.Errorf("plotting: figure is nil; check the error of the call that made it")
		}
		message, err = v.message()
		return v.Title, message, err
	case *plot.Plot:
		f, err := FromPlot(v)
		if err != nil {
			return "", nil, err
		}
		return messageOf(f)
	case *table.Table:
		if v == nil {
			return "", nil, fmt.Errorf("plotting: table is nil; check the error of the call that made it")
		}
		forms := map[protocol.MIMEType]any{protocol.MIMETextPlain: v.Text(), protocol.MIMETextHTML: v.HTML()}
		return v.Title(), &protocol.DisplayData{Data: forms}, nil
	}
	t, err := Table(item, nil)
	if err != nil {
		return "", nil, err
	}
	return messageOf(t)
}

// TableOptions shape a table; see table.Options.
type TableOptions = table.Options

// Table makes a table of a gota frame, anything with a method Frame, a gonum matrix, a slice
// of structs, or rows of numbers; nil options give the defaults. See table.New, whose
// errors it returns.
func Table(data any, o *TableOptions) (*table.Table, error) { return table.New(data, o) }
