package mutants

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// All mutants of functions are compiled at once (mutant schemata; Untch, Offutt, Harrold 1993): each is a function of
// its own beside the original, which hands its arguments over when an environment variable names that mutant.
const (
	activeVariable = "ACTIVE_MUTANT"
	activePackage  = "activemutant"
	activeSource   = `// Package activemutant says which mutant takes the place of the original.
package activemutant

import (
	"os"
	"strconv"
)

// Number is that of the mutant, 0 for none.
var Number, _ = strconv.Atoi(os.Getenv("` + activeVariable + `"))
`
)

// schemata are files whose functions hold their mutants, and what is known of these.
type schemata struct {
	overlay   string            // a file that go build -overlay takes
	replaced  map[string]string // what stands in it: files by those in whose place they are read
	numbers   map[mutant]int    // of the mutants of functions that compile, from 1
	elsewhere []mutant          // those outside of functions
}

// variant is where the function of a mutant stands in a written file.
type variant struct {
	mutant
	first, last int // lines, from 1
}

// schemata writes the files of all mutants, without those that do not compile.
func (p *project) schemata(mutants []mutant) (*schemata, error) {
	active := filepath.Join(p.temporary, "active.go")
	s := &schemata{
		overlay: filepath.Join(p.temporary, "schemata.json"), numbers: map[mutant]int{},
		replaced: map[string]string{filepath.Join(p.root, activePackage, "active.go"): active},
	}
	if err := os.WriteFile(active, []byte(activeSource), 0o600); err != nil {
		return nil, err
	}
	folders := map[string]map[string][]mutant{} // their files
	for i, m := range mutants {
		s.numbers[m] = i + 1
		folder := path.Dir(m.file)
		if folders[folder] == nil {
			folders[folder] = map[string][]mutant{}
		}
		folders[folder][m.file] = append(folders[folder][m.file], m)
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if err := p.writePackage(s, folder, folders[folder]); err != nil {
			return nil, err
		}
	}
	return s, writeOverlay(s.overlay, s.replaced)
}

// writePackage writes the files of one package again until all mutants that are left in it compile.
func (p *project) writePackage(s *schemata, folder string, files map[string][]mutant) error {
	for {
		variants := map[string][]variant{}
		for file, mutants := range files {
			text, placed, outside, err := withVariants(file, p.sources[file], path.Join(p.module, activePackage), mutants, s.numbers)
			if err != nil {
				return err
			}
			s.elsewhere, variants[file] = append(s.elsewhere, outside...), placed
			files[file] = s.without(mutants, outside)
			written := filepath.Join(p.temporary, strings.ReplaceAll(file, "/", "__"))
			s.replaced[filepath.Join(p.root, file)] = written
			if err := os.WriteFile(written, []byte(text), 0o600); err != nil {
				return err
			}
		}
		if err := writeOverlay(s.overlay, s.replaced); err != nil {
			return err
		}
		command := exec.Command("go", "build", "-gcflags=-e", "-overlay", s.overlay, "-o", os.DevNull, "./"+folder)
		command.Dir = p.root
		said, err := command.CombinedOutput()
		if err == nil {
			return nil
		}
		broken := brokenVariants(string(said), variants)
		if len(broken) == 0 {
			return fmt.Errorf("the schemata of %s do not compile: %w\n%s", folder, err, said)
		}
		for file, mutants := range files {
			files[file] = s.without(mutants, broken)
		}
	}
}

// without takes some mutants out of a list, and their numbers.
func (s *schemata) without(mutants, others []mutant) []mutant {
	for _, m := range others {
		delete(s.numbers, m)
	}
	return slices.DeleteFunc(slices.Clone(mutants), func(m mutant) bool { return slices.Contains(others, m) })
}

// errorLine is a message of the compiler.
var errorLine = regexp.MustCompile(`(?m)^(?:\./)?([^\s:]+\.go):(\d+):\d+: `)

// brokenVariants finds the mutants in whose functions the compiler sees an error.
func brokenVariants(said string, variants map[string][]variant) []mutant {
	var broken []mutant
	for _, found := range errorLine.FindAllStringSubmatch(said, -1) {
		line, _ := strconv.Atoi(found[2])
		for file, placed := range variants {
			if path.Base(file) != path.Base(strings.ReplaceAll(found[1], "__", "/")) {
				continue
			}
			for _, v := range placed {
				if v.first <= line && line <= v.last && !slices.Contains(broken, v.mutant) {
					broken = append(broken, v.mutant)
				}
			}
		}
	}
	return broken
}

// writeOverlay writes a file that go build -overlay takes.
func writeOverlay(name string, replaced map[string]string) error {
	places, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return err
	}
	return os.WriteFile(name, places, 0o600)
}

// variantWriter writes a file whose functions hold their mutants.
type variantWriter struct {
	set         *token.FileSet
	source      string
	numbers     map[mutant]int
	heads, tail bytes.Buffer // the file with the calls of the variants, and the variants
	end         int          // of what was copied of the source
	placed      []variant    // by lines of the tail
	inside      map[mutant]bool
}

