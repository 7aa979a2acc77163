package book

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// printTwo prints a book of two tutorials; all of them would take the test minutes.
const printTwo = `import pathlib, sys, book, pdf
site = book.Site(pathlib.Path("../../.."), pathlib.Path(sys.argv[1]))
site.course = [lesson for lesson in site.course if lesson.number in ("02", "03")]
site.build(pathlib.Path(sys.argv[2]))
print(pdf.make(site, sys.argv[3])[1])`

// TestPDF prints two tutorials with their solutions: figures are in it, formulas are set, and the contents name the page
// on which each chapter begins.
func TestPDF(t *testing.T) {
	browser := findBrowser(t)
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("no pdftotext on PATH; apt-get install poppler-utils lets this test read what was printed")
	}
	scripts, err := exec.Command("bash", filepath.Join("..", "..", "..", ".ci", "book.sh"), "scripts", "cached").Output()
	if err != nil {
		t.Skip("Vega, Vega-Lite and KaTeX are not in the cache; make book fetches them")
	}
	site := t.TempDir()
	said, err := python(t, "-c", printTwo, site, strings.TrimSpace(string(scripts)), browser)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	paper := filepath.Join(site, "book.pdf")
	text, err := exec.Command("pdftotext", "-layout", paper, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	pages := strings.Split(strings.TrimSuffix(string(text), "\f"), "\f")
	if count, err := strconv.Atoi(strings.TrimSpace(said)); err != nil || count != len(pages) || count < 25 {
		t.Errorf("it says %q, pdftotext reads %d pages", said, len(pages))
	}
	for _, title := range []string{
		"Few directions, and what they miss", "The value gap and its certificate", "Symbols, statements, terms",
	} {
		checkContents(t, pages, title)
	}
	if strings.Count(pages[1], "Solutions: ") != 2 {
		t.Errorf("the contents do not name two chapters of solutions:\n%s", pages[1])
	}
	if strings.Contains(string(text), `\mathcal`) {
		t.Error("a formula is printed as text")
	}
	content, err := os.ReadFile(paper)
	if figures := bytes.Count(content, []byte("/Subtype /Image")); err != nil || figures < 5 {
		t.Errorf("%d figures are printed: %v", figures, err)
	}
}

// checkContents: the second page names the page of the title, and the title stands there.
func checkContents(t *testing.T, pages []string, title string) {
	t.Helper()
	found := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(title) + `\s+(\d+)\n`).FindStringSubmatch(pages[1])
	if found == nil {
		t.Errorf("the contents lack %q:\n%s", title, pages[1])
		return
	}
	number, _ := strconv.Atoi(found[1])
	if number < 3 || number > len(pages) || !strings.Contains(strings.ToLower(strings.Join(strings.Fields(pages[number-1]), " ")), strings.ToLower(title)) {
		t.Errorf("%q is not on page %d", title, number)
	}
}
