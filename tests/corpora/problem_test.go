package corpora

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

// problem is a program with what its source says of it.
type problem struct {
	name, guards string
	model        *solver.Model
	status       solver.Status
	nonconvex    bool // the program is refused
	inconsistent bool // rounded to float64 it has no point, as exact arithmetic finds
	optimum      float64
	tolerance    float64
	point        []float64 // the only optimum, where the source names it
}

func newProblem(name string) *problem {
	return &problem{name: name, guards: "no remark", model: solver.NewModel(name), optimum: math.NaN(), tolerance: optimumTolerance}
}

// readProblems reads a file of problems. Each begins with a line "problem NAME"; the others are
//
//	guards WORDS               what the problem is a test of
//	inconsistent               rounded to float64 the numbers contradict each other
//	maximize
//	columns COUNT              from 0 to infinity unless
//	bounds COLUMN|* LOWER UPPER
//	integer COLUMN...
//	offset NUMBER
//	cost ENTRIES               as COLUMN:VALUE, or all values in turn
//	quadratic I J VALUE        the term VALUE x_I x_J
//	row LOWER UPPER ENTRIES
//	optimum VALUE [TOLERANCE], infeasible, unbounded or nonconvex
//	point VALUES               where there is one optimum alone
//
// Numbers may be quotients.
func readProblems(t *testing.T, path string) []*problem {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var problems []*problem
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		key, rest, _ := strings.Cut(lines.Text(), " ")
		switch {
		case key == "" || key == "#":
		case key == "problem":
			problems = append(problems, newProblem(rest))
		default:
			if err := problems[len(problems)-1].read(key, rest); err != nil {
				t.Fatalf("%s:%d: %v", path, number, err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if p.status == solver.Status(0) && !p.nonconvex {
			t.Fatalf("%s: %s has no outcome", path, p.name)
		}
	}
	return problems
}

// read takes one line.
func (p *problem) read(key, rest string) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%q: %v", key+" "+rest, failure)
		}
	}()
	words := strings.Fields(rest)
	switch key {
	case "guards":
		p.guards = rest
	case "inconsistent":
		p.inconsistent = true
	case "maximize":
		p.model.SetMaximize(true)
	case "columns":
		for range int(value(words[0])) {
			p.model.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
		}
	case "bounds":
		p.setBounds(words[0], value(words[1]), value(words[2]))
	case "integer":
		for _, word := range words {
			p.model.SetInteger(int(value(word)), true)
		}
	case "offset":
		p.model.SetOffset(value(words[0]))
	case "cost":
		columns, values := entries(words)
		for k, j := range columns {
			p.model.SetCost(j, values[k])
		}
	case "quadratic":
		p.model.AddQuadratic(int(value(words[0])), int(value(words[1])), value(words[2]))
	case "row":
		columns, values := entries(words[2:])
		p.model.AddRow(solver.Row{Bounds: solver.Between(value(words[0]), value(words[1])), Columns: columns, Values: values})
	case "point":
		_, p.point = entries(words)
	default:
		return p.readOutcome(key, words)
	}
	return nil
}

func (p *problem) readOutcome(key string, words []string) error {
	switch key {
	case "optimum":
		p.status, p.optimum = solver.Optimal, value(words[0])
		if len(words) > 1 {
			p.tolerance = value(words[1])
		}
	case "infeasible":
		p.status = solver.Infeasible
	case "unbounded":
		p.status = solver.Unbounded
	case "nonconvex":
		p.nonconvex = true
	default:
		return fmt.Errorf("%q is no key", key)
	}
	return nil
}

func (p *problem) setBounds(column string, lower, upper float64) {
	if column != "*" {
		p.model.SetColumnBounds(int(value(column)), solver.Between(lower, upper))
		return
	}
	for j := range p.model.Columns() {
		p.model.SetColumnBounds(j, solver.Between(lower, upper))
	}
}

// entries reads COLUMN:VALUE pairs, or values in turn.
func entries(words []string) (columns []int, values []float64) {
	for k, word := range words {
		if column, v, sparse := strings.Cut(word, ":"); sparse {
			columns, values = append(columns, int(value(column))), append(values, value(v))
		} else {
			columns, values = append(columns, k), append(values, value(word))
		}
	}
	return columns, values
}

// value reads a number or a quotient.
func value(word string) float64 {
	upper, lower, quotient := strings.Cut(word, "/")
	v, err := strconv.ParseFloat(upper, 64)
	if err != nil {
		panic(err)
	}
	if quotient {
		v /= value(lower)
	}
	return v
}
