package book

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	figureTemplate = template.Must(template.New("figure").Parse(`<figure class="figure{{if .Specification}} interactive{{end}}">
<img src="{{.Picture}}" width="{{.Width}}" height="{{.Height}}" alt="{{.Description}}">
{{- if .Specification}}
<div class="chart"></div>
<script type="application/json">{{.Specification}}</script>
{{- end}}
</figure>`))
	// terminal is a control sequence of a terminal, such as a change of colour.
	terminal      = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	scriptElement = regexp.MustCompile(`(?s)<script[^>]*>.*?</script>`)
	// link is a link to a file of the repository: no protocol, no anchor alone.
	link = regexp.MustCompile(`(href=")([^":#]+?)(#[^"]*)?(")`)
	// solutionsLink is a link to a page of solutions: its name and its words.
	solutionsLink = regexp.MustCompile(`<a [^>]*href="(?:[^"#]*/)?([^"#/]*_solutions\.html)[^"]*"[^>]*>(.*?)</a>`)
)

// output turns an output of a cell into HTML. A figure becomes a file beside the pages.
func (s *Site) output(entry *page, output map[string]any, figures *int) (template.HTML, error) {
	data, _ := output["data"].(map[string]any)
	figure, err := figureOf(output)
	switch {
	case err != nil:
		return "", err
	case figure != nil:
		*figures++
		return s.figure(entry, figure, *figures)
	case output["output_type"] == "stream":
		return preformatted(joined(output["text"])), nil
	case output["output_type"] == "error":
		return "", fmt.Errorf("book: a cell failed: %s", joined(output["evalue"]))
	case data["text/html"] != nil:
		return markup(joined(data["text/html"])), nil
	case data["text/plain"] != nil:
		return preformatted(joined(data["text/plain"])), nil
	}
	return "", nil
}

// markup is the HTML that a cell showed, such as a table, without the scripts of widgets that look for a kernel: the book
// has none.
func markup(shown string) template.HTML {
	shown = scriptElement.ReplaceAllStringFunc(shown, func(script string) string {
		if strings.Contains(script, "WebSocket") {
			return ""
		}
		return script
	})
	if strings.TrimSpace(shown) == "" {
		return ""
	}
	return template.HTML(`<div class="html">` + shown + `</div>`)
}

func preformatted(said string) template.HTML {
	said = strings.TrimRight(terminal.ReplaceAllString(said, ""), "\n")
	if strings.TrimSpace(said) == "" {
		return ""
	}
	return template.HTML("<pre>" + html.EscapeString(said) + "</pre>")
}

// pixelsPerPoint is how much finer the pictures in the notebooks are than a screen of the usual kind.
const pixelsPerPoint = 2

func (s *Site) figure(entry *page, figure *figure, number int) (template.HTML, error) {
	name := strings.TrimSuffix(filepath.Base(filepath.FromSlash(entry.Path)), ".html")
	file := fmt.Sprintf("figures/%s-%d.png", name, number)
	if err := os.WriteFile(filepath.Join(s.Output, filepath.FromSlash(file)), figure.png, 0o644); err != nil {
		return "", fmt.Errorf("book: %w", err)
	}
	width, height := figure.size()
	var written bytes.Buffer
	err := figureTemplate.Execute(&written, struct {
		Picture, Description string
		Width, Height        int
		Specification        template.JS
	}{entry.Base + file, figure.description, width / pixelsPerPoint, height / pixelsPerPoint, template.JS(figure.specification)})
	if err != nil {
		return "", fmt.Errorf("book: %w", err)
	}
	return template.HTML(written.String()), nil
}

// relink points the links between notebooks and documents to their pages.
func relink(page string) string {
	return link.ReplaceAllStringFunc(page, func(found string) string {
		part := link.FindStringSubmatch(found)
		target := part[2]
		switch {
		case strings.HasSuffix(target, ".ipynb"):
			target = strings.TrimSuffix(target, ".ipynb") + ".html"
		case filepath.Base(target) == "README.md":
			target = strings.TrimSuffix(target, "README.md") + "index.html"
		}
		for _, document := range documents {
			if filepath.Base(target) == filepath.Base(document.path) {
				target = document.name + ".html"
			}
		}
		return part[1] + target + part[3] + part[4]
	})
}

// unlink leaves of a link to solutions that are not in the book its words: a teacher may have taken them away.
func unlink(page string, present map[string]bool) string {
	return solutionsLink.ReplaceAllStringFunc(page, func(found string) string {
		part := solutionsLink.FindStringSubmatch(found)
		if present[part[1]] {
			return found
		}
		return part[2]
	})
}
