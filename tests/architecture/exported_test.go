package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// mostExported bounds the types, functions, methods, constants and variables that a user can import. It falls with their number.
const mostExported = 769

// TestExportedIdentifiersStayFew: what is exported has to be learned, kept and documented, so there is not more of it than
// before, and each has a comment.
func TestExportedIdentifiersStayFew(t *testing.T) {
	count := 0
	for _, file := range importable(t) {
		for _, declaration := range file.Decls {
			for name, comment := range exported(declaration) {
				if count++; strings.TrimSpace(comment) == "" {
					t.Errorf("%s.%s has no comment; say what it is, its units and ranges", file.Name.Name, name)
				}
			}
		}
	}
	if count > mostExported {
		t.Errorf("users can import %d identifiers, and %d are allowed; unexport what no example, tutorial or other package needs", count, mostExported)
	}
	t.Logf("%d exported identifiers", count)
}

// importable parses the files of the packages that a user can import; sparsero/blocks is a module of its own.
func importable(t *testing.T) (files []*ast.File) {
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			name := entry.Name()
			if name == "internal" || name == "testdata" || name == "tests" || name == "blocks" || len(name) > 2 && name[0] == '.' {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err == nil && file.Name.Name != "main" {
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// exported returns the exported names that a declaration makes, each with its comment.
func exported(declaration ast.Decl) map[string]string {
	names := map[string]string{}
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		receiver := receiverOf(d)
		if d.Name.IsExported() && (receiver == "" || ast.IsExported(receiver)) {
			names[strings.TrimPrefix(receiver+"."+d.Name.Name, ".")] = d.Doc.Text()
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					names[s.Name.Name] = d.Doc.Text() + s.Doc.Text()
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() {
						names[name.Name] = d.Doc.Text() + s.Doc.Text() + s.Comment.Text()
					}
				}
			}
		}
	}
	return names
}

// receiverOf names the type of a method, "" for a function.
func receiverOf(d *ast.FuncDecl) (name string) {
	if d.Recv == nil {
		return ""
	}
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if identifier, is := n.(*ast.Ident); is && name == "" {
			name = identifier.Name
		}
		return name == ""
	})
	return name
}
