// Command mutants changes one operator, constant, minimum or maximum, comparison, sign, boolean, branch or statement of
// a package at a time and runs the package's tests, without cgo and, if they notice nothing, with it: a change that no
// test notices marks a hole in the tests. The tree itself is never changed (go test -overlay). The exit status is 1
// when more than one mutant in twenty survives.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	// mostSurvivors is the share of survivors that the tests of a package may leave.
	mostSurvivors = 0.05
	// limitFactor and limitFloor give the time limit of a mutant from the time of the tests as they are, so that a
	// loop without an end counts as noticed and a busy machine does not.
	limitFactor, limitFloor = 5, 20 * time.Second
)

// bounded runs the tests with 8 GB of address space, so that a loop that fills the memory harms nobody else.
const bounded = `sh -c 'ulimit -v 8388608; exec "$0" "$@"'`

// What may become of a mutant.
const (
	killed      = "killed"
	timedOut    = "killed by the time limit"
	survived    = "SURVIVED"
	equivalent  = "equivalent"
	notCompiled = "not compiled"
)

// equivalentList names the mutants that behave like the original, with reasons.
//
//go:embed equivalent.txt
var equivalentList string

func main() {
	pattern := flag.String("package", "", "package to change, for instance ./sparsero/selection")
	count := flag.Int("count", 0, "number of mutants, drawn at random; 0 means all")
	seed := flag.Uint64("seed", 1, "seed of the draw")
	flag.Parse()
	known, err := readEquivalent(equivalentList)
	if err == nil {
		err = run(*pattern, *count, *seed, known, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run draws the mutants, tries each and prints what became of it, and the table.
func run(pattern string, count int, seed uint64, known map[[3]string]bool, out io.Writer) error {
	p, err := load(pattern)
	if err != nil {
		return err
	}
	if p.folder, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer os.RemoveAll(p.folder)
	mutants := p.mutants
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	if count > 0 && count < len(mutants) {
		mutants = mutants[:count]
	}
	if err := p.timeTests(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d of %d mutants, at most %v for each\n", pattern, len(mutants), len(p.mutants), p.limit)
	counts := map[string]int{}
	for i, m := range mutants {
		result := equivalent
		if !known[[3]string{m.file, m.before, m.after}] {
			if result, err = p.try(m); err != nil {
				return err
			}
		}
		counts[result]++
		fmt.Fprintf(out, "%d %s %s:%d\n\t%s\n\t%s\n", i+1, result, m.file, m.line, m.before, m.after)
	}
	return summarise(counts, out)
}

// summarise prints the counts; too many survivors are an error.
func summarise(counts map[string]int, out io.Writer) error {
	for _, result := range []string{killed, timedOut, survived, equivalent, notCompiled} {
		fmt.Fprintf(out, "%6d %s\n", counts[result], result)
	}
	tried := counts[killed] + counts[timedOut] + counts[survived]
	share := float64(counts[survived]) / float64(max(1, tried))
	fmt.Fprintf(out, "%d of %d survived: %.1f %%\n", counts[survived], tried, 100*share)
	if share > mostSurvivors {
		return fmt.Errorf("more than %g %% survived; add a test that notices each, or list it as equivalent with the reason", 100*mostSurvivors)
	}
	return nil
}

// project is the package under change.
type project struct {
	root, path, folder string
	sources            map[string]string // by path relative to root
	mutants            []mutant
	limit              time.Duration
}

// load reads the files of the package that the build takes and lists their mutants.
func load(pattern string) (*project, error) {
	var found struct {
		Dir, ImportPath   string
		GoFiles, CgoFiles []string
		Module            struct{ Dir string }
	}
	output, err := exec.Command("go", "list", "-json=Dir,ImportPath,GoFiles,CgoFiles,Module", pattern).Output()
	if err == nil {
		err = json.Unmarshal(output, &found)
	}
	if err != nil {
		return nil, fmt.Errorf("go list %q: %w; give one package of the module, for instance ./sparsero", pattern, err)
	}
	p := &project{root: found.Module.Dir, path: found.ImportPath, sources: map[string]string{}}
	for _, name := range append(found.GoFiles, found.CgoFiles...) {
		path := filepath.Join(found.Dir, name)
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		relative := strings.TrimPrefix(path, p.root+string(filepath.Separator))
		mutants, err := mutantsOf(relative, string(source))
		if err != nil {
			return nil, err
		}
		p.sources[relative] = string(source)
		p.mutants = append(p.mutants, mutants...)
	}
	return p, nil
}

// builds are the environments of the two runs.
var builds = []string{"CGO_ENABLED=0", "CGO_ENABLED=1"}

// timeTests runs the tests as they are, which must pass, and sets the time limit.
func (p *project) timeTests() error {
	p.limit = 10 * time.Minute
	begin := time.Now()
	for _, build := range builds {
		if output, err := p.test(build); err != nil {
			return fmt.Errorf("the tests fail without any change: %w\n%s", err, output)
		}
	}
	p.limit = max(limitFloor, limitFactor*time.Since(begin).Round(time.Second))
	return nil
}

// test runs the tests of the package. Property tests neither shrink nor store what they find.
func (p *project) test(build string, arguments ...string) (string, error) {
	all := append([]string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", p.limit.String(), "-exec", bounded}, arguments...)
	command := exec.Command("go", append(all, p.path)...)
	command.Dir = p.root
	command.Env = append(os.Environ(), build, "RAPID_NOFAILFILE=1", "RAPID_SHRINKTIME=0s")
	output, err := command.CombinedOutput()
	return string(output), err
}

// try runs the tests with one file replaced.
func (p *project) try(m mutant) (string, error) {
	changed, overlay := filepath.Join(p.folder, "changed.go"), filepath.Join(p.folder, "overlay.json")
	places, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(p.root, m.file): changed}})
	if err == nil {
		err = errors.Join(os.WriteFile(changed, []byte(m.applied(p.sources[m.file])), 0o600), os.WriteFile(overlay, places, 0o600))
	}
	if err != nil {
		return "", err
	}
	for _, build := range builds {
		output, err := p.test(build, "-overlay", overlay)
		switch {
		case err == nil:
		case strings.Contains(output, "[build failed]"):
			return notCompiled, nil
		case strings.Contains(output, "panic: test timed out"):
			return timedOut, nil
		default:
			return killed, nil
		}
	}
	return survived, nil
}

// readEquivalent reads lines of file, line before, line after and the reason, separated by tabs; # begins a comment.
func readEquivalent(list string) (map[[3]string]bool, error) {
	known := map[[3]string]bool{}
	for i, line := range strings.Split(list, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 4 || fields[3] == "" {
			return nil, fmt.Errorf("equivalent.txt:%d: %d fields; give file, line before, line after and the reason, separated by tabs", i+1, len(fields))
		}
		known[[3]string(fields[:3])] = true
	}
	return known, nil
}
