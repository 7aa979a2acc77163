package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestCompose: the cells are put together as the kernel does, and positions name the cell.
func TestCompose(t *testing.T) {
	job := &Job{Cells: []Cell{
		{Source: "import (\n\t\"fmt\"\n\tm \"math\"\n)"},
		{Source: "func f() int { return 1 }\n\n%%\nfmt.Println(f())"},
		{Source: "!ls \\\n-l\nvar (\n\ta = 1\n\tb = 2\n)\n\nfunc main() {}\nfunc TestF() {}"},
		{Source: "func {"},
		{Source: "\nfunc f() int { return 2 }\nvar b = 3\nfunc (t *T[int]) g() {}\nfunc init() {}"},
		{Source: "import \"fmt\"\nfunc init() {}"},
	}}
	dropped := map[int]string{}
	text := compose(job, dropped).text("func main() {}\n")
	want := `package main

import (
"fmt"
m "math"
)

//line cell_4:2
func f() int { return 2 }

//line cell_2:4
var a = 1

//line cell_4:3
var b = 3
`
	if !strings.HasPrefix(text, want) || strings.Count(text, "func init()") != 2 || strings.Contains(text, "TestF") || !strings.HasSuffix(text, "grader:1\nfunc main() {}\n") {
		t.Errorf("got:\n%s", text)
	}
	if len(dropped) != 1 || dropped[3] == "" {
		t.Errorf("dropped %v, want cell 3 alone", dropped)
	}
}

// TestGuests: a guest replaces what it may, adds what is new, and nothing else.
func TestGuests(t *testing.T) {
	job := &Job{Replace: []string{"answer", "gap.Run"}, Cells: []Cell{
		{Source: "func helper() {}\nfunc answer() {}\nfunc (g *gap) Run() {}"},
		{Source: "func helper() { cheat() }\nfunc answer() { mine() }\nfunc (g gap) Run() { mine() }\nfunc mine() {}", Guest: true},
		{Source: "%test\nfunc TestExercise1(t *testing.T) {}"},
	}}
	p := compose(job, map[int]string{})
	text := p.text("")
	if strings.Contains(text, "cheat") || strings.Count(text, "{ mine() }") != 2 || !strings.Contains(text, "func mine()") || !strings.Contains(text, "TestExercise1") {
		t.Errorf("got:\n%s", text)
	}
}

// TestRefusal: code of a guest reaches no files, processes or memory in a program that others trust.
func TestRefusal(t *testing.T) {
	for source, allowed := range map[string]bool{
		"import \"math\"\nfunc answer() float64 { return math.Pi }":                  true,
		"import \"os\"\nfunc answer() { os.Exit(0) }":                                false,
		"import x \"os\"\nfunc answer() { x.Exit(0) }":                               false,
		"import . \"syscall\"\nfunc answer() { Exit(0) }":                            false,
		"import _ \"unsafe\"\nfunc answer()":                                         false,
		"func answer() { os.Exit(0) }":                                               false,
		"func answer() { system.Command(\"sh\").Run() }":                             false,
		"import \"C\"\nfunc answer() {}":                                             false,
		"import \"gonum.org/v1/gonum/mat\"\nfunc answer() *mat.Dense { return nil }": true,
	} {
		job := &Job{Cells: []Cell{{Source: "import (\n\t\"os\"\n\tsystem \"os/exec\"\n)\nfunc known() { os.Exit(1); system.Command(\"true\").Run() }"}, {Source: source, Guest: true}}, Replace: []string{"answer"}}
		p := compose(job, map[int]string{})
		if err := refusal(p.text(""), p); (err == nil) != allowed {
			t.Errorf("%q: %v", source, err)
		}
	}
}

// TestCollector: only functions that return what is wanted are called.
func TestCollector(t *testing.T) {
	job := &Job{Collect: []Function{{"one", 1}, {"two", 2}, {"gone", 1}, {"takes", 1}, {"value", 1}},
		Cells: []Cell{{Source: "func one() int { return 1 }\nfunc two() (a, b int) { return 1, 2 }\nfunc takes(a int) int { return a }\nvar value = 1"}}}
	text, missing := collector(compose(job, map[int]string{}), job)
	if fmt.Sprint(missing) != "[gone takes value]" || !strings.Contains(text, `"two": func() []any { r0, r1 := two(); return []any{r0, r1} }`) {
		t.Errorf("missing %v in\n%s", missing, text)
	}
}
