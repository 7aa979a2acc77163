package grid

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Columns of the tables of a MATPOWER case, version 2, counted from 0 (MATPOWER User's Manual, appendix B).
const (
	busNumber, busType, busDemand, busConductance                         = 0, 1, 2, 4
	generatorBus, generatorStatus, generatorMax, generatorMin             = 0, 7, 8, 9
	branchFrom, branchTo, branchResistance, branchReactance, branchRating = 0, 1, 2, 3, 5
	branchTap, branchShift, branchStatus, branchMinAngle, branchMaxAngle  = 8, 9, 10, 11, 12
	costModel, costLength, costFirst                                      = 0, 3, 4
)

const (
	isolated       = 4   // type of a bus
	polynomial     = 2   // model of costs
	unboundedAngle = 360 // degrees from which on a bound of an angle is none
)

// width is how many columns of each table a row has at least.
var width = map[string]int{"bus": busConductance + 1, "gen": generatorMin + 1, "branch": branchStatus + 1, "gencost": costLength + 1}

// Read reads a MATPOWER case of version 2: the name of its function, mpc.baseMVA and the columns of mpc.bus, mpc.gen,
// mpc.branch and mpc.gencost that the linear power flow needs. Costs are polynomials of degree up to 2. What is out of
// service, and isolated buses with what hangs on them, is left out and named in Left.
//
// Errors name the line, bus, branch or generator: numbers that cannot be read, buses that do not exist, limits that
// cross, costs that are not convex, tables that statements of the file compute or that do not end, and direct-current lines.
func Read(r io.Reader) (*Grid, error) {
	if r == nil {
		return nil, errors.New("grid: the reader is nil; open a MATPOWER case file")
	}
	c := &caseFile{tables: map[string][][]float64{}, position: map[float64]int{}, grid: &Grid{}}
	for _, step := range []func() error{func() error { return c.scan(r) }, c.buses, c.branches, c.generators, c.grid.check} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("grid: %w", err)
		}
	}
	return c.grid, nil
}

// statement is the word with which MATLAB begins a block, or ends a function early.
var statement = regexp.MustCompile(`^(if|for|while|switch|try|return)\b`)

type caseFile struct {
	tables   map[string][][]float64
	position map[float64]int // of a bus by its number, -1 if it is isolated
	grid     *Grid
}

func (c *caseFile) scan(r io.Reader) error {
	scanner, table := bufio.NewScanner(r), ""
	for line := 1; scanner.Scan(); line++ {
		text, comment, _ := strings.Cut(scanner.Text(), "%")
		if text = strings.TrimSpace(text); text == "" && strings.TrimSpace(comment) == "{" {
			return fmt.Errorf("line %d: a comment of several lines begins; begin each of them with %% alone", line)
		}
		if name, is := strings.CutPrefix(text, "function mpc ="); is {
			c.grid.Name = strings.Trim(name, " ;")
		}
		if word := statement.FindString(text); word != "" && table == "" {
			return fmt.Errorf("line %d: the statement %s may change the case; write the case without statements by savecase", line, word)
		}
		if field, is := strings.CutPrefix(text, "mpc."); is && table == "" {
			name, value, _ := strings.Cut(field, "=")
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			part, _, indexed := strings.Cut(name, "(")
			if part == "dcline" || width[part] > 0 && (indexed || !strings.HasPrefix(value, "[") || c.tables[part] != nil) {
				return fmt.Errorf("line %d: mpc.%s is no table of numbers, a second one, or one of direct-current lines; write the case without them by savecase", line, part)
			}
			if name == "baseMVA" {
				c.grid.Base, _ = number(strings.Trim(value, " ;")) // 0 is an error later on
			}
			if text, is = strings.CutPrefix(value, "["); is {
				table = name
			}
		}
		text, rest, ended := strings.Cut(text, "]")
		if err := c.addRows(table, line, text); err != nil {
			return err
		}
		if ended && width[table] > 0 && strings.Trim(rest, "; \t") != "" {
			return fmt.Errorf("line %d: %.60q stands behind mpc.%s; let ]; end a table, and write the case without statements by savecase", line, rest, table)
		}
		if ended {
			table = ""
		}
	}
	if err := scanner.Err(); err != nil || table != "" {
		return fmt.Errorf("the case ends within mpc.%s (%v); it may be cut short, so copy it again", table, cmp.Or(err, io.ErrUnexpectedEOF))
	}
	for name := range width {
		if len(c.tables[name]) == 0 {
			return fmt.Errorf("there is no table mpc.%s; give a MATPOWER case of version 2", name)
		}
	}
	return nil
}

// number reads a finite number, Inf or -Inf; 1_0 and 0x1p3 are numbers of Go alone.
func number(text string) (value float64, is bool) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || strings.ContainsAny(text, "_xX") {
		return 0, false
	}
	return value, true
}

