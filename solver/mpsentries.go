package solver

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

func (r *mpsReader) rowEntry(words []field) {
	r.want(len(words) == 2, words[0], "a row has %d fields; give its kind, N, L, G or E, and its name", len(words))
	kind, name := strings.ToUpper(words[0].text), words[1].text
	r.want(slices.Contains([]string{"N", "L", "G", "E"}, kind), words[0], "the kind %q of a row is none of N, L, G and E", words[0].text)
	_, twice := r.rowOf[name]
	r.want(!twice, words[1], "row %q stands twice in ROWS", name)
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
	r.rows = append(r.rows, mpsRow{kind: kind, row: Row{Name: unescaped(strings.TrimSuffix(rest, "#"+strconv.Itoa(at))), Group: unescaped(group)}, span: math.NaN()})
}

// columnEntry reads a marker or up to two entries of a column.
func (r *mpsReader) columnEntry(words []field) {
	if len(words) == 3 && words[1].text == "'MARKER'" {
		r.whole = words[2].text == "'INTORG'"
		r.want(r.whole || words[2].text == "'INTEND'", words[2], "the marker %s is neither 'INTORG' nor 'INTEND'", words[2].text)
		return
	}
	r.want(len(words) == 3 || len(words) == 5, words[0], "an entry has %d fields; give a column, and a row with a number once or twice (a name holds no blank)", len(words))
	name := words[0].text
	j, known := r.columnOf[name]
	if !known {
		j = len(r.columns)
		r.columnOf[name] = j
		given := unescaped(name)
		if name == "#"+strconv.Itoa(j) { // WriteMPS had none to write
			given = ""
		}
		r.columns = append(r.columns, mpsColumn{column: Column{Name: given, Integer: r.whole}, upper: math.Inf(1)})
	}
	r.want(j == len(r.columns)-1, words[0], "column %q comes again after others; keep its entries together", name)
	for k := 1; k < len(words); k += 2 {
		i, value := r.place(r.rowOf, "row", words[k]), r.value(words[k+1])
		at := [2]int{i, j}
		r.want(!r.entered[at], words[k], "column %q has a second entry in row %q; give one number", name, words[k].text)
		r.entered[at] = true
		if i == r.objective {
			r.columns[j].column.Cost = value
		} else {
			row := &r.rows[i].row
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, value)
		}
	}
}

// place finds a row or a column by its name.
func (r *mpsReader) place(of map[string]int, kind string, name field) int {
	at, known := of[name.text]
	r.want(known, name, "%s %q is not in %sS", kind, name.text, strings.ToUpper(kind))
	return at
}

func (r *mpsReader) value(word field) float64 {
	value, err := strconv.ParseFloat(word.text, 64)
	decimal := !strings.ContainsAny(word.text, "_xX") // 1_0 and 0x1p3 are numbers of Go alone
	r.want(err == nil && decimal && (value != 0 || !vanishes(word.text)) && !math.IsNaN(value), word, "%q is not a number of float64", word.text)
	if math.Abs(value) >= mpsInfinite && (r.section == "RHS" || r.section == "BOUNDS") {
		value = math.Inf(int(math.Copysign(1, value)))
	}
	return value
}

// vector refuses another vector than the first of a section: solvers differ in which one counts.
func (r *mpsReader) vector(name field) {
	first, named := r.vectors[r.section]
	r.want(!named || first == name.text, name, "%q begins a second vector of %s after %q; keep one", name.text, r.section, first)
	r.vectors[r.section] = name.text
}

// sideEntry reads up to two right-hand sides or ranges; the name of their vector may be left out.
func (r *mpsReader) sideEntry(words []field) {
	if len(words)%2 == 1 {
		r.vector(words[0])
		words = words[1:]
	}
	r.want(len(words) == 2 || len(words) == 4, field{"", 1}, "an entry of %s has %d fields; give a row with a number once or twice", r.section, len(words))
	for k := 0; k < len(words); k += 2 {
		row, value := &r.rows[r.place(r.rowOf, "row", words[k])], r.value(words[k+1])
		if r.section == "RHS" {
			row.side = value
			continue
		}
		r.want(row.kind != "N", words[k], "row %q has no side for a range to start from", words[k].text)
		row.span = value
	}
}

// bounds are those of a row of a kind with a side and perhaps a range.
func (row *mpsRow) bounds() Bounds {
	lower, upper := math.Inf(-1), math.Inf(1)
	if row.kind == "E" || row.kind == "G" {
		lower = row.side
	}
	if row.kind == "E" || row.kind == "L" {
		upper = row.side
	}
	switch span := math.Abs(row.span); {
	case math.IsNaN(span):
	case row.kind == "L" || row.kind == "E" && row.span < 0:
		lower = row.side - span
	default:
		upper = row.side + span
	}
	return Between(lower, upper)
}

// boundEntry reads a bound; the name of its vector may be left out.
func (r *mpsReader) boundEntry(words []field) {
	kind, last := strings.ToUpper(words[0].text), words[len(words)-1]
	numbers := 1
	if slices.Contains([]string{"FR", "MI", "PL", "BV"}, kind) {
		numbers = 0
	}
	at := len(words) - 1 - numbers // of the column's name
	if numbers == 0 && len(words) == 4 {
		at-- // a number that plays no part
	}
	r.want(at == 1 || at == 2, words[0], "a bound has %d fields; give its kind, its vector, the column and, but for FR, MI, PL and BV, a number", len(words))
	if at == 2 {
		r.vector(words[1])
	}
	c, value := &r.columns[r.place(r.columnOf, "column", words[at])], 0.0
	if numbers == 1 {
		value = r.value(last)
	}
	r.want(value >= 0 || kind != "UP" && kind != "UI" || c.below || c.lower != 0, last,
		"column %q has the upper bound %v and no lower one: some read 0, others none; say LO or MI before it", words[at].text, value)
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
		r.fail(words[0], "the kind %q of a bound is none of LO, UP, FX, FR, MI, PL, BV, LI and UI", words[0].text)
	}
	c.column.Integer = c.column.Integer || kind == "BV" || kind == "LI" || kind == "UI"
}

// quadraticEntry reads an entry of H in 1/2 x'Hx: an off-diagonal one of a triangle stands for both.
func (r *mpsReader) quadraticEntry(words []field) {
	r.want(len(words) == 3, words[0], "an entry of %s has %d fields; give two columns and a number", r.section, len(words))
	t := Term{I: r.place(r.columnOf, "column", words[0]), J: r.place(r.columnOf, "column", words[1]), Value: r.value(words[2])}
	if t.I == t.J || r.section == "QMATRIX" {
		t.Value /= 2
	}
	r.quadratic = append(r.quadratic, t)
}
