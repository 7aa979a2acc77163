package mutants

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	// limitFactor and limitFloor give the time limit of tests with a mutant from their time as they are, so that a loop
	// without an end counts as noticed and a busy machine does not.
	limitFactor, limitFloor = 5, 20 * time.Second
	// longest is the time limit of the tests as they are.
	longest = 10 * time.Minute
	// quickTests is how long the quickest tests take that run before the others, as one of them mostly notices.
	quickTests = time.Second
	// timeOut is what a test says that reached its time limit.
	timeOut = "panic: test timed out"
)

// bounded runs the tests with 8 GB of address space, so that a loop that fills the memory harms nobody else.
const bounded = `ulimit -Sv 8388608; exec "$0" "$@"`

// trials are what mutants are tried with.
type trials struct {
	*project
	*schemata
	coverage *coverage
	binaries map[string]string // of the tests of each tester, with all mutants of functions
	outside  sync.Mutex        // held while a mutant outside of functions is tried
}

// prepare compiles the mutants, and finds what each test runs and which pass beside the schemata.
func (p *project) prepare(patterns string, mutants []mutant, out io.Writer) (*trials, error) {
	s, err := p.schemata(mutants)
	if err != nil {
		return nil, err
	}
	r := &trials{project: p, schemata: s, coverage: newCoverage(), binaries: map[string]string{}}
	for i, tester := range p.testersOf(mutants) {
		if err := r.coverage.add(p, tester, patterns); err != nil {
			return nil, err
		}
		binary := filepath.Join(p.temporary, fmt.Sprintf("schemata%d.test", i))
		if said, err := p.compile(binary, tester, "-overlay", s.overlay); err != nil {
			return nil, fmt.Errorf("the tests of %s do not compile beside the schemata: %w\n%s", tester, err, said)
		}
		r.binaries[tester] = binary
	}
	for _, name := range r.dropUnfit() {
		fmt.Fprintf(out, "%s fails without any change and is passed over\n", name)
	}
	return r, nil
}

// testersOf returns the packages whose tests may notice one of the mutants.
func (p *project) testersOf(mutants []mutant) []string {
	var all []string
	for _, m := range mutants {
		all = append(all, p.testersFor(m)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// testersFor returns the packages whose tests run with a mutant, in this order.
func (p *project) testersFor(m mutant) []string {
	testers := slices.Clone(p.testers[path.Join(p.module, path.Dir(m.file))])
	for _, other := range strings.Fields(*last) {
		if other = path.Join(p.module, other); !slices.Contains(testers, other) {
			testers = append(testers, other)
		}
	}
	return testers
}

// compile builds the tests of a package.
func (p *project) compile(binary, tester string, arguments ...string) (string, error) {
	arguments = slices.Concat([]string{"test", "-c", "-vet=off", "-o", binary}, arguments, []string{tester})
	command := exec.Command("go", arguments...)
	command.Dir = p.root
	said, err := command.CombinedOutput()
	return string(said), err
}

// test runs tests of a binary with one mutant in the place of the original, 0 for none; with -short the short ones.
// Property tests neither shrink nor store what they find.
func (p *project) test(binary, tester string, limit time.Duration, number int, arguments ...string) (string, error) {
	short := fmt.Sprintf("-test.short=%t", testing.Short())
	arguments = append([]string{"-c", bounded, binary, "-test.failfast", short, "-test.timeout", limit.String()}, arguments...)
	command := exec.Command("sh", arguments...)
	command.Dir = filepath.Join(p.root, strings.TrimPrefix(tester, p.module))
	command.Env = append(os.Environ(), "RAPID_NOFAILFILE=1", "RAPID_SHRINKTIME=0s", activeVariable+"="+strconv.Itoa(number))
	output, err := command.CombinedOutput()
	return string(output), err
}

// dropUnfit runs all tests beside the schemata without a mutant, and drops those that fail, or failed by themselves.
func (r *trials) dropUnfit() (names []string) {
	failed := regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	for tester, binary := range r.binaries {
		for again := true; again; {
			again = false
			said, err := r.test(binary, tester, longest, 0, "-test.run="+onlyThese(namesOf(r.coverage.tests[tester])))
			for _, found := range failed.FindAllStringSubmatch(said, -1) {
				names, again = append(names, found[1]), err != nil
				r.coverage.drop(tester, found[1])
			}
		}
	}
	return append(names, r.coverage.failed...)
}

func namesOf(tests []*testFunction) (names []string) {
	for _, t := range tests {
		names = append(names, t.name)
	}
	return names
}

// onlyThese is a pattern for tests by their names.
func onlyThese(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }

// try runs the tests that run the place of a mutant, those of a later tester only where the earlier ones notice nothing.
func (r *trials) try(m mutant) string {
	if slices.Contains(r.elsewhere, m) {
		return r.tryAlone(m)
	}
	number, ok := r.numbers[m]
	if !ok {
		return notCompiled
	}
	result, tests := unseen, r.coverage.of(r.sources[m.file], m)
	for _, tester := range r.testersFor(m) {
		for _, group := range groups(tests, tester) {
			result = survived
			if noticed := r.run(r.binaries[tester], tester, number, group); noticed != survived {
				return noticed
			}
		}
	}
	return result
}

// groups returns the tests of a tester, the quick ones in a group of their own.
func groups(tests []*testFunction, tester string) [][]*testFunction {
	own := slices.DeleteFunc(slices.Clone(tests), func(t *testFunction) bool { return t.tester != tester })
	quick := 0
	for spent := time.Duration(0); quick < len(own) && spent+own[quick].time < quickTests; quick++ {
		spent += own[quick].time
	}
	return slices.DeleteFunc([][]*testFunction{own[:quick], own[quick:]}, func(group []*testFunction) bool { return len(group) == 0 })
}

// run runs some tests with a mutant and says what became of it.
func (r *trials) run(binary, tester string, number int, tests []*testFunction) string {
	usual := time.Duration(0)
	for _, t := range tests {
		usual += t.time
	}
	said, err := r.test(binary, tester, max(limitFloor, limitFactor*usual), number, "-test.run="+onlyThese(namesOf(tests)))
	switch {
	case err == nil:
		return survived
	case strings.Contains(said, timeOut):
		return timedOut
	}
	return killed
}

// tryAlone compiles a mutant outside of functions by itself and runs all tests.
func (r *trials) tryAlone(m mutant) string {
	r.outside.Lock()
	defer r.outside.Unlock()
	source, changed := r.sources[m.file], filepath.Join(r.temporary, "changed.go")
	overlay, binary := filepath.Join(r.temporary, "changed.json"), filepath.Join(r.temporary, "changed.test")
	if err := os.WriteFile(changed, []byte(source[:m.begin]+m.text+source[m.end:]), 0o600); err != nil {
		panic(err)
	}
	if err := writeOverlay(overlay, map[string]string{filepath.Join(r.root, m.file): changed}); err != nil {
		panic(err)
	}
	for _, tester := range r.testersFor(m) {
		if _, err := r.compile(binary, tester, "-overlay", overlay); err != nil {
			return notCompiled
		}
		if tests := r.coverage.tests[tester]; len(tests) > 0 {
			if noticed := r.run(binary, tester, 0, tests); noticed != survived {
				return noticed
			}
		}
	}
	return survived
}

// each calls do for all items, on all processors.
func each[T any](items []T, do func(worker int, item T)) {
	queue := make(chan T)
	var group sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for item := range queue {
				do(worker, item)
			}
		})
	}
	for _, item := range items {
		queue <- item
	}
	close(queue)
	group.Wait()
}
