//go:build cgo

package solver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	binding "github.com/lanl/highs"
	"pgregory.net/rapid"

	"github.com/sparsero/directions/solver"
)

// drawnMPS is a file as another program may write it: one or two entries in a line, names of vectors or none, ranges on
// rows of every kind, bounds of every kind, perhaps a second one of a column.
func drawnMPS(t *rapid.T) string {
	var text strings.Builder
	yes, number := rapid.Bool(), rapid.SampledFrom([]string{"1", "2.5", "-3", "4", "-0.5", "6e0", "+7"})
	blank := func() string { return rapid.SampledFrom([]string{" ", "  ", "\t"}).Draw(t, "blank") }
	line := func(words ...string) {
		for _, word := range words {
			text.WriteString(blank() + word)
		}
		text.WriteString(rapid.SampledFrom([]string{"\n", "\r\n", " \n", "\n* a comment\n", "\n\n"}).Draw(t, "end"))
	}
	if yes.Draw(t, "sense") {
		text.WriteString("OBJSENSE\n")
		line(rapid.SampledFrom([]string{"MAX", "MIN", "max"}).Draw(t, "which"))
	}
	text.WriteString("ROWS\n")
	line("N", "cost")
	rows := rapid.SliceOfN(rapid.SampledFrom([]string{"L", "G", "E"}), 1, 4).Draw(t, "rows")
	for i, kind := range rows {
		line(kind, fmt.Sprint("row", i))
	}
	// pairs writes a number for some rows, from the objective on, one or two in a line.
	pairs := func(first string, objective bool) {
		var words []string
		flush := func() {
			if len(words) > 0 {
				if first != "" {
					words = append([]string{first}, words...)
				}
				line(words...)
			}
			words = nil
		}
		for i := range len(rows) + 1 {
			name := fmt.Sprint("row", i-1)
			if i == 0 {
				name = "cost"
			}
			if (i > 0 || objective) && yes.Draw(t, "entry") {
				if words = append(words, name, number.Draw(t, "number")); len(words) == 4 || yes.Draw(t, "end of line") {
					flush()
				}
			}
		}
		flush()
	}
	text.WriteString("COLUMNS\n")
	columns := rapid.IntRange(1, 4).Draw(t, "columns")
	for j := range columns {
		integer := rapid.IntRange(0, 2).Draw(t, "integer") == 0
		if integer {
			line("M", "'MARKER'", "'INTORG'")
		}
		name := fmt.Sprint("x", j)
		line(name, "row0", number.Draw(t, "number"))
		var entries []string
		for i := 1; i < len(rows); i++ {
			if yes.Draw(t, "entry") {
				entries = append(entries, fmt.Sprint("row", i), number.Draw(t, "number"))
			}
		}
		entries = append(entries, "cost", number.Draw(t, "cost"))
		for entry := range slices.Chunk(entries, 4) {
			line(append([]string{name}, entry...)...)
		}
		if integer {
			line("M", "'MARKER'", "'INTEND'")
		}
	}
	vector := rapid.SampledFrom([]string{"", "set"}).Draw(t, "vector")
	text.WriteString("RHS\n")
	pairs(vector, true)
	text.WriteString("RANGES\n")
	pairs("set", false) // which HiGHS asks for
	text.WriteString("BOUNDS\n")
	for j := range columns {
		kinds := rapid.SampledFrom([][]string{{}, {"LO"}, {"LO", "UP"}, {"MI"}, {"MI", "UP"}, {"FX"}, {"FR"}, {"PL"}, {"BV"}, {"LI"}, {"UI"}, {"LI", "UI"}, {"UP"}}).Draw(t, "bounds")
		for _, kind := range kinds {
			words := []string{kind, vector, fmt.Sprint("x", j)}
			if vector == "" {
				words = []string{kind, words[2]}
			}
			switch kind {
			case "LO", "FX":
				words = append(words, number.Draw(t, "bound"))
			case "LI":
				words = append(words, rapid.SampledFrom([]string{"-2", "0", "1"}).Draw(t, "bound"))
			case "UP":
				words = append(words, rapid.SampledFrom([]string{"8", "9.5", "1e30"}).Draw(t, "bound"))
			case "UI":
				words = append(words, "8") // HiGHS warns of 1e30 here
			}
			line(words...)
		}
	}
	return text.String() + "ENDATA\n"
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
