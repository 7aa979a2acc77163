package plotting_test

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/sparsero"
)

// Variables that tell the browser tests where Vega is and where to put the pictures.
const (
	vegaVariable     = "DIRECTIONS_VEGA"
	picturesVariable = "DIRECTIONS_BROWSER_PICTURES"
)

// vegaFolder is where Debian installs the packages node-vega-embed and node-vega-lite, which
// JupyterLab's package brings along.
const vegaFolder = "/usr/share/nodejs"

// browserLimit bounds the time of the browser; drawing all charts takes seconds.
const browserLimit = 10 * time.Minute

//go:embed testdata/browser.js
var browserScript string

// chartTest is a chart to draw, and what its sliders are then set to, move by move.
type chartTest struct {
	Chart json.RawMessage      `json:"chart"`
	Moves []map[string]float64 `json:"moves"`
}

// writing is a text in a chart and the box that it takes, in pixels of the data area; that of a tick has a value.
type writing struct {
	Text, Role               string
	Left, Right, Top, Bottom float64
	Value                    float64
}

// seen is what the browser reports of a chart.
type seen struct {
	Messages        []string
	Painted, Digest int
	Width, Height   float64
	Data            struct{ Width, Height float64 }
	Texts           []writing
	Sliders         []string
	Image           string
	Dark            bool
	Moves           []struct {
		Changed         bool
		Painted, Digest int
		Texts           []writing
		Image           string
	}
}

// inBrowser draws charts in headless Chromium with Vega as JupyterLab has it. It skips the
// test where one of them is not installed.
func inBrowser(t *testing.T, charts map[string]chartTest) map[string]seen {
	t.Helper()
	browser := findBrowser(t)
	folder := os.Getenv(vegaVariable)
	if folder == "" {
		folder = vegaFolder
	}
	var page strings.Builder
	page.WriteString("<!DOCTYPE html><meta charset=utf-8><body>")
	for _, name := range []string{"vega", "vega-lite", "vega-embed"} {
		script := filepath.Join(folder, name, "build", name+".min.js")
		if _, err := os.Stat(script); err != nil {
			t.Skipf("charts are not drawn in a browser: %s is missing; install node-vega-embed and node-vega-lite (Debian 13), or set %s to a folder with the packages vega, vega-lite and vega-embed", script, vegaVariable)
		}
		fmt.Fprintf(&page, `<script src="file://%s"></script>`, html.EscapeString(script))
	}
	data, err := json.Marshal(charts) // escapes <, so that no text ends the script
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&page, "<script>const charts = %s;\n%s</script>", data, browserScript)
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(page.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), browserLimit)
	defer cancel()
	command := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--allow-file-access-from-files",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=3600000", "--dump-dom", "file://"+path)
	out, err := command.Output()
	if err != nil {
		t.Skipf("charts are not drawn in a browser: %s fails here: %v", browser, err)
	}
	match := regexp.MustCompile(`(?s)<script type="application/json" id="reports">(.*?)</script>`).FindSubmatch(out)
	if match == nil {
		t.Fatalf("the page has no report; it ends with\n%.2000s", out[max(0, len(out)-2000):])
	}
	var reports map[string]seen
	if err := json.Unmarshal(match[1], &reports); err != nil {
		t.Fatal(err)
	}
	keepPictures(t, reports)
	return reports
}

func findBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("charts are not drawn in a browser: chromium is not installed")
	return ""
}

// keepPictures writes what the browser drew into the folder of picturesVariable.
func keepPictures(t *testing.T, reports map[string]seen) {
	folder := os.Getenv(picturesVariable)
	if folder == "" {
		return
	}
	write := func(name, image string) {
		data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(image, "data:image/png;base64,"))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name+".png"), data, 0o644)
		}
		if err != nil {
			t.Error(err)
		}
	}
	for name, r := range reports {
		write(name, r.Image)
		for k, m := range r.Moves {
			write(fmt.Sprintf("%s-%d", name, k+1), m.Image)
		}
	}
}

