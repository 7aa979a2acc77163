package designfile_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(data []byte) (int, error) {
	clear(data)
	return len(data), nil
}

// TestVerifyRefusesHostileFiles: files that are made to exhaust time or memory get an answer, the same from both.
func TestVerifyRefusesHostileFiles(t *testing.T) {
	both := newAgreement(t)
	c := externalCase(t)
	with := func(change func(d map[string]any)) []byte {
		d := copied(t, c.design)
		change(d)
		return sealed(t, d)
	}
	part := func(d map[string]any, path ...any) map[string]any { return place(d, path...).(map[string]any) }
	plain := string(sealed(t, c.design))
	body := strings.TrimRight(plain[1:strings.LastIndex(plain, `"seal"`)], ", \n") // which a seal in front of it does not cover
	many := 7_999_000
	if testing.Short() {
		many /= 20
	}
	for name, data := range map[string][]byte{
		"nothing":         {},
		"deep":            []byte(`{"format":` + strings.Repeat("[", 100_000)),
		"deep and closed": []byte(strings.Replace(plain, `"by hand"`, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000), 1)),
		"deep proof":      []byte(strings.Replace(plain, `"proof":`, `"proof":`+strings.Repeat(`{"column":0,"at":0,"above":null,"below":`, 50_000), 1)),
		"many atoms":      with(func(d map[string]any) { part(d, "problem", "dictionary")["atoms"] = 1_000_000_000 }),
		"more atoms":      with(func(d map[string]any) { part(d, "problem", "dictionary")["atoms"] = 1e300 }),
		"huge number":     []byte(strings.Replace(plain, `"by hand"`, "1e999999999", 1)),
		"long number":     []byte(strings.Replace(plain, `"by hand"`, strings.Repeat("7", 1_000_000), 1)),
		"an exponent of a long number, which is 1": with(func(d map[string]any) {
			part(d, "problem")["radius"] = json.Number("0." + strings.Repeat("0", 100_000) + "1e100001")
		}),
		"zeros": make([]byte, 1<<20),
		"long numbers": with(func(d map[string]any) {
			part(d, "proof", "leaves", 0)["rows"] = multipliers([2]any{0, strings.Repeat("3", 100_001)})
		}),
		"endless text":      []byte(`{"format":"` + strings.Repeat("x", 1<<20)),
		"many empty values": []byte("[" + strings.Repeat("[],", 9_000_000) + "0]"),
		"many values":       []byte("[" + strings.Repeat("1e-300,", many) + "0]"),
		"seal at first":     fmt.Appendf(nil, `{"seal": "%x", %s}`, sha256.Sum256([]byte("{")), body),
		"a third part of an entry": with(func(d map[string]any) {
			part(d, "provenance")["seeds"] = []any{[]any{"a", "1", "2"}}
		}),
		"growing costs":   sealed(t, wideDesign(strings.Repeat("f", 99_990), 0)),
		"growing squares": sealed(t, longSquares()),
	} {
		got := verdict(t, data, nil)
		if got != "2" {
			t.Errorf("%s: the verdict is %q", name, got)
		}
		if _, err := verify(data, nil); strings.HasPrefix(name, "a third part") && !strings.Contains(err.Error(), "seeds has more than 2 parts") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := verify(data, nil); strings.HasPrefix(name, "growing") && !errors.Is(err, designfile.ErrNotCheckable) {
			t.Errorf("%s: %v", name, err)
		}
		both.add(t, got, data, nil)
	}
	external := copied(t, c.design)
	part(external, "problem", "dictionary")["values"] = nil
	for name, table := range map[string][]byte{
		"rows that are not there": npyFile("<f8", 1, 1_000_000_000, []float64{1}), "cut off": []byte("\x93NUMPY\x01"), "empty": {},
		"header beyond the end": append([]byte("\x93NUMPY\x03\x00"), 0xff, 0xff, 0xff, 0x7f), "other kind": npyFile("<c16", 1, 6, []float64{1}),
		"another shape": bytes.Replace(npyFile("<f8", 1, 6, slices.Repeat([]float64{1}, 18)), []byte("(6, 3)"), []byte("(9, 2)"), 1), "infinite": npyFile("<f8", 1, 6, slices.Repeat([]float64{math.Inf(1)}, 18)),
		"other numbers": npyFile("<f8", 1, 6, slices.Repeat([]float64{1}, 18)), "text": []byte("no,numbers\n"), "quote": []byte(`"`), "nan": []byte(strings.Repeat("1,2,nan\n", 6)), "long": []byte(strings.Repeat("1,2,0."+strings.Repeat("0", 4_999)+"\n", 6)),
	} {
		got := verdict(t, sealed(t, external), table)
		if got != "2" { // nothing of this makes a claim of the file false
			t.Errorf("%s: the verdict is %q", name, got)
		}
		both.add(t, got, sealed(t, external), table)
	}
	endless := slices.Repeat([]float64{math.Inf(1)}, 18)
	part(external, "problem", "dictionary")["sha256"] = lifted.Hash(3, slices.Collect(slices.Chunk(endless, 3)))
	if got := verdict(t, sealed(t, external), npyFile("<f8", 1, 6, endless)); got != "2" {
		t.Errorf("infinite numbers of which the file has the hash: the verdict is %q", got)
	}
	both.add(t, "2", sealed(t, external), npyFile("<f8", 1, 6, endless))
	both.add(t, "0", with(func(d map[string]any) {
		part(d, "problem")["radius"] = json.Number(fmt.Sprintf("%.4990f", part(d, "problem")["radius"]))
	}), nil)
	chain := sealed(t, wideDesign(0, 300)) // whose numbers stay short, because implied bounds are rounded
	both.add(t, verdict(t, chain, nil), chain, nil)
	both.check(t)
	var memory runtime.MemStats
	if runtime.ReadMemStats(&memory); memory.Sys>>20 > mostMemory {
		t.Errorf("Verify took %d MB, and may take %d", memory.Sys>>20, mostMemory)
	}
	t.Logf("Verify took %d MB", memory.Sys>>20)
}

