// Package mutants tests the tests: it changes one operator, constant, minimum or maximum, comparison, sign, boolean,
// branch or statement of a package at a time and runs the package's tests, without cgo and, if they notice nothing, with
// it: a change that no test notices marks a hole in the tests. The tree itself is never changed (go test -overlay).
// make mutants fails when more than one mutant in twenty survives.
package mutants

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
const bounded = `ulimit -v 8388608; exec "$0" "$@"`

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

var (
	chosen = flag.String("mutants.package", "", "package to change, for instance ./sparsero/selection")
	count  = flag.Int("mutants.count", 0, "number of mutants to draw; 0 means all")
	seed   = flag.Uint64("mutants.seed", 1, "seed of the draw")
	place  = flag.String("mutants.place", "", "of the drawn mutants only those whose file:line contains this")
)

// TestMutants is the campaign that make mutants runs.
func TestMutants(t *testing.T) {
	if *chosen == "" {
		t.Skip("changes a package in many places: make mutants PACKAGE=./sparsero/calibration")
	}
	t.Chdir("../..")
	known, err := readEquivalent(equivalentList)
	if err == nil {
		err = run(*chosen, *place, *count, *seed, known, os.Stdout)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// run draws the mutants, tries each and prints what became of it, and the table.
func run(pattern, place string, count int, seed uint64, known map[[3]string]bool, out io.Writer) error {
	p, err := load(pattern)
	if err != nil {
		return err
	}
	if p.temporary, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer os.RemoveAll(p.temporary)
	if err := p.timeTests(); err != nil {
		return err
	}
	mutants := draw(p.mutants, count, seed)
	mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return !strings.Contains(fmt.Sprintf("%s:%d", m.file, m.line), place) })
	fmt.Fprintf(out, "%s: %d of %d mutants, at most %v for each\n", pattern, len(mutants), len(p.mutants), p.limit)
	counts := map[string]int{}
	for i, m := range mutants {
		result := equivalent
		if !known[m.key()] {
			if result, err = p.try(m); err != nil {
				return err
			}
		}
		counts[result]++
		fmt.Fprintf(out, "%d %s %s:%d\n\t%s\n\t%s\n", i+1, result, m.file, m.line, m.before, m.after)
	}
	return summarise(counts, out)
}

// draw chooses count mutants, or all where count is 0, by a hash of the seed and of the changed line, so that an edit
// elsewhere in the package changes none of the others.
func draw(all []mutant, count int, seed uint64) []mutant {
	type ranked struct {
		mutant
		hash [sha256.Size]byte
	}
	order, seen := make([]ranked, len(all)), map[string]int{}
	for i, m := range all {
		text := fmt.Sprint(seed, "\t", m.before, "\t", m.after)
		order[i] = ranked{m, sha256.Sum256(fmt.Append(nil, text, "\t", seen[text]))}
		seen[text]++
	}
	slices.SortStableFunc(order, func(a, b ranked) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	if count > 0 && count < len(order) {
		order = order[:count]
	}
	drawn := make([]mutant, len(order))
	for i, m := range order {
		drawn[i] = m.mutant
	}
	return drawn
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
	root, folder, path string
	temporary          string
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
	p := &project{root: found.Module.Dir, folder: found.Dir, path: found.ImportPath, sources: map[string]string{}}
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

// builds are the environments in which the tests are built and run, one after the other.
var builds = []string{"CGO_ENABLED=0", "CGO_ENABLED=1"}

// compile builds the tests with other contents of files, by their place, in the environment of a build.
func (p *project) compile(build string, replaced map[string]string) (binary, said string, err error) {
	places, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", "", err
	}
	overlay := filepath.Join(p.temporary, "overlay.json")
	if err := os.WriteFile(overlay, places, 0o600); err != nil {
		return "", "", err
	}
	binary = filepath.Join(p.temporary, "package.test")
	command := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, p.path)
	command.Dir, command.Env = p.root, append(os.Environ(), build)
	output, err := command.CombinedOutput()
	return binary, string(output), err
}

// test runs the tests of a binary. Property tests neither shrink nor store what they find.
func (p *project) test(binary string) (string, error) {
	command := exec.Command("sh", "-c", bounded, binary, "-test.failfast", "-test.timeout", p.limit.String())
	command.Dir = p.folder
	command.Env = append(os.Environ(), "RAPID_NOFAILFILE=1", "RAPID_SHRINKTIME=0s")
	output, err := command.CombinedOutput()
	return string(output), err
}

// timeTests runs the tests as they are, which must pass, and sets the time limit.
func (p *project) timeTests() error {
	p.limit = 10 * time.Minute
	var took time.Duration
	for _, build := range builds {
		binary, said, err := p.compile(build, nil)
		if err != nil {
			return fmt.Errorf("the tests do not compile: %w\n%s", err, said)
		}
		begin := time.Now()
		if said, err = p.test(binary); err != nil {
			return fmt.Errorf("the tests fail without any change: %w\n%s", err, said)
		}
		took += time.Since(begin)
	}
	p.limit = max(limitFloor, limitFactor*took.Round(time.Second))
	return nil
}

// try runs the tests with one mutant, in the second build only where the first notices nothing.
func (p *project) try(m mutant) (result string, err error) {
	source, changed := p.sources[m.file], filepath.Join(p.temporary, "changed.go")
	if err := os.WriteFile(changed, []byte(source[:m.begin]+m.text+source[m.end:]), 0o600); err != nil {
		return "", err
	}
	for _, build := range builds {
		binary, _, err := p.compile(build, map[string]string{filepath.Join(p.root, m.file): changed})
		if err != nil {
			return notCompiled, nil
		}
		if said, err := p.test(binary); err != nil {
			if strings.Contains(said, "panic: test timed out") {
				return timedOut, nil
			}
			return killed, nil
		}
	}
	return survived, nil
}

// key names the mutant in the list of equivalent ones.
func (m mutant) key() [3]string { return [3]string{m.file, m.before, m.after} }

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
