package notebooks

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const title = `{"cell_type": "markdown", "source": "# Title"}`

// code is an executed code cell of so many lines.
func code(lines int) string {
	source, _ := json.Marshal(strings.Repeat("x++\n\n", lines))
	return fmt.Sprintf(`{"cell_type": "code", "execution_count": 1, "outputs": [], "source": %s}`, source)
}

func TestProblems(t *testing.T) {
	failure := `{"cell_type": "code", "execution_count": 2, "source": "%%",
		"outputs": [{"output_type": "error", "ename": "ERROR", "evalue": "exit status 2"}]}`
	pending := `{"cell_type": "code", "execution_count": null, "source": "%%", "outputs": []}`
	broken := strings.Replace(failure, `"%%"`, `"%%\n\n  must(draw())\nshow()"`, 1)
	blank := `{"cell_type": "code", "execution_count": null, "source": [" \n"], "outputs": []}`
	cases := map[string]struct{ cells, want string }{
		"good":            {title + "," + code(MaximumCellLines), ""},
		"empty code cell": {title + "," + blank, ""},
		"no cells":        {"", "the first cell"},
		"code first":      {code(1), "the first cell"},
		"no title":        {`{"cell_type": "markdown", "source": "Title"}`, "the first cell"},
		"long cell":       {title + "," + code(MaximumCellLines+1), "cell 1 has 16 lines, at most 15 are allowed; it begins with: x++"},
		"error":           {title + "," + failure, "cell 1 failed: exit status 2; it begins with: %%"},
		"numbered as run": {title + "," + code(1) + "," + title + "," + blank + "," + broken, "cell 2 failed: exit status 2; it begins with: must(draw())"},
		"not executed":    {title + "," + pending, "not executed: cell 1"},
	}
	for name, c := range cases {
		problems := strings.Join(parse(t, c.cells).Problems(), "\n")
		if !strings.Contains(problems, c.want) || (c.want == "") != (problems == "") {
			t.Errorf("%s: problems %q, want %q", name, problems, c.want)
		}
	}
}

func TestProblemsNameTheKernel(t *testing.T) {
	document := parse(t, title)
	document.tree["metadata"] = map[string]any{"kernelspec": map[string]any{"name": "python3", "language": "python"}}
	if problems := document.Problems(); len(problems) != 1 || !strings.Contains(problems[0], `"python3"`) {
		t.Errorf("problems %q, want the wrong kernelspec", problems)
	}
}

func TestProblemsOrderOfImports(t *testing.T) {
	own, foreign, standard := `import "github.com/sparsero/directions/solver"`, `import m "gonum.org/v1/gonum/mat"`, `import "math/rand"`
	cases := map[string]struct {
		sources []string
		bad     bool
	}{
		"own first":             {[]string{standard, own, foreign}, false},
		"together":              {[]string{"import (\n\t_ \"gonum.org/v1/plot\"\n\t\"github.com/sparsero/directions/solver\"\n)"}, false},
		"imports, then own":     {[]string{"import (\n\t\"gonum.org/v1/plot\" // figures\n\t\"fmt\"\n)", own}, false},
		"none":                  {[]string{standard, `fmt.Println("see gonum.org/v1/plot")`}, false},
		"foreign used first":    {[]string{standard, foreign + "\n%%\nm.Sum(x)", own}, true},
		"foreign used in block": {[]string{"import (\n\t\"gonum.org/v1/plot\"\n)\nfunc f() {}", own}, true},
	}
	for name, c := range cases {
		cells := title
		for _, source := range c.sources {
			quoted, _ := json.Marshal(source)
			cells += fmt.Sprintf(`, {"cell_type": "code", "execution_count": 1, "outputs": [], "source": %s}`, quoted)
		}
		problems := strings.Join(parse(t, cells).Problems(), "\n")
		if strings.Contains(problems, "is imported before") != c.bad {
			t.Errorf("%s: problems %q", name, problems)
		}
	}
}

// TestTutorials checks every notebook of the project against the rules.
func TestTutorials(t *testing.T) {
	root := "../../notebooks"
	paths, err := Find(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("there is no notebook below %s", root)
	}
	for _, path := range paths {
		document, err := Read(path)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, problem := range document.Problems() {
			t.Errorf("%s: %s", path, problem)
		}
	}
}
