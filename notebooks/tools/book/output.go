package book

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// figure is the output of a cell that draws: a picture, and where there is one the Vega-Lite specification of the same.
type figure struct {
	png           []byte
	specification []byte
	// description is the text line of the bundle.
	description string
}

const vegaLite = "application/vnd.vegalite."

// figureOf returns the figure in an output, nil where the output is no figure.
func figureOf(output map[string]any) (*figure, error) {
	data, _ := output["data"].(map[string]any)
	packed := joined(data["image/png"])
	if packed == "" {
		return nil, nil
	}
	picture, err := base64.StdEncoding.DecodeString(strings.Map(dropSpace, packed))
	if err != nil {
		return nil, fmt.Errorf("book: a picture is not base64: %w", err)
	}
	found := &figure{png: picture, description: strings.TrimSpace(joined(data["text/plain"]))}
	for kind, value := range data {
		object, isObject := value.(map[string]any)
		if !isObject || !strings.HasPrefix(kind, vegaLite) {
			continue
		}
		if found.specification, err = json.Marshal(object); err != nil {
			return nil, fmt.Errorf("book: a specification cannot be written: %w", err)
		}
	}
	return found, nil
}

func dropSpace(r rune) rune {
	if r == '\n' || r == ' ' {
		return -1
	}
	return r
}

// size returns width and height of the picture in pixels, from its header.
func (f *figure) size() (width, height int) {
	const header = 24 // signature (8), length and type of the first chunk (8), width (4), height (4)
	if len(f.png) < header || !bytes.HasPrefix(f.png, []byte("\x89PNG")) {
		return 0, 0
	}
	number := func(at int) int {
		return int(f.png[at])<<24 | int(f.png[at+1])<<16 | int(f.png[at+2])<<8 | int(f.png[at+3])
	}
	return number(16), number(20)
}

// joined returns a multi-line string of a notebook, which is a string or a list of strings.
func joined(node any) string {
	switch node := node.(type) {
	case string:
		return node
	case []any:
		var text strings.Builder
		for _, line := range node {
			text.WriteString(joined(line))
		}
		return text.String()
	}
	return ""
}
