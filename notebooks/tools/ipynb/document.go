// Package ipynb reads and writes notebooks.
package ipynb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Document is a Jupyter notebook of format 4, kept as the JSON tree that was read, so that what this package does not
// know survives reading and writing.
type Document struct {
	tree map[string]any
}

// Cell is a view of one cell of a document.
type Cell struct {
	// Kind is "code", "markdown" or "raw".
	Kind string
	// Source is the text of the cell.
	Source string
	// Executed tells whether a code cell has an execution count.
	Executed bool
	// Outputs are the outputs of a code cell, as read.
	Outputs []map[string]any
	// Tags are the words by which the metadata marks the cell.
	Tags []string
}

// Read reads a notebook file. It returns an error when the file is not JSON or not a notebook of format 4.
func Read(path string) (*Document, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("ipynb: %w", err)
	}
	document, err := Parse(content)
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, path)
	}
	return document, nil
}

// Parse reads a notebook from its JSON text.
func Parse(content []byte) (*Document, error) {
	tree := map[string]any{}
	if err := decode(content, &tree); err != nil {
		return nil, fmt.Errorf("ipynb: no JSON object: %w", err)
	}
	if version, _ := tree["nbformat"].(json.Number); version != "4" {
		return nil, fmt.Errorf("ipynb: nbformat %q, want 4", version)
	}
	if _, ok := tree["cells"].([]any); !ok {
		return nil, fmt.Errorf("ipynb: no list of cells")
	}
	return &Document{tree: tree}, nil
}

// decode reads JSON and keeps numbers as they are written.
func decode(content []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	return decoder.Decode(target)
}

// Bytes is the JSON text of the document in Jupyter's own form, keys sorted and one space of indentation, but with
// each Vega-Lite specification on a line of its own.
func (d *Document) Bytes() ([]byte, error) {
	held, restore, err := d.holdSpecifications()
	if err != nil {
		return nil, err
	}
	defer restore()
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(d.tree); err != nil {
		return nil, fmt.Errorf("ipynb: %w", err)
	}
	return insertSpecifications(buffer.Bytes(), held), nil
}

// Write writes the document to a file, which is replaced as a whole.
func (d *Document) Write(path string) error {
	content, err := d.Bytes()
	if err != nil {
		return err
	}
	temporary := path + ".new"
	if err := os.WriteFile(temporary, content, 0o644); err != nil {
		return fmt.Errorf("ipynb: %w", err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("ipynb: %w", err)
	}
	return nil
}

// Cells lists the cells in order.
func (d *Document) Cells() []Cell {
	var cells []Cell
	for _, node := range d.cellNodes() {
		cell := Cell{Executed: node["execution_count"] != nil}
		cell.Kind, _ = node["cell_type"].(string)
		cell.Source = Text(node["source"])
		cell.Outputs = objects(node["outputs"])
		metadata, _ := node["metadata"].(map[string]any)
		tags, _ := metadata["tags"].([]any)
		for _, tag := range tags {
			cell.Tags = append(cell.Tags, Text(tag))
		}
		cells = append(cells, cell)
	}
	return cells
}

// SetSource replaces the text of a cell; index counts as in Cells.
func (d *Document) SetSource(index int, source string) {
	d.cellNodes()[index]["source"] = lines(source)
}

// Kernel returns the name and the language of the kernelspec in the metadata.
func (d *Document) Kernel() (name, language string) {
	metadata, _ := d.tree["metadata"].(map[string]any)
	kernelspec, _ := metadata["kernelspec"].(map[string]any)
	name, _ = kernelspec["name"].(string)
	language, _ = kernelspec["language"].(string)
	return name, language
}

func (d *Document) cellNodes() []map[string]any { return objects(d.tree["cells"]) }

// objects returns the JSON objects of a JSON array.
func objects(node any) []map[string]any {
	var list []map[string]any
	items, _ := node.([]any)
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			list = append(list, object)
		}
	}
	return list
}

// Text joins Jupyter's multi-line strings, which are strings or lists of strings.
func Text(node any) string {
	switch node := node.(type) {
	case string:
		return node
	case []any:
		var joined strings.Builder
		for _, line := range node {
			joined.WriteString(Text(line))
		}
		return joined.String()
	}
	return ""
}

// lines is the inverse of Text in the form that Jupyter writes: one string per line, each with its line break.
func lines(joined string) []any {
	list := []any{}
	for _, line := range strings.SplitAfter(joined, "\n") {
		if line != "" {
			list = append(list, line)
		}
	}
	return list
}