// longSquares is a file whose divisors of squares have a common multiple that is too long for so many columns.
func longSquares() map[string]any {
	d := wideDesign(0, 0)
	list := [][]any{}
	for range 250 {
		list = append(list, []any{strings.Repeat("f", 100)})
	}
	d["proof"].(map[string]any)["curvature"] = squares(5_000, list...)
	return d
}

// wideDesign is a file with a multiplier of a row over many columns, and a chain of rows that imply bounds one after the other.
func wideDesign(multiplier any, chain int) map[string]any {
	p := &instance{columns: make([]instanceColumn, 5_000), x: make([]float64, 5_000), atoms: [][]float64{{1}}}
	wide := proof.Row{Upper: 1}
	for j := range p.columns {
		p.columns[j].upper = 1
		wide.Columns, wide.Values = append(wide.Columns, j), append(wide.Values, 1)
	}
	p.rows = []proof.Row{wide}
	implied := []any{}
	for k := range chain {
		p.rows = append(p.rows, proof.Row{Columns: []int{k, k + 1}, Values: []float64{1, -1e300}, Upper: 1})
		implied = append(implied, []any{k + 1, k + 1, -1})
	}
	leaf := p.leaf(slices.Repeat([]*big.Rat{new(big.Rat)}, len(p.rows)), false)
	leaf["rows"] = multipliers([2]any{0, multiplier})
	d := p.design(leaf, new(big.Rat), nil)
	d["proof"].(map[string]any)["implied"] = implied
	return d
}

