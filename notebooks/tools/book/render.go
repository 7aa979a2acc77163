package book

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os/exec"
)

//go:embed render.py
var renderer string

// text is a piece that nbconvert's filters turn into HTML: Markdown, or Go to be highlighted.
type text struct{ kind, source string }

// render turns all pieces into HTML in one call of Python, which takes longer to start than to work. It also returns
// the style sheet of the highlighted code.
func render(ctx context.Context, python string, pieces []text) (pages []string, style string, err error) {
	request := make([][2]string, len(pieces))
	for i, piece := range pieces {
		request[i] = [2]string{piece.kind, piece.source}
	}
	input, err := json.Marshal(request)
	if err != nil {
		return nil, "", fmt.Errorf("book: %w", err)
	}
	command := exec.CommandContext(ctx, python, "-c", renderer)
	command.Stdin = bytes.NewReader(input)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	output, err := command.Output()
	if err != nil {
		return nil, "", fmt.Errorf("book: %s with nbconvert: %w\n%s", python, err, complaint.String())
	}
	if err := json.Unmarshal(output, &pages); err != nil || len(pages) != len(pieces)+1 {
		return nil, "", fmt.Errorf("book: %s answered with %d pages for %d pieces (%v)", python, len(pages), len(pieces), err)
	}
	return pages[:len(pieces)], pages[len(pieces)], nil
}
