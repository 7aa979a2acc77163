package certificate_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"runtime"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/exact"
	"github.com/sparsero/directions/sparsero/certificate"
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
	part := func(d map[string]any, key string) map[string]any { return d[key].(map[string]any) }
	plain := string(sealed(t, c.design))
	many := 7_999_000
	if testing.Short() {
		many /= 20
	}
	for name, data := range map[string][]byte{
		"nothing":           {},
		"deep":              []byte(`{"format":` + strings.Repeat("[", 100_000)),
		"deep and closed":   []byte(strings.Replace(plain, `"by hand"`, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000), 1)),
		"deep proof":        []byte(strings.Replace(plain, `"proof":`, `"proof":`+strings.Repeat(`{"column":0,"at":0,"above":null,"below":`, 50_000), 1)),
		"many atoms":        with(func(d map[string]any) { part(d, "dictionary")["atoms"] = 1_000_000_000 }),
		"more atoms":        with(func(d map[string]any) { part(d, "dictionary")["atoms"] = 1e300 }),
		"huge number":       []byte(strings.Replace(plain, `"by hand"`, "1e999999999", 1)),
		"long number":       []byte(strings.Replace(plain, `"by hand"`, strings.Repeat("7", 1_000_000), 1)),
		"zeros":             make([]byte, 1<<20),
		"long fractions":    with(func(d map[string]any) { part(d, "proof")["rows"] = []any{[]any{0, "1/" + strings.Repeat("3", 99_999)}} }),
		"endless text":      []byte(`{"format":"` + strings.Repeat("x", 1<<20)),
		"many empty values": []byte("[" + strings.Repeat("[],", 9_000_000) + "0]"),
		"many values":       []byte("[" + strings.Repeat("1e-300,", many) + "0]"),
		"growing costs":     sealed(t, wideDesign([]any{0, strings.Repeat("f", 99_990) + "/1"}, 0)),
		"growing bounds":    sealed(t, wideDesign([]any{0, 0}, 300)),
	} {
		got := verdict(t, data, nil)
		if got != "2" {
			t.Errorf("%s: the verdict is %q", name, got)
		}
		if _, err := verify(data, nil); strings.HasPrefix(name, "growing") && !strings.Contains(fmt.Sprint(err), "too long") {
			t.Errorf("%s: %v", name, err)
		}
		both.add(t, got, data, nil)
	}
	external := copied(t, c.design)
	delete(part(external, "dictionary"), "values")
	for name, table := range map[string][]byte{
		"rows that are not there": npyFile("<f8", 1, 1_000_000_000, []float64{1}), "cut off": []byte("\x93NUMPY\x01"), "empty": {},
		"header beyond the end": append([]byte("\x93NUMPY\x03\x00"), 0xff, 0xff, 0xff, 0x7f), "other kind": npyFile("<c16", 1, 6, []float64{1}),
		"text": []byte("no,numbers\n"), "quote": []byte(`"`), "nan": []byte(strings.Repeat("1,2,nan\n", 6)),
	} {
		got := verdict(t, sealed(t, external), table)
		if got == "0" {
			t.Errorf("%s: the dictionary is accepted", name)
		}
		both.add(t, got, sealed(t, external), table)
	}
	both.check(t)
	var memory runtime.MemStats
	if runtime.ReadMemStats(&memory); memory.Sys>>20 > mostMemory {
		t.Errorf("Verify took %d MB, and may take %d", memory.Sys>>20, mostMemory)
	}
	t.Logf("Verify took %d MB", memory.Sys>>20)
}

// wideDesign is a file whose reduced costs, or bounds that a chain of rows implies, grow too long for so many columns.
func wideDesign(multiplier []any, chain int) map[string]any {
	p := &instance{columns: make([]instanceColumn, 20_000), x: make([]float64, 20_000), atoms: [][]float64{{1}}}
	wide := exact.Row{Upper: 1}
	for j := range p.columns {
		p.columns[j].upper = 1
		wide.Columns, wide.Values = append(wide.Columns, j), append(wide.Values, 1)
	}
	p.rows = []exact.Row{wide}
	implied := []any{}
	for k := range chain {
		p.rows = append(p.rows, exact.Row{Columns: []int{k, k + 1}, Values: []float64{1, -1e300}, Upper: 1})
		implied = append(implied, []any{k + 1, k + 1, -1})
	}
	d := p.design(map[string]any{"rows": []any{multiplier}, "objective": []any{}, "constraints": []any{}}, new(big.Rat), nil)
	d["implied"] = implied
	return d
}

// TestVerifyStopsReading: an endless file is not read to its end.
func TestVerifyStopsReading(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 256 MB twice")
	}
	design := sealed(t, externalCases(t)[0].design)
	for name, err := range map[string]error{
		"design":     second(certificate.Verify(io.MultiReader(strings.NewReader(`{"format":"`), zeros{}), nil)),
		"dictionary": second(certificate.Verify(bytes.NewReader(design), zeros{})),
	} {
		if !errors.Is(err, certificate.ErrNotCheckable) || !strings.Contains(fmt.Sprint(err), "256 MB") {
			t.Errorf("an endless %s: %v", name, err)
		}
	}
	if _, err := certificate.Verify(nil, nil); !errors.Is(err, certificate.ErrNotCheckable) {
		t.Errorf("no reader: %v", err)
	}
	runtime.GC()
}

func second(_ *certificate.Verdict, err error) error { return err }

// TestVerifyTakesDeepProofs: branches may be nested as deep as the format says.
func TestVerifyTakesDeepProofs(t *testing.T) {
	p := &instance{columns: []instanceColumn{{upper: 3000, cost: 1, integer: true}}, atoms: [][]float64{{1}}, x: []float64{0}}
	leaf := p.leaf([]*big.Rat{}, false)
	var proof any = leaf
	for level := range 1900 {
		proof = map[string]any{"column": 0, "at": 1900 - level, "below": proof, "above": leaf}
	}
	data, both := sealed(t, p.design(proof, new(big.Rat), new(big.Rat))), newAgreement(t)
	if _, err := verify(data, nil); err != nil {
		t.Error(err)
	}
	both.add(t, "0", data, nil)
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
	data := sealed(b, p.design(map[string]any{"rows": []any{}, "objective": []any{[]any{0, 1}}, "constraints": []any{}}, new(big.Rat), nil))
	for b.Loop() {
		if _, err := verify(data, nil); err != nil {
			b.Fatal(err)
		}
	}
}
