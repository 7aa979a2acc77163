// Command contents writes the course's table of contents, notebooks/README.md and its thumbnails, and the lines of the
// notebooks that lead to their neighbours. It runs in the folder of the repository.
package main

import (
	"fmt"
	"os"

	"github.com/sparsero/directions/notebooks/tools/book"
)

func main() {
	if err := book.WriteContents("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
