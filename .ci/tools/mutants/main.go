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
	"regexp"
	"strconv"
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
	if p.temporary, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer os.RemoveAll(p.temporary)
	mutants := p.mutants
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	if count > 0 && count < len(mutants) {
		mutants = mutants[:count]
	}
	together := map[int]mutant{}
	for i, m := range mutants {
		if m.function != nil && !known[m.key()] {
			together[i] = m
		}
	}
	binaries, err := p.compile("together", together)
	if err == nil {
		err = p.timeTests(binaries)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d of %d mutants, at most %v for each\n", pattern, len(mutants), len(p.mutants), p.limit)
	counts := map[string]int{}
	for i, m := range mutants {
		result := equivalent
		if !known[m.key()] {
			here, tests := together, binaries
			if m.function == nil {
				here = map[int]mutant{i: m}
				if tests, err = p.compile("alone", here); err != nil {
					return err
				}
			}
			result = notCompiled
			if _, compiled := here[i]; compiled {
				result = p.try(tests, i)
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
	root, folder, path, name string
	temporary                string
	sources                  map[string]string // by path relative to root
	mutants                  []mutant
	limit                    time.Duration
}

// load reads the files of the package that the build takes and lists their mutants.
func load(pattern string) (*project, error) {
	var found struct {
		Dir, ImportPath   string
		Name              string
		GoFiles, CgoFiles []string
		Module            struct{ Dir string }
	}
	output, err := exec.Command("go", "list", "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,Module", pattern).Output()
	if err == nil {
		err = json.Unmarshal(output, &found)
	}
	if err != nil {
		return nil, fmt.Errorf("go list %q: %w; give one package of the module, for instance ./sparsero", pattern, err)
	}
	p := &project{root: found.Module.Dir, folder: found.Dir, path: found.ImportPath, name: found.Name, sources: map[string]string{}}
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

// builds are the environments of the two test binaries.
var builds = []string{"CGO_ENABLED=0", "CGO_ENABLED=1"}

// compile builds the tests with the numbered mutants in them, in files of that name. It takes out of the map what does
// not compile.
func (p *project) compile(name string, mutants map[int]mutant) (binaries []string, err error) {
	for i := 0; i < len(builds); {
		overlay, lines, err := p.overlay(mutants)
		if err != nil {
			return nil, err
		}
		binary := filepath.Join(p.temporary, fmt.Sprintf("%s%d.test", name, i))
		command := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-overlay", overlay, "-o", binary, p.path)
		command.Dir, command.Env = p.root, append(os.Environ(), builds[i])
		output, failure := command.CombinedOutput()
		if failure == nil {
			binaries, i = append(binaries, binary), i+1
			continue
		}
		before := len(mutants)
		for _, found := range place.FindAllStringSubmatch(string(output), -1) {
			line, _ := strconv.Atoi(found[2])
			delete(mutants, lines[filepath.Base(found[1])][line])
		}
		switch {
		case len(mutants) < before:
		case before == 1: // made in place, where no line tells
			clear(mutants)
			return nil, nil
		default:
			return nil, fmt.Errorf("the tests do not compile: %w\n%s", failure, output)
		}
	}
	return binaries, nil
}

// place is where an error of the compiler is.
var place = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):`)

// overlay writes the files with the mutants and the list that puts them in the place of the originals.
func (p *project) overlay(mutants map[int]mutant) (list string, lines map[string]map[int]int, err error) {
	replaced := map[string]string{}
	lines = map[string]map[int]int{}
	write := func(place, text string) {
		changed := filepath.Join(p.temporary, filepath.Base(place))
		replaced[place] = changed
		err = errors.Join(err, os.WriteFile(changed, []byte(text), 0o600))
	}
	for file, source := range p.sources {
		here := map[int]mutant{}
		for number, m := range mutants {
			if m.file == file {
				here[number] = m
			}
		}
		if len(here) > 0 {
			text, of := withClones(source, here)
			write(filepath.Join(p.root, file), text)
			lines[filepath.Base(file)] = of
		}
	}
	write(filepath.Join(p.folder, "selected_mutant.go"), "package "+p.name+
		"\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar selectedMutant, _ = strconv.Atoi(os.Getenv(\"SELECTED_MUTANT\"))\n")
	places, _ := json.Marshal(map[string]any{"Replace": replaced})
	list = filepath.Join(p.temporary, "overlay.json")
	return list, lines, errors.Join(err, os.WriteFile(list, places, 0o600))
}

// timeTests runs the tests as they are, which must pass, and sets the time limit.
func (p *project) timeTests(binaries []string) error {
	p.limit = 10 * time.Minute
	begin := time.Now()
	for _, binary := range binaries {
		if output, err := p.test(binary, -1); err != nil {
			return fmt.Errorf("the tests fail without any change: %w\n%s", err, output)
		}
	}
	p.limit = max(limitFloor, limitFactor*time.Since(begin).Round(time.Second))
	return nil
}

// test runs the tests of one binary. Property tests neither shrink nor store what they find.
func (p *project) test(binary string, number int) (string, error) {
	command := exec.Command("sh", "-c", bounded, binary, "-test.failfast", "-test.timeout", p.limit.String())
	command.Dir = p.folder
	command.Env = append(os.Environ(), fmt.Sprintf("SELECTED_MUTANT=%d", number), "RAPID_NOFAILFILE=1", "RAPID_SHRINKTIME=0s")
	output, err := command.CombinedOutput()
	return string(output), err
}

// try runs the tests with one mutant.
func (p *project) try(binaries []string, number int) string {
	for _, binary := range binaries {
		if output, err := p.test(binary, number); err != nil {
			if strings.Contains(output, "panic: test timed out") {
				return timedOut
			}
			return killed
		}
	}
	return survived
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
