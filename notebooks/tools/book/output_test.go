package book

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// dot is a PNG of one pixel.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func shown(t *testing.T, output map[string]any) string {
	t.Helper()
	site, figures := &Site{Output: t.TempDir()}, 0
	if err := site.makeFolders(); err != nil {
		t.Fatal(err)
	}
	written, err := site.output(&page{Path: "a.html"}, output, &figures)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}

// TestOutputsCannotBreakThePage puts markup where text belongs, in a stream and in a chart's specification.
func TestOutputsCannotBreakThePage(t *testing.T) {
	stream := shown(t, map[string]any{"output_type": "stream", "text": []any{"\x1b[31m<b>red</b>\x1b[0m\n", "&\n"}})
	if stream != "<pre>&lt;b&gt;red&lt;/b&gt;\n&amp;</pre>" {
		t.Errorf("a stream becomes %q", stream)
	}
	chart := shown(t, map[string]any{"output_type": "display_data", "data": map[string]any{
		"image/png": dot, "text/plain": `a "figure"`,
		"application/vnd.vegalite.v5+json": map[string]any{"title": "</script><script>alert(1)</script>", "width": json.Number("2.50")}}})
	if strings.Count(chart, "</script>") != 1 || strings.Contains(chart, "<script>alert") {
		t.Errorf("the specification ends its script: %s", chart)
	}
	for _, want := range []string{`"width":2.50`, `src="figures/a-1.png"`, `alt="a &#34;figure&#34;"`, "interactive"} {
		if !strings.Contains(chart, want) {
			t.Errorf("the figure has no %s: %s", want, chart)
		}
	}
	still := shown(t, map[string]any{"output_type": "display_data", "data": map[string]any{"image/png": dot}})
	if strings.Contains(still, "interactive") || strings.Contains(still, "<script") {
		t.Errorf("a picture without a specification becomes %s", still)
	}
}

// TestWidgetsDoNotLookForAKernel keeps tables that sort themselves and drops what would only complain.
func TestWidgetsDoNotLookForAKernel(t *testing.T) {
	html := func(text string) string {
		return shown(t, map[string]any{"output_type": "display_data", "data": map[string]any{"text/html": text}})
	}
	table := "<table></table><script>sort()</script>"
	if got := html(table + "<script>new\nWebSocket(kernel)</script>"); got != `<div class="html">`+table+`</div>` {
		t.Errorf("the page keeps %s", got)
	}
	if got := html("<script>new WebSocket(kernel)</script>"); got != "" {
		t.Errorf("nothing but the widget's script leaves %q", got)
	}
}

func TestFigureOfRejectsWhatIsNoPicture(t *testing.T) {
	if _, err := figureOf(map[string]any{"data": map[string]any{"image/png": "!"}}); err == nil {
		t.Error("a picture that is not base64 was accepted")
	}
	if found, err := figureOf(map[string]any{"data": map[string]any{"text/plain": "x"}}); found != nil || err != nil {
		t.Errorf("a text became the figure %v (%v)", found, err)
	}
	picture, err := base64.StdEncoding.DecodeString(dot)
	if err != nil {
		t.Fatal(err)
	}
	if width, height := (&figure{png: picture}).size(); width != 1 || height != 1 {
		t.Errorf("the size of the dot is %d×%d", width, height)
	}
	if width, height := (&figure{png: []byte("short")}).size(); width != 0 || height != 0 {
		t.Errorf("no PNG has the size %d×%d", width, height)
	}
	if _, err := (&figure{png: []byte("short")}).thumbnail(); err == nil {
		t.Error("a thumbnail was made of no PNG")
	}
}

// TestFailedCellsAreNotPublished: a page with an error in it is a notebook that was saved by hand.
func TestFailedCellsAreNotPublished(t *testing.T) {
	site, figures := &Site{Output: t.TempDir()}, 0
	if _, err := site.output(&page{Path: "a.html"}, map[string]any{"output_type": "error", "evalue": "exit status 1"}, &figures); err == nil {
		t.Error("an error was published")
	}
}