// addRows reads the rows of a table that stand in one line. Tables that nothing here needs, and what stands in none, may hold
// anything.
func (c *caseFile) addRows(table string, line int, text string) error {
	for row := range strings.SplitSeq(text, ";") {
		words := strings.Fields(strings.ReplaceAll(row, ",", " "))
		if width[table] == 0 || len(words) == 0 {
			continue
		}
		if len(words) < width[table] {
			return fmt.Errorf("line %d: a row of mpc.%s has %d columns; it needs %d", line, table, len(words), width[table])
		}
		values := make([]float64, len(words))
		for k, word := range words {
			is := false
			if values[k], is = number(word); !is {
				return fmt.Errorf("line %d, column %d of mpc.%s: %q is no number", line, k+1, table, word)
			}
		}
		c.tables[table] = append(c.tables[table], values)
	}
	return nil
}

func (c *caseFile) buses() error {
	for _, row := range c.tables["bus"] {
		number, demand := row[busNumber], row[busDemand]+row[busConductance]
		if _, twice := c.position[number]; twice || float64(int(number)) != number {
			return fmt.Errorf("bus %v is there twice, or has no whole number", number)
		}
		c.position[number] = -1
		if row[busType] == isolated {
			c.grid.Left = append(c.grid.Left, fmt.Sprintf("bus %d", int(number)))
			continue
		}
		c.position[number] = len(c.grid.Buses)
		c.grid.Buses = append(c.grid.Buses, Bus{int(number), demand})
	}
	return nil
}

// inService returns the positions of the buses that some columns of a row name, and whether the row counts; what does not is named.
func (c *caseFile) inService(row []float64, what string, status int, columns ...int) (buses []int, counts bool, err error) {
	if counts = row[status] > 0; status == branchStatus && row[status] != 0 && row[status] != 1 {
		return nil, false, fmt.Errorf("%s has the status %g; give 1 in service and 0 out of service", what, row[status])
	}
	for _, column := range columns {
		position, known := c.position[row[column]]
		if !known {
			return nil, false, fmt.Errorf("%s is at bus %g, which mpc.bus does not have", what, row[column])
		}
		buses, counts = append(buses, position), counts && position >= 0
	}
	if !counts {
		c.grid.Left = append(c.grid.Left, what)
	}
	return buses, counts, nil
}

func (c *caseFile) branches() error {
	for _, row := range c.tables["branch"] {
		what := fmt.Sprintf("branch %g-%g", row[branchFrom], row[branchTo])
		ends, counts, err := c.inService(row, what, branchStatus, branchFrom, branchTo)
		if err != nil {
			return err
		}
		if !counts {
			continue
		}
		row = append(row, 0, 0) // it may end before the angles
		branch := Branch{From: ends[0], To: ends[1], Resistance: row[branchResistance], Reactance: row[branchReactance], Tap: cmp.Or(row[branchTap], 1),
			Shift: row[branchShift], Rating: cmp.Or(row[branchRating], math.Inf(1)), MinAngle: row[branchMinAngle], MaxAngle: row[branchMaxAngle]}
		unbounded := branch.MinAngle == 0 && branch.MaxAngle == 0
		if unbounded || branch.MinAngle <= -unboundedAngle {
			branch.MinAngle = math.Inf(-1)
		}
		if unbounded || branch.MaxAngle >= unboundedAngle {
			branch.MaxAngle = math.Inf(1)
		}
		c.grid.Branches = append(c.grid.Branches, branch)
	}
	return nil
}

func (c *caseFile) generators() error {
	costs, count := c.tables["gencost"], len(c.tables["gen"])
	if len(costs) != count && len(costs) != 2*count {
		return fmt.Errorf("mpc.gencost has %d rows for the %d generators; give one for each, which one for its reactive power may follow", len(costs), count)
	}
	for k, row := range c.tables["gen"] {
		what := fmt.Sprintf("generator %d at bus %g", k+1, row[generatorBus])
		bus, counts, err := c.inService(row, what, generatorStatus, generatorBus)
		if err != nil {
			return err
		}
		if !counts {
			continue
		}
		generator := Generator{Bus: bus[0], Min: row[generatorMin], Max: row[generatorMax]}
		if err := generator.readCost(costs[k]); err != nil {
			return fmt.Errorf("the cost of %s %w", what, err)
		}
		c.grid.Generators = append(c.grid.Generators, generator)
	}
	return nil
}

func (g *Generator) readCost(row []float64) error {
	model, count := row[costModel], int(row[costLength])
	if model != polynomial || count < 1 || count > 3 || float64(count) != row[costLength] || len(row) < costFirst+count {
		return fmt.Errorf("has model %g with %g terms in %d columns; give a polynomial (model 2) of 1 to 3 terms", model, row[costLength], len(row))
	}
	padded := append(make([]float64, 3-count), row[costFirst:costFirst+count]...) // the highest degree first
	g.Quadratic, g.Linear, g.Constant = padded[0], padded[1], padded[2]
	return nil
}
