package ipynb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// vegaLitePrefix begins the type of every Vega-Lite specification.
const vegaLitePrefix = "application/vnd.vegalite."

// holdSpecifications puts a short text in the place of each Vega-Lite specification and returns what belongs there,
// together with a function that puts the specifications back. Written with Jupyter's indentation the data of a chart
// takes a line per number, several times the space of the same JSON on one line.
func (d *Document) holdSpecifications() (held map[string][]byte, restore func(), err error) {
	held = map[string][]byte{}
	var undo []func()
	for _, cell := range d.cellNodes() {
		for _, output := range objects(cell["outputs"]) {
			data, _ := output["data"].(map[string]any)
			for kind, value := range data {
				specification, ok := value.(map[string]any)
				if !ok || !strings.HasPrefix(kind, vegaLitePrefix) {
					continue
				}
				compact, err := json.Marshal(specification)
				if err != nil {
					return nil, nil, fmt.Errorf("ipynb: output of type %s: %w", kind, err)
				}
				name := fmt.Sprintf("specification %d is held back", len(held))
				held[name], data[kind] = compact, name
				undo = append(undo, func() { data[kind] = specification })
			}
		}
	}
	return held, func() {
		for _, put := range undo {
			put()
		}
	}, nil
}

// insertSpecifications puts compact JSON in the place of the texts that held it: the values of MIME types that end in
// +json, so that no other text can be mistaken for them.
func insertSpecifications(content []byte, held map[string][]byte) []byte {
	for name, compact := range held {
		content = bytes.Replace(content, []byte(`+json": "`+name+`"`), []byte(`+json": `+string(compact)), 1)
	}
	return content
}
