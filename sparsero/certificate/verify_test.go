package certificate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/exact"
	"github.com/sparsero/directions/sparsero/certificate"
)

// verdict is 0 for a valid file, 1 and the claim for a false one, and 2 for one that is not checkable.
func verdict(t testing.TB, design, dictionary []byte) string {
	t.Helper()
	_, err := verify(design, dictionary)
	var false_ *certificate.FalseClaimError
	switch {
	case err == nil:
		return "0"
	case errors.As(err, &false_):
		return "1 " + false_.Claim
	case !errors.Is(err, certificate.ErrNotCheckable):
		t.Errorf("the error %v is of no kind", err)
	}
	return "2"
}

func verify(design, dictionary []byte) (*certificate.Verdict, error) {
	var table io.Reader
	if dictionary != nil {
		table = bytes.NewReader(dictionary)
	}
	return certificate.Verify(bytes.NewReader(design), table)
}

// agreement collects files for the checker in Python, which judges them in one process.
type agreement struct {
	folder string
	lines  []string
	wanted []string
}

func newAgreement(t testing.TB) *agreement { return &agreement{folder: t.TempDir()} }

func (a *agreement) add(t testing.TB, wanted string, design, dictionary []byte) {
	t.Helper()
	line := filepath.Join(a.folder, fmt.Sprintf("%d.json", len(a.lines)))
	if err := os.WriteFile(line, design, 0o600); err != nil {
		t.Fatal(err)
	}
	if dictionary != nil {
		table := line + ".table"
		if err := os.WriteFile(table, dictionary, 0o600); err != nil {
			t.Fatal(err)
		}
		line += "\t" + table
	}
	a.lines, a.wanted = append(a.lines, line), append(a.wanted, wanted)
}

// mostMemory is what a checker may take in MB, hostile files included.
const mostMemory = 3_000

// driver runs main of verify.py on every line of standard input and prints the exit code and the claim, and in the end
// the largest memory in MB.
const driver = `
import contextlib, io, os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify
for line in sys.stdin:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = verify.main(line.rstrip("\n").split("\t"))
    words = said.getvalue().split()
    assert not (code == 1 and words[0] != "false:"), words
    print(f"1 {words[1]}" if code == 1 else code, "|", " ".join(words)[:200])
status = open("/proc/self/status").read().split() if os.path.exists("/proc/self/status") else ["VmHWM:", 0]
print(int(status[status.index("VmHWM:") + 1]) // 1024)
`

// check demands that Python says the same; of a file that is both malformed and false either may be said.
func (a *agreement) check(t *testing.T) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: the checker in Python is not compared")
	}
	command := exec.Command(python, "-c", driver, filepath.Join("..", "cmd", "sparsero"))
	command.Stdin = strings.NewReader(strings.Join(a.lines, "\n"))
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("verify.py ended with a traceback: %v\n%.3000s", err, output)
	}
	answers := strings.Split(strings.TrimSpace(string(output)), "\n")
	last := len(answers) - 1
	if memory, err := strconv.Atoi(answers[last]); err != nil || memory > mostMemory {
		t.Errorf("verify.py took %s MB, and may take %d", answers[last], mostMemory)
	}
	t.Logf("verify.py judged %d files in %s MB", last, answers[last])
	if answers = answers[:last]; len(answers) != len(a.wanted) {
		t.Fatalf("verify.py gave %d answers on %d files", len(answers), len(a.wanted))
	}
	for i, answer := range answers {
		got, words, _ := strings.Cut(answer, " | ")
		if malformed := got == "2" || a.wanted[i] == "2"; got != a.wanted[i] && (!malformed || got == "0" || a.wanted[i] == "0") {
			data, _ := os.ReadFile(strings.Split(a.lines[i], "\t")[0])
			t.Errorf("file %d: verify.py says %q, Verify %q (%s)\n%.1500s", i, got, a.wanted[i], words, data)
		}
	}
}

