package book

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/notebooks/live"
	"github.com/sparsero/directions/sparsero/designfile"
)

// near is how far a number of the page may be from that of this machine, relative to its size or to 1.
const near = 1e-12

// largestLibrary is the most that a page may have to load, compressed.
const largestLibrary = 6 << 20

// panelView is what the browser saw of a page with panels.
type panelView struct {
	Page     string
	Width    int
	Panels   int
	Problems []string
	Calls    []struct {
		Name, Request, Answer string
		Milliseconds          float64
	}
}

// TestPanelsInChromium works every panel of the book, from files as from a server: keys, sliders and boxes change what is
// shown, nothing is cut, no request leaves the site, and the numbers are those of the library on this machine.
func TestPanelsInChromium(t *testing.T) {
	browser := findBrowser(t)
	site, pages := builtBook(t)
	pages = slices.DeleteFunc(pages, func(page string) bool {
		text, err := os.ReadFile(filepath.Join(site, page))
		return err != nil || !strings.Contains(string(text), `<section class="live"`)
	})
	if len(pages) < 7 {
		t.Fatalf("panels are on %v", pages)
	}
	said, console, _ := open(t, browser, site, "live.html", pages, false)
	compared := readPanels(t, said, console)
	said, console, requests := open(t, browser, site, "live.html", []string{"playground.html"}, true)
	compared += readPanels(t, said, console)
	seeBroken(t, browser, site)
	libraries := 0
	for _, request := range requests {
		name, read := strings.CutPrefix(request, "GET /")
		if _, err := os.Stat(filepath.Join(site, filepath.FromSlash(name))); !read || err != nil && name != "favicon.ico" {
			t.Errorf("the playground asks for %s", request)
		}
		if name == "live/library.js" {
			libraries++
		}
	}
	if libraries != 1 && libraries != 2 { // once for each of two frames, unless the second has it from the browser's cache
		t.Errorf("the library is loaded %d times", libraries)
	}
	t.Logf("%d answers on %d pages are those of this machine", compared, len(pages))
	if _, err := os.Stat(filepath.Join(site, "live", "licences", "go.txt")); err != nil {
		t.Error(err)
	}
	packed, _ := os.ReadFile(filepath.Join(site, "live", "library.js"))
	_, code, _ := strings.Cut(string(packed), `"`)
	code, _, _ = strings.Cut(code, `"`)
	size := base64.StdEncoding.DecodedLen(len(code))
	content, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(code)))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.Copy(io.Discard, content)
	if err != nil || size > largestLibrary {
		t.Errorf("%d bytes compressed, %v", size, err)
	}
	t.Logf("the library has %.1f MB, %.1f MB compressed", float64(whole)/1e6, float64(size)/1e6)
}

// seeBroken shows that the check of the panels can fail: settings that the library refuses, a control without a name, a page that
// asks for something elsewhere.
func seeBroken(t *testing.T, browser, site string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(site, "03_value_gap.html"))
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(text), `"Chosen": [0, 1]`, `"Chosen": [0, 9]`, 1)
	broken = strings.Replace(broken, `<div class="work">`, `<input type="range" aria-label="nothing"><div class="work">`, 1)
	broken = strings.Replace(broken, `<section class="live"`, `<script>fetch("http://127.0.0.1:1/").catch(() => 0)</script><section class="live"`, 1)
	if err := os.WriteFile(filepath.Join(site, "broken.html"), []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	said, _, _ := open(t, browser, site, "live.html", []string{"broken.html"}, false)
	for _, want := range []string{"trouble: robust: ", "a control has no label", "nothing changes nothing", "it asks for http://127.0.0.1:1/"} {
		if !strings.Contains(said, want) {
			t.Errorf("nobody saw %q in:\n%.3000s", want, said)
		}
	}
}

// readPanels reports the problems of a report and compares its answers with those of this machine.
func readPanels(t *testing.T, said string, console []string) (compared int) {
	t.Helper()
	var views []panelView
	if err := json.Unmarshal([]byte(said), &views); err != nil {
		t.Fatalf("the report is no JSON: %v", err)
	}
	for _, line := range console {
		t.Errorf("console: %s", line)
	}
	largest, slow := 0.0, map[string]float64{}
	for _, view := range views {
		for _, problem := range view.Problems {
			t.Errorf("%s at %d pixels: %s", view.Page, view.Width, problem)
		}
		for _, call := range view.Calls {
			var here, there any
			if json.Unmarshal(live.Call(call.Name, []byte(call.Request)), &here) != nil || json.Unmarshal([]byte(call.Answer), &there) != nil {
				t.Fatalf("%s: %s is no JSON", view.Page, call.Answer)
			}
			difference := distance(t, view.Page+" "+call.Name, here, there)
			if difference > near {
				t.Errorf("%s: %s %.200s differs by %g", view.Page, call.Name, call.Request, difference)
			}
			largest, compared = max(largest, difference), compared+1
			if least, known := slow[view.Page+" "+call.Name]; !known || call.Milliseconds < least {
				slow[view.Page+" "+call.Name] = call.Milliseconds
			}
		}
	}
	fastest, _ := json.Marshal(slow)
	t.Logf("largest difference %.2g; fastest answers in ms: %s", largest, fastest)
	return compared
}

var number = regexp.MustCompile(`\d+(\.\d+)?(e[+-]\d+)?`)

// distance is the largest difference of two values as JSON has them, relative where numbers are larger than 1. In words the
// numbers are compared with fewer digits; a design file is checked instead.
func distance(t *testing.T, name string, here, there any) (largest float64) {
	switch here := here.(type) {
	case map[string]any:
		other, _ := there.(map[string]any)
		if len(other) != len(here) {
			t.Errorf("%s: the page has other keys: %v", name, other)
			return math.Inf(1)
		}
		for key, value := range here {
			if key == "File" {
				if _, err := designfile.Verify(strings.NewReader(other[key].(string)), nil); err != nil {
					t.Errorf("%s: the file that the page writes: %v", name, err)
				}
				continue
			}
			largest = max(largest, distance(t, name+" "+key, value, other[key]))
		}
	case []any:
		other, _ := there.([]any)
		if len(other) != len(here) {
			t.Errorf("%s has %d entries on the page and %d here", name, len(other), len(here))
			return math.Inf(1)
		}
		for k, value := range here {
			largest = max(largest, distance(t, name, value, other[k]))
		}
	case float64:
		other, ok := there.(float64)
		if !ok {
			return math.Inf(1)
		}
		return math.Abs(here-other) / max(1, math.Abs(here))
	case string:
		other, _ := there.(string)
		if number.ReplaceAllString(here, "#") != number.ReplaceAllString(other, "#") {
			t.Errorf("%s is %q on the page and %q here", name, other, here)
		}
		for k, digits := range number.FindAllString(here, -1) {
			a, _ := strconv.ParseFloat(digits, 64)
			b, _ := strconv.ParseFloat(number.FindAllString(other, -1)[k], 64)
			if math.Abs(a-b) > 1e-5*math.Abs(a)+near {
				t.Errorf("%s says %g on the page and %g here", name, b, a)
			}
		}
	default:
		if here != there {
			return math.Inf(1)
		}
	}
	return largest
}
