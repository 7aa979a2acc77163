// Package mutants tests the tests: it changes one operator, constant, minimum or maximum, comparison, sign, boolean,
// branch or statement of some packages at a time and runs the tests that run the changed place, those of its package
// and, if they notice nothing, those of packages further out: a change that no test notices marks a hole in the tests.
// The tree itself is never changed (go test -overlay), and all changes of functions are compiled at once, see schemata.
// With -short the short tests run. make mutants fails when more than one mutant in twenty survives.
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
	"sync"
	"testing"
)

// mostSurvivors is the share of survivors that the tests of a package may leave.
const mostSurvivors = 0.05

// What may become of a mutant.
const (
	killed      = "killed"
	timedOut    = "killed by the time limit"
	survived    = "SURVIVED"
	unseen      = "SURVIVED, as no test runs it"
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
	only   = flag.String("mutants.place", "", "of the drawn mutants only those whose file:line contains this")

	patience = flag.Duration("mutants.patience", longest, "tests that take longer by themselves are passed over")
	named    = flag.String("mutants.tests", ".", "tests whose name does not match are passed over")
)

// TestMutants is the campaign that make mutants runs.
func TestMutants(t *testing.T) {
	if *chosen == "" {
		t.Skip("changes packages in many places: make mutants PACKAGE=./sparsero/calibration")
	}
	t.Chdir("../..")
	known, err := readEquivalent(equivalentList)
	if err == nil {
		err = run(*chosen, *only, *count, *seed, known, os.Stdout)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// run draws the mutants, tries each and prints what became of it, and the table.
func run(patterns, only string, count int, seed uint64, known map[[3]string]bool, out io.Writer) error {
	p, err := load(patterns)
	if err != nil {
		return err
	}
	if p.temporary, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer os.RemoveAll(p.temporary)
	mutants := draw(p.mutants, count, seed)
	mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return !strings.Contains(fmt.Sprintf("%s:%d", m.file, m.line), only) })
	fmt.Fprintf(out, "%d of %d mutants\n", len(mutants), len(p.mutants))
	r, err := p.prepare(patterns, slices.DeleteFunc(slices.Clone(mutants), func(m mutant) bool { return known[m.key()] }), out)
	if err != nil {
		return err
	}
	results, order := make([]string, len(mutants)), make([]int, len(mutants))
	for i := range order {
		order[i] = i
	}
	var lock sync.Mutex
	each(order, func(_, i int) {
		m, result := mutants[i], equivalent
		if !known[m.key()] {
			result = r.try(m)
		}
		lock.Lock()
		defer lock.Unlock()
		results[i] = result
		fmt.Fprintf(out, "%d %s %s:%d\n\t%s\n\t%s\n", i+1, result, m.file, m.line, m.before, m.after)
	})
	return summarise(results, out)
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
func summarise(results []string, out io.Writer) error {
	counts := map[string]int{}
	for _, result := range results {
		counts[result]++
	}
	for _, result := range []string{killed, timedOut, survived, unseen, equivalent, notCompiled} {
		fmt.Fprintf(out, "%6d %s\n", counts[result], result)
	}
	alive := counts[survived] + counts[unseen]
	tried := counts[killed] + counts[timedOut] + alive
	share := float64(alive) / float64(max(1, tried))
	fmt.Fprintf(out, "%d of %d survived: %.1f %%\n", alive, tried, 100*share)
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
	testers                 map[string][]string // by package under change those whose tests run: it and, where it is internal or lies below them, its importers
}

// load reads the files of the packages that the build takes and lists their mutants.
func load(patterns string) (*project, error) {
	arguments := []string{"list", "-json=Dir,ImportPath,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports,XTestImports,Module"}
	output, err := exec.Command("go", append(arguments, strings.Fields(patterns)...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %q: %w; give packages of the module, for instance ./sparsero", patterns, err)
	}
	p := &project{sources: map[string]string{}, testers: map[string][]string{}}
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