func TestVerifyAcceptsTrueClaims(t *testing.T) {
	both := newAgreement(t)
	for _, c := range fileCases(t) {
		data := sealed(t, c.design)
		v, err := verify(data, c.dictionary)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		both.add(t, "0", data, c.dictionary)
		full := c.instance.value(c.instance.every())
		for _, pair := range []struct {
			name        string
			got, wanted *big.Rat
		}{
			{"restricted", v.Restricted, c.instance.value(c.instance.chosen)}, {"full", v.Full, full}, {"missed", v.Missed, c.instance.missed()},
			{"lower", v.Lower, c.lower}, {"regret", v.Regret, new(big.Rat).Sub(full, c.lower)},
		} {
			if pair.got.Cmp(pair.wanted) != 0 {
				t.Errorf("%s: %s is %v, not %v", c.name, pair.name, pair.got, pair.wanted)
			}
		}
		if least, known := c.instance.minimum(c.instance.every()); known && least.Cmp(v.Lower) < 0 {
			t.Errorf("%s: the bound %v is above the minimum %v", c.name, v.Lower, least)
		}
		if !strings.Contains(v.String(), v.Statements[0]) || !strings.Contains(v.String(), "Not checked") {
			t.Errorf("the verdict does not say what was checked and what was not:\n%s", v)
		}
	}
	both.check(t)
}

// TestVerifyRejectsEachFalseClaim makes one claim at a time false by one unit of its last digit.
func TestVerifyRejectsEachFalseClaim(t *testing.T) {
	both := newAgreement(t)
	for _, c := range fileCases(t) {
		for key, sign := range map[string]int{"restricted": -1, "full": -1, "missed": -1, "lower": 1, "regret": -1, "gap": -1} {
			d := copied(t, c.design)
			claims := d["claims"].(map[string]any)
			value, claimed := claims[key].(float64)
			if !claimed {
				continue
			}
			claims[key] = stepped(value, sign)
			state(d)
			data := sealed(t, d)
			if got := verdict(t, data, c.dictionary); got != "1 "+key {
				t.Errorf("%s: %s %v instead of %v gets %q", c.name, key, claims[key], value, got)
			}
			both.add(t, "1 "+key, data, c.dictionary)
		}
	}
	both.check(t)
}

// TestVerifyNamesWhatIsWrong changes files in one place.
func TestVerifyNamesWhatIsWrong(t *testing.T) {
	both := newAgreement(t)
	cases := map[string]fileCase{}
	for _, c := range fileCases(t) {
		cases[c.name] = c
	}
	object := func(d map[string]any, keys ...string) map[string]any {
		for _, key := range keys {
			d = d[key].(map[string]any)
		}
		return d
	}
	for _, test := range []struct {
		name, file, wanted string
		change             func(d map[string]any)
	}{
		{"statement", "integer 0", "1 statements", func(d map[string]any) { d["statements"] = []string{"All is well."} }},
		{"hash", "integer 0", "1 dictionary", func(d map[string]any) { object(d, "dictionary")["sha256"] = strings.Repeat("0", 64) }},
		{"half an item", "integer 0", "1 decision", func(d map[string]any) { d["decision"].([]any)[0] = 0.5 }},
		{"concave", "quadratic, singular", "1 quadratic", func(d map[string]any) { object(d, "model")["quadratic"].([]any)[1].([]any)[2] = -2.0000001 }},
		{"atom not chosen", "budget, implied bounds 0", "1 proof", func(d map[string]any) { d["chosen"] = []any{}; loosen(d, 100) }},
		{"negative multiplier", "budget, implied bounds 0", "1 proof", func(d map[string]any) { object(d, "proof")["objective"] = []any{[]any{0, -1}} }},
		{"heavy multipliers", "budget, implied bounds 0", "1 proof", func(d map[string]any) { object(d, "proof")["objective"] = []any{[]any{0, 100}} }},
		{"part that is not empty", "branch", "1 lower", func(d map[string]any) { object(d, "proof", "below")["rows"] = []any{} }},
		{"no proof", "budget, implied bounds 0", "1 lower", func(d map[string]any) { d["proof"] = nil }},
		{"version", "integer 0", "2", func(d map[string]any) { d["version"] = 2 }},
		{"case of a key", "integer 0", "2", func(d map[string]any) { d["Radius"] = d["radius"]; delete(d, "radius") }},
		{"true for a number", "integer 0", "2", func(d map[string]any) { d["radius"] = true }},
		{"digits", "integer 0", "2", func(d map[string]any) { object(d, "claims")["full"] = 1.2345678901234 }},
		{"branch on a fraction", "integer 0", "2", func(d map[string]any) { object(d, "proof")["at"] = 0.5 }},
		{"no dictionary", "CSV", "2", func(d map[string]any) {}},
		{"index beyond", "integer 0", "2", func(d map[string]any) { d["chosen"] = []any{6} }},
		{"null atom chosen", "integer 0", "2", func(d map[string]any) { d["chosen"] = []any{-1} }},
		{"division by zero", "free columns, fractions 0", "2", func(d map[string]any) { object(d, "proof")["rows"] = []any{[]any{0, "1/0"}} }},
		{"long fraction", "free columns, fractions 0", "2", func(d map[string]any) {
			object(d, "proof")["rows"] = []any{[]any{0, strings.Repeat("f", 100_000) + "/3"}}
		}},
	} {
		c, found := cases[test.file]
		if !found {
			t.Fatalf("there is no case %q", test.file)
		}
		d := copied(t, c.design)
		test.change(d)
		data := sealed(t, d)
		if got := verdict(t, data, nil); got != test.wanted {
			_, err := verify(data, nil)
			t.Errorf("%s: %q, not %q (%v)", test.name, got, test.wanted, err)
		}
		both.add(t, test.wanted, data, nil)
	}
	data := sealed(t, cases["integer 0"].design)
	for _, broken := range [][]byte{
		bytes.Replace(data, []byte("by hand"), []byte("by Hand"), 1), data[:len(data)/2], data[:len(data)-3], nil, []byte("{}"), []byte("[]"),
		append(bytes.Clone(data), '1'), bytes.Replace(data, []byte(`"note":"by hand"`), []byte(`"radius":1`), 1), bytes.Replace(data, []byte("by hand"), []byte("\xff"), 1),
		bytes.Replace(data, []byte(`"by hand"`), []byte("1e999"), 1), bytes.Replace(data, []byte(`"by hand"`), []byte("NaN"), 1),
	} {
		both.add(t, verdict(t, broken, nil), broken, nil)
	}
	both.check(t)
}

