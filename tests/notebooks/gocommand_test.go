package notebooks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// goOfCells is the command that stands before Go's own in a kernel's PATH.
const goOfCells = "../../docker/image/root/opt/directions/bin/go"

// TestGoOfCells: building collects no garbage, what go runs itself keeps its settings,
// and wherever the command stands in PATH, it calls the next one and never itself.
func TestGoOfCells(t *testing.T) {
	own, next, other := t.TempDir(), t.TempDir(), t.TempDir()
	text, err := os.ReadFile(goOfCells)
	if err != nil {
		t.Fatal(err)
	}
	writeCommand(t, filepath.Join(own, "go"), string(text))
	writeCommand(t, filepath.Join(next, "go"), "#!/bin/sh\necho \"gc=$GOGC path=$PATH: $*\"\n")
	for _, path := range [][]string{{own, next, other}, {other, own, next}, {other, next, own}} {
		rest := strings.ReplaceAll(":"+strings.Join(path, ":")+":", ":"+own+":", ":")
		for arguments, gc := range map[string]string{
			"build -o x": "off", "test -c": "off", "test ./...": "100", "run .": "100", "env GOGC": "100", "version": "100",
		} {
			command := exec.Command(filepath.Join(own, "go"), strings.Fields(arguments)...)
			command.Env = []string{"GOGC=100", "PATH=" + strings.Join(path, ":")}
			output, err := command.CombinedOutput()
			want := "gc=" + gc + " path=" + strings.Trim(rest, ":") + ": " + arguments
			if got := strings.TrimSpace(string(output)); err != nil || got != want {
				t.Errorf("PATH %v, go %s: %q (%v), want %q", path, arguments, got, err, want)
			}
		}
	}
}

