package plotting

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"

	"github.com/sparsero/directions/plotting/internal/scripts"
	"github.com/sparsero/directions/plotting/style"
)

// Page is a document in one file of HTML that needs no network and no server: figures keep their sliders, and without
// JavaScript the pictures stand. With an interactive figure it is 0.8 MB larger, the size of Vega.
type Page struct {
	Title    string
	Sections []Section
}

// Section is a part of a page: a heading, text and figures, each of which may be left out.
type Section struct {
	Heading string
	HTML    template.HTML // taken as it is: escape what comes from elsewhere
	Figures []*Figure
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// picture is a figure as a page holds it.
type picture struct {
	Alt  string
	SVG  template.HTML
	Live template.JS
}

// Write writes the page. It is an error if a figure has no static picture or cannot be drawn, or if w fails.
func (p *Page) Write(w io.Writer) error {
	if w == nil {
		return errors.New("plotting: the writer of a page is nil; pass a file or a buffer")
	}
	type section struct {
		Section
		Pictures []picture
	}
	data := struct {
		Title    string
		Headed   bool // by the title; a figure alone has its own
		Sections []section
		Scripts  template.JS
	}{Title: p.Title, Headed: len(p.Sections) != 1 || p.Sections[0].HTML != "" || p.Sections[0].Heading != ""}
	for _, s := range p.Sections {
		filled := section{Section: s}
		for _, f := range s.Figures {
			drawn, err := f.picture()
			if err != nil {
				return fmt.Errorf("plotting: page %q: %w", p.Title, err)
			}
			filled.Pictures = append(filled.Pictures, drawn)
			if drawn.Live != "" && data.Scripts == "" {
				script, err := scripts.All()
				if err != nil {
					return fmt.Errorf("plotting: page %q: %w", p.Title, err)
				}
				data.Scripts = template.JS(script)
			}
		}
		data.Sections = append(data.Sections, filled)
	}
	return pageTemplate.Execute(w, data)
}

func (f *Figure) picture() (picture, error) {
	if f == nil || f.Static == nil {
		return picture{}, fmt.Errorf("a figure has no static picture; set Static")
	}
	width, height := f.size()
	svg, err := style.SVG(f.Static, width, height)
	if err != nil {
		return picture{}, err
	}
	if start := bytes.Index(svg, []byte("<svg")); start > 0 {
		svg = svg[start:] // without the declaration of XML, which has no place inside a page
	}
	var live bytes.Buffer
	json.HTMLEscape(&live, f.Live)
	return picture{f.text(), template.HTML(svg), template.JS(live.String())}, nil
}

// page is the figure alone.
func (f *Figure) page() ([]byte, error) {
	var b bytes.Buffer
	err := (&Page{Title: f.Title, Sections: []Section{{Figures: []*Figure{f}}}}).Write(&b)
	return b.Bytes(), err
}
