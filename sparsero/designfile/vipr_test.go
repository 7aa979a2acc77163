package designfile_test

import (
	"bytes"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/designfile"
	"pgregory.net/rapid"
)

// vipr is the certificate of a file that is valid.
func vipr(t testing.TB, c *fileCase) string {
	t.Helper()
	var dictionary io.Reader
	if c.dictionary != nil {
		dictionary = bytes.NewReader(c.dictionary)
	}
	var out bytes.Buffer
	checked, err := designfile.Verify(bytes.NewReader(sealed(t, c.design)), dictionary)
	if err == nil {
		err = checked.WriteVIPR(&out)
	}
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return out.String()
}

// accepted reads a certificate that has to prove its claim, with viprchk too where that is installed.
func accepted(t testing.TB, text string) *viprFile {
	t.Helper()
	file, err := readVIPR(text)
	if err == nil {
		_, err = file.check()
	}
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, text)
	}
	if program, err := exec.LookPath("viprchk"); err == nil {
		path := filepath.Join(t.TempDir(), "proof.vipr")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(program, path).CombinedOutput(); err != nil {
			t.Fatalf("viprchk: %v\n%s\n%.3000s", err, out, text)
		}
	}
	return file
}

// TestVIPRCertificates: the files of all cases, and of drawn ones, become certificates that an independent reader accepts, and
// these state the problem of the file and its claims.
func TestVIPRCertificates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range fileCases(t) {
		if len(c.instance.quadratic) == 0 {
			stateTheSame(t, random, &c, accepted(t, vipr(t, &c)))
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		c := drawnCase(t, random, rapid.SampledFrom(shapes).Draw(r, "shape"))
		stateTheSame(t, random, &c, accepted(t, vipr(t, &c)))
	})
}

// stateTheSame compares a certificate with the problem of its file: claims, and costs and feasibility of points.
func stateTheSame(t *testing.T, random *rand.Rand, c *fileCase, file *viprFile) {
	t.Helper()
	p, claims := c.instance, c.design["claims"].(map[string]any)
	offset := fractionOf(p.offset)
	claimed := func(key string) *big.Rat { return new(big.Rat).Sub(fractionOf(claims[key].(float64)), offset) }
	if file.lower.Cmp(claimed("lower")) != 0 || file.upper != nil && file.upper.Cmp(claimed("full")) != 0 || (file.upper == nil) != (claims["missed"].(float64) > 0) {
		t.Errorf("%s: the certificate claims %v to %v, the file %v", c.name, file.lower, file.upper, claims)
	}
	stated := map[string]bool{}
	for _, row := range file.given {
		if stated[row.name] {
			t.Errorf("%s: %s is stated twice", c.name, row.name)
		}
		stated[row.name] = true
	}
	for draw := range 20 {
		moved := *p
		moved.x = slices.Clone(p.x)
		for j := range moved.x {
			if draw > 0 && random.IntN(2) == 0 {
				moved.x[j] += float64(random.IntN(5) - 2)
			}
		}
		x := form{}
		for j, v := range moved.point() {
			x[j] = v
		}
		if p.objective != nil && p.radius > 0 {
			x[len(p.x)] = new(big.Rat).Quo(moved.reach(p.objective, p.every()), fractionOf(p.radius))
		}
		cost := file.objective.at(x)
		if cost.Add(cost, offset).Cmp(moved.value(p.every())) != 0 {
			t.Errorf("%s: %v costs %v, %v in the certificate", c.name, moved.x, moved.value(p.every()), cost)
		}
		inside := moved
		inside.constraints = nil
		if moved.missed().Sign() == 0 && !file.feasible(x) || inside.missed().Sign() > 0 && file.feasible(x) {
			t.Errorf("%s: %v misses limits by %v; feasible in the certificate: %v", c.name, moved.x, moved.missed(), file.feasible(x))
		}
	}
}