// TestCellsAreBuiltByCommandsOfEarlierOnes: a cell is made without go build if nothing else has changed, and its program is
// always the one that go build makes of the files as they are.
func TestCellsAreBuiltByCommandsOfEarlierOnes(t *testing.T) {
	k := newCellBuilder(t)
	k.write("../number/internal/hidden/hidden.go", "package hidden\n\nvar Value = 1\n")
	k.write("../number/number.go", "package number\n\nimport \"example.org/number/internal/hidden\"\n\nvar Value = hidden.Value\n")
	k.write("../number/tagged.go", "//go:build tagged\n\npackage number\n\nfunc init() { Value = 1000 }\n")
	const both, number = "\"fmt\"\n\t\"example.org/number\"", "fmt.Println(number.Value)"
	k.cell("the first", both, number, "1", true)
	k.cell("other code", both, "fmt.Println(number.Value + 20)", "21", false)
	k.cell("fewer imports", "\"fmt\"", "fmt.Println(5)", "5", false)
	k.cell("a new import", both+"\n\t\"text/scanner\"", "var _ scanner.Scanner\n"+number, "1", true)
	k.cell("it again", both+"\n\t\"text/scanner\"", "var _ scanner.Scanner\nfmt.Println(number.Value + 30)", "31", false)
	k.write("../number/internal/hidden/hidden.go", "package hidden\n\nvar Value = 2\n")
	k.cell("an edited package", both, number, "2", true)
	k.cell("a mistake", both, "fmt.Println(number.Missing)", "./main.go:9:21: undefined: number.Missing", true)
	k.cell("after the mistake", both, "fmt.Println(number.Value + 40)", "42", false)
	k.write("more.go", "package main\n\nfunc init() { println(\"more\") }\n")
	k.cell("a second file", both, "fmt.Println(number.Value + 50)", "more\n52", true)
	if err := os.Remove(filepath.Join(k.folder, "more.go")); err != nil {
		t.Fatal(err)
	}
	k.environment = append(k.environment, "GOFLAGS=-tags=tagged")
	k.cell("other settings", both, number, "1000", true)
	k.cell("the same settings", both, "fmt.Println(number.Value + 60)", "1060", false)
	k.cell("an internal package", both+"\n\t_ \"example.org/number/internal/hidden\"", number, "use of internal package", true)
	k.cell("after it", both, "fmt.Println(number.Value + 70)", "1070", false)
	k.write("../number/number.go", "package number\n\nvar Value = \n")
	k.cell("a broken package", both, number, "number.go", true)
	k.write("../number/number.go", "package number\n\nvar Value = 7\n")
	k.cell("the mended package", both, "fmt.Println(number.Value)", "1000", true)
	k.write("../number/number.go", "package number\n\nvar Name = \"old\"\n\nvar Value = 8\n")
	if err := os.Chtimes(filepath.Join(k.folder, "../number/number.go"), time.Unix(0, 0), time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	k.cell("a file of an older date", both, "fmt.Println(number.Name, number.Value)", "old 1000", true)
	for proxy, asked := range map[string]bool{"off": false, "direct": true} {
		if output, called := k.run("GOPROXY="+proxy, "get"); called != asked {
			t.Errorf("GOPROXY=%s: go get was called: %v\n%s", proxy, called, output)
		}
	}
}

// TestCellsOfDeclarationsAreNotLinked: a program that does nothing is compiled alone, and what has an effect shows it.
func TestCellsOfDeclarationsAreNotLinked(t *testing.T) {
	k := newCellBuilder(t)
	const idle = "package main\n\nimport (\n\t\"flag\"\n\t. \"fmt\"\n)\n\nvar (\n\t_ = Print\n%s)\n\nfunc main() { flag.Parse() }\n%s"
	k.declarations("the first", fmt.Sprintf(idle, "", ""), "", true, true)
	k.declarations("a function", fmt.Sprintf(idle, "", "\nfunc two() int { return 2 }\n"), "", false, true)
	k.declarations("a variable", fmt.Sprintf(idle, "\tx, _ = Println(\"made\")\n", ""), "made\n", false, false)
	k.declarations("variables on two lines", fmt.Sprintf(idle, "\tx, _ = Println(\n\t\t\"made\")\n", ""), "made\n", false, false)
	k.declarations("a beginning", fmt.Sprintf(idle, "", "\nfunc init() { Println(\"begun\") }\n"), "begun\n", false, false)
	const shown = "package main\n\nimport (\n\t\"flag\"\n\t\"fmt\"\n)\n\nvar (\n\t_ = flag.Parse\n)\n\nconst text = `\nfunc main() { flag.Parse() }\n`\n\nfunc main() {\n\tfmt.Println(len(text))\n}\n"
	k.declarations("an empty main function in a text", shown, "30\n", false, false)
	k.declarations("a field that is not there", fmt.Sprintf(idle, "\t_ = nothing.Value\n", "\nvar nothing *struct{ Value int }\n"), "panic", false, false)
	k.declarations("an idle cell again", fmt.Sprintf(idle, "", ""), "", false, true)
	if output, _ := k.run("", "build", "-o", k.program(), "-trimpath"); output != "" {
		t.Errorf("with a flag: %s", output)
	}
	k.declarations("an idle cell after it", fmt.Sprintf(idle, "", ""), "", false, true)
	k.environment = append(k.environment, "GOFLAGS=-ldflags=-bogus")
	k.declarations("flags that no build takes", fmt.Sprintf(idle, "", ""), "flag provided but not defined: -bogus", true, false)
	k.environment = append(k.environment, "GOFLAGS=")
	k.declarations("after them", fmt.Sprintf(idle, "", ""), "", true, true)
	k.declarations("a mistake after a script", fmt.Sprintf(idle, "", "\nfunc two() int { return missing }\n"), "./main.go:14:25: undefined: missing", true, false)
}

// TestCellsOfTests: a cell of tests is built as other cells are, with the tests that go test would run and what it prints.
func TestCellsOfTests(t *testing.T) {
	k := newCellBuilder(t)
	const tests = "package main\n\nimport (\n\t\"flag\"\n\t\"testing\"\n)\n\nfunc main() { flag.Parse() }\n\n"
	k.tests("the first", tests+"func TestOne(t *testing.T) { t.Log(1) }\n", "main_test.go:10: 1\n--- PASS: TestOne", true)
	k.tests("two tests", tests+"func TestOne(t *testing.T) { t.Fail() }\n\nfunc TestTwo(t *testing.T) { t.Log(testing.Testing()) }\n", "--- FAIL: TestOne (0.00s)\n=== RUN   TestTwo\n    main_test.go:12: true", false)
	k.tests("no test by its name", tests+"func Testable(t *testing.T) { t.Fail() }\n", "testing: warning: no tests to run\nPASS", false)
	k.tests("the shortest name", tests+"func Test(t *testing.T) { t.Fail() }\n", "--- FAIL: Test (0.00s)", false)
	k.tests("a mistake", tests+"func TestOne(t *testing.T) { t.Log(missing) }\n", "./main_test.go:10:36: undefined: missing", true)
	k.tests("a main function of the tests", tests+"func TestMain(m *testing.M) { println(\"main\") }\n", "main\n", true)
	k.tests("an example", tests+"var _ testing.T\n\nfunc Example() {\n\tprintln(3)\n\t// Output: 3\n}\n", "--- FAIL: Example", true)
}

// cellBuilder is the folder of a kernel, in which go is the command of cells and notes when it calls Go's own.
type cellBuilder struct {
	*testing.T
	folder, notes string
	environment   []string
}

func newCellBuilder(t *testing.T) *cellBuilder {
	real, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command")
	}
	home := t.TempDir()
	k := &cellBuilder{T: t, folder: filepath.Join(home, "kernel"), notes: filepath.Join(home, "notes")}
	text, err := os.ReadFile(goOfCells)
	if err != nil {
		t.Fatal(err)
	}
	k.write("../own/go", string(text))
	k.write("../next/go", "#!/bin/sh\necho \"$*\" >>"+k.notes+"\nexec "+real+" \"$@\"\n")
	k.write("go.mod", "module cell\n\ngo 1.26.0\n\nrequire example.org/number v0.0.0\n\nreplace example.org/number => ../number\n")
	k.write("../number/go.mod", "module example.org/number\n\ngo 1.26.0\n")
	path := strings.Join([]string{filepath.Join(home, "own"), filepath.Join(home, "next"), os.Getenv("PATH")}, ":")
	k.environment = append(os.Environ(), "PATH="+path, "GONB_TMP_DIR="+k.folder, "PWD="+k.folder, "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
	return k
}

// write writes a file of the kernel's folder, which everybody may run.
func (k *cellBuilder) write(name, text string) {
	k.Helper()
	path := filepath.Join(k.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		k.Fatal(err)
	}
	writeCommand(k.T, path, text)
}

// run runs go in the kernel's folder, and returns what it prints and whether Go's own command was called.
func (k *cellBuilder) run(setting string, arguments ...string) (output string, called bool) {
	os.Remove(k.notes)
	command := exec.Command(filepath.Join(k.folder, "../own/go"), arguments...)
	command.Dir, command.Env = k.folder, append(k.environment, setting)
	text, _ := command.CombinedOutput()
	_, err := os.Stat(k.notes)
	return string(text), err == nil
}

// cell builds and runs a cell. What is printed must hold the text that is wanted, and Go's own command be called or not.
func (k *cellBuilder) cell(name, imports, code, want string, called bool) {
	k.Helper()
	output := k.built(name, "main.go", "package main\n\nimport (\n\t"+imports+"\n)\n\nfunc main() {\n\t"+code+"\n}\n", called)
	if !strings.Contains(output, want) {
		k.Errorf("%s: want %q in\n%s", name, want, output)
	}
}

// declarations builds and runs a cell of which this is the program, and which is linked or not.
func (k *cellBuilder) declarations(name, text, want string, called, script bool) {
	k.Helper()
	output := k.built(name, "main.go", text, called)
	program, _ := os.ReadFile(k.program())
	if !strings.HasPrefix(output, want) && !strings.Contains(output, "\n"+want) || want == "" && output != "" {
		k.Errorf("%s: %q, want %q", name, output, want)
	}
	if strings.HasPrefix(string(program), "#!") != script {
		k.Errorf("%s: linked: %v, want %v", name, script, !script)
	}
}

// tests builds and runs a cell of tests.
func (k *cellBuilder) tests(name, text, want string, called bool) {
	k.Helper()
	if output := k.built(name, "main_test.go", text, called); !strings.Contains(output, want) {
		k.Errorf("%s: want %q in\n%s", name, want, output)
	}
}

// built builds a source as GoNB does, runs the program and returns what both print.
func (k *cellBuilder) built(name, source, text string, called bool) string {
	k.Helper()
	k.write(source, text)
	arguments, flags := []string{"build", "-o", k.program()}, []string(nil)
	if source == "main_test.go" {
		arguments, flags = []string{"test", "-c", "-o", k.program()}, []string{"-test.v"}
	}
	output, own := k.run("", arguments...)
	if own != called {
		k.Errorf("%s: go was called: %v, want %v\n%s", name, own, called, output)
	}
	ran, _ := exec.Command(k.program(), flags...).CombinedOutput()
	return output + string(ran)
}

func (k *cellBuilder) program() string { return filepath.Join(k.folder, "program") }

func writeCommand(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}
