package notebooks

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	// fewestExercises is what each notebook that teaches closes with at least.
	fewestExercises = 2
)

// teaching matches the numbered notebooks, which all teach.
var teaching = regexp.MustCompile(`^\d\d_`)

// exerciseTest matches the name of the test of an exercise.
var exerciseTest = regexp.MustCompile(`(?m)^func (TestExercise\w+)\(t \*testing\.T\)`)

// exerciseTests returns the cells of a notebook that test an exercise, by the name of the test.
func exerciseTests(d *document) map[string]string {
	tests := map[string]string{}
	for _, cell := range d.Cells {
		match := exerciseTest.FindStringSubmatch(cell.Source)
		if cell.Kind == "code" && strings.HasPrefix(cell.Source, "%test\n") && match != nil {
			tests[match[1]] = strings.TrimSpace(cell.Source)
		}
	}
	return tests
}

// exerciseProblems says where a notebook and its solutions disagree about the exercises: every test of the notebook
// stands in the solutions as it is, is left open in the notebook, and passes in the solutions.
func exerciseProblems(asked, solved *document) (problems []string) {
	tests, solutions := exerciseTests(asked), exerciseTests(solved)
	for name, test := range tests {
		switch {
		case solutions[name] == "":
			problems = append(problems, name+" has no solution")
		case solutions[name] != test:
			problems = append(problems, name+" is another test in the solutions")
		case !printed(asked, name, "SKIP"):
			problems = append(problems, name+" is not open in the notebook")
		case !printed(solved, name, "PASS"):
			problems = append(problems, name+" does not pass in the solutions")
		}
	}
	for name := range solutions {
		if tests[name] == "" {
			problems = append(problems, name+" is solved and not asked")
		}
	}
	slices.Sort(problems)
	return problems
}

// printed tells whether the stored output of the cell with a test says how the test ended.
func printed(d *document, name, outcome string) bool {
	for _, cell := range d.Cells {
		if strings.Contains(cell.Source, "func "+name+"(") {
			return strings.Contains(fmt.Sprint(cell.Outputs), fmt.Sprintf("--- %s: %s ", outcome, name))
		}
	}
	return false
}

// TestExercises checks that the notebooks close with exercises that can be tested, and that the solutions are right.
func TestExercises(t *testing.T) {
	root := filepath.Join("..", "..", "notebooks")
	paths, err := filepath.Glob(filepath.Join(root, "*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("notebooks %v, %v", paths, err)
	}
	for _, path := range paths {
		asked, err := read(path)
		if err != nil {
			t.Fatal(err)
		}
		count, name := len(exerciseTests(asked)), strings.TrimSuffix(filepath.Base(path), ".ipynb")
		if teaching.MatchString(name) && count < fewestExercises {
			t.Errorf("%s: %d exercises with a %%test, want at least %d", name, count, fewestExercises)
		}
		if count == 0 {
			continue
		}
		solved, err := read(filepath.Join(root, "solutions", name+"_solutions.ipynb"))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, problem := range exerciseProblems(asked, solved) {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// passesForNaN matches a condition under which a test fails and which compares with a number that has a decimal point or a negative
// exponent: as NaN is neither above nor below, an answer without a number passes it. !(x <= tolerance) is false for no number.
var passesForNaN = regexp.MustCompile(`\bif [^!{}]*[<>][^!{}]*(\d\.\d|\de-\d)[^!{}]*\{\s*t\.(Error|Fatal)`)

// TestExercisesRefuseNaN: no test of an exercise takes NaN for an answer.
func TestExercisesRefuseNaN(t *testing.T) {
	for condition, want := range map[string]bool{
		`if math.Abs(x-y) > 1e-6 { t.Error() }`: true, `if a := b; a < 0.5*c {` + "\n\tt.Fatal()": true,
		`if !(math.Abs(x-y) <= 1e-6) { t.Error() }`: false, `if n > 500 || !(share >= 0.99) { t.Errorf() }`: false, `if n > 7 { t.Error() }`: false,
	} {
		if passesForNaN.MatchString(condition) != want {
			t.Errorf("%s: passes for NaN is %v, want %v", condition, !want, want)
		}
	}
	for path, d := range notebooks(t) {
		for name, test := range exerciseTests(d) {
			if found := passesForNaN.FindString(test); found != "" {
				t.Errorf("%s, %s passes for NaN; write !(x <= y): %s", path, name, found)
			}
		}
	}
}

// notebooks reads the notebooks, without the solutions, by file name.
func notebooks(t *testing.T) map[string]*document {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "notebooks", "*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("notebooks %v, %v", paths, err)
	}
	found := make(map[string]*document, len(paths))
	for _, path := range paths {
		if found[filepath.Base(path)], err = read(path); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// TestCountsAreExact: the key of a number takes one unit of the last decimal more or less, so that a count needs one decimal;
// without decimals the question speaks of whole units.
func TestCountsAreExact(t *testing.T) {
	for path, d := range notebooks(t) {
		question := ""
		for _, cell := range d.Cells {
			if cell.Kind == "markdown" {
				question = cell.Source
			} else if strings.Contains(cell.Source, `"0:`) && strings.HasPrefix(cell.Source, "%test\n") && !strings.Contains(question, "whole") {
				t.Errorf("%s: a key without decimals takes a neighbour of the answer, too; give it one decimal: %s", path, cell.Source)
			}
		}
	}
}

func TestExerciseProblems(t *testing.T) {
	const body = `%test\nfunc TestExercise1(t *testing.T) { `
	cell := func(source, output string) string {
		return fmt.Sprintf(`{"cell_type": "code", "execution_count": 1, "source": "%s",
			"outputs": [{"output_type": "stream", "name": "stdout", "text": "--- %s: TestExercise1 (0.00s)"}]}`, source, output)
	}
	asked := title + "," + cell(body+`}`, "SKIP")
	cases := map[string]struct{ asked, solved, want string }{
		"good":     {asked, title + "," + cell(body+`}`, "PASS"), ""},
		"missing":  {asked, title, "has no solution"},
		"other":    {asked, title + "," + cell(body+` }`, "PASS"), "another test"},
		"wrong":    {asked, title + "," + cell(body+`}`, "FAIL"), "does not pass"},
		"answered": {title + "," + cell(body+`}`, "PASS"), title + "," + cell(body+`}`, "PASS"), "is not open"},
		"unasked":  {title, title + "," + cell(body+`}`, "PASS"), "solved and not asked"},
	}
	for name, c := range cases {
		problems := strings.Join(exerciseProblems(parse(t, c.asked, kernelName), parse(t, c.solved, kernelName)), "\n")
		if !strings.Contains(problems, c.want) || (c.want == "") != (problems == "") {
			t.Errorf("%s: problems %q, want %q", name, problems, c.want)
		}
	}
}

// parse makes a notebook of the cells.
func parse(t *testing.T, cells, kernel string) *document {
	t.Helper()
	document, err := parsed(fmt.Appendf(nil, `{"nbformat": 4, "metadata": {"kernelspec": {"name": %q, "language": %q}}, "cells": [%s]}`,
		kernel, map[string]string{kernelName: "go"}[kernel], cells))
	if err != nil {
		t.Fatal(err)
	}
	return document
}
