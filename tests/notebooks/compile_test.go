package notebooks

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// program is a notebook as one Go package: what its cells declare, and a function for each cell that runs something.
type program struct {
	imports, names []string
	declared       map[string]string
	runs           []string
}

// add takes the source of a cell in: lines up to %% declare, lines after it run, %test begins declarations.
func (p *program) add(number int, source string) error {
	var declares, runs strings.Builder
	running, continued := false, false // continued: a command of the shell goes on in this line
	for _, line := range strings.Split(source, "\n") {
		switch {
		case strings.HasPrefix(line, "%%"):
			running = true
		case strings.HasPrefix(line, "%"), strings.HasPrefix(line, "!"), continued:
			continued = strings.HasSuffix(line, "\\")
		case running:
			runs.WriteString(line + "\n")
		default:
			declares.WriteString(line + "\n")
		}
	}
	if running {
		p.runs = append(p.runs, fmt.Sprintf("func cell%d() {\n%s}\n", number, runs.String()))
	}
	set, text := token.NewFileSet(), "package cells\n"+declares.String()
	file, err := parser.ParseFile(set, fmt.Sprintf("cell %d", number), text, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, declaration := range file.Decls {
		from, to := set.Position(declaration.Pos()).Offset, set.Position(declaration.End()).Offset
		p.declare(declaration, text[from:to])
	}
	return nil
}

// declare keeps a declaration; a later one of the same names replaces an earlier one, as in the kernel.
func (p *program) declare(declaration ast.Decl, text string) {
	name := text
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		name = "func " + d.Name.Name
		if d.Recv != nil {
			name += fmt.Sprint(d.Recv.List[0].Type)
		}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			p.imports = append(p.imports, imported.FindAllString(strings.TrimPrefix(text, "import"), -1)...)
			return
		}
	}
	if p.declared[name] == "" {
		p.names = append(p.names, name)
	}
	p.declared[name] = text
}

// imported is the name and path of an import.
var imported = regexp.MustCompile(`(?:[\w.]+[ \t]+)?"[^"\n]+"`)

// text is the Go file; imports that no cell uses are left out, as the kernel does.
func (p *program) text() string {
	var body strings.Builder
	for _, name := range p.names {
		body.WriteString(p.declared[name] + "\n")
	}
	body.WriteString(strings.Join(p.runs, "\n"))
	slices.Sort(p.imports)
	var used []string
	for _, line := range slices.Compact(p.imports) {
		name, path, named := strings.Cut(line, " ")
		if !named {
			path, name = line, strings.Trim(line[strings.LastIndex(line, "/")+1:], `"`)
			if name == "v2" {
				name = filepath.Base(filepath.Dir(strings.Trim(line, `"`)))
			}
		}
		if name == "." || name == "_" || path == `"C"` || strings.Contains(body.String(), name+".") {
			used = append(used, line)
		}
	}
	return "package cells\n\nimport (\n" + strings.Join(used, "\n") + "\n)\n\n" + body.String()
}

// TestCellsCompile compiles the cells of every notebook, without a kernel: a name that the library no longer has, or has
// with another signature, is found here.
func TestCellsCompile(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	if err != nil {
		t.Fatal(err)
	}
	cgo := strings.TrimSpace(string(said)) == "1" // without it there is no HiGHS, whose options some notebooks set
	paths, _ := filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))
	solutions, _ := filepath.Glob(filepath.Join(root, "notebooks", "solutions", "*.ipynb"))
	folder, replaced, packages := t.TempDir(), map[string]string{}, []string{}
	for _, path := range append(paths, solutions...) {
		document, err := read(path)
		if err != nil {
			t.Fatal(err)
		}
		p, name := program{declared: map[string]string{}}, strings.TrimSuffix(filepath.Base(path), ".ipynb")
		for number, cell := range codeCells(document.Cells) {
			if err := p.add(number+1, cell.Source); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !cgo && strings.Contains(p.text(), "highs.") {
			continue
		}
		file := filepath.Join(folder, name+".go")
		if err := os.WriteFile(file, []byte(p.text()), 0o644); err != nil {
			t.Fatal(err)
		}
		replaced[filepath.Join(root, "notebooks", "compiled", name, "cells.go")] = file
		packages = append(packages, "./notebooks/compiled/"+name)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	// The names exist in the compiler's files alone.
	command := exec.Command("go", append([]string{"build", "-overlay", list}, packages...)...)
	command.Dir = root
	if said, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, strings.ReplaceAll(string(said), folder+string(filepath.Separator), ""))
	}
}

func TestProgram(t *testing.T) {
	p := program{declared: map[string]string{}}
	for number, source := range []string{
		"import (\n\t\"fmt\"\n\t\"math\"\n)", "func f() int { return 1 }\n\n%%\nfmt.Println(f())", "func f() int { return 2 }", "%test\nfunc TestF() {}",
	} {
		if err := p.add(number, source); err != nil {
			t.Fatal(err)
		}
	}
	want := "package cells\n\nimport (\n\"fmt\"\n)\n\nfunc f() int { return 2 }\nfunc TestF() {}\nfunc cell1() {\nfmt.Println(f())\n}\n"
	if got := p.text(); got != want {
		t.Errorf("got:\n%s", got)
	}
	if err := p.add(9, "func {"); err == nil {
		t.Error("no error for a cell that is no Go")
	}
}
