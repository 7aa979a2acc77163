package plotting

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/internal/live"
	"github.com/sparsero/directions/plotting/internal/static"
)

// Figure is a picture ready to be shown: a static drawing, a text line that says what it
// shows, and for most figures an interactive chart.
type Figure struct {
	// Title names the figure; in a terminal it also names the file.
	Title string
	// Alt is the text line: what the picture shows, with its main numbers.
	Alt string
	// Width and Height are the size in CSS pixels (1/96 inch).
	Width, Height float64
	// Static is the picture itself. A *plot.Plot is a Drawing: &Figure{Title: "mine", Static: p} shows it.
	Static static.Drawing
	// Live is a Vega-Lite specification; nil means that there is no interactive view.
	Live json.RawMessage
}

// NewFigure renders a chart in both forms. The alt text is the line for terminals and screen
// readers; a remark about a thinned interactive view is added to it. It returns the errors of
// charts that cannot be drawn: no data, lists of different lengths, infinite values.
func NewFigure(c *chart.Chart, alt string) (*Figure, error) {
	picture, err := static.Picture(c)
	if err != nil {
		return nil, fmt.Errorf("plotting: %w", err)
	}
	specification, remark, err := live.Specification(c)
	if err != nil {
		return nil, fmt.Errorf("plotting: %w", err)
	}
	if remark != "" {
		alt = strings.TrimSuffix(alt, ".") + " (" + remark + ")."
	}
	f := &Figure{Title: label.Unicode(c.Title), Alt: alt, Width: c.Width, Height: c.Height, Static: picture, Live: specification}
	f.Width, f.Height = f.size()
	return f, nil
}

// given returns options, those of the zero value for nil.
func given[T any](o *T) *T { return cmp.Or(o, new(T)) }

func (f *Figure) size() (width, height float64) {
	return cmp.Or(f.Width, layout.DefaultWidth), cmp.Or(f.Height, layout.DefaultHeight)
}

// PNG renders the static picture at dpi dots per inch; 0 means 192, twice the size on
// screen. It is an error if there is no static picture or if drawing fails.
func (f *Figure) PNG(dpi int) ([]byte, error) {
	if f.Static == nil {
		return nil, fmt.Errorf("plotting: figure %q has no static picture; set Static", f.Title)
	}
	width, height := f.size()
	return static.PNG(f.Static, width, height, dpi)
}

// Save writes the figure to a file whose name ends in .png or .svg for the static picture, in .vl.json for the
// interactive one, or in .html for a page to mail, which needs no network and holds both. Missing folders are made. It
// is an error if the name ends otherwise, if there is no such form of the figure, or if the file cannot be written.
func (f *Figure) Save(path string) error {
	data, err := f.encode(strings.ToLower(path))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		return fmt.Errorf("plotting: saving %q: %w", f.Title, err)
	}
	return nil
}

func (f *Figure) encode(name string) ([]byte, error) {
	width, height := f.size()
	switch {
	case strings.HasSuffix(name, ".vl.json") && f.Live == nil:
		return nil, errors.New("the figure has no interactive view; save it as .png or .svg")
	case strings.HasSuffix(name, ".vl.json"):
		return f.Live, nil
	case f.Static == nil:
		return nil, errors.New("the figure has no static picture; set Static")
	case strings.HasSuffix(name, ".png"):
		return f.PNG(0)
	case strings.HasSuffix(name, ".svg"):
		return static.SVG(f.Static, width, height)
	case strings.HasSuffix(name, ".html"):
		var page bytes.Buffer
		err := WritePage(&page, f.Title, Section{Figures: []*Figure{f}})
		return page.Bytes(), err
	}
	return nil, fmt.Errorf("cannot write a figure as %q; use .png, .svg, .html or .vl.json", filepath.Ext(name))
}

// vegaLite is the MIME type under which JupyterLab renders a chart itself, offline.
const vegaLite protocol.MIMEType = "application/vnd.vegalite.v5+json"

// shown is the title of the figure and the figure in all its forms.
//
// A message travels as encoding/gob, in which the nested maps of a specification have no
// registered type; and a plain JSON string would be taken for an address to fetch. A data
// address is both a string and something that can be fetched.
func (f *Figure) shown() (title string, message *protocol.DisplayData, err error) {
	if f == nil {
		return "", nil, errors.New("plotting: figure is nil; check the error of the call that made it")
	}
	png, err := f.PNG(0)
	if err != nil {
		return f.Title, nil, err
	}
	width, height := f.size()
	message = &protocol.DisplayData{
		Data:     map[protocol.MIMEType]any{protocol.MIMETextPlain: f.text(), protocol.MIMEImagePNG: png},
		Metadata: map[string]any{string(protocol.MIMEImagePNG): map[string]int{"width": int(width), "height": int(height)}},
	}
	if f.Live != nil {
		if !json.Valid(f.Live) {
			return f.Title, nil, fmt.Errorf("plotting: the chart specification of figure %q is not valid JSON", f.Title)
		}
		message.Data[vegaLite] = "data:application/json;base64," + base64.StdEncoding.EncodeToString(f.Live)
	}
	return f.Title, message, nil
}

func (f *Figure) text() string {
	text := f.Alt
	if f.Title != "" && !strings.HasPrefix(text, f.Title) {
		text = strings.TrimSuffix(f.Title, ".") + ". " + text
	}
	return cmp.Or(text, "Figure without title.")
}