// TestVerifyCountsBeforeItReads: a file of too many values or objects is refused for that before it is taken apart.
func TestVerifyCountsBeforeItReads(t *testing.T) {
	for mark, most := range map[string]int{"[": 8_000_000, ",": 8_000_000, "{": 1_000_000} {
		_, err := verify([]byte(strings.Repeat(mark, most+1)), nil)
		if !errors.Is(err, designfile.ErrNotCheckable) || !strings.Contains(err.Error(), "holds more than") {
			t.Errorf("%q, once too often: %v", mark, err)
		}
		if _, err = verify([]byte(strings.Repeat(mark, most)), nil); err == nil || strings.Contains(err.Error(), "holds more than") {
			t.Errorf("%q, as often as allowed: %v", mark, err)
		}
	}
}

// TestVerifyStopsReading: an endless file is not read to its end.
func TestVerifyStopsReading(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 256 MB twice")
	}
	design := sealed(t, externalCases(t)[0].design)
	for name, err := range map[string]error{
		"design":     second(designfile.Verify(io.MultiReader(strings.NewReader(`{"format":"`), zeros{}), nil)),
		"dictionary": second(designfile.Verify(bytes.NewReader(design), zeros{})),
	} {
		if want := map[string]string{"design": "more than 268435456 bytes", "dictionary": "more than 1200000000 bytes"}[name]; !errors.Is(err, designfile.ErrNotCheckable) || !strings.Contains(err.Error(), want) {
			t.Errorf("an endless %s: %v", name, err)
		}
	}
	runtime.GC()
}

func second(_ *designfile.Checked, err error) error { return err }

// TestVerifyTakesDeepProofs: branches may be nested as deep as the format says.
func TestVerifyTakesDeepProofs(t *testing.T) {
	p := &instance{columns: []instanceColumn{{upper: 3000, cost: 1, integer: true}}, atoms: [][]float64{{1}}, x: []float64{0}}
	leaf := p.leaf([]*big.Rat{}, false)
	var proof any = leaf
	levels := 1_900
	if testing.Short() {
		levels = 700
	}
	for level := range levels {
		proof = map[string]any{"column": 0, "at": levels - level, "below": proof, "above": leaf}
	}
	data, both := sealed(t, p.design(proof, new(big.Rat), new(big.Rat))), newAgreement(t)
	if _, err := verify(data, nil); err != nil {
		t.Error(err)
	}
	both.add(t, "0", data, nil)
	for range 2_001 - levels {
		proof = map[string]any{"column": 0, "at": 5_000, "below": proof, "above": leaf}
	}
	data = sealed(t, p.design(proof, new(big.Rat), new(big.Rat)))
	if got := verdict(t, data, nil); got != "2" {
		t.Errorf("2,001 branches above a leaf get %q", got)
	}
	both.add(t, "2", data, nil)
	both.check(t)
}

// BenchmarkVerify checks a file with a dictionary of 100,000 numbers beside it, as those of large studies are.
func BenchmarkVerify(b *testing.B) {
	p := &instance{radius: 1, chosen: []int{0}, columns: make([]instanceColumn, 10), x: make([]float64, 10)}
	q := instanceMap{constant: make([]float64, 50)}
	for k := range 50 {
		q.matrix = append(q.matrix, make([]float64, 10))
		q.matrix[k][k%10] = 1 / float64(k+3)
	}
	for j := range p.columns {
		p.columns[j].upper, p.x[j] = 1, 1/float64(j+2)
	}
	p.objective = &q
	for i := range 2_000 {
		atom := make([]float64, 50)
		for k := range atom {
			atom[k] = 1 / float64(3+(7*i+k)%101)
		}
		p.atoms = append(p.atoms, atom)
	}
	leaf := map[string]any{"scale": 1, "rows": multipliers(), "objective": multipliers([2]any{0, 1}), "constraints": []any{}, "tangent": []any{}, "empty": false}
	data := sealed(b, p.design(leaf, new(big.Rat), nil))
	for b.Loop() {
		if _, err := verify(data, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestVerifyOfNothing(t *testing.T) {
	if _, err := designfile.Verify(nil, nil); !errors.Is(err, designfile.ErrNotCheckable) || !strings.Contains(err.Error(), "there is no design file") {
		t.Errorf("no reader: %v", err)
	}
}
