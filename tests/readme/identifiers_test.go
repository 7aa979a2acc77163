package readme

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// identifiers lists what the packages export, as the documents write it: "Dictionary.Support" for package sparsero,
// "selection.Coverage.Value" for the others; methods, fields and constants included.
func identifiers(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, folder := range []string{"sparsero", "sparsero/selection", "sparsero/certificate", "sparsero/calibration", "sparsero/robust", "sparsero/formula", "sparsero/convex", "solver", "solver/highs", "datasets"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, declaration := range file.Decls {
				for _, name := range declared(declaration) {
					known[filepath.Base(folder)+"."+name] = true
					if folder == "sparsero" {
						known[name] = true
					}
				}
			}
		}
	}
	return known
}

// declared lists the names of a declaration, members as "Type.Member".
func declared(declaration ast.Decl) []string {
	switch declaration := declaration.(type) {
	case *ast.FuncDecl:
		if declaration.Recv == nil {
			return []string{declaration.Name.Name}
		}
		receiver := declaration.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		if name, ok := receiver.(*ast.Ident); ok {
			return []string{name.Name + "." + declaration.Name.Name}
		}
	case *ast.GenDecl:
		var names []string
		for _, specification := range declaration.Specs {
			names = append(names, specified(specification)...)
		}
		return names
	}
	return nil
}

func specified(specification ast.Spec) []string {
	var names []string
	switch specification := specification.(type) {
	case *ast.ValueSpec:
		for _, name := range specification.Names {
			names = append(names, name.Name)
		}
	case *ast.TypeSpec:
		names = append(names, specification.Name.Name)
		var members *ast.FieldList
		switch kind := specification.Type.(type) {
		case *ast.StructType:
			members = kind.Fields
		case *ast.InterfaceType:
			members = kind.Methods
		}
		if members == nil {
			break
		}
		for _, field := range members.List {
			for _, name := range field.Names {
				names = append(names, specification.Name.Name+"."+name.Name)
			}
		}
	}
	return names
}

var (
	quoted = regexp.MustCompile("`([^`]+)`")
	// exported is a name such as Dictionary.Size or calibration.DKW.MinSamples.
	exported = regexp.MustCompile(`^(?:[a-z]+\.)?[A-Z]\w*(?:\.[A-Z]\w*)?$`)
	// field of a literal, such as Alpha in {Alpha: 0.1}, and everything behind it.
	literal = regexp.MustCompile(`\{.*$`)
)

// TestDocumentsNameIdentifiersThatExist checks the symbol tables and the terms: every identifier in backquotes that
// looks exported is one, of any package.
func TestDocumentsNameIdentifiersThatExist(t *testing.T) {
	known := identifiers(t)
	for _, document := range []string{"notebooks/GLOSSARY.md", "sparsero/MIGRATION.md"} {
		found, text := 0, regexp.MustCompile("(?s)```.*?```").ReplaceAllString(read(t, filepath.Join("..", "..", document)), "")
		text = regexp.MustCompile(`\| there \|`).ReplaceAllString(text, "")
		for _, match := range quoted.FindAllStringSubmatch(text, -1) {
			name := literal.ReplaceAllString(match[1], "")
			if !exported.MatchString(name) {
				continue
			}
			found++
			if !exists(known, name) {
				t.Errorf("%s names %s, which no package exports", document, name)
			}
		}
		if found < 20 {
			t.Errorf("%s names %d identifiers; the test reads it wrong", document, found)
		}
	}
}

// exists also accepts a name without its package or its type, as running text writes it.
func exists(known map[string]bool, name string) bool {
	if known[name] {
		return true
	}
	for full := range known {
		if strings.HasSuffix(full, "."+name) {
			return true
		}
	}
	return false
}
