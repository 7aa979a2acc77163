// Command build makes the book, a static site of all notebooks: build -python python3 -scripts folder -output build/book.
// With -contents it writes the course's table of contents instead, notebooks/README.md and its thumbnails, and the
// lines of the notebooks that lead to their neighbours.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/sparsero/directions/notebooks/tools/book"
)

func main() {
	site := book.Site{}
	flag.StringVar(&site.Root, "root", ".", "folder of the repository")
	flag.StringVar(&site.Python, "python", "python3", "interpreter with nbconvert")
	flag.StringVar(&site.Scripts, "scripts", "", "folder with Vega, Vega-Lite and KaTeX")
	flag.StringVar(&site.Output, "output", "build/book", "folder of the site")
	contents := flag.Bool("contents", false, "write notebooks/README.md, its thumbnails and the links between notebooks instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &site, *contents); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, site *book.Site, contents bool) error {
	if contents {
		return book.WriteContents(site.Root)
	}
	pages, err := site.Build(ctx)
	if err != nil {
		return err
	}
	broken, err := book.BrokenLinks(site.Output, pages)
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return fmt.Errorf("book: %d links lead nowhere:\n  %s", len(broken), strings.Join(broken, "\n  "))
	}
	fmt.Printf("%d pages; open %s\n", len(pages), filepath.Join(site.Output, "index.html"))
	return nil
}
