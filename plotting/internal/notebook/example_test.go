package notebook_test

import (
	"fmt"

	"github.com/sparsero/directions/plotting/internal/notebook"
)

// In a terminal a bundle without picture is its text.
func ExampleShow() {
	err := notebook.Show(notebook.Bundle{Text: "three atoms chosen", HTML: "<b>three</b> atoms chosen"})
	fmt.Println(err)
	// Output:
	// three atoms chosen
	// <nil>
}
