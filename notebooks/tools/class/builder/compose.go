package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// declaration is a top-level declaration of a cell.
type declaration struct {
	name, text string
	cell, line int
	guest      bool
	results    int
	node       ast.Node
}

// program is what the cells declare together.
type program struct {
	imports  []string
	foreign  map[string]bool // imports of guests, by path
	names    []string
	declared map[string]declaration
}

// declares is the part of a cell that declares, line by line in its place: without commands to the kernel and what runs.
func declares(source string) string {
	lines, running, continued := strings.Split(source, "\n"), false, false
	for k, line := range lines {
		running = running || strings.HasPrefix(line, "%%") || strings.HasPrefix(line, "%main")
		command := continued || strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!")
		continued = command && strings.HasSuffix(line, "\\")
		if running || command {
			lines[k] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// parse reads the declarations and imports of a cell.
func parse(number int, cell Cell) (found []declaration, imports []string, err error) {
	set, text := token.NewFileSet(), "package main;"+declares(cell.Source)
	file, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, spec := range file.Imports {
		line := spec.Path.Value
		if spec.Name != nil {
			line = spec.Name.Name + " " + line
		}
		imports = append(imports, line)
	}
	for _, node := range file.Decls {
		for _, part := range parts(node) {
			from, to := set.Position(part.Pos()), set.Position(part.End())
			d := declaration{name: nameOf(part), text: text[from.Offset:to.Offset], cell: number, line: from.Line, guest: cell.Guest, node: part}
			if group, ok := node.(*ast.GenDecl); ok && part != node {
				d.text = group.Tok.String() + " " + d.text
			}
			if function, ok := part.(*ast.FuncDecl); ok {
				d.results = function.Type.Results.NumFields()
			}
			found = append(found, d)
		}
	}
	return found, imports, nil
}

// parts splits groups of types and variables, which are replaced one by one; constants may count on.
func parts(node ast.Decl) []ast.Node {
	group, ok := node.(*ast.GenDecl)
	switch {
	case !ok:
		return []ast.Node{node}
	case group.Tok == token.IMPORT:
		return nil
	case group.Tok == token.CONST || !group.Lparen.IsValid():
		return []ast.Node{group}
	}
	var found []ast.Node
	for _, spec := range group.Specs {
		found = append(found, spec)
	}
	return found
}

func nameOf(node ast.Node) string {
	switch d := node.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || len(d.Recv.List) == 0 {
			return d.Name.Name
		}
		receiver := d.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		return fmt.Sprint(receiver) + "." + d.Name.Name
	case *ast.TypeSpec:
		return d.Name.Name
	case *ast.ValueSpec:
		var names []string
		for _, name := range d.Names {
			names = append(names, name.Name)
		}
		return strings.Join(names, ",")
	case *ast.GenDecl:
		if len(d.Specs) > 0 {
			return nameOf(d.Specs[0])
		}
	}
	return ""
}

// compose puts the cells together, without the dropped ones. Cells that are no Go are added to the dropped.
func compose(job *Job, dropped map[int]string) *program {
	p := &program{declared: map[string]declaration{}, foreign: map[string]bool{}}
	for number, cell := range job.Cells {
		if dropped[number] != "" {
			continue
		}
		found, imports, err := parse(number, cell)
		if err != nil {
			dropped[number] = err.Error()
			continue
		}
		for _, line := range imports {
			if !slices.Contains(p.imports, line) {
				p.imports = append(p.imports, line)
				p.foreign[strings.Trim(line[strings.Index(line, `"`):], `"`)] = cell.Guest
			}
		}
		for _, d := range found {
			p.declare(d, job)
		}
	}
	return p
}

// kept are names of functions that the program declares itself.
var kept = regexp.MustCompile(`^(main|Test\w*)$`)

func (p *program) declare(d declaration, job *Job) {
	if kept.MatchString(d.name) && !strings.HasPrefix(job.Cells[d.cell].Source, "%test\n") {
		return
	}
	if d.name == "_" || d.name == "init" { // there may be many
		d.name = fmt.Sprintf("%s in %d:%d", d.name, d.cell, d.line)
	}
	before, there := p.declared[d.name]
	if there && d.guest && !before.guest && !slices.Contains(job.Replace, d.name) {
		return
	}
	if !there {
		p.names = append(p.names, d.name)
	}
	p.declared[d.name] = d
}

// text is the Go file. Positions in it name the cell and the line there.
func (p *program) text(footer string) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n" + strings.Join(p.imports, "\n") + "\n)\n")
	for _, name := range p.names {
		d := p.declared[name]
		fmt.Fprintf(&b, "\n//line cell_%d:%d\n%s\n", d.cell, d.line, d.text)
	}
	return b.String() + "\n//line grader:1\n" + footer
}
