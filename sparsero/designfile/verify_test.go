package designfile_test

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

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/designfile"
)

// verdict is 0 for a valid file, 1 and the claim for a false one, and 2 for one that is not checkable.
func verdict(t testing.TB, design, dictionary []byte) string {
	t.Helper()
	_, err := verify(design, dictionary)
	var false_ *designfile.FalseClaimError
	switch {
	case err == nil:
		return "0"
	case errors.As(err, &false_):
		return "1 " + false_.Claim
	case !errors.Is(err, designfile.ErrNotCheckable):
		t.Errorf("the error %v is of no kind", err)
	}
	return "2"
}

func verify(design, dictionary []byte) (*designfile.Checked, error) {
	var table io.Reader
	if dictionary != nil {
		table = bytes.NewReader(dictionary)
	}
	return designfile.Verify(bytes.NewReader(design), table)
}

// agreement collects files for the checker in Python, which judges them in one process.
type agreement struct {
	folder string
	lines  []string
	wanted []string
	words  []string // of the checker in Python about each file, once check has run
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

// check demands that Python says the same: the exit code, and the claim that is false.
func (a *agreement) check(t *testing.T) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: the checker in Python is not compared")
	}
	command := exec.Command(python, "-c", driver, ".")
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
		a.words = append(a.words, words)
		if got != a.wanted[i] {
			data, _ := os.ReadFile(strings.Split(a.lines[i], "\t")[0])
			t.Errorf("file %d: verify.py says %q, Verify %q (%s)\n%.3000s", i, got, a.wanted[i], words, data)
		}
	}
}

