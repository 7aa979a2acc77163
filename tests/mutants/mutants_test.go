package mutants

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// after returns the changed lines of all mutants of one statement or declaration.
func after(t *testing.T, code string) []string {
	t.Helper()
	mutants, err := mutantsOf("a.go", "package a\n\nfunc f() {\n\t"+code+"\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, m := range mutants {
		if m.before != code || m.line != 4 {
			t.Errorf("%s: before %q, line %d", code, m.before, m.line)
		}
		lines = append(lines, m.after)
	}
	return lines
}

func TestMutantsOf(t *testing.T) {
	for code, want := range map[string][]string{
		"x := a + b":                    {"x := a - b"},
		"x := a < b":                    {"x := a >= b", "x := a <= b"},
		"x := -a":                       {"x := a"},
		"x := a && !b":                  {"x := a || !b", "x := a && b"},
		"x := math.Min(a, b)":           {"x := math.Max(a, b)"},
		"x := 7":                        {"x := (7 + 1)", "x := (7 - 1)"},
		"x := 0.":                       {"x := 1."},
		"x := 0.5":                      {"x := (0.5 * 2)", "x := (0.5 / 2)"},
		"x := 1e-9":                     {"x := (1e-9 * 1000)", "x := (1e-9 / 1000)"},
		"x := true":                     {"x := false"},
		"x := math.Inf(1)":              {"x := -math.Inf(1)"},
		"x := math.IsInf(-a, 1)":        {"x := math.IsInf(a, 1)"},
		"return 0, err":                 nil,
		"return 0, nil":                 {"return 1, nil"},
		`return 0, fmt.Errorf("%d", 3)`: nil,
		"x := make([]int, n-k, 2*n)":    {"x := make([]int, n+k, 2*n)"},
		"x = y":                         {""},
		"shuffle(rows)":                 {""},
		"if a { return }":               {"if (a) || true { return }", "if (a) && false { return }"},
		"for a { x() }":                 {"for (a) && false { x() }", "for a { }"},
		"for { break }":                 {"for { continue }"},
		"switch a { case b: return }":   {"switch a { case b: }"},
		`x := "text 3 < 4" // 5 < true`: nil,
	} {
		if got := after(t, code); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
	}
}

// TestRun tries a package of which one function is tested, one is not and one is listed, and an internal one that the first tests.
func TestRun(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module a\n\ngo 1.24\n",
		"a.go": "package a\n\nfunc Tested(x int) bool { return x < 3 }\n\nfunc Untested(x int) bool { return x == 3 }\n\n" +
			"const limit = 7\n\nvar smallest = min(limit, 9)\n\ntype number[K any] []K\n\n" +
			"func (number[K]) Generic(_, y int, more ...K) (n int) { return y + len(more) }\n\n" +
			"func Broken[K any](K) { var one [1]int; _ = one[0] }\n\n" +
			"func Listed(x, y int) int { return x * y }\n",
		"twice.go":        "package a\n\nimport \"a/internal/b\"\n\nvar twice = b.Twice\n",
		"internal/b/b.go": "package b\n\nfunc Twice(x int) int { return x + x }\n",
		"a_test.go":       "package a\n\nimport \"testing\"\n\nfunc TestTested(t *testing.T) {\n\tif !Tested(2) || Tested(3) || smallest != 7 || twice(3) != 6 || (number[int]{}).Generic(1, 2, 3) != 3 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	known, err := readEquivalent("# a comment\na.go\tfunc Listed(x, y int) int { return x * y }\tfunc Listed(x, y int) int { return x / y }\tnobody calls it\n")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = run("./...", "", 0, 1, known, &out)
	if err == nil || !strings.Contains(err.Error(), "5 %") {
		t.Errorf("error %v", err)
	}
	for _, want := range []string{
		"19 of 19 mutants", "9 killed\n", "3 not compiled\n", "1 equivalent\n", "6 of 15 survived: 40.0 %\n",
		"killed internal/b/b.go:3\n\tfunc Twice(x int) int { return x + x }\n\tfunc Twice(x int) int { return x - x }\n",
		"SURVIVED, as no test runs it a.go:5\n\tfunc Untested(x int) bool { return x == 3 }\n\tfunc Untested(x int) bool { return x != 3 }\n",
		"killed a.go:3\n\tfunc Tested(x int) bool { return x < 3 }\n\tfunc Tested(x int) bool { return x <= 3 }\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if _, err := readEquivalent("a.go\tx\ty\t\n"); err == nil || !strings.Contains(err.Error(), "equivalent.txt:1") {
		t.Errorf("a reason is missing: error %v", err)
	}
	if err := run("./nothing", "", 0, 1, nil, &out); err == nil {
		t.Error("a package that does not exist is no error")
	}
}

// TestEquivalentMutantsAreOfThisSource: an entry whose line is gone excuses nothing any more.
func TestEquivalentMutantsAreOfThisSource(t *testing.T) {
	known, err := readEquivalent(equivalentList)
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for key := range known {
		file, before := key[0], key[1]
		if sources[file] == "" {
			text, err := os.ReadFile(filepath.Join("..", "..", file))
			if err != nil {
				t.Error(err)
			}
			sources[file] = spaced(string(text))
		}
		if !strings.Contains(sources[file], before) {
			t.Errorf("equivalent.txt names a line of %s that is not there: %s", file, before)
		}
	}
}
