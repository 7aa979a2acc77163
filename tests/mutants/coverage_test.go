package mutants

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// testFunction is a test of a package and how long it takes by itself.
type testFunction struct {
	tester, name string
	time         time.Duration
}

// place is a line and a column, from 1.
type place [2]int

// block is a piece of a file whose runs the compiler counts as one.
type block struct {
	file     string
	from, to place
}

// coverage is what each test runs.
type coverage struct {
	tests  map[string][]*testFunction // by tester
	runs   map[block][]*testFunction
	failed []string // names of tests that fail by themselves
}

func newCoverage() *coverage {
	return &coverage{tests: map[string][]*testFunction{}, runs: map[block][]*testFunction{}}
}

// add runs every chosen test of a package by itself and notes which blocks of the packages under change it runs.
func (c *coverage) add(p *project, tester, patterns string) error {
	binary := filepath.Join(p.temporary, "cover.test")
	said, err := p.compile(binary, tester, "-cover", "-coverpkg="+strings.Join(strings.Fields(patterns), ","))
	if err != nil {
		return fmt.Errorf("the tests of %s do not compile: %w\n%s", tester, err, said)
	}
	if said, err = p.test(binary, tester, longest, 0, "-test.list=^(Test|Example|Fuzz)"); err != nil {
		return fmt.Errorf("the tests of %s cannot be listed: %w\n%s", tester, err, said)
	}
	wanted, err := regexp.Compile(*named)
	if err != nil {
		return err
	}
	names := slices.DeleteFunc(strings.Fields(said), func(name string) bool { return !wanted.MatchString(name) })
	var lock sync.Mutex
	each(names, func(worker int, name string) {
		profile := filepath.Join(p.temporary, fmt.Sprintf("profile%d", worker))
		begin := time.Now()
		said, err := p.test(binary, tester, *patience, 0, "-test.run="+onlyThese([]string{name}), "-test.coverprofile="+profile)
		t := &testFunction{tester, name, time.Since(begin)}
		lock.Lock()
		defer lock.Unlock()
		if err == nil {
			err = c.note(profile, p.module, t)
		}
		if err != nil && !strings.Contains(said, timeOut) {
			c.failed = append(c.failed, name)
		}
	})
	return nil
}

// blockLine is a line of a profile: file, from, to, statements, runs.
var blockLine = regexp.MustCompile(`(?m)^(.+):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$`)

// note adds what a test ran, by its profile.
func (c *coverage) note(profile, module string, t *testFunction) error {
	lines, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	c.tests[t.tester] = append(c.tests[t.tester], t)
	for _, found := range blockLine.FindAllStringSubmatch(string(lines), -1) {
		var numbers [4]int
		for k := range numbers {
			if numbers[k], err = strconv.Atoi(found[2+k]); err != nil {
				return err
			}
		}
		file := strings.TrimPrefix(strings.TrimPrefix(found[1], module), "/")
		b := block{file, place(numbers[:2]), place(numbers[2:])}
		tests := c.runs[b]
		if found[6] != "0" {
			tests = append(tests, t)
		}
		c.runs[b] = tests // an empty list for a block that no test runs
	}
	return nil
}

// drop forgets a test.
func (c *coverage) drop(tester, name string) {
	same := func(t *testFunction) bool { return t.tester == tester && t.name == name }
	c.tests[tester] = slices.DeleteFunc(c.tests[tester], same)
	for b, tests := range c.runs {
		c.runs[b] = slices.DeleteFunc(tests, same)
	}
}

// of returns the tests that run the place of a mutant, the quick ones first; where no block holds it, as in a label of a
// case, those that run its function.
func (c *coverage) of(source string, m mutant) []*testFunction {
	at := placeOf(source, m.begin)
	found, known := c.between(m.file, at, at)
	if !known { // gofmt indents all but the ends of a function
		begin, end := strings.LastIndex("\n"+source[:m.begin], "\nfunc "), m.end+strings.Index(source[m.end:]+"\n}", "\n}")
		found, _ = c.between(m.file, placeOf(source, max(0, begin)), placeOf(source, end))
	}
	slices.SortFunc(found, func(a, b *testFunction) int {
		return cmp.Or(cmp.Compare(a.time, b.time), strings.Compare(a.name, b.name))
	})
	return slices.Compact(found)
}

// between returns the tests that run any block that meets a piece of a file, and whether there is such a block.
func (c *coverage) between(file string, from, to place) (found []*testFunction, known bool) {
	for b, tests := range c.runs {
		if b.file == file && b.from.compare(to) <= 0 && from.compare(b.to) <= 0 {
			found, known = append(found, tests...), true
		}
	}
	return found, known
}

func (p place) compare(other place) int { return slices.Compare(p[:], other[:]) }

// placeOf is the place of a byte.
func placeOf(source string, at int) place {
	return place{1 + strings.Count(source[:at], "\n"), at - strings.LastIndexByte(source[:at], '\n')}
}
