package book

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// letterRow is a row of the table of letters in the glossary: a Greek letter as LaTeX, and the numbers of the notebooks in
// which it has the meaning of the row.
type letterRow struct {
	letter    string
	notebooks []string
}

var (
	letterLine = regexp.MustCompile(`(?m)^\| \$(\\[a-zA-Z]+)\$ \| .+ \| ([0-9 ]+) \|$`)
	latexMacro = regexp.MustCompile(`\\[a-zA-Z]+`)
	latinLine  = regexp.MustCompile(`(?m)^\| \$([a-zA-Z])\$ \| .+ \| ([0-9 ]+) \|$`)
	formula    = regexp.MustCompile(`\$[^$]+\$`)
	latexWord  = regexp.MustCompile(`\\(?:text|mathrm|mathcal|mathbb|begin|end)\{[^}]*\}|\\[a-zA-Z]+`)
)

// greekSigns are the Greek letters as a label, a comment or a line of text has them, each with its LaTeX. Σ is a sum there.
var greekSigns = strings.Fields(`α \alpha β \beta γ \gamma Γ \Gamma δ \delta Δ \Delta ε \varepsilon ζ \zeta η \eta θ \theta ι \iota
	κ \kappa λ \lambda Λ \Lambda μ \mu ν \nu ξ \xi Ξ \Xi π \pi Π \Pi ρ \rho σ \sigma τ \tau υ \upsilon φ \varphi Φ \Phi χ \chi
	ψ \psi Ψ \Psi ω \omega Ω \Omega`)

// greek are the letters in LaTeX, those of the signs and the others.
var greek = append(strings.Fields(`\epsilon \vartheta \Theta \varpi \varrho \Sigma \varsigma \Upsilon \phi`), greekSigns...)

// TestLetters: a Greek letter has one meaning, one row of the glossary's table, and the row names exactly the notebooks that
// use the letter in their text, formulas, code or solutions.
func TestLetters(t *testing.T) {
	glossary, err := os.ReadFile(notebooks + "GLOSSARY.md")
	if err != nil {
		t.Fatal(err)
	}
	table := letterTable(string(glossary))
	if len(table) < 20 {
		t.Fatalf("the glossary has %d letters", len(table))
	}
	texts := map[string]string{}
	for _, pattern := range []string{"*.ipynb", "solutions/*.ipynb"} {
		paths, _ := filepath.Glob(notebooks + pattern)
		for _, path := range paths {
			texts[filepath.Base(path)[:2]] += sourcesOf(t, path)
		}
	}
	for _, problem := range letterProblems(table, texts) {
		t.Error(problem)
	}
}

// TestLettersSeeWhatIsWrong shows that the comparison can fail.
func TestLettersSeeWhatIsWrong(t *testing.T) {
	table := letterTable("| $\\rho$ | one | 01 |\n| $\\rho$ | two | 02 |\n| $\\eta$ | three | 01 02 |\n")
	said := strings.Join(letterProblems(table, map[string]string{"01": `$\rho$ of \etal`, "02": "η and $\\xi_1$"}), "\n")
	for _, want := range []string{`\rho has 2 meanings`, `01: no \eta`, `02: no \rho`, `02: \xi is in no row`} {
		if !strings.Contains(said, want) {
			t.Errorf("nobody saw %q in:\n%s", want, said)
		}
	}
	if strings.Contains(said, `02: \eta`) || strings.Contains(said, `01: \rho`) {
		t.Errorf("a letter as the table has it was refused:\n%s", said)
	}
}

// TestLatinLetters: of the Latin letters with several meanings in the lessons, none has two in one lesson, and the formulas of
// a lesson have those that the glossary's second table says.
func TestLatinLetters(t *testing.T) {
	glossary, err := os.ReadFile(notebooks + "GLOSSARY.md")
	if err != nil {
		t.Fatal(err)
	}
	meanings, said := map[string]int{}, map[string]bool{}
	for _, row := range latinLine.FindAllStringSubmatch(string(glossary), -1) {
		meanings[row[1]]++
		for _, number := range strings.Fields(row[2]) {
			paths, _ := filepath.Glob(notebooks + number + "_*.ipynb")
			if len(paths) != 1 {
				t.Fatalf("lesson %s of %s: %v", number, row[1], paths)
			}
			formulas := strings.Join(formula.FindAllString(sourcesOf(t, paths[0]), -1), " ")
			if !strings.Contains(latexWord.ReplaceAllString(formulas, " "), row[1]) {
				t.Errorf("%s: no %s", number, row[1])
			}
			if said[number+row[1]] {
				t.Errorf("%s: %s has 2 meanings", number, row[1])
			}
			said[number+row[1]] = true
		}
	}
	for letter, count := range meanings {
		if count < 2 {
			t.Errorf("%s has one meaning and needs no row", letter)
		}
	}
	if len(meanings) < 10 {
		t.Errorf("the glossary has %d Latin letters", len(meanings))
	}
}

func letterTable(glossary string) (table []letterRow) {
	for _, row := range letterLine.FindAllStringSubmatch(glossary, -1) {
		table = append(table, letterRow{row[1], strings.Fields(row[2])})
	}
	return table
}

func letterProblems(table []letterRow, texts map[string]string) (problems []string) {
	rows, signs := map[string]int{}, strings.NewReplacer(spaced(greekSigns)...)
	for _, row := range table {
		if rows[row.letter]++; rows[row.letter] == 2 {
			problems = append(problems, row.letter+" has 2 meanings")
		}
	}
	for number, text := range texts {
		used := map[string]bool{}
		for _, macro := range latexMacro.FindAllString(signs.Replace(text), -1) {
			if slices.Contains(greek, macro) {
				used[macro] = true
			}
		}
		for _, row := range table {
			if slices.Contains(row.notebooks, number) && !used[row.letter] {
				problems = append(problems, fmt.Sprintf("%s: no %s", number, row.letter))
			}
			if slices.Contains(row.notebooks, number) {
				delete(used, row.letter)
			}
		}
		for letter := range used {
			problems = append(problems, fmt.Sprintf("%s: %s is in no row", number, letter))
		}
	}
	return problems
}

// spaced are the pairs with a space after the LaTeX, so that no letter that follows joins it.
func spaced(pairs []string) []string {
	pairs = slices.Clone(pairs)
	for k := 1; k < len(pairs); k += 2 {
		pairs[k] += " "
	}
	return pairs
}

// sourcesOf are the cells of a notebook, without their outputs.
func sourcesOf(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			Source []string
		}
	}
	if err := json.Unmarshal(content, &notebook); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, cell := range notebook.Cells {
		text.WriteString(strings.Join(cell.Source, "") + "\n")
	}
	return text.String()
}
