package book

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// texts prints each number of a list in the five ways of the panels.
const texts = `const { digits, atMost, atLeast } = (require("./assets/live/numbers.js"), globalThis.numbers);
const list = JSON.parse(require("fs").readFileSync(0));
const nearest = list.map(digits);
console.log(JSON.stringify(list.map((v, k) => [nearest[k], atMost(v), atLeast(v), atMost(v, 2), atLeast(v, 2)])));`

// numeral turns a number as the panels write it into one that Go reads.
var numeral = strings.NewReplacer("−", "-", " · 10", "e", "⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6",
	"⁷", "7", "⁸", "8", "⁹", "9")

// TestBoundsOfPanelsAreRoundedOutwards: a bound that a panel prints is not on the wrong side of the number that the library
// gave, to which it is as near as three digits allow.
func TestBoundsOfPanelsAreRoundedOutwards(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	values, random := []float64{0, 0.1, -0.1, 1, 999950, 1e-3, 1e6, 5e-324, math.MaxFloat64, 0.5, 1 - 0x1p-53, -1e-3}, rand.New(rand.NewPCG(1, 2))
	for len(values) < 10_000 {
		v := (2*random.Float64() - 1) * math.Pow(10, 24*random.Float64()-12)
		if len(values)%2 == 0 { // few digits, which round trips and powers of ten leave as they are
			v = math.Round(v*1000) / 1000
		}
		values = append(values, v)
	}
	asked, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(node, "-e", texts)
	run.Stdin = strings.NewReader(string(asked))
	said, err := run.Output()
	var printed [][5]string
	if err != nil || json.Unmarshal(said, &printed) != nil || len(printed) != len(values) {
		t.Fatalf("%v: %.200s", err, said)
	}
	for k, v := range values {
		for way, text := range printed[k] {
			exact := new(big.Rat).SetFloat64(v)
			if way > 2 {
				exact.Mul(exact, big.NewRat(100, 1))
			}
			if wrong := judge(text, exact, [5]int{0, 1, -1, 1, -1}[way]); wrong != "" {
				t.Fatalf("%v (%d): %s", v, way, wrong)
			}
		}
	}
}

// judge says what is wrong with the text of a number that is to lie on a side of it, or near it for side 0.
func judge(text string, exact *big.Rat, side int) string {
	number := numeral.Replace(text)
	if strings.HasPrefix(strings.TrimPrefix(text, "−"), "10") && strings.ContainsAny(text, "⁻⁰¹²³⁴⁵⁶⁷⁸⁹") {
		number = strings.Replace(number, "10", "1e", 1)
	}
	read, ok := new(big.Rat).SetString(number)
	if !ok {
		return fmt.Sprintf("%q is no number", text)
	}
	if side != 0 && read.Cmp(exact)*side < 0 {
		return text + " is on the wrong side"
	}
	distance, size := new(big.Rat).Sub(read, exact), new(big.Rat).Abs(exact)
	if distance.Abs(distance).Cmp(size.Mul(size, big.NewRat(1, 100))) > 0 {
		return text + " is far from it"
	}
	return ""
}

// panelOfRadii draws the panel of calibrated radii with an answer of the library, and prints the cell of its radius.
const panelOfRadii = `require("./assets/live/numbers.js");
globalThis.live = { ...globalThis.numbers, kinds: {}, make() {}, range() {}, button() {}, ask: async () => ({ Scores: [1], Rules: [{ Radius: 1.2341, Rank: 0 }] }),
  plot: () => ({ clear() {}, area() {} }), table: () => rows => console.log(rows[0][3].text) };
require("./assets/live/radius.js");
live.kinds.radius(null, {}, () => 0)();`

// TestRadiiOfThePanelAreRoundedUp: a radius with a guarantee is a bound.
func TestRadiiOfThePanelAreRoundedUp(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	if said, err := exec.Command(node, "-e", panelOfRadii).CombinedOutput(); err != nil || strings.TrimSpace(string(said)) != "1.235" {
		t.Errorf("1.2341 is printed as %s (%v)", said, err)
	}
}
