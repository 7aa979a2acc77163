package book

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sparsero/directions/notebooks/tools/ipynb"
)

var (
	//go:embed assets/page.html
	pageSource string
	//go:embed assets/book.css
	styleSheet string
	//go:embed assets/book.js
	script string

	pageTemplate = template.Must(template.New("page").Parse(pageSource))
)

// Site is the book to be made.
type Site struct {
	// Root is the folder of the repository.
	Root string
	// Python is an interpreter that has nbconvert.
	Python string
	// Scripts is the folder with Vega, Vega-Lite and KaTeX, as .ci/book.sh scripts prints it.
	Scripts string
	// Output is the folder of the site. What a page of the same name held is replaced.
	Output string
}

// documents are the Markdown files that become pages, by their path in the repository.
var documents = []struct{ path, name string }{
	{"notebooks/GLOSSARY.md", "glossary"},
	{"sparsero/MIGRATION.md", "migration"},
}

// page is one page of the site before it is written.
type page struct {
	// Path is the file relative to the site, Base the way from there to the site's root ("" or "../").
	Path, Base string
	Title      string
	Lesson     *Lesson
	Course     []*Lesson
	Paths      []ReadingPath
	Blocks     []*block
	// Home is the notebook to which a page of solutions belongs.
	Home *Lesson
	// Plain tells that the page belongs to no notebook.
	Plain bool
}

// block is a cell of a page: prose, or code with its outputs.
type block struct {
	Prose   template.HTML
	Code    template.HTML
	Outputs []template.HTML
	// Folded tells that the code is of no interest to a reader: it only imports.
	Folded bool
	source text
}

// onlyImports is a cell that is one block of imports.
var onlyImports = regexp.MustCompile(`^\s*import \([^)]*\)\s*$`)

// Build writes the site and returns the paths of its pages.
func (s *Site) Build(ctx context.Context) ([]string, error) {
	course, err := ReadCourse(filepath.Join(s.Root, "notebooks"))
	if err != nil {
		return nil, err
	}
	if err := s.makeFolders(); err != nil {
		return nil, err
	}
	pages, err := s.pages(course)
	if err != nil {
		return nil, err
	}
	style, err := s.fill(ctx, pages)
	if err != nil {
		return nil, err
	}
	if err := s.writeAssets(style); err != nil {
		return nil, err
	}
	if err := s.writeThumbnails(course); err != nil {
		return nil, err
	}
	var written []string
	for _, page := range pages {
		if err := s.write(page); err != nil {
			return nil, err
		}
		written = append(written, page.Path)
	}
	return written, nil
}

// pages lists all pages, their text still to be rendered.
func (s *Site) pages(course []*Lesson) ([]*page, error) {
	list := []*page{{Path: "index.html", Title: "Which directions matter?", Paths: ReadingPaths(course), Plain: true}}
	for _, lesson := range course {
		entry := &page{Path: lesson.Name + ".html", Title: lesson.Title, Lesson: lesson}
		if err := s.cells(entry, lesson.Document); err != nil {
			return nil, err
		}
		list = append(list, entry)
		if lesson.Solutions == "" {
			continue
		}
		document, err := ipynb.Read(filepath.Join(s.Root, "notebooks", "solutions", lesson.Solutions+".ipynb"))
		if err != nil {
			return nil, err
		}
		entry = &page{Path: "solutions/" + lesson.Solutions + ".html", Base: "../", Title: "Solutions: " + lesson.Title, Home: lesson}
		if err := s.cells(entry, document); err != nil {
			return nil, err
		}
		list = append(list, entry)
	}
	for _, document := range documents {
		content, err := os.ReadFile(filepath.Join(s.Root, filepath.FromSlash(document.path)))
		if err != nil {
			return nil, fmt.Errorf("book: %w", err)
		}
		heading, _, _ := strings.Cut(string(content), "\n")
		list = append(list, &page{Path: document.name + ".html", Title: strings.TrimPrefix(heading, "# "), Plain: true,
			Blocks: []*block{{source: text{"markdown", string(content)}}}})
	}
	for _, page := range list {
		page.Course = course
	}
	return list, nil
}