// TestVIPRText: the least x >= 0 with 2x >= 1 is 1 for whole x, as a certificate for other people's checkers.
func TestVIPRText(t *testing.T) {
	cases := integerCases()
	text := vipr(t, &cases[1])
	_, text, _ = strings.Cut(text, "VER")
	want := ` 1.0
VAR 1
x0
INT 1
0
OBJ min
1 0 1
CON 3 2
lower0 G 0 1 0 1
upper0 L 2 1 0 1
row0G G 1 1 0 2
RTP range 1 1
SOL 1
decision 1 0 1
DER 5
node0L L 0 1 0 1 { asm } -1
leaf0 G 1 0 { lin 2 2 1 3 -2 } -1
node0G G 1 1 0 1 { asm } -1
leaf1 G 1 OBJ { lin 1 5 1 } -1
node0 G 1 OBJ { uns 4 3 6 5 } -1
`
	if text != want {
		t.Errorf("%s", text)
	}
}

// TestVIPRReaderKnowsTheRules: each rule of the format refuses a certificate that breaks it.
func TestVIPRReaderKnowsTheRules(t *testing.T) {
	cases := integerCases()
	text := vipr(t, &cases[1])
	accepted(t, text)
	for broken, change := range map[string][2]string{
		"the version":                       {"VER 1.0", "VER 1.1"},
		"a variable more":                   {"VAR 1", "VAR 2"},
		"a split of what is not whole":      {"INT 1\n0", "INT 0\n"},
		"a maximum":                         {"OBJ min", "OBJ max"},
		"a decision that misses a row":      {"decision 1 0 1", "decision 0"},
		"a decision in halves":              {"decision 1 0 1", "decision 1 0 1/2"},
		"an upper bound not attained":       {"RTP range 1 1", "RTP range 1 3/4"},
		"a lower bound not proven":          {"RTP range 1 1", "RTP range 5/4 2"},
		"assumptions left":                  {"{ uns 4 3 6 5 }", "{ lin 1 6 1 }"},
		"an assumption of the other branch": {"{ uns 4 3 6 5 }", "{ uns 4 5 6 3 }"},
		"a gap between the branches":        {"node0G G 1 1 0 1", "node0G G 2 1 0 1"},
		"a part that does not dominate":     {"node0 G 1 OBJ", "node0 G 2 OBJ"},
		"signs that do not fit":             {"lin 2 2 1 3 -2", "lin 2 2 1 3 2"},
		"other coefficients":                {"lin 2 2 1 3 -2", "lin 2 2 1 3 -3"},
		"a later constraint":                {"{ lin 1 5 1 }", "{ lin 1 6 1 }"},
		"an index twice":                    {"lin 2 2 1 3 -2", "lin 2 3 -1 3 -1"},
		"a sense turned":                    {"leaf1 G 1 OBJ", "leaf1 L 1 OBJ"},
		"a decimal of other signs":          {"row0G G 1", "row0G G 0x1"},
		"cut off":                           {"{ uns 4 3 6 5 } -1", "{ uns 4 3 6 5 }"},
		"a line more":                       {"DER 5", "DER 4"},
	} {
		corrupted := strings.Replace(text, change[0], change[1], 1)
		file, err := readVIPR(corrupted)
		if err == nil {
			_, err = file.check()
		}
		if err == nil || corrupted == text {
			t.Errorf("%s is accepted", broken)
		}
	}
}

// TestVIPRIsRefused where there is nothing to certify, with the next step.
func TestVIPRIsRefused(t *testing.T) {
	var out bytes.Buffer
	for _, nothing := range []*designfile.Checked{nil, {}} {
		if err := nothing.WriteVIPR(&out); err == nil {
			t.Errorf("%v is written", nothing)
		}
	}
	bare := drawnCase(t, rand.New(rand.NewPCG(5, 5)), shapes[0])
	bare.design = bare.instance.design(nil, nil, nil)
	for _, c := range append(quadraticCases(), bare) {
		checked, err := designfile.Verify(bytes.NewReader(sealed(t, c.design)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := checked.WriteVIPR(&out); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
