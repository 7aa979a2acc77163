package book

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// slideView is what the browser saw of the slides of one tutorial.
type slideView struct {
	Page            string
	Slides, Figures int
	Questions       int
	Least           float64 // the smallest letters in a figure or table, in pixels
	Problems        []string
}

// TestSlidesInChromium turns all slides of all tutorials on a screen of 1280 x 720: nothing is cut or too small to read,
// a slide has a statement or a figure and no code, the questions of TEACHING stand before their figures, formulas and charts are there, keys turn slides and leave sliders alone, and nothing is asked of a network.
func TestSlidesInChromium(t *testing.T) {
	browser := findBrowser(t)
	site := siteWithoutPanels(t)
	pages := slidesOf(t, site)
	slides, figures, questions := 0, 0, 0
	for _, view := range turnSlides(t, browser, site, pages) {
		for _, problem := range view.Problems {
			t.Errorf("%s: %s", view.Page, problem)
		}
		if view.Slides < 8 {
			t.Errorf("%s has %d slides", view.Page, view.Slides)
		}
		slides += view.Slides
		figures += view.Figures
		questions += view.Questions
		t.Logf("%s: %d slides, %d charts, smallest letters in them %.1f pixels", view.Page, view.Slides, view.Figures, view.Least)
	}
	if len(pages) < 25 || figures < 100 {
		t.Errorf("only %d tutorials with %d charts", len(pages), figures)
	}
	plan, err := os.ReadFile(teaching)
	if err != nil {
		t.Fatal(err)
	}
	if rows := len(figureRow.FindAllString(string(plan), -1)); questions != rows {
		t.Errorf("%d questions are on slides, TEACHING has %d", questions, rows)
	}
	t.Logf("%d slides of %d tutorials, %d charts", slides, len(pages), figures)
}

// TestBrowserSeesBrokenSlides shows that the check of the slides can fail.
func TestBrowserSeesBrokenSlides(t *testing.T) {
	browser := findBrowser(t)
	site := siteWithoutPanels(t)
	page, err := os.ReadFile(filepath.Join(site, "slides", "39_errata.html"))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(page), `<section class="prose">`)
	_, foot, _ := strings.Cut(string(page), "</main>")
	broken := head + `<section class="prose"><h2 id="one">A title</h2><ul style="font-size:9px"><li>Tiny letters for nobody.</li></ul>
<p><strong>Bad.</strong> Here $\nothing$ is a formula.</p><p><strong>Long</strong> ` + strings.Repeat("long ", 1600) + `</p></section>
<section class="code"><div class="output"><figure class="figure interactive"><img src="data:,"><div class="chart"></div>
<script type="application/json">{"mark": "nothing", "data": {"values": []}}</script></figure></div></section></main>` + foot
	if err := os.WriteFile(filepath.Join(site, "slides", "broken.html"), []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	views := turnSlides(t, browser, site, []string{"slides/broken.html"})
	seen := strings.Join(views[0].Problems, "\n")
	for _, want := range []string{"overflows", "ends at", "letters of 9 pixels", "formula not set", "a wall of", "is not painted"} {
		if !strings.Contains(seen, want) {
			t.Errorf("nobody saw %q in:\n%s", want, seen)
		}
	}
}

// turnSlides opens the pages from their files and turns their slides; a message on the console is an error, but for the
// page that is broken on purpose.
func turnSlides(t *testing.T, browser, site string, pages []string) (views []slideView) {
	t.Helper()
	said, console, _ := open(t, browser, site, "slides.html", pages, false)
	if err := json.Unmarshal([]byte(said), &views); err != nil || len(views) != len(pages) {
		t.Fatalf("%d views of %d pages: %v", len(views), len(pages), err)
	}
	for _, message := range console {
		if !strings.Contains(message, "/broken.html") && !strings.Contains(message, "/book.js") {
			t.Errorf("console: %s", message)
		}
	}
	return views
}

// siteWithoutPanels makes the book without the library, which slides and print do not need.
func siteWithoutPanels(t *testing.T) string {
	t.Helper()
	scripts, err := exec.Command("bash", filepath.Join("..", "..", "..", ".ci", "book.sh"), "scripts", "cached").Output()
	if err != nil {
		t.Skip("Vega, Vega-Lite and KaTeX are not in the cache; make book fetches them")
	}
	site := t.TempDir()
	if said, err := makeBook(t, filepath.Join("..", "..", ".."), strings.TrimSpace(string(scripts)), site); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return site
}

func slidesOf(t *testing.T, site string) (pages []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(site, "slides", "*.html"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no slides in %s: %v", site, err)
	}
	for _, path := range paths {
		pages = append(pages, "slides/"+filepath.Base(path))
	}
	return pages
}
