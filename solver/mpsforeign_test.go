//go:build cgo

package solver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// mpsText is a file as another program may write it.
type mpsText struct {
	*rapid.T
	strings.Builder
	rows, columns int
}

func (m *mpsText) yes() bool      { return rapid.Bool().Draw(m.T, "yes") }
func (m *mpsText) number() string { return m.one("1", "2.5", "-3", "4", "-0.5", "6e0", "+7") }

func (m *mpsText) one(of ...string) string { return rapid.SampledFrom(of).Draw(m.T, "one of") }

func (m *mpsText) line(words ...string) {
	for _, word := range words {
		m.WriteString(m.one(" ", "  ", "\t") + word)
	}
	m.WriteString(m.one("\n", "\r\n", " \n", "\n* a comment\n", "\n\n"))
}

// pairs writes the pairs of a row and a number behind a name, one or two in a line.
func (m *mpsText) pairs(name string, words []string) {
	for len(words) > 0 {
		n := 2
		if len(words) > 2 && m.yes() {
			n = 4
		}
		if line := words[:n]; name == "" {
			m.line(line...)
		} else {
			m.line(append([]string{name}, line...)...)
		}
		words = words[n:]
	}
}

// some are numbers of some rows.
func (m *mpsText) some() (words []string) {
	for i := range m.rows {
		if m.yes() {
			words = append(words, fmt.Sprint("row", i), m.number())
		}
	}
	return words
}

// drawnMPS has names of vectors or none, ranges of rows of every kind, bounds of every kind, perhaps two of a column.
func drawnMPS(t *rapid.T) string {
	m := &mpsText{T: t, rows: rapid.IntRange(1, 4).Draw(t, "rows"), columns: rapid.IntRange(1, 4).Draw(t, "columns")}
	if m.yes() {
		m.WriteString("OBJSENSE\n")
		m.line(m.one("MAX", "MIN", "max"))
	}
	m.WriteString("ROWS\n")
	m.line("N", "cost")
	for i := range m.rows {
		m.line(m.one("L", "G", "E"), fmt.Sprint("row", i))
	}
	m.WriteString("COLUMNS\n")
	for j := range m.columns {
		integer := m.yes()
		if integer {
			m.line("M", "'MARKER'", "'INTORG'")
		}
		m.pairs(fmt.Sprint("x", j), append(m.some(), "cost", m.number()))
		if integer {
			m.line("M", "'MARKER'", "'INTEND'")
		}
	}
	vector, sides := m.one("", "set"), m.some()
	if m.yes() {
		sides = append(sides, "cost", m.number())
	}
	m.WriteString("RHS\n")
	m.pairs(vector, sides)
	m.WriteString("RANGES\n")
	m.pairs("set", m.some()) // HiGHS asks for a name here
	m.WriteString("BOUNDS\n")
	m.bounds(vector)
	return m.String() + "ENDATA\n"
}

func (m *mpsText) bounds(vector string) {
	for j := range m.columns {
		for _, kind := range strings.Fields(m.one("", "LO", "LO UP", "MI", "MI UP", "FX", "FR", "PL", "BV", "LI", "UI", "LI UI", "UP")) {
			words := []string{kind, vector, fmt.Sprint("x", j)}
			if vector == "" {
				words = []string{kind, words[2]}
			}
			switch kind {
			case "LO", "FX":
				words = append(words, m.number())
			case "LI":
				words = append(words, m.one("-2", "0", "1"))
			case "UP":
				words = append(words, m.one("8", "9.5", "1e30"))
			case "UI":
				words = append(words, "8") // HiGHS warns of 1e30 here
			}
			m.line(words...)
		}
	}
}

// TestForeignMPSIsReadAsHighsReadsIt: what HiGHS reads from a file, and writes, is the model that is read from the file here.
func TestForeignMPSIsReadAsHighsReadsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawnMPS(t)
		raw := binding.NewRawModel()
		defer runtime.KeepAlive(raw)
		raw.SetBoolOption("output_flag", false)
		if err := raw.ReadModel(strings.NewReader(text)); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var written bytes.Buffer
		_ = raw.WriteModel(&written) // the status of success is an error
		form := func(text string) string {
			m, err := solver.ReadMPS(strings.NewReader(text))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			document, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(string(document), ",") // HiGHS names the model after a file of its own
			return rest
		}
		if ours, theirs := form(text), form(written.String()); ours != theirs {
			t.Fatalf("%s\nis %s,\nfor HiGHS %s", text, ours, theirs)
		}
	})
}
