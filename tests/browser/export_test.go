package browser

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExports checks that every format that the menu offers works, and that an HTML page shows formulas and charts that move
// without a server and without a network.
func TestExports(t *testing.T) {
	s := pageServer(t)
	if s.container == "" {
		t.Skip("a local JupyterLab has exporters of its own")
	}
	var formats map[string]json.RawMessage
	decode(t, s.call(t, "GET", "/api/nbconvert", nil), &formats)
	if offered := slices.Sorted(maps.Keys(formats)); !slices.Equal(offered, []string{"html", "markdown", "notebook", "script"}) {
		t.Errorf("offered are %v", offered)
	}
	files := map[string][]byte{}
	for format := range formats {
		files[format] = s.call(t, "GET", "/nbconvert/"+format+"/02_few_directions.ipynb?download=true", nil)
	}
	path := filepath.Join(t.TempDir(), "quickstart.html")
	if err := os.WriteFile(path, files["html"], 0o644); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{` src="http`, ` src="file`, ` href="file`, "@import", "url(http"} {
		if strings.Contains(string(files["html"]), source) {
			t.Errorf("the page loads something: %s", source)
		}
	}
	published, _ := tutorial(t, "02_few_directions.ipynb")
	l := openBrowser(t)
	l.load("file://"+path, `document.querySelector('.katex')`)
	l.wait("all charts are drawn", fmt.Sprintf(`document.querySelectorAll('.interactive.drawn > .chart svg').length >= %d`, published.count(vega)))
	const input = `document.querySelector('.vega-bindings input[type=range]')`
	l.wait("a slider", input)
	const drawing = input + `.closest('.chart').querySelector('svg').outerHTML`
	before := evaluate[string](l, drawing)
	l.click(input, 0.8)
	evaluate[bool](l, "(window.before = "+quote(before)+") !== ''")
	l.wait("the chart follows the slider", drawing+" !== window.before")
	if left := evaluate[int](l, `document.querySelectorAll('.katex-error').length`); left > 0 {
		t.Errorf("%d formulas are not set", left)
	}
	l.screenshot("export")
	l.checkConsole()
	t.Logf("the page takes %.1f MB", float64(len(files["html"]))/1e6)
}
