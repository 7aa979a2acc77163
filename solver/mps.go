package solver

import (
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"

	"github.com/sparsero/directions/solver/internal/program"
)

// mpsObjective names the row of the objective; no escaped name is like it, nor like those of the sets.
const mpsObjective = "#objective"

// notFirst begins no escaped name: what is no letter, begins a number in LP files, or is a word of MPS (in HiGHS wherever
// it stands first in a line: there a column NAME was lost) or of LP files.
const notFirst = "(?i)^([^a-z_]|e[0-9]|inf|nan|(" +
	"NAME|OBJSENSE|ROWS|COLUMNS|RHS|RANGES|BOUNDS?|QUADOBJ|QMATRIX|[QC]SECTION|QCMATRIX|SOS[12]?|SETS|INDICATORS|GENCONS|" +
	"PWL(OBJ|NAM|CON)|DELAYEDROWS|MODELCUTS|USERCUTS|LAZYCONS|ENDATA|OBJ|MAX(IMI[SZ]E|IMUM)?|MIN(IMI[SZ]E|IMUM)?|ST|SUBJECT|SUCH|" +
	"FREE|GEN(ERALS?)?|INT(EGERS?)?|BIN(ARY|ARIES)?|SEMIS?|END)$)"

// notInside has no place in an escaped name.
const notInside = "[^a-zA-Z0-9_.,()]+"

// mpsFile holds the sections of a file.
type mpsFile struct {
	notFirst, notInside                    *regexp.Regexp // a program that writes none is linked without package regexp
	names                                  []string       // of the columns
	entries                                []strings.Builder
	rows, sides, ranges, bounds, quadratic strings.Builder
	err                                    error // of the first number that the format cannot say
}

// WriteMPS writes the model in free MPS format, with the objective in the row #objective, its offset as the negative
// right-hand side of that row, its quadratic part in QUADOBJ, and each number in the shortest form that reads back
// equal. Bounds of integer columns are rounded inwards to whole numbers, as every solver here takes them: HiGHS without
// presolve gives wrong optima with others.
//
// Names are escaped, so that LP files may have them too: every byte but letters, digits and _ . , ( ) becomes %XX in
// hexadecimal, and so does the first byte of a name that begins like a number or is a word of either format. Where there is
// no name, or an earlier row or column has the same, #i follows it, i counted from 0; a row in a group is group/name. A row
// with two bounds of which a range would not give the upper one exactly is written twice, the second time as name#upper.
//
// It is an error if the model is not valid, if the bounds of a column hold no value or a bound, a side or the
// offset is 1e20 or more, which the format cannot say, or if the writer fails.
func (m *Model) WriteMPS(w io.Writer) error {
	if w == nil {
		return errors.New("solver: the writer is nil; open a file")
	}
	if err := m.Validate(); err != nil {
		return err
	}
	f := &mpsFile{
		notFirst: regexp.MustCompile(notFirst), notInside: regexp.MustCompile(notInside), entries: make([]strings.Builder, len(m.columns)),
	}
	names, rowNames := make([]string, len(m.columns)), make([]string, len(m.rows))
	for j, c := range m.columns {
		names[j] = f.name(c.Name)
	}
	for i, l := range m.labels {
		if rowNames[i] = f.name(l.name); l.group != "" {
			rowNames[i] = f.name(l.group) + "/" + rowNames[i]
		}
	}
	f.names, rowNames = distinct(names), distinct(rowNames)
	costs := program.Row{}
	for j, c := range m.columns {
		lower, upper := c.Lower(), c.Upper()
		if c.holdsNone() {
			return fmt.Errorf("solver: %s may take no value within its bounds [%v, %v], for which MPS has no form; correct them", m.ColumnName(j), lower, upper)
		}
		f.bound(f.names[j], lower+0, upper+0)                                                // 0 for -0
		costs.Columns, costs.Values = append(costs.Columns, j), append(costs.Values, c.Cost) // of 0 too: every column must occur
	}
	f.check("offset", m.offset)
	f.row("N", mpsObjective, -m.offset, costs)
	for i, row := range m.rows {
		f.anyRow(rowNames[i], row)
	}
	for _, t := range m.Quadratic() {
		if t.I == t.J {
			t.Value *= 2 // the entries are those of H in 1/2 x'Hx
		}
		fmt.Fprintf(&f.quadratic, " %s %s %v\n", f.names[t.I], f.names[t.J], t.Value)
	}
	if f.err != nil {
		return f.err
	}
	_, err := io.WriteString(w, f.text(m))
	return err
}

