package designfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// TestFilesAreReadUpToTheirMost bytes, and no file of one more.
func TestFilesAreReadUpToTheirMost(t *testing.T) {
	for text, taken := range map[string]bool{"": true, "1234": true, "12345": true, "123456": false, "1234567": false} {
		var data []byte
		err := lifted.Checked(func() { data = readWhole("file", strings.NewReader(text), 5) })
		if taken && (err != nil || string(data) != text) || !taken && !errors.Is(err, ErrNotCheckable) {
			t.Errorf("%q: %q, %v", text, data, err)
		}
	}
}

// TestEveryClaimIsJudged, whichever others are withheld.
func TestEveryClaimIsJudged(t *testing.T) {
	zero := 0.0
	truth := &lifted.Truth{
		Full: new(big.Rat), Restricted: new(big.Rat), Missed: new(big.Rat),
		Lower: big.NewRat(-1, 1), Regret: big.NewRat(1, 1), Gap: big.NewRat(1, 1),
	}
	for name, claims := range map[string]numbers{"": {}, "lower": {Lower: &zero}, "regret": {Regret: &zero}, "gap": {Gap: &zero}, "full": {Full: -1}} {
		err := lifted.Checked(func() { claims.judge(truth) })
		var wrong *FalseClaimError
		if (err == nil) != (name == "") || err != nil && !errors.As(err, &wrong) {
			t.Errorf("a false %q: %v", name, err)
		}
	}
}

// TestKeysThatAreLeftOutHideNoOthers that follow them.
func TestKeysThatAreLeftOutHideNoOthers(t *testing.T) {
	object := struct {
		First  int  `json:"first"`
		Second *int `json:"second,omitempty"`
		Third  int  `json:"third"`
	}{First: 1, Third: 3}
	var text bytes.Buffer
	if err := writeObject(&text, reflect.ValueOf(object), 1); err != nil || text.String() != "{\n\"first\": 1,\n\"third\": 3}" {
		t.Errorf("%s, %v", text.String(), err)
	}
	var unsupported *json.UnsupportedValueError
	if err := writeObject(&text, reflect.ValueOf(lifted.Column{Cost: math.Inf(1)}), 1); !errors.As(err, &unsupported) {
		t.Errorf("an infinite cost is written: %v", err)
	}
}

// TestEntriesHaveTheirNumberOfParts, and a number without a value has no sign.
func TestEntriesHaveTheirNumberOfParts(t *testing.T) {
	for text, taken := range map[string]bool{`["a", "b"]`: true, `["a"]`: false, `["a", "b", "c"]`: false, `"ab"`: false} {
		var entry [2]string
		err := lifted.Checked(func() { newDecoder([]byte(text)).read(reflect.ValueOf(&entry).Elem(), "entry") })
		if taken != (err == nil) || err != nil && !errors.Is(err, ErrNotCheckable) {
			t.Errorf("%s: %v, %v", text, entry, err)
		}
	}
	if v := float(json.Number("-0"), "number"); v != 0 || math.Signbit(v) {
		t.Errorf("-0 is read as %v", v)
	}
}

// TestProblemsOverASetHaveNoCertificate of VIPR, which knows no sets.
func TestProblemsOverASetHaveNoCertificate(t *testing.T) {
	var text, certificate bytes.Buffer
	if err := small().Write(&text); err != nil {
		t.Fatal(err)
	}
	checked, err := Verify(&text, nil)
	if err != nil {
		t.Fatal(err)
	}
	checked.file.Problem.Set = &lifted.Set{}
	if err := checked.WriteVIPR(&certificate); err == nil || certificate.Len() > 0 {
		t.Errorf("%v after %d bytes", err, certificate.Len())
	}
}

// TestAFileWhoseFormIsWrongIsRefused before anything that it claims is judged.
func TestAFileWhoseFormIsWrongIsRefused(t *testing.T) {
	var text bytes.Buffer
	if err := small().Write(&text); err != nil {
		t.Fatal(err)
	}
	whole := text.String()
	decision := regexp.MustCompile(`(?s)"decision": (\{.*?\})`).FindStringSubmatch(whole)
	for name, data := range map[string]string{
		"a list for an object":   strings.Replace(whole, decision[1], strings.NewReplacer("{", "[", "}", "]", ":", ",").Replace(decision[1]), 1),
		"a number for an object": strings.Replace(whole, decision[1], "7", 1),
		"another key at its end": strings.Replace(strings.Replace(whole, `"seal"`, `"note"`, 1), `"decision"`, `"seal"`, 1),
		"a seal of few digits":   regexp.MustCompile(`[0-9a-f]{8}"\}\s*$`).ReplaceAllString(whole, "\"}\n"),
		"two ends":               whole + "}",
	} {
		if data == whole {
			t.Errorf("%s: the file is the one that was written", name)
		}
		if _, err := Verify(strings.NewReader(data), nil); !errors.Is(err, ErrNotCheckable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, data := range []string{"", "{}", `{"seal": 7}`, strings.TrimRight(whole, "}\n \t")} {
		if err := lifted.Checked(func() { sealOf([]byte(data)) }); !errors.Is(err, ErrNotCheckable) {
			t.Errorf("%q has a seal at its end: %v", data[:min(len(data), 40)], err)
		}
	}
}
