package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const vega = "application/vnd.vegalite.v5+json"

// some are the tutorials that stand for all of them: figures, a slider that Go computes, one's own table, long tables.
var some = []string{"02_few_directions", "01_stress_days", "15_your_own_figures"}

// names lists the tutorials that are under test: some, or with DIRECTIONS_ALL all of them.
func names(t *testing.T) []string {
	t.Helper()
	if os.Getenv("DIRECTIONS_ALL") == "" {
		return some
	}
	paths, err := filepath.Glob(filepath.Join("..", "..", "notebooks", "*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range paths {
		paths[i] = strings.TrimSuffix(filepath.Base(path), ".ipynb")
	}
	return paths
}

// TestTutorialsInThePage opens tutorials, runs all cells, and compares what appears with what the repository shows.
func TestTutorialsInThePage(t *testing.T) {
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			s := pageServer(t)
			defer s.endSessions(t)
			published, bare := tutorial(t, name+".ipynb")
			path := "page_" + name + ".ipynb"
			s.write(t, path, bare)
			l := openLab(t, s, path)
			l.runAll()
			l.waitFigures(published.count(vega))
			l.save()
			l.screenshot(name)
			checkSaved(t, s.read(t, path), published)
			if tables := evaluate[int](l, `document.querySelectorAll('.jp-OutputArea table').length`); tables < published.holding("text/html", "<table") {
				t.Errorf("the page shows %d tables, the repository %d", tables, published.holding("text/html", "<table"))
			}
			if evaluate[bool](l, slider+" !== null") {
				l.moveSlider()
				l.screenshot(name + "_slider_moved")
			} else if name == "02_few_directions" {
				t.Error("the quickstart has no slider")
			}
			l.checkConsole()
		})
	}
}

// checkSaved checks that every cell ran without error and left as many figures and tables as are published.
func checkSaved(t *testing.T, saved, published notebook) {
	t.Helper()
	for i, c := range saved.code() {
		if c.Count == nil {
			t.Errorf("code cell %d has not run", i)
		}
		for _, o := range c.Outputs {
			if o.Type == "error" {
				t.Errorf("code cell %d: %s: %s", i, o.Name, o.Value)
			}
		}
	}
	for _, mime := range []string{vega, "image/png", "text/html"} {
		if got, want := saved.count(mime), published.count(mime); got != want {
			t.Errorf("%d outputs of %s, in the repository %d", got, mime, want)
		}
	}
}

// waitFigures waits until the page has drawn a number of interactive figures.
func (l *lab) waitFigures(number int) {
	l.t.Helper()
	l.wait(fmt.Sprintf("%d figures are drawn", number), fmt.Sprintf(
		`[...document.querySelectorAll('.jp-OutputArea .vega-embed canvas, .jp-OutputArea .vega-embed > svg.marks, .jp-OutputArea .vega-embed .chart-wrapper svg')]`+
			`.filter(e => e.getBoundingClientRect().height > 50).length >= %d`, number))
}

const slider = `document.querySelector('.jp-OutputArea .vega-bindings input[type=range]')`

// figure is what the figure of the slider looks like.
const figure = `(() => { const e = ` + slider + `.closest('.vega-embed'), c = e.querySelector('canvas'); return c ? c.toDataURL() : e.querySelector('svg').outerHTML })()`

// moveSlider clicks into the track of the first slider and waits until its figure has changed.
func (l *lab) moveSlider() {
	l.t.Helper()
	l.wait("a slider is there", slider)
	before, value := evaluate[string](l, figure), evaluate[string](l, slider+".value")
	for _, across := range []float64{0.85, 0.15, 0.5} {
		l.click(slider, across)
		if evaluate[string](l, slider+".value") != value {
			break
		}
	}
	if evaluate[string](l, slider+".value") == value {
		l.t.Fatalf("the slider stays at %s", value)
	}
	evaluate[bool](l, "(window.figureBefore = "+quote(before)+") !== ''")
	l.wait("the figure follows the slider", figure+" !== window.figureBefore")
	l.t.Logf("slider moved from %s to %s, and the figure changed", value, evaluate[string](l, slider+".value"))
}

func quote(text string) string {
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "$", "\\$").Replace(text) + "`"
}

// TestInterrupt interrupts a cell without end: what it printed stays, and the kernel runs the next cell.
func TestInterrupt(t *testing.T) {
	s := pageServer(t)
	defer s.endSessions(t)
	s.write(t, "page_long.ipynb", program(
		"import (\n\t\"fmt\"\n\t\"time\"\n)\n\n%%\nfmt.Println(\"partial result\")\ntime.Sleep(24 * time.Hour)",
		"%%\nfmt.Println(\"the kernel\", \"is alive\")"))
	l := openLab(t, s, "page_long.ipynb")
	l.runCell(0)
	l.wait("the partial result", codeCell(0)+`.querySelector('.jp-OutputArea')?.textContent.includes('partial result')`)
	l.menu("Kernel", "kernelmenu:interrupt")
	l.wait("the cell ends", hasRun(0))
	l.waitIdle()
	l.runCell(1)
	l.wait("the next cell runs", codeCell(1)+`.querySelector('.jp-OutputArea')?.textContent.includes('the kernel is alive')`)
	l.wait("the partial result is still shown", codeCell(0)+`.querySelector('.jp-OutputArea').textContent.includes('partial result')`)
	l.screenshot("interrupted")
}