// withVariants returns a file whose functions hold their mutants, where these stand, and the mutants outside of functions.
// Active is the path of the package that says which mutant takes the place of the original.
func withVariants(
	name, source, active string, mutants []mutant, numbers map[mutant]int,
) (text string, placed []variant, outside []mutant, err error) {
	w := &variantWriter{set: token.NewFileSet(), source: source, numbers: numbers, inside: map[mutant]bool{}}
	file, err := parser.ParseFile(w.set, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", nil, nil, err
	}
	w.copyTo(file.Name.End())
	fmt.Fprintf(&w.heads, "; import activemutant %q", active)
	for _, declaration := range file.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok && function.Body != nil {
			w.function(function, mutants)
		}
	}
	w.heads.WriteString(source[w.end:])
	lines := bytes.Count(w.heads.Bytes(), []byte("\n")) + 1
	for i := range w.placed {
		w.placed[i].first, w.placed[i].last = w.placed[i].first+lines, w.placed[i].last+lines
	}
	outside = slices.DeleteFunc(slices.Clone(mutants), func(m mutant) bool { return w.inside[m] })
	w.tail.WriteString("\nvar _ = activemutant.Number\n") // where all mutants are outside of functions
	return w.heads.String() + w.tail.String(), w.placed, outside, nil
}

// function writes a function that hands over to its mutants, and these.
func (w *variantWriter) function(f *ast.FuncDecl, mutants []mutant) {
	begin, end := w.offset(f.Body.Lbrace), w.offset(f.Body.Rbrace)
	h, name := headOf(f, w.of), f.Name.Name
	var calls strings.Builder
	for _, m := range mutants {
		if m.begin <= begin || m.end > end {
			continue
		}
		w.inside[m] = true
		other := fmt.Sprintf("%s__%d", name, w.numbers[m])
		fmt.Fprintf(&calls, "case %d: %s; ", w.numbers[m], h.call(other))
		first := bytes.Count(w.tail.Bytes(), []byte("\n"))
		fmt.Fprintf(&w.tail, "\n%s %s%s%s\n", h.text(other), w.source[begin:m.begin], m.text, w.source[m.end:end+1])
		w.placed = append(w.placed, variant{m, first, bytes.Count(w.tail.Bytes(), []byte("\n"))})
	}
	if calls.Len() > 0 {
		w.copyTo(f.Type.Func)
		w.heads.WriteString(h.text(name) + " { switch activemutant.Number { " + calls.String() + "}; ")
		w.end = begin + 1
	}
}

// copyTo copies the source up to a position.
func (w *variantWriter) copyTo(at token.Pos) {
	w.heads.WriteString(w.source[w.end:w.offset(at)])
	w.end = w.offset(at)
}

func (w *variantWriter) offset(at token.Pos) int { return w.set.Position(at).Offset }

// of returns the source of a node.
func (w *variantWriter) of(n ast.Node) string { return w.source[w.offset(n.Pos()):w.offset(n.End())] }

// head is the head of a function all of whose parameters have names.
type head struct {
	receiver, receiverName, typeParameters, typeArguments, parameters, results string
	arguments                                                                  []string
	returns                                                                    bool
}

// headOf reads the head of a function and gives names to what has none.
func headOf(f *ast.FuncDecl, of func(ast.Node) string) head {
	h, unnamed := head{}, 0
	named := func(name string) string {
		if name == "" || name == "_" {
			unnamed++
			return fmt.Sprintf("unnamed__%d", unnamed)
		}
		return name
	}
	if f.Recv != nil {
		field := f.Recv.List[0]
		name := ""
		if len(field.Names) > 0 {
			name = field.Names[0].Name
		}
		h.receiverName = named(name)
		h.receiver = "(" + h.receiverName + " " + of(field.Type) + ") "
	}
	if f.Type.TypeParams != nil {
		var names []string
		for _, field := range f.Type.TypeParams.List {
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
		h.typeParameters, h.typeArguments = of(f.Type.TypeParams), "["+strings.Join(names, ", ")+"]"
	}
	var parameters []string
	for _, field := range f.Type.Params.List {
		names := []string{""}
		if len(field.Names) > 0 {
			names = nil
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
		for _, name := range names {
			name = named(name)
			parameters = append(parameters, name+" "+of(field.Type))
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				name += "..."
			}
			h.arguments = append(h.arguments, name)
		}
	}
	h.parameters = strings.Join(parameters, ", ")
	if f.Type.Results != nil {
		h.results, h.returns = " "+of(f.Type.Results), true
	}
	return h
}

// text is the head of a function of that name.
func (h head) text(name string) string {
	return "func " + h.receiver + name + h.typeParameters + "(" + h.parameters + ")" + h.results
}

// call is the statement that hands over to a function of that name.
func (h head) call(name string) string {
	call := name + h.typeArguments + "(" + strings.Join(h.arguments, ", ") + ")"
	if h.receiverName != "" {
		call = h.receiverName + "." + call
	}
	if h.returns {
		return "return " + call
	}
	return call + "; return"
}
