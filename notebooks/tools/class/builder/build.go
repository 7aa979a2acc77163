package main

import (
	"cmp"
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
	"strconv"
	"strings"
)

const (
	// module is where the image keeps the module, and its import path.
	module, path = "/opt/directions/module", "github.com/sparsero/directions"
	// attempts bounds how often a program is built without the cells that did not compile.
	attempts = 6
	// longestMessage is how much is told of what the compiler said.
	longestMessage = 300
)

// pure are the packages of the standard library that code of a guest may import: they reach no file, process or memory.
var pure = strings.Fields(`bytes cmp container/heap container/list context encoding/json errors fmt iter maps math math/big
	math/bits math/cmplx math/rand math/rand/v2 regexp slices sort strconv strings sync time unicode unicode/utf8 testing`)

// reaching are packages that a tutorial may import and code of a guest not use.
var reaching = regexp.MustCompile(`^(os|exec|syscall|unsafe|runtime|reflect|plugin|debug|net|http|ioutil|io|log|filepath|embed|flag)$`)

var inCell = regexp.MustCompile(`(?m)^.*?\bcell_(\d+):(\d+)(?::\d+)?: (.*)$`)

// build writes the program of a job, if need be without the cells that do not compile.
func build(folder string, job *Job) Built {
	done := Built{Dropped: map[int]string{}}
	for range attempts {
		p := compose(job, done.Dropped)
		var text string
		var missing []string
		if job.Collect != nil {
			text, missing = collector(p, job)
		}
		if len(job.Tests) > 0 {
			text = tester(job)
		}
		done.Missing = missing
		said, err := compiled(folder, job, p.text(text), p)
		if err == nil {
			done.Problem = ""
			return done
		}
		done.Problem = cut(said)
		matches := inCell.FindAllStringSubmatch(said, -1)
		if len(matches) == 0 {
			return done
		}
		for _, match := range matches {
			number, _ := strconv.Atoi(match[1])
			if done.Dropped[number] == "" {
				done.Dropped[number] = cut(fmt.Sprintf("line %s: %s", match[2], match[3]))
			}
		}
	}
	return done
}

func cut(text string) string {
	text = strings.TrimSpace(text)
	return text[:min(len(text), longestMessage)]
}

// collector is the end of a program that calls the functions whose answers are wanted.
func collector(p *program, job *Job) (text string, missing []string) {
	text = "func main() {\n\tgraderVerdict.Collect(map[string]func() []any{\n"
	for _, f := range job.Collect {
		d, there := p.declared[f.Name]
		if function, ok := d.node.(*ast.FuncDecl); !there || !ok || d.results != f.Results || function.Type.Params.NumFields() > 0 {
			missing = append(missing, f.Name)
			continue
		}
		var names []string
		for k := range f.Results {
			names = append(names, fmt.Sprint("r", k))
		}
		all := strings.Join(names, ", ")
		text += fmt.Sprintf("\t\t%q: func() []any { %s := %s(); return []any{%s} },\n", f.Name, all, f.Name, all)
	}
	return text + "\t})\n}\n", missing
}

// tester is the end of a program that runs tests.
func tester(job *Job) string {
	text := "func main() {\n\tgraderVerdict.Test(map[string]func(*testing.T){\n"
	for _, name := range job.Tests {
		text += fmt.Sprintf("\t\t%q: %s,\n", name, name)
	}
	return text + "\t})\n}\n"
}

// compiled compiles the text and returns what the tools said where they fail.
func compiled(folder string, job *Job, text string, p *program) (said string, err error) {
	home, err := os.MkdirTemp("", "program")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(home)
	text = strings.Replace(text, "import (\n", fmt.Sprintf("import (\ngraderVerdict %q\n", job.Package), 1)
	file := filepath.Join(home, "program.go")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return "", err
	}
	if said, err := command("goimports", "-srcdir", filepath.Join(module, "notebooks", "graded", "program.go"), "-w", file); err != nil {
		return said, err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if err := refusal(string(content), p); err != nil {
		return err.Error(), err
	}
	overlay, _ := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(module, "notebooks", "graded", "program.go"):                 file,
		filepath.Join(module, strings.TrimPrefix(job.Package, path), "verdict.go"): filepath.Join(folder, "verdict.go"),
	}})
	list := filepath.Join(home, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		return "", err
	}
	return command("go", "build", "-gcflags=-e", "-ldflags=-s", "-overlay", list, "-o", filepath.Join(folder, job.Output), "./notebooks/graded")
}

func command(name string, arguments ...string) (string, error) {
	c := exec.Command(name, arguments...)
	c.Dir = module
	// Go would store an index of package verdict, once its file is two seconds old, in the image's cache, which cannot be written.
	c.Env = append(os.Environ(), "GODEBUG=goindex=0")
	said, err := c.CombinedOutput()
	return string(said), err
}

// refusal says what a guest's code may not do in a program that others trust: reach files, processes or memory. Directives
// need no look: comments before a declaration are not taken over.
func refusal(text string, p *program) error {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return err
	}
	local := map[string]string{} // the packages by the names that they have here
	for _, spec := range file.Imports {
		if spec.Name != nil {
			local[spec.Name.Name] = filepath.Base(strings.Trim(spec.Path.Value, `"`))
		}
	}
	guests := false
	for _, d := range p.declared {
		if !d.guest {
			continue
		}
		guests = true
		var used string
		ast.Inspect(d.node, func(node ast.Node) bool {
			if selector, ok := node.(*ast.SelectorExpr); ok {
				if base, ok := selector.X.(*ast.Ident); ok {
					if name := cmp.Or(local[base.Name], base.Name); reaching.MatchString(name) {
						used = name
					}
				}
			}
			return true
		})
		if used != "" {
			return fmt.Errorf("refused: an answer that is tested in its own program may not use package %s", used)
		}
	}
	if !guests {
		return nil
	}
	for _, spec := range file.Imports {
		name := strings.Trim(spec.Path.Value, `"`)
		base, known := p.foreign[name]
		ours := strings.HasPrefix(name, path) || strings.HasPrefix(name, "gonum.org/")
		if !ours && !slices.Contains(pure, name) && (!known || base) {
			return fmt.Errorf("refused: an answer that is tested in its own program may not import %s", name)
		}
	}
	return nil
}
