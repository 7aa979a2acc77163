package architecture

import (
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ignoreRule is a line of .dockerignore: what it matches is left out, or sent after all.
type ignoreRule struct {
	pattern string
	sent    bool
}

// ignoreRules reads .dockerignore.
func ignoreRules(t *testing.T) (rules []ignoreRule) {
	t.Helper()
	for _, line := range linesOf(t, filepath.Join(root, ".dockerignore")) {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, sent := strings.CutPrefix(line, "!")
		if pattern != "*" && !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "**/") {
			t.Fatalf(".dockerignore: begin the rule %q with / or **/", line)
		}
		rules = append(rules, ignoreRule{strings.TrimPrefix(pattern, "/"), sent})
	}
	return rules
}

// sent tells whether Docker sends a file of the repository to a build: the last rule that matches it or a folder above it
// decides.
func sent(t *testing.T, rules []ignoreRule, file string) (sent bool) {
	t.Helper()
	for _, rule := range rules {
		for name := file; name != "."; name = path.Dir(name) {
			subject := name
			pattern, anywhere := strings.CutPrefix(rule.pattern, "**/")
			if anywhere {
				subject = path.Base(name)
			}
			matches, err := path.Match(pattern, subject)
			if err != nil {
				t.Fatalf(".dockerignore: %q: %v", rule.pattern, err)
			}
			if matches {
				sent = rule.sent
			}
		}
	}
	return sent
}

// TestImageContext: a build of the image gets every file that its Dockerfile copies and its packages are compiled from, and
// nothing that a teacher may have laid into the clone.
func TestImageContext(t *testing.T) {
	rules := ignoreRules(t)
	for _, file := range append(copiedFiles(t), compiledFiles(t)...) {
		if !sent(t, rules, file) {
			t.Errorf(".dockerignore leaves out %s, which the image is built from", file)
		}
	}
	for _, file := range []string{
		"marks.csv", "gradebook.db", "submitted/anna/03_value_gap/03_value_gap.ipynb", "class/instructor/ANSWERS.md",
		"notebooks/marks.csv", "notebooks/submitted/anna/03_value_gap.ipynb", "notebooks/class/nbgrader/source/03_value_gap/03_value_gap.ipynb",
		"notebooks/03_value_gap (1).ipynb", "notebooks/03_value_gap-Copy1.ipynb", "notebooks/TEACHING.md", "notebooks/tools/class/README.md", "docker/marks.csv", ".git/config", "build/book/index.html",
		"sparsero/robust/robust_test.go",
	} {
		if sent(t, rules, file) {
			t.Errorf(".dockerignore sends %s to a build of the image", file)
		}
	}
}

// copiedFiles returns the tracked files that docker/Dockerfile names, those of its folders among them. COPY . is what
// compiledFiles is for.
func copiedFiles(t *testing.T) (files []string) {
	t.Helper()
	instruction := regexp.MustCompile(`(?m)^COPY ([^-].*) \S+$`)
	for _, found := range instruction.FindAllStringSubmatch(read(t, filepath.Join(root, "docker", "Dockerfile")), -1) {
		for _, source := range strings.Fields(found[1]) {
			if source == "." {
				continue
			}
			tracked := trackedFiles(t, source)
			if len(tracked) == 0 {
				t.Errorf("docker/Dockerfile copies %s, which is not in the repository", source)
			}
			files = append(files, tracked...)
		}
	}
	if len(files) == 0 {
		t.Fatal("docker/Dockerfile copies nothing")
	}
	return files
}

// compiledFiles returns the files of the packages that cells import, with what they embed, and the tutorials with the
// tables that they read.
func compiledFiles(t *testing.T) (files []string) {
	t.Helper()
	const form = `{{$p := .}}{{range .GoFiles}}{{$p.Dir}}/{{.}}
{{end}}{{range .CgoFiles}}{{$p.Dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$p.Dir}}/{{.}}
{{end}}`
	watchSources(t)
	absolute, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "list", "-f", form, "./datasets/...", "./plotting/...", "./solver/...", "./sparsero/...",
		"./notebooks/exercise", "./notebooks/lesson/...", "./notebooks/studies/...")
	command.Dir = root
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range strings.Fields(string(output)) {
		relative, err := filepath.Rel(absolute, file)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.ToSlash(relative))
	}
	return append(files, trackedFiles(t, "notebooks/*.ipynb", "notebooks/results", "notebooks/thumbnails")...)
}

// trackedFiles returns the files of the repository, below folders or by patterns.
func trackedFiles(t *testing.T, paths ...string) []string {
	t.Helper()
	command := exec.Command("git", append([]string{"ls-files", "--"}, paths...)...)
	command.Dir = root
	output, err := command.Output()
	if err != nil {
		t.Skipf("no checkout of git: %v", err)
	}
	return strings.Fields(string(output))
}
