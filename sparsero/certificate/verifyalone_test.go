package certificate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVerifyStandsAlone: the checker imports the standard library alone and uses no name that another file of the
// package declares, so that it shares no mistake with what makes the certificates.
func TestVerifyStandsAlone(t *testing.T) {
	own, foreign := packageFiles(t)
	declared := map[string]bool{}
	for _, file := range own {
		for name := range declarations(file) {
			declared[name] = true
		}
	}
	for _, file := range foreign {
		for _, declaration := range file.Decls {
			if method, isFunction := declaration.(*ast.FuncDecl); isFunction && method.Recv != nil && declared[receiver(method)] {
				t.Errorf("the method %s.%s is declared outside of the checker", receiver(method), method.Name)
			}
		}
	}
	for name, file := range own {
		imported := map[string]bool{}
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			imported[path[strings.LastIndex(path, "/")+1:]] = true
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || spec.Name != nil {
				t.Errorf("%s imports %s; the checker needs the standard library alone, under its own names", name, path)
			}
		}
		for _, identifier := range file.Unresolved {
			if !declared[identifier.Name] && !imported[identifier.Name] && types.Universe.Lookup(identifier.Name) == nil {
				t.Errorf("%s uses %s, which is not declared in the checker", name, identifier.Name)
			}
		}
	}
	if !declared["Verify"] || len(foreign) == 0 {
		t.Error("the checker was not found")
	}
}

// TestVerifyInPythonStandsAlone: at most 200 lines, which a person can read, and the standard library alone.
func TestVerifyInPythonStandsAlone(t *testing.T) {
	data, err := os.ReadFile("../cmd/sparsero/verify.py")
	if err != nil {
		t.Fatal(err)
	}
	lines, imports := strings.Split(strings.TrimSpace(string(data)), "\n"), ""
	for _, line := range lines {
		if strings.Contains(line+" ", "import ") {
			imports += line + "\n"
		}
	}
	if wanted := "import hashlib, json, math, re, struct, sys\nfrom fractions import Fraction\n"; len(lines) > 200 || imports != wanted {
		t.Errorf("verify.py has %d lines and imports\n%s", len(lines), imports)
	}
}

// packageFiles parses the files of the checker and the others of the package, without tests.
func packageFiles(t *testing.T) (own, foreign map[string]*ast.File) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	own, foreign = map[string]*ast.File{}, map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "verify") {
			own[name] = file
		} else {
			foreign[name] = file
		}
	}
	return own, foreign
}

// declarations are the names that a file declares for its package.
func declarations(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, declaration := range file.Decls {
		switch declaration := declaration.(type) {
		case *ast.FuncDecl:
			if declaration.Recv == nil {
				names[declaration.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range declaration.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names[name.Name] = true
					}
				}
			}
		}
	}
	return names
}

// receiver is the name of the type of a method.
func receiver(method *ast.FuncDecl) string {
	kind := method.Recv.List[0].Type
	if pointer, isPointer := kind.(*ast.StarExpr); isPointer {
		kind = pointer.X
	}
	name, _ := kind.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}