// TestVerifyRoundsTheSidesOfColumnsAlone: a key that the format gives to columns means nothing on a row.
func TestVerifyRoundsTheSidesOfColumnsAlone(t *testing.T) {
	half := big.NewRat(1, 2)
	p := &instance{
		columns: []instanceColumn{{upper: 5, cost: 1}}, atoms: [][]float64{{1}}, x: []float64{1}, radius: 1,
		rows: []exact.Row{{Columns: []int{0}, Values: []float64{1}, Lower: 0.5, Upper: math.Inf(1)}},
	}
	both := newAgreement(t)
	for wanted, lower := range map[string]*big.Rat{"0": half, "1 lower": big.NewRat(1, 1)} {
		d := copied(t, p.design(p.leaf([]*big.Rat{big.NewRat(1, 1)}, false), lower, lower))
		d["model"].(map[string]any)["rows"].([]any)[0].(map[string]any)["integer"] = true
		data := sealed(t, d)
		if got := verdict(t, data, nil); got != wanted {
			t.Errorf("the bound %v: %q, not %q", lower, got, wanted)
		}
		both.add(t, wanted, data, nil)
	}
	both.check(t)
}

// TestVerifyJudgesConvexity: the square of a sum is convex and singular, and a little more or less on its diagonal
// decides; too many columns are not checkable.
func TestVerifyJudgesConvexity(t *testing.T) {
	both := newAgreement(t)
	for _, test := range []struct {
		columns int
		more    float64
		wanted  string
	}{{40, 0, "0"}, {40, 0x1p-30, "0"}, {40, -0x1p-50, "1 quadratic"}, {100, 0x1p-30, "0"}, {101, 1, "2"}} {
		p := &instance{columns: make([]instanceColumn, test.columns), x: make([]float64, test.columns), atoms: [][]float64{{1}}}
		for i := range test.columns {
			p.quadratic = append(p.quadratic, [3]float64{float64(i), float64(i), 1 + test.more})
			for j := range i {
				p.quadratic = append(p.quadratic, [3]float64{float64(j), float64(i), 2})
			}
		}
		data := sealed(t, p.design(nil, nil, nil))
		if got := verdict(t, data, nil); got != test.wanted {
			t.Errorf("%d columns with %v more: %q, not %q", test.columns, test.more, got, test.wanted)
		}
		both.add(t, test.wanted, data, nil)
	}
	both.check(t)
}

// loosen raises the claims that must not be too small and lowers the other one.
func loosen(d map[string]any, by float64) {
	claims := d["claims"].(map[string]any)
	for _, key := range []string{"restricted", "full", "missed", "regret", "gap"} {
		if v, isNumber := claims[key].(float64); isNumber {
			claims[key] = short(v + by)
		}
	}
	if v, isNumber := claims["lower"].(float64); isNumber {
		claims["lower"] = short(v - by)
	}
	state(d)
}

// short keeps 12 digits.
func short(v float64) (shown float64) {
	if err := json.Unmarshal(fmt.Appendf(nil, "%.12g", v), &shown); err != nil {
		return v
	}
	return shown
}
