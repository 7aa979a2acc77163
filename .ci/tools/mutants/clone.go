package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// edit replaces the bytes from begin up to end by text.
type edit struct {
	begin, end int
	text       string
}

// edited returns the text with the edits made.
func edited(text string, edits ...edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return b.begin - a.begin })
	for _, e := range edits {
		text = text[:e.begin] + e.text + text[e.end:]
	}
	return text
}

// offset is the byte of a position in the only file of its set.
func offset(at token.Pos) int { return int(at) - 1 }

// withClones returns a source to which each of the numbered mutants inside functions is added as a function of its own,
// behind what was there; the original begins by calling the one that selectedMutant names. One build so serves all of
// them. A mutant outside functions is made in place. lines says to which mutant a line belongs.
func withClones(source string, mutants map[int]mutant) (text string, lines map[int]int) {
	cases := map[*ast.FuncDecl]string{}
	var edits []edit
	var clones []int
	for number, m := range mutants {
		if m.function == nil {
			edits = append(edits, edit{m.begin, m.end, m.text})
			continue
		}
		clones = append(clones, number)
	}
	slices.Sort(clones)
	lines = map[int]int{}
	line, behind := strings.Count(source, "\n")+2, ""
	for _, number := range clones {
		m := mutants[number]
		call, named := callOf(m.function, number)
		if cases[m.function] == "" {
			edits = append(edits, named...)
		}
		cases[m.function] += fmt.Sprintf("case %d: %s; ", number, call)
		first, name := offset(m.function.Pos()), offset(m.function.Name.End())
		clone := edited(source[first:offset(m.function.End())],
			edit{m.begin - first, m.end - first, m.text}, edit{name - first, name - first, fmt.Sprintf("_mutant%d", number)})
		behind += "\n" + clone
		for range strings.Count(clone, "\n") + 1 {
			lines[line] = number
			line++
		}
	}
	for function, text := range cases {
		edits = append(edits, edit{offset(function.Body.Lbrace) + 1, offset(function.Body.Lbrace) + 1, " switch selectedMutant { " + text + "};"})
	}
	return edited(source, edits...) + behind + "\n", lines
}

// callOf returns the statement that hands a function's arguments to a clone, and the edits that name those without a name.
func callOf(f *ast.FuncDecl, number int) (statement string, named []edit) {
	name := func(at token.Pos, end token.Pos, space string) string {
		argument := fmt.Sprintf("argument%d", len(named))
		named = append(named, edit{offset(at), offset(end), argument + space})
		return argument
	}
	namesOf := func(fields *ast.FieldList) (names []string) {
		for _, field := range fields.List {
			if len(field.Names) == 0 {
				names = append(names, name(field.Type.Pos(), field.Type.Pos(), " "))
			}
			for _, n := range field.Names {
				if n.Name == "_" {
					names = append(names, name(n.Pos(), n.End(), ""))
				} else {
					names = append(names, n.Name)
				}
			}
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				names[len(names)-1] += "..."
			}
		}
		return names
	}
	callee := fmt.Sprintf("%s_mutant%d", f.Name.Name, number)
	if f.Recv != nil {
		callee = namesOf(f.Recv)[0] + "." + callee
	}
	if f.Type.TypeParams != nil {
		callee += "[" + strings.Join(namesOf(f.Type.TypeParams), ", ") + "]"
	}
	call := callee + "(" + strings.Join(namesOf(f.Type.Params), ", ") + ")"
	if f.Type.Results == nil {
		return call + "; return", named
	}
	return "return " + call, named
}