func TestVerifyAcceptsTrueClaims(t *testing.T) {
	both := newAgreement(t)
	for _, name := range []string{"linear", "integer", "quadratic"} { // which the library wrote
		data, err := os.ReadFile(filepath.Join("testdata", "version2", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		both.add(t, verdict(t, data, nil), data, nil)
	}
	for _, c := range fileCases(t) {
		data := sealed(t, c.design)
		v, err := verify(data, c.dictionary)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		both.add(t, "0", data, c.dictionary)
		if least, known := c.instance.minimum(c.instance.every()); known && least.Cmp(fractionOf(v.Claims().Lower.Float())) < 0 {
			t.Errorf("%s: the bound %v is above the minimum %v", c.name, v.Claims().Lower, least)
		}
		if !strings.Contains(v.String(), v.Statements()[0]) || !strings.Contains(v.String(), "Not checked") {
			t.Errorf("the verdict does not say what was checked and what was not:\n%s", v)
		}
		if one := strings.Contains(v.Statements()[1], "the chosen atom alone"); one != (len(c.instance.chosen) == 1) || !strings.HasPrefix(v.String(), "The file is valid. Checked without rounding:\n") {
			t.Errorf("%s: of %d atoms it is said: %s", c.name, len(c.instance.chosen), v)
		}
		if missed := v.Claims().Missed.Float() > 0; strings.Contains(v.String(), "misses is moved") && !missed || strings.Contains(v.String(), "keeps to every bound") == missed {
			t.Errorf("%s: the decision misses %v, and it is said: %s", c.name, v.Claims().Missed, v)
		}
		if set := place(c.design, "problem", "set"); strings.Contains(v.Statements()[0], "the whole set") != (set != nil) {
			t.Errorf("%s: of the set %v it is said: %s", c.name, set, v.Statements()[0])
		}
		for key, words := range map[string]string{"lower": "costs less than", "regret": "The regret", "gap": "The value gap"} {
			if claim := place(c.design, "claims", key); strings.Contains(v.String(), words) != (claim != nil) {
				t.Errorf("%s: of the claim %s = %v it is said: %s", c.name, key, claim, v)
			}
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
			data := sealed(t, d)
			var wrong *designfile.FalseClaimError
			if _, err := verify(data, c.dictionary); !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Exact, "exactly ") {
				t.Errorf("%s: %v names no exact value", c.name, err)
			}
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
	object := func(d map[string]any, path ...any) map[string]any { return place(d, path...).(map[string]any) }
	leaf := func(d map[string]any, k int) map[string]any { return object(d, "proof", "leaves", k) }
	for _, test := range []struct {
		name, file, wanted string
		change             func(d map[string]any)
	}{
		{"hash", "integer 0", "1 dictionary", func(d map[string]any) { object(d, "problem", "dictionary")["sha256"] = strings.Repeat("0", 64) }},
		{"half an item", "integer 0", "1 decision", func(d map[string]any) { place(d, "decision", "x").([]any)[0] = 0.5 }},
		{"concave", "quadratic, singular", "1 quadratic", func(d map[string]any) { place(d, "problem", "model", "quadratic", "values").([]any)[1] = -2.0000001 }},
		{"too little slack", "quadratic, slack", "1 quadratic", func(d map[string]any) { object(d, "proof", "curvature")["slack"] = []any{0.5, 0.4999} }},
		{"no curvature", "quadratic, slack", "1 proof", func(d map[string]any) { object(d, "proof")["curvature"] = nil }},
		{"slack without a bound", "quadratic, slack", "1 lower", func(d map[string]any) { object(d, "problem", "model", "columns", 0)["upper"] = nil }},
		{"atom not chosen", "budget, implied bounds 0", "1 proof", func(d map[string]any) { object(d, "decision")["atoms"] = []any{}; loosen(d, 100) }},
		{"negative multiplier", "budget, implied bounds 0", "1 proof", func(d map[string]any) { leaf(d, 0)["objective"] = multipliers([2]any{0, -1}) }},
		{"heavy multipliers", "budget, implied bounds 0", "1 proof", func(d map[string]any) { leaf(d, 0)["objective"] = multipliers([2]any{0, 100}) }},
		{"heavy by its scale", "budget, implied bounds 0", "1 proof", func(d map[string]any) { leaf(d, 0)["scale"] = 0.125 }},
		{"part that is not empty", "branch", "1 lower", func(d map[string]any) { leaf(d, 0)["rows"] = multipliers() }},
		{"no proof", "budget, implied bounds 0", "1 lower", func(d map[string]any) { d["proof"] = nil }},
		{"a part of two branches", "branch", "2", func(d map[string]any) { object(d, "proof")["branches"] = []any{[]any{0, 0, 1, 1}} }},
		{"a branch without a leaf", "branch", "2", func(d map[string]any) { object(d, "proof")["leaves"] = []any{leaf(d, 0)} }},
		{"a branch before itself", "branch", "2", func(d map[string]any) { object(d, "proof")["branches"] = []any{[]any{0, 0, 0, 1}} }},
		{"case of a key", "integer 0", "2", func(d map[string]any) {
			problem := object(d, "problem")
			problem["Radius"] = problem["radius"]
			delete(problem, "radius")
		}},
		{"another model", "integer 0", "2", func(d map[string]any) { object(d, "problem")["MODEL"] = object(d, "problem", "model") }},
		{"a result", "integer 0", "2", func(d map[string]any) { d["result"] = 1 }},
		{"true for a number", "integer 0", "2", func(d map[string]any) { object(d, "problem")["radius"] = true }},
		{"digits", "integer 0", "2", func(d map[string]any) { object(d, "claims")["full"] = 1.2345678901234 }},
		{"branch on a fraction", "branch", "2", func(d map[string]any) { object(d, "proof")["branches"] = []any{[]any{0, 0.5, 1, 2}} }},
		{"a bound that is not whole", "integer 0", "2", func(d map[string]any) { object(d, "problem", "model", "columns", 0)["upper"] = 3.5 }},
		{"no dictionary", "CSV", "2", func(d map[string]any) {}},
		{"index beyond", "integer 0", "2", func(d map[string]any) { object(d, "decision")["atoms"] = []any{6} }},
		{"null atom chosen", "integer 0", "2", func(d map[string]any) { object(d, "decision")["atoms"] = []any{-1} }},
		{"scale of 0", "free columns, fractions 0", "2", func(d map[string]any) { leaf(d, 0)["scale"] = 0 }},
		{"long number", "free columns, fractions 0", "2", func(d map[string]any) {
			leaf(d, 0)["rows"] = multipliers([2]any{0, strings.Repeat("f", 100_001)})
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
		append(bytes.Clone(data), '1'), bytes.Replace(data, []byte(`"note":"by hand"`), []byte(`"note":"by hand","note":"by hand"`), 1), bytes.Replace(data, []byte("by hand"), []byte("\xff"), 1),
		bytes.Replace(data, []byte(`"by hand"`), []byte("1e999"), 1), bytes.Replace(data, []byte(`"by hand"`), []byte("NaN"), 1),
	} {
		both.add(t, verdict(t, broken, nil), broken, nil)
	}
	both.check(t)
}

// TestVerifyNamesAnotherVersion: files of other versions have other keys and other types, which are not what the errors name.
func TestVerifyNamesAnotherVersion(t *testing.T) {
	both, names := newAgreement(t), []string{}
	for _, test := range []struct {
		named  string
		change func(d map[string]any)
	}{
		{"version is 1", func(d map[string]any) { d["version"] = 1 }},
		{"version is 3", func(d map[string]any) { d["version"], d["added"] = 3, []any{map[string]any{"version": 2}} }},
		{"version is 3", func(d map[string]any) { d["version"], d["claims"] = 3, "by hand" }},
		{"version is 3", func(d map[string]any) { d["version"] = 3; place(d, "problem").(map[string]any)["added"] = 1 }},
		{"format is", func(d map[string]any) { d["format"], d["added"] = "another", 1 }},
	} {
		d := copied(t, fileCases(t)[0].design)
		test.change(d)
		data := sealed(t, d)
		if _, err := verify(data, nil); !errors.Is(err, designfile.ErrNotCheckable) || !strings.Contains(err.Error(), test.named) {
			t.Errorf("%v does not say that %s", err, test.named)
		}
		both.add(t, "2", data, nil)
		names = append(names, test.named)
	}
	both.check(t)
	for i, words := range both.words {
		if !strings.Contains(words, names[i]) {
			t.Errorf("verify.py: %s does not say that %s", words, names[i])
		}
	}
}

// TestVerifyKnowsThatThereIsADecision: a proof that no decision is feasible is false beside one, and is if there is none, too.
func TestVerifyKnowsThatThereIsADecision(t *testing.T) {
	both := newAgreement(t)
	p := &instance{
		columns: []instanceColumn{{upper: 0.5}}, atoms: [][]float64{{1}}, x: []float64{0.5},
		rows: []proof.Row{{Columns: []int{0}, Values: []float64{1}, Lower: 1, Upper: math.Inf(1)}},
	}
	data := sealed(t, p.design(p.leaf([]*big.Rat{big.NewRat(1, 1)}, true), nil, nil))
	if got := verdict(t, data, nil); got != "1 proof" {
		t.Errorf("%q", got)
	}
	both.add(t, "1 proof", data, nil)
	both.check(t)
}

// TestVerifyJudgesConvexity: the square of a sum is convex and singular, and a little more or less on its diagonal
// decides.
func TestVerifyJudgesConvexity(t *testing.T) {
	both := newAgreement(t)
	for _, test := range []struct {
		columns int
		more    float64
		wanted  string
	}{{40, 0, "0"}, {40, 0x1p-30, "0"}, {40, -0x1p-50, "1 quadratic"}, {150, 0x1p-30, "0"}} {
		p := &instance{columns: make([]instanceColumn, test.columns), x: make([]float64, test.columns), atoms: [][]float64{{1}}}
		for i := range test.columns {
			p.quadratic = append(p.quadratic, [3]float64{float64(i), float64(i), 1 + test.more})
			for j := range i {
				p.quadratic = append(p.quadratic, [3]float64{float64(j), float64(i), 2})
			}
		}
		d, sum := p.design(p.leaf(nil, false), nil, nil), []any{1}
		for range test.columns {
			sum = append(sum, 1)
		}
		d["proof"].(map[string]any)["curvature"] = squares(test.columns, sum)
		data := sealed(t, d)
		if got := verdict(t, data, nil); got != test.wanted {
			t.Errorf("%d columns with %v more: %q, not %q", test.columns, test.more, got, test.wanted)
		}
		both.add(t, test.wanted, data, nil)
	}
	both.check(t)
}

// loosen raises the claims that must not be too small and lowers the other one.
func loosen(d map[string]any, by float64) {
	claims, _ := d["claims"].(map[string]any)
	for _, key := range []string{"restricted", "full", "missed", "regret", "gap"} {
		if v, isNumber := claims[key].(float64); isNumber {
			claims[key] = short(v + by)
		}
	}
	if v, isNumber := claims["lower"].(float64); isNumber {
		claims["lower"] = short(v - by)
	}
}

// short keeps 12 digits.
func short(v float64) (shown float64) {
	if err := json.Unmarshal(fmt.Appendf(nil, "%.12g", v), &shown); err != nil {
		return v
	}
	return shown
}
