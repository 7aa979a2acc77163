package book

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A browser that is not done by then runs on a machine that has no time for it: half a minute is enough where nothing
// else runs. The test says so and proves nothing.
const (
	patience = 15 * time.Minute
	reserve  = time.Minute // for the other tests, before go test's own limit
)

// dark asks Chromium for dark pages.
const dark = "--blink-settings=preferredColorScheme=0"

const late = "the browser did not come to an end in time on this machine; run go test ./notebooks/tools/book on an idle one"

// view is what the browser saw of one page at one width.
type view struct {
	Page     string
	Width    int
	Figures  int
	Problems []string
	Dark     bool
}

// TestBookInChromium opens every page from its file at the widths of a phone, of a tablet, and of a screen that shows the contents
// beside the text: no console message, every figure painted in a plot of at least 150 pixels each way with no text over text, lines of at most 78 letters, heads on tables
// that scroll, text that stands out from its ground, no raw scripts, every formula set and inside its column, nothing wider than the
// screen, and no network.
func TestBookInChromium(t *testing.T) {
	browser := findBrowser(t)
	site, pages := builtBook(t)
	views, console := look(t, browser, site, pages)
	figures := 0
	for _, view := range views {
		figures += view.Figures
		for _, problem := range view.Problems {
			t.Errorf("%s at %d pixels: %s", view.Page, view.Width, problem)
		}
	}
	for _, message := range console {
		t.Errorf("console: %s", message)
	}
	if len(views) != 3*len(pages) {
		t.Errorf("%d views of %d pages", len(views), len(pages))
	}
	t.Logf("%d pages at 390, 768 and 1280 pixels, %d figures painted", len(pages), figures)
}

// TestBookInTheDark opens some pages as a reader sees them who asked for dark ones.
func TestBookInTheDark(t *testing.T) {
	browser := findBrowser(t)
	site, _ := builtBook(t)
	views, _ := look(t, browser, site, []string{"index.html", "01_stress_days.html", "03_value_gap.html", "14_speed.html", "glossary.html", "migration.html", "playground.html"}, dark)
	for _, view := range views {
		if !view.Dark {
			t.Errorf("%s is not dark", view.Page)
		}
		for _, problem := range view.Problems {
			t.Errorf("%s at %d pixels: %s", view.Page, view.Width, problem)
		}
	}
}

// TestBrowserSeesWhatIsBroken shows that the check of the pages can fail.
func TestBrowserSeesWhatIsBroken(t *testing.T) {
	browser := findBrowser(t)
	site, _ := builtBook(t)
	page, err := os.ReadFile(filepath.Join(site, "glossary.html"))
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(page), `<section class="prose">`)
	_, foot, _ := strings.Cut(rest, "</section>")
	broken := head + `<section class="prose"><p>$\nothing$</p><p>$\frac{1$</p><div style="min-width:3000px">wide</div><p style="width:200px">$\text{a formula that is wider than its column}$</p>
<p style="color:#999;background:#aaa">faint</p><img src="absent.png"><figure class="figure interactive"><img src="data:,"><div class="chart"></div>
<script type="application/json">{"mark": "nothing", "data": {"values": []}}</script></figure></section>` + foot
	if err := os.WriteFile(filepath.Join(site, "broken.html"), []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	views, console := look(t, browser, site, []string{"broken.html"})
	seen := strings.Join(append(views[0].Problems, console...), "\n")
	for _, want := range []string{"pixels wide", "is not painted", "absent.png is missing", "formula not set", "formula left as text", "leaves its column", "chart:", "contrast 1."} {
		if !strings.Contains(seen, want) {
			t.Errorf("nobody saw %q in:\n%s", want, seen)
		}
	}
}

// look opens the pages from their files.
func look(t *testing.T, browser, site string, pages []string, flags ...string) (views []view, console []string) {
	t.Helper()
	said, console, _ := open(t, browser, site, "check.html", pages, false, flags...)
	if err := json.Unmarshal([]byte(said), &views); err != nil {
		t.Fatalf("the report is no JSON: %v", err)
	}
	return views, console
}