// cells adds the blocks of a notebook to a page and writes its pictures.
func (s *Site) cells(entry *page, document *ipynb.Document) error {
	figures := 0
	for _, cell := range document.Cells() {
		switch {
		case strings.TrimSpace(cell.Source) == "":
		case cell.Kind == "markdown":
			entry.Blocks = append(entry.Blocks, &block{source: text{"markdown", cell.Source}})
		case cell.Kind == "code":
			code := &block{source: text{"go", cell.Source}, Folded: onlyImports.MatchString(cell.Source)}
			for _, output := range cell.Outputs {
				shown, err := s.output(entry, output, &figures)
				if err != nil {
					return fmt.Errorf("%w in %s", err, entry.Path)
				}
				if shown != "" {
					code.Outputs = append(code.Outputs, shown)
				}
			}
			entry.Blocks = append(entry.Blocks, code)
		}
	}
	return nil
}

// fill renders the text of all pages and returns the style sheet of the code.
func (s *Site) fill(ctx context.Context, pages []*page) (style string, err error) {
	var pieces []text
	for _, page := range pages {
		for _, block := range page.Blocks {
			pieces = append(pieces, block.source)
		}
	}
	present := map[string]bool{}
	for _, page := range pages {
		present[path.Base(page.Path)] = true
	}
	rendered, style, err := render(ctx, s.Python, pieces)
	if err != nil {
		return "", err
	}
	for _, page := range pages {
		for _, block := range page.Blocks {
			if block.source.kind == "go" {
				block.Code = template.HTML(rendered[0])
			} else {
				block.Prose = template.HTML(unlink(relink(rendered[0]), present))
			}
			rendered = rendered[1:]
		}
	}
	return style, nil
}

// makeFolders makes the folders below the site.
func (s *Site) makeFolders() error {
	for _, folder := range []string{"solutions", "figures"} {
		if err := os.MkdirAll(filepath.Join(s.Output, folder), 0o755); err != nil {
			return fmt.Errorf("book: %w", err)
		}
	}
	return nil
}

func (s *Site) write(page *page) error {
	file, err := os.Create(filepath.Join(s.Output, filepath.FromSlash(page.Path)))
	if err != nil {
		return fmt.Errorf("book: %w", err)
	}
	defer file.Close()
	if err := pageTemplate.Execute(file, page); err != nil {
		return fmt.Errorf("book: %s: %w", page.Path, err)
	}
	return file.Close()
}

// writeAssets writes what all pages load.
func (s *Site) writeAssets(codeStyle string) error {
	if err := os.RemoveAll(filepath.Join(s.Output, "scripts")); err != nil {
		return fmt.Errorf("book: %w", err)
	}
	if err := os.CopyFS(filepath.Join(s.Output, "scripts"), os.DirFS(s.Scripts)); err != nil {
		return fmt.Errorf("book: the scripts in %s cannot be copied: %w; run .ci/book.sh scripts", s.Scripts, err)
	}
	for name, content := range map[string]string{"book.css": styleSheet + codeStyle, "book.js": script} {
		if err := os.WriteFile(filepath.Join(s.Output, name), []byte(content), 0o644); err != nil {
			return fmt.Errorf("book: %w", err)
		}
	}
	return nil
}

// writeThumbnails writes a small picture of each lesson that has one.
func (s *Site) writeThumbnails(course []*Lesson) error {
	for _, lesson := range course {
		thumbnail, err := lesson.Thumbnail()
		if err != nil {
			return err
		}
		if thumbnail == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(s.Output, "figures", lesson.Name+".png"), thumbnail, 0o644); err != nil {
			return fmt.Errorf("book: %w", err)
		}
	}
	return nil
}
