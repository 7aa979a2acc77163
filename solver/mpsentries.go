package solver

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

func (r *mpsReader) rowEntry(words []field) error {
	if len(words) != 2 {
		return r.fail(words[0], "a row has %d fields; give its kind, N, L, G or E, and its name", len(words))
	}
	kind, name := strings.ToUpper(words[0].text), words[1].text
	if !slices.Contains([]string{"N", "L", "G", "E"}, kind) {
		return r.fail(words[0], "the kind %q of a row is none of N, L, G and E", words[0].text)
	}
	if _, twice := r.rowOf[name]; twice {
		return r.fail(words[1], "row %q stands twice in ROWS", name)
	}
	r.rowOf[name] = len(r.rows)
	if kind == "N" && r.objective < 0 {
		r.objective = len(r.rows)
	}
	at := len(r.rows) // without the objective
	if r.objective >= 0 {
		at--
	}
	group, rest, grouped := strings.Cut(name, "/")
	if !grouped {
		group, rest = "", name
	}
	r.rows = append(r.rows, mpsRow{kind: kind, row: Row{Name: original(rest, at), Group: unescaped(group)}, span: math.NaN()})
	return nil
}

// columnEntry reads a marker or up to two entries of a column.
func (r *mpsReader) columnEntry(words []field) error {
	if len(words) == 3 && words[1].text == "'MARKER'" {
		switch words[2].text {
		case "'INTORG'":
			r.whole = true
		case "'INTEND'":
			r.whole = false
		default:
			return r.fail(words[2], "the marker %s is neither 'INTORG' nor 'INTEND'", words[2].text)
		}
		return nil
	}
	if len(words) != 3 && len(words) != 5 {
		return r.fail(words[0], "an entry has %d fields; give a column, and a row with a number once or twice (names with blanks need the fields of fixed format)", len(words))
	}
	name := words[0].text
	j, known := r.columnOf[name]
	switch {
	case !known:
		j = len(r.columns)
		r.columnOf[name] = j
		r.columns = append(r.columns, mpsColumn{column: Column{Name: original(name, j), Integer: r.whole}, upper: math.Inf(1)})
	case j != len(r.columns)-1:
		return r.fail(words[0], "column %q comes again after others; keep its entries together", name)
	}
	for k := 1; k < len(words); k += 2 {
		i, value, err := r.rowAndNumber(words[k], words[k+1])
		if err != nil {
			return err
		}
		if r.entered[[2]int{i, j}] {
			return r.fail(words[k], "column %q has a second entry in row %q; give one number", name, words[k].text)
		}
		r.entered[[2]int{i, j}] = true
		if i == r.objective {
			r.columns[j].column.Cost = value
		} else {
			row := &r.rows[i].row
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, value)
		}
	}
	return nil
}

func (r *mpsReader) rowAndNumber(name, number field) (row int, value float64, err error) {
	row, known := r.rowOf[name.text]
	if !known {
		return 0, 0, r.fail(name, "row %q is not in ROWS", name.text)
	}
	value, err = r.value(number)
	return row, value, err
}

func (r *mpsReader) value(word field) (float64, error) {
	value, err := strconv.ParseFloat(word.text, 64)
	if err != nil || math.IsNaN(value) {
		return 0, r.fail(word, "%q is not a number of float64", word.text)
	}
	if math.Abs(value) >= mpsInfinite && (r.section == "RHS" || r.section == "BOUNDS") {
		value = math.Inf(int(math.Copysign(1, value)))
	}
	return value, nil
}

// sideEntry reads up to two right-hand sides or ranges; the name of their vector may be left out.
func (r *mpsReader) sideEntry(words []field) error {
	if len(words)%2 == 1 {
		words = words[1:]
	}
	if len(words) != 2 && len(words) != 4 {
		return r.fail(field{"", 1}, "an entry of %s has %d fields; give a row with a number once or twice", r.section, len(words))
	}
	for k := 0; k < len(words); k += 2 {
		i, value, err := r.rowAndNumber(words[k], words[k+1])
		switch {
		case err != nil:
			return err
		case r.section == "RHS":
			r.rows[i].side = value
		case r.rows[i].kind == "N":
			return r.fail(words[k], "row %q has no side for a range to start from", words[k].text)
		default:
			r.rows[i].span = value
		}
	}
	return nil
}

// boundEntry reads a bound; the name of its vector may be left out.
func (r *mpsReader) boundEntry(words []field) error {
	kind := strings.ToUpper(words[0].text)
	numbers := 1
	if slices.Contains([]string{"FR", "MI", "PL", "BV"}, kind) {
		numbers = 0
	}
	at := len(words) - 1 - numbers // of the column's name
	if numbers == 0 && len(words) == 4 {
		at-- // a number that plays no part
	}
	if at < 1 || at > 2 {
		return r.fail(words[0], "a bound has %d fields; give its kind, its vector, the column and, but for FR, MI, PL and BV, a number", len(words))
	}
	j, known := r.columnOf[words[at].text]
	if !known {
		return r.fail(words[at], "column %q is not in COLUMNS", words[at].text)
	}
	value := 0.0
	if numbers == 1 {
		var err error
		if value, err = r.value(words[at+1]); err != nil {
			return err
		}
	}
	c := &r.columns[j]
	if (kind == "UP" || kind == "UI") && value < 0 && !c.below && c.lower == 0 {
		return r.fail(words[at+1], "column %q has the upper bound %v and no lower one: some read 0, others none; say LO or MI before it", words[at].text, value)
	}
	return r.setBound(words[0], kind, c, value)
}

func (r *mpsReader) setBound(at field, kind string, c *mpsColumn, value float64) error {
	c.bounded = true
	switch kind {
	case "LO", "LI":
		c.lower, c.below = value, true
	case "UP", "UI":
		c.upper = value
	case "FX":
		c.lower, c.upper, c.below = value, value, true
	case "FR":
		c.lower, c.upper, c.below = math.Inf(-1), math.Inf(1), true
	case "MI":
		c.lower, c.below = math.Inf(-1), true
	case "PL":
		c.upper = math.Inf(1)
	case "BV":
		c.lower, c.upper, c.below = 0, 1, true
	default:
		return r.fail(at, "the kind %q of a bound is none of LO, UP, FX, FR, MI, PL, BV, LI and UI", at.text)
	}
	c.column.Integer = c.column.Integer || kind == "BV" || kind == "LI" || kind == "UI"
	return nil
}

// quadraticEntry reads an entry of H in 1/2 x'Hx: an off-diagonal one of a triangle stands for both.
func (r *mpsReader) quadraticEntry(words []field) error {
	if len(words) != 3 {
		return r.fail(words[0], "an entry of %s has %d fields; give two columns and a number", r.section, len(words))
	}
	var at [2]int
	for k := range at {
		j, known := r.columnOf[words[k].text]
		if !known {
			return r.fail(words[k], "column %q is not in COLUMNS", words[k].text)
		}
		at[k] = j
	}
	value, err := r.value(words[2])
	if at[0] == at[1] || r.section == "QMATRIX" {
		value /= 2
	}
	r.quadratic = append(r.quadratic, Term{I: at[0], J: at[1], Value: value})
	return err
}