// open shows the pages in Chromium with a script of testdata, which sends what it saw to a server of this test. The pages
// come from that server, or from their files.
func open(t *testing.T, browser, site, script string, pages []string, served bool, flags ...string) (said string, console, requests []string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	report, asked, files := make(chan string, 1), make(chan string, 1000), http.FileServer(http.Dir(site))
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if said := request.FormValue("report"); said != "" {
			report <- said
			return
		}
		asked <- request.Method + " " + request.URL.Path
		files.ServeHTTP(w, request)
	}), ReadHeaderTimeout: time.Minute}
	go server.Serve(listener) //nolint:errcheck // ends with Close
	defer server.Close()

	check, address := filepath.Join(site, script), "http://"+listener.Addr().String()
	if err := os.WriteFile(check, []byte(checkPage(t, script, pages, address)), 0o644); err != nil {
		t.Fatal(err)
	}
	first := "file://" + check
	if served {
		first = address + "/" + script
	}
	limit := time.Now().Add(patience)
	if deadline, set := t.Deadline(); set && deadline.Add(-reserve).Before(limit) {
		limit = deadline.Add(-reserve)
	}
	ctx, cancel := context.WithDeadline(context.Background(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, browser, append(flags, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--enable-logging=stderr", "--allow-file-access-from-files", "--window-size=1400,1000", "--disable-renderer-backgrounding",
		"--disable-background-timer-throttling", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-port=0", first)...)
	var log bytes.Buffer
	command.Stderr = &log
	command.WaitDelay = time.Minute
	if err := command.Start(); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	} else if err != nil {
		t.Skip(late)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case said = <-report:
		cancel()
		<-ended
	case err := <-ended:
		if ctx.Err() != nil {
			t.Skip(late)
		}
		t.Fatalf("Chromium ended without a report (%v):\n%s", err, log.String())
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if strings.Contains(line, "CONSOLE") {
			console = append(console, line)
		}
	}
	for len(asked) > 0 {
		requests = append(requests, <-asked)
	}
	return said, console, requests
}

func checkPage(t *testing.T, script string, pages []string, receiver string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("testdata", script))
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(pages)
	if err != nil {
		t.Fatal(err)
	}
	constants := fmt.Sprintf("<script>const pages = %s, widths = [1280, 768, 390], receiver = %q;</script>\n<script>", list, receiver)
	return strings.Replace(string(page), "<script>", constants, 1)
}

// findBrowser names Chromium, or skips the test: without it, and in runs that have another purpose.
func findBrowser(t *testing.T) string {
	t.Helper()
	if testing.Short() || os.Getenv("DIRECTIONS_LONG") == "all" {
		t.Skip("the book in a browser is left out of short and of long runs")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on PATH; apt-get install chromium lets this test open the book")
	return ""
}

// builtBook makes the book in a folder of the test, from the scripts that are there, and returns its pages.
func builtBook(t *testing.T) (site string, pages []string) {
	t.Helper()
	scripts, err := exec.Command("bash", filepath.Join("..", "..", "..", ".ci", "book.sh"), "scripts", "cached").Output()
	if err != nil {
		t.Skip("Vega, Vega-Lite and KaTeX are not in the cache; make book fetches them")
	}
	site = t.TempDir()
	library := t.TempDir()
	if said, err := exec.Command("bash", filepath.Join("..", "..", "..", ".ci", "book.sh"), "live", library).CombinedOutput(); err != nil {
		t.Fatalf("the library for the panels: %v\n%s", err, said)
	}
	if said, err := makeBook(t, filepath.Join("..", "..", ".."), strings.TrimSpace(string(scripts)), site, "-live", library); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, pattern := range []string{"*.html", "solutions/*.html"} {
		paths, _ := filepath.Glob(filepath.Join(site, filepath.FromSlash(pattern)))
		for _, path := range paths {
			page, _ := filepath.Rel(site, path)
			pages = append(pages, filepath.ToSlash(page))
		}
	}
	return site, pages
}
