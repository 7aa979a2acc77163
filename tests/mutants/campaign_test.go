// Package mutants tests the tests: it changes one operator, constant, minimum or maximum, comparison, sign, boolean,
// branch or statement of some packages at a time and runs their tests, without cgo and, if they notice nothing, with it
// and with those of packages further out: a change that no test notices marks a hole in the tests. The tree itself is
// never changed (go test -overlay). With -short the short tests run. make mutants fails when more than one mutant in
// twenty survives.
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
	"path"
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
const bounded = `ulimit -Sv 8388608; exec "$0" "$@"`

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
	chosen = flag.String("mutants.package", "", "packages to change, for instance ./sparsero/selection")
	count  = flag.Int("mutants.count", 0, "number of mutants to draw; 0 means all")
	seed   = flag.Uint64("mutants.seed", 1, "seed of the draw")
	last   = flag.String("mutants.last", "", "packages whose tests run where those of the changed one notice nothing")
	place  = flag.String("mutants.place", "", "of the drawn mutants only those whose file:line contains this")
)

// TestMutants is the campaign that make mutants runs.
func TestMutants(t *testing.T) {
	if *chosen == "" {
		t.Skip("changes packages in many places: make mutants PACKAGE=./sparsero/calibration")
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
func run(patterns, place string, count int, seed uint64, known map[[3]string]bool, out io.Writer) error {
	p, err := load(patterns)
	if err != nil {
		return err
	}
	if p.temporary, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer os.RemoveAll(p.temporary)
	mutants := draw(p.mutants, count, seed)
	mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return !strings.Contains(fmt.Sprintf("%s:%d", m.file, m.line), place) })
	fmt.Fprintf(out, "%d of %d mutants\n", len(mutants), len(p.mutants))
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

// project holds the packages under change.
type project struct {
	root, module, temporary string
	sources                 map[string]string // by path relative to root
	mutants                 []mutant
	testers                 map[string][]string      // by package under change those whose tests run: it and, where it is internal or lies below them, its importers
	limits                  map[string]time.Duration // by build and tester
}

// load reads the files of the packages that the build takes and lists their mutants.
func load(patterns string) (*project, error) {
	arguments := []string{"list", "-json=Dir,ImportPath,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports,XTestImports,Module"}
	output, err := exec.Command("go", append(arguments, strings.Fields(patterns)...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %q: %w; give packages of the module, for instance ./sparsero", patterns, err)
	}
	p := &project{sources: map[string]string{}, testers: map[string][]string{}, limits: map[string]time.Duration{}}
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var found struct {
			Dir, ImportPath                                                     string
			GoFiles, CgoFiles, TestGoFiles, XTestGoFiles, Imports, XTestImports []string
			Module                                                              struct{ Dir, Path string }
		}
		if err := decoder.Decode(&found); err != nil {
			return nil, err
		}
		p.root, p.module = found.Module.Dir, found.Module.Path
		if len(found.TestGoFiles)+len(found.XTestGoFiles) > 0 {
			p.testers[found.ImportPath] = append([]string{found.ImportPath}, p.testers[found.ImportPath]...)
			for _, path := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(found.Imports, found.XTestImports)))) {
				if strings.Contains(path, "/internal/") || strings.HasPrefix(path, found.ImportPath+"/") {
					p.testers[path] = append(p.testers[path], found.ImportPath)
				}
			}
		}
		for _, name := range append(found.GoFiles, found.CgoFiles...) {
			source, err := os.ReadFile(filepath.Join(found.Dir, name))
			if err != nil {
				return nil, err
			}
			relative := path.Join(strings.TrimPrefix(strings.TrimPrefix(found.ImportPath, p.module), "/"), name)
			mutants, err := mutantsOf(relative, string(source))
			if err != nil {
				return nil, err
			}
			p.sources[relative] = string(source)
			p.mutants = append(p.mutants, mutants...)
		}
	}
	return p, nil
}

// builds are the environments in which the tests are built and run, one after the other.
var builds = []string{"CGO_ENABLED=0", "CGO_ENABLED=1"}

// compile builds the tests with other contents of files, by their place, in the environment of a build.
func (p *project) compile(build, tester string, replaced map[string]string) (binary, said string, err error) {
	places, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", "", err
	}
	overlay := filepath.Join(p.temporary, "overlay.json")
	if err := os.WriteFile(overlay, places, 0o600); err != nil {
		return "", "", err
	}
	binary = filepath.Join(p.temporary, "package.test")
	command := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, tester)
	command.Dir, command.Env = p.root, append(os.Environ(), build)
	output, err := command.CombinedOutput()
	return binary, string(output), err
}

// test runs the tests of a binary, with -short the short ones. Property tests neither shrink nor store what they find.
func (p *project) test(binary, tester string, limit time.Duration) (string, error) {
	short := fmt.Sprintf("-test.short=%t", testing.Short())
	command := exec.Command("sh", "-c", bounded, binary, "-test.failfast", short, "-test.timeout", limit.String())
	command.Dir = filepath.Join(p.root, strings.TrimPrefix(tester, p.module))
	command.Env = append(os.Environ(), "RAPID_NOFAILFILE=1", "RAPID_SHRINKTIME=0s")
	output, err := command.CombinedOutput()
	return string(output), err
}

// limit runs the tests as they are, which must pass, the first time that it is asked, and returns the time limit.
func (p *project) limit(build, tester string) (time.Duration, error) {
	key := build + " " + tester
	if limit, known := p.limits[key]; known {
		return limit, nil
	}
	binary, said, err := p.compile(build, tester, nil)
	if err != nil {
		return 0, fmt.Errorf("the tests of %s do not compile: %w\n%s", tester, err, said)
	}
	begin := time.Now()
	if said, err = p.test(binary, tester, 10*time.Minute); err != nil {
		return 0, fmt.Errorf("the tests of %s fail without any change: %w\n%s", tester, err, said)
	}
	p.limits[key] = max(limitFloor, limitFactor*time.Since(begin).Round(time.Second))
	return p.limits[key], nil
}

// try runs the tests with one mutant, those of a later build or tester only where the earlier ones notice nothing.
func (p *project) try(m mutant) (result string, err error) {
	source, changed := p.sources[m.file], filepath.Join(p.temporary, "changed.go")
	if err := os.WriteFile(changed, []byte(source[:m.begin]+m.text+source[m.end:]), 0o600); err != nil {
		return "", err
	}
	own := p.testers[path.Join(p.module, path.Dir(m.file))]
	for k, build := range builds {
		testers := own
		if k > 0 {
			testers = slices.Concat(own, strings.Fields(*last))
		}
		for _, tester := range testers {
			limit, err := p.limit(build, tester)
			if err != nil {
				return "", err
			}
			binary, _, err := p.compile(build, tester, map[string]string{filepath.Join(p.root, m.file): changed})
			if err != nil {
				return notCompiled, nil
			}
			if said, err := p.test(binary, tester, limit); err != nil {
				if strings.Contains(said, "panic: test timed out") {
					return timedOut, nil
				}
				return killed, nil
			}
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
