package badinput

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath, Name, Dir string
	GoFiles, CgoFiles     []string
}

// importable tells whether a package belongs to the library: not internal, no command, no
// part of the tutorials and studies.
func (p listed) importable() bool {
	for _, folder := range []string{"/internal/", "/tests/", "/notebooks/"} {
		if strings.Contains(p.ImportPath+"/", folder) {
			return false
		}
	}
	return p.Name != "main"
}

// importablePackages lists the packages of the module that programs may import.
func importablePackages(t *testing.T) []listed {
	t.Helper()
	output, err := exec.Command("go", "list", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles", "github.com/sparsero/directions/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.importable() {
			packages = append(packages, p)
		}
	}
	return packages
}

// export is an exported function, method or type, as the source has it.
type export struct {
	receiver, name string // no receiver: a function
	generic        bool
	isType         bool
	panics         bool // its comment says when it panics
}

// exportsOf parses a package. Comments of types count for their methods.
func exportsOf(t *testing.T, p listed) []export {
	t.Helper()
	var exports []export
	panicking := map[string]bool{}
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				e := export{name: d.Name.Name, generic: d.Type.TypeParams != nil, panics: strings.Contains(d.Doc.Text(), "panic")}
				if d.Recv != nil {
					e.receiver = receiverName(d.Recv.List[0].Type)
				}
				if ast.IsExported(e.name) && (e.receiver == "" || ast.IsExported(e.receiver)) {
					exports = append(exports, e)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
						panicking[s.Name.Name] = strings.Contains(d.Doc.Text()+s.Doc.Text(), "panic")
						exports = append(exports, export{name: s.Name.Name, generic: s.TypeParams != nil, isType: true})
					}
				}
			}
		}
	}
	for i := range exports {
		exports[i].panics = exports[i].panics || panicking[exports[i].receiver]
	}
	return exports
}

func receiverName(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// registrySource writes a file that registers every exported function and type of the
// packages, generic ones for int.
func registrySource(t *testing.T, packages []listed) []byte {
	t.Helper()
	var imports, lines bytes.Buffer
	for k, p := range packages {
		alias := fmt.Sprintf("p%d", k)
		used := false
		for _, e := range exportsOf(t, p) {
			name, of := strings.TrimPrefix(p.ImportPath, "github.com/sparsero/directions/")+".", alias+"."+e.name
			if e.generic {
				of += "[int]"
			}
			switch {
			case e.isType:
				fmt.Fprintf(&lines, "types[%q] = reflect.TypeFor[%s]()\n", name+e.name, of)
				used = true
			case e.receiver == "":
				fmt.Fprintf(&lines, "functions[%q] = reflect.ValueOf(%s)\n", name+e.name, of)
				used = true
			}
			if e.panics {
				fmt.Fprintf(&lines, "panicking[%q] = true\n", name+strings.TrimPrefix(e.receiver+"."+e.name, "."))
			}
		}
		if used {
			fmt.Fprintf(&imports, "%s %q\n", alias, p.ImportPath)
		}
	}
	source, err := format.Source(fmt.Appendf(nil, "package badinput\nimport (\n\"reflect\"\n%s)\nfunc init() {\n%s}\n", &imports, &lines))
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// buildWithRegistry builds the tests of this package with the registry filled, and returns
// the program.
func buildWithRegistry(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	source := write(t, filepath.Join(folder, "registry.go"), registrySource(t, importablePackages(t)))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(here, "filled_registry_test.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "campaign")
	build := exec.Command("go", "test", "-c", "-o", program, "-overlay", write(t, filepath.Join(folder, "overlay.json"), overlay), ".")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, output)
	}
	return program
}

// runTest runs a test of a program, and returns what it prints.
func runTest(program, test string, environment ...string) (string, error) {
	run := exec.Command(program, "-test.run", "^"+test+"$", "-test.v")
	run.Env = append(os.Environ(), environment...)
	output, err := run.CombinedOutput()
	return string(output), err
}