// TestGalleryInBrowser draws the interactive charts of all examples: nothing on the console,
// something painted, the size asked for, the same picture in a dark theme, sliders that change
// the picture, and no text of the legend over the data.
func TestGalleryInBrowser(t *testing.T) {
	charts := map[string]chartTest{}
	for name, example := range examples {
		printed(t, func() error { example(); return nil })
		if figure := gallery[name]; figure.Live != nil {
			charts[name] = chartTest{Chart: figure.Live}
		}
		for _, m := range moves[name] {
			c := charts[name]
			c.Moves = append(c.Moves, m.values)
			charts[name] = c
		}
	}
	reports := inBrowser(t, charts)
	for _, name := range slices.Sorted(maps.Keys(charts)) {
		r, ok := reports[name]
		if !ok || len(r.Messages) > 0 || r.Painted < 1000 {
			t.Errorf("%s: %d pixels painted, console: %q", name, r.Painted, r.Messages)
			continue
		}
		if !r.Dark {
			t.Errorf("%s: the picture is another one in a dark theme", name)
		}
		figure := gallery[name]
		if r.Width > figure.Width+60 || r.Height > figure.Height+60 || r.Width < figure.Width-140 {
			t.Errorf("%s: the chart is %g×%g, want about %g×%g", name, r.Width, r.Height, figure.Width, figure.Height)
		}
		for _, w := range r.Texts {
			if strings.HasPrefix(w.Role, "legend") && w.Left < r.Data.Width {
				t.Errorf("%s: the legend entry %q covers the data", name, w.Text)
			}
		}
		checkMoves(t, name, r)
	}
}

// move sets sliders and says which values the chart must then show. They are computed by the
// library, which the expressions of the chart do not use.
type move struct {
	values map[string]float64
	texts  []string
}

// moves are made with the charts of the examples. The first one of each sets the sliders to
// where they stand, so that the values are those of the static picture.
var moves = map[string][]move{
	"atomicset": {
		{map[string]float64{"angle": 27, "radius": 1}, atAngle(27, 1)},
		{map[string]float64{"angle": 200, "radius": 0.5}, atAngle(200, 0.5)},
		{map[string]float64{"angle": 45, "radius": 2}, atAngle(45, 2)},
	},
}

// atAngle are the values of the set of ExampleAtomicSet at an angle in degrees and a radius.
func atAngle(angle, radius float64) []string {
	set := must(sparsero.NewAtomicSet(fourLobes(), []int{0, 15, 30, 45, 8}, radius))
	sin, cos := math.Sincos(angle * math.Pi / 180)
	s := []float64{cos, sin}
	return []string{
		fmt.Sprintf("at %g°, r = %g", angle, radius),
		fmt.Sprintf("support h = %.4g", set.Support(s)),
		fmt.Sprintf("deficit Δ = %.4g", set.AlignmentDeficit(s)),
		fmt.Sprintf("r Δ = %.4g", radius*set.AlignmentDeficit(s)),
	}
}

// checkMoves checks the sliders of a chart: each is moved, the picture changes, and the values
// beside the data are those of the library.
func checkMoves(t *testing.T, name string, r seen) {
	t.Helper()
	moved := map[string]bool{}
	for k, m := range moves[name] {
		for slider := range m.values {
			moved[slider] = true
		}
		if k > 0 && r.Moves[k].Digest == r.Moves[0].Digest {
			t.Errorf("%s: moving the sliders to %v changes nothing", name, m.values)
		}
		for _, want := range m.texts {
			if !slices.ContainsFunc(r.Moves[k].Texts, func(w writing) bool { return strings.ReplaceAll(w.Text, "−", "-") == want }) {
				t.Errorf("%s at %v does not show %q; it shows %v", name, m.values, want, r.Moves[k].Texts)
			}
		}
	}
	for _, slider := range r.Sliders {
		if !moved[slider] {
			t.Errorf("%s: the slider %s is not moved by the test; add it to moves", name, slider)
		}
	}
}
