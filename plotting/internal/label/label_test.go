package label

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestScripts(t *testing.T) {
	for _, test := range []struct{ label, unicode string }{
		{"Δ_{S}(s)", "Δ_S(s)"},
		{"10^{-3}", "10⁻³"},
		{"x_{1} + x_{12}", "x₁ + x₁₂"},
		{"close_price", "close_price"},
		{"a_{b", "a_{b"},
		{"", ""},
		{"F(S_{b};T)^{2}", "F(S_b;T)²"},
		{"{}_{}", "{}"},
	} {
		if got := Unicode(test.label); got != test.unicode {
			t.Errorf("Unicode(%q) = %q, want %q", test.label, got, test.unicode)
		}
	}
}

// TestQuoteIsOneLiteral: no text can end the literal or open an HTML element.
func TestQuoteIsOneLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		quoted := Quote(text)
		var back string
		if err := json.Unmarshal([]byte(quoted), &back); err != nil || strings.ToValidUTF8(text, "\uFFFD") != back {
			t.Fatalf("%q becomes %s, which reads %q (%v)", text, quoted, back, err)
		}
		if strings.ContainsAny(quoted, "<>&") {
			t.Fatalf("%s holds characters of HTML", quoted)
		}
	})
}
