package notebook

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// MIMEVegaLite is the MIME type under which JupyterLab renders a chart itself, offline.
const MIMEVegaLite protocol.MIMEType = "application/vnd.vegalite.v5+json"

// Bundle is one thing to show, in several forms. Text is required, the rest is optional.
type Bundle struct {
	// Name is the base of the file name in a terminal.
	Name string
	// Text is shown where nothing richer is known, and in a terminal.
	Text string
	// HTML is a fragment, already escaped.
	HTML string
	// PNG is an encoded picture.
	PNG []byte
	// Width and Height are the size of the PNG in CSS pixels; 0 leaves it to the front end.
	Width, Height int
	// VegaLite is a chart specification as a JSON object.
	VegaLite json.RawMessage
}

// display turns the bundle into the message GoNB sends to the front end.
//
// The message travels as encoding/gob, in which the nested maps of a specification have no
// registered type; and a plain JSON string would be taken for an address to fetch. A data
// address is both a string and something that can be fetched.
func (b Bundle) display() (*protocol.DisplayData, error) {
	if b.Text == "" {
		return nil, fmt.Errorf("notebook: bundle %q has no text; every figure and table needs a text line", b.Name)
	}
	message := &protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: b.Text}}
	if b.HTML != "" {
		message.Data[protocol.MIMETextHTML] = b.HTML
	}
	if b.PNG != nil {
		message.Data[protocol.MIMEImagePNG] = b.PNG
		if b.Width > 0 && b.Height > 0 {
			message.Metadata = map[string]any{string(protocol.MIMEImagePNG): map[string]int{"width": b.Width, "height": b.Height}}
		}
	}
	if b.VegaLite != nil {
		if !json.Valid(b.VegaLite) {
			return nil, fmt.Errorf("notebook: the chart specification of bundle %q is not valid JSON", b.Name)
		}
		message.Data[MIMEVegaLite] = "data:application/json;base64," + base64.StdEncoding.EncodeToString(b.VegaLite)
	}
	return message, nil
}