// check finds a number that stands for infinity in a file.
func (f *mpsFile) check(what string, values ...float64) {
	for _, v := range values {
		if f.err == nil && math.Abs(v) >= mpsInfinite && !math.IsInf(v, 0) {
			f.err = fmt.Errorf("solver: the %s is %v, but %v or more is infinite in MPS files; scale the model, or write math.Inf where none is meant", what, v, mpsInfinite)
		}
	}
}

// row adds a row of the kind N, L, G or E.
func (f *mpsFile) row(kind, name string, side float64, row program.Row) {
	fmt.Fprintf(&f.rows, " %s %s\n", kind, name)
	if side != 0 {
		fmt.Fprintf(&f.sides, " #rhs %s %v\n", name, side)
	}
	for k, j := range row.Columns {
		fmt.Fprintf(&f.entries[j], " %s %s %v\n", f.names[j], name, row.Values[k])
	}
}

// anyRow adds a row with any bounds.
func (f *mpsFile) anyRow(name string, row program.Row) {
	lower, upper := row.Lower, row.Upper
	f.check("side of "+name, lower, upper)
	switch width := upper - lower; {
	case math.IsInf(lower, -1) && math.IsInf(upper, 1):
		f.row("N", name, 0, row)
	case math.IsInf(lower, -1):
		f.row("L", name, upper, row)
	case math.IsInf(upper, 1):
		f.row("G", name, lower, row)
	case lower == upper:
		f.row("E", name, lower, row)
	case width > 0 && lower+width == upper:
		f.row("G", name, lower, row)
		fmt.Fprintf(&f.ranges, " #ranges %s %v\n", name, width)
	default:
		f.row("G", name, lower, row)
		f.row("L", name+"#upper", upper, row)
	}
}

// bound adds both bounds of a column: readers differ in what they take for granted.
func (f *mpsFile) bound(name string, lower, upper float64) {
	f.check("bound of "+name, lower, upper)
	if math.IsInf(lower, -1) {
		fmt.Fprintf(&f.bounds, " MI #bounds %s\n", name)
	} else {
		fmt.Fprintf(&f.bounds, " LO #bounds %s %v\n", name, lower)
	}
	if math.IsInf(upper, 1) {
		fmt.Fprintf(&f.bounds, " PL #bounds %s\n", name)
	} else {
		fmt.Fprintf(&f.bounds, " UP #bounds %s %v\n", name, upper)
	}
}

// text puts the sections together, integer columns between markers.
func (f *mpsFile) text(m *Model) string {
	var text strings.Builder
	text.WriteString("NAME " + f.name(m.name) + "\n")
	if m.maximize {
		text.WriteString("OBJSENSE\n MAX\n")
	}
	text.WriteString("ROWS\n" + f.rows.String() + "COLUMNS\n")
	for j, c := range m.columns {
		entries := f.entries[j].String()
		if c.Integer {
			entries = fmt.Sprintf(" M%d 'MARKER' 'INTORG'\n%s M%[1]d 'MARKER' 'INTEND'\n", j, entries)
		}
		text.WriteString(entries)
	}
	text.WriteString("RHS\n" + f.sides.String() + "RANGES\n" + f.ranges.String() + "BOUNDS\n" + f.bounds.String())
	if f.quadratic.Len() > 0 {
		text.WriteString("QUADOBJ\n" + f.quadratic.String())
	}
	return text.String() + "ENDATA\n"
}

// distinct appends #i to names that are empty or that an earlier one has.
func distinct(names []string) []string {
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		if name == "" || strings.HasSuffix(name, "/") || seen[name] {
			names[i] = fmt.Sprintf("%s#%d", name, i)
		}
		seen[name] = true
	}
	return names
}

// name escapes a name.
func (f *mpsFile) name(name string) string {
	escape := func(part string) string { return "%" + strings.ReplaceAll(fmt.Sprintf("% X", part), " ", "%") }
	if f.notFirst.MatchString(name) {
		return escape(name[:1]) + f.notInside.ReplaceAllStringFunc(name[1:], escape)
	}
	return f.notInside.ReplaceAllStringFunc(name, escape)
}
