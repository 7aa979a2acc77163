package designfile_test

import (
	"bytes"
	"slices"
	"testing"
)

// loose is the simplest file with claims that are true, far from tight, and all different.
func loose(t *testing.T) map[string]any {
	d := copied(t, simplest())
	d["claims"] = map[string]any{"full": 3., "restricted": 2., "missed": 0.25, "lower": -1., "regret": 4., "gap": 5.}
	return d
}

// TestVerifyReturnsTheClaimsOfTheFile, each under its name, and the seal.
func TestVerifyReturnsTheClaimsOfTheFile(t *testing.T) {
	d := loose(t)
	data := sealed(t, d)
	checked, err := verify(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	claims := checked.Claims()
	for key, got := range map[string]float64{
		"full": claims.Full.Float(), "restricted": claims.Restricted.Float(), "missed": claims.Missed.Float(),
		"lower": claims.Lower.Float(), "regret": claims.Regret.Float(), "gap": claims.Gap.Float(),
	} {
		if want := place(d, "claims", key); got != want {
			t.Errorf("the claim %s is %v, want %v", key, got, want)
		}
	}
	if !bytes.Contains(data, []byte(`"seal": "`+checked.Seal()+`"`)) || checked.Content().Uncertified {
		t.Errorf("the seal is %s, and uncertified %t, of\n%s", checked.Seal(), checked.Content().Uncertified, data)
	}
}

// TestVerifyJudgesEveryClaim, and both hashes: one alone is false in each file.
func TestVerifyJudgesEveryClaim(t *testing.T) {
	false_ := map[string]float64{"full": 0.5, "restricted": 0.5, "missed": -1, "lower": 0.5, "regret": 0.5, "gap": 0.5}
	for key, value := range false_ {
		d := loose(t)
		place(d, "claims").(map[string]any)[key] = value
		if got := verdict(t, sealed(t, d), nil); got != "1 "+key {
			t.Errorf("%s = %v gets %q", key, value, got)
		}
	}
	data := sealed(t, loose(t))
	for _, part := range [][2]string{{"by hand", "by Hand"}, {`"regret":4`, `"regret":6`}} {
		changed := bytes.Replace(data, []byte(part[0]), []byte(part[1]), 1)
		if got := verdict(t, changed, nil); got != "1 seal" {
			t.Errorf("%s under the seal of %s gets %q", part[1], part[0], got)
		}
		if got := verdict(t, resealed(changed), nil); got != "0" {
			t.Errorf("%s under its own seal gets %q", part[1], got)
		}
	}
	d := loose(t)
	place(d, "problem", "dictionary").(map[string]any)["values"] = []any{[]any{0.5}}
	if got := verdict(t, sealed(t, d), nil); got != "1 dictionary" {
		t.Errorf("atoms without their hash get %q", got)
	}
}

// TestVerifyTakesNoObjectForAList, of pairs, of texts, of numbers or of objects.
func TestVerifyTakesNoObjectForAList(t *testing.T) {
	for _, change := range []func(d map[string]any){
		func(d map[string]any) {
			place(d, "provenance").(map[string]any)["seeds"] = []any{map[string]any{"dice": "6"}}
		},
		func(d map[string]any) { place(d, "provenance").(map[string]any)["seeds"] = map[string]any{} },
		func(d map[string]any) { place(d, "provenance").(map[string]any)["promises"] = map[string]any{} },
		func(d map[string]any) { place(d, "decision").(map[string]any)["atoms"] = map[string]any{} },
		func(d map[string]any) { place(d, "proof").(map[string]any)["implied"] = map[string]any{} },
	} {
		d := loose(t)
		change(d)
		if got := verdict(t, sealed(t, d), nil); got != "2" {
			t.Errorf("%s gets %q", sealed(t, d), got)
		}
	}
}

// TestStatementsSayWhatIsClaimed, and no more.
func TestStatementsSayWhatIsClaimed(t *testing.T) {
	d := loose(t)
	checked, err := verify(sealed(t, d), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"The decision costs at most 3 against all 1 atoms at radius 1.",
		"Against the chosen atom alone it costs at most 2.",
		"No feasible decision costs less than -1 against all atoms.",
		"The regret of the decision is at most 4: no feasible decision is cheaper by more.",
		"The value gap between the chosen atoms and all atoms is at most 5, if each limit that the decision misses is moved to the decision.",
		"The decision misses bounds, rows or robust constraints by at most 0.25.",
	}
	if got := checked.Statements(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	claims := d["claims"].(map[string]any)
	claims["missed"], claims["lower"], claims["regret"], claims["gap"] = 0., nil, nil, nil
	if checked, err = verify(sealed(t, d), nil); err != nil {
		t.Fatal(err)
	}
	want = append(want[:2], "The decision keeps to every bound, row and robust constraint.")
	if got := checked.Statements(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestVerifyReadsAtomsBesideTheFile, under a header or without one, and no others.
func TestVerifyReadsAtomsBesideTheFile(t *testing.T) {
	d := loose(t)
	place(d, "problem", "dictionary").(map[string]any)["values"] = nil
	for table, want := range map[string]string{
		"1": "0", "1\n": "0", "a\n1": "0", "atom 0,1\n": "0", "name,a\nfirst,1.0\n": "0",
		"2\n": "2", "a\n2\n": "2", "1\n1\n1\n": "2", "one\n": "2", "1\na\n": "2", "": "2", "1e\n": "2", "+\n": "2", "1.2.3\n": "2", " 1 \r\n": "0", "0x1\n": "2",
	} {
		if got := verdict(t, sealed(t, d), []byte(table)); got != want {
			t.Errorf("%q gets %q, not %q", table, got, want)
		}
	}
	if got := verdict(t, sealed(t, d), nil); got != "2" {
		t.Errorf("no atoms get %q", got)
	}
}
