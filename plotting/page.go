package plotting

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/sparsero/directions/plotting/internal/static"
)

// Section is a part of a page: a heading, text and figures, each of which may be left out.
type Section struct {
	Heading string
	HTML    string // taken as it is: escape what comes from elsewhere
	Figures []*Figure
}

// The frame of a page and the program that draws its charts. Pages are put together without the standard library's
// templates: a program that holds these links all exported methods, and a cell of a notebook takes a fifth longer (make latency).
var (
	//go:embed page.html
	pageFrame string
	//go:embed page.js
	drawCharts string
	//go:embed scripts/vega.min.js.gz
	vegaScript []byte
	//go:embed scripts/vega-lite.min.js.gz
	vegaLiteScript []byte
)

// WritePage writes one file of HTML that needs no network and no server: figures keep their sliders, and without
// JavaScript the pictures stand. With an interactive figure it is 0.8 MB larger, the size of Vega. It is an error if a
// figure has no static picture or cannot be drawn, or if w fails.
func WritePage(w io.Writer, title string, sections ...Section) error {
	if w == nil {
		return errors.New("plotting: the writer of a page is nil; pass a file or a buffer")
	}
	var body strings.Builder
	if alone := len(sections) == 1 && sections[0].HTML == "" && sections[0].Heading == ""; !alone { // a figure alone has its own title
		fmt.Fprintf(&body, "<h1>%s</h1>\n", html.EscapeString(title))
	}
	live := false
	for _, s := range sections {
		interactive, err := s.write(&body)
		if err != nil {
			return fmt.Errorf("plotting: page %q: %w", title, err)
		}
		live = live || interactive
	}
	if live {
		body.WriteString("<script>")
		if err := errors.Join(unpack(&body, vegaScript), unpack(&body, vegaLiteScript)); err != nil {
			return fmt.Errorf("plotting: page %q: %w", title, err)
		}
		fmt.Fprintf(&body, "</script>\n<script>\n%s</script>\n", drawCharts)
	}
	_, err := strings.NewReplacer("{{title}}", html.EscapeString(title), "{{body}}", body.String()).WriteString(w, pageFrame)
	return err
}

func unpack(body *strings.Builder, program []byte) error {
	reader, err := gzip.NewReader(bytes.NewReader(program))
	if err == nil {
		_, err = io.Copy(body, reader)
		body.WriteString(";\n")
	}
	return err
}

// write adds the section to the body of a page, and tells whether one of its figures is interactive.
func (s *Section) write(body *strings.Builder) (interactive bool, err error) {
	body.WriteString("<section>")
	if s.Heading != "" {
		fmt.Fprintf(body, "<h2>%s</h2>", html.EscapeString(s.Heading))
	}
	fmt.Fprintf(body, "\n%s\n", s.HTML)
	for _, f := range s.Figures {
		svg, live, err := f.picture()
		if err != nil {
			return false, err
		}
		fmt.Fprintf(body, "<figure>\n<div class=\"chart\" role=\"img\" aria-label=\"%s\">%s</div>\n", html.EscapeString(f.text()), svg)
		if len(live) > 0 {
			interactive = true
			fmt.Fprintf(body, "<script type=\"application/json\">%s</script>\n", live)
		}
		body.WriteString("</figure>\n")
	}
	body.WriteString("</section>\n")
	return interactive, nil
}

// picture is a figure as a page holds it: the static one, and the chart in JSON that a page may hold.
func (f *Figure) picture() (svg, live []byte, err error) {
	if f == nil || f.Static == nil {
		return nil, nil, errors.New("a figure has no static picture; set Static")
	}
	width, height := f.size()
	if svg, err = static.SVG(f.Static, width, height); err != nil {
		return nil, nil, err
	}
	if start := bytes.Index(svg, []byte("<svg")); start > 0 {
		svg = svg[start:] // without the declaration of XML, which has no place inside a page
	}
	var chart bytes.Buffer
	json.HTMLEscape(&chart, f.Live)
	return svg, chart.Bytes(), nil
}
