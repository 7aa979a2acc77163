package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// nullable are the keys at which null stands for none: no bound, no limit of a norm, no entries.
var nullable = []string{"lower", "upper", "norm", "columns", "values", "rows", "quadratic", "labels"}

// checkSyntax refuses what decoders read without a word in JSON that is known to be valid: of keys that stand twice the last one counts,
// capitals count as small letters, and null counts as 0.
func checkSyntax(text []byte) error {
	if f := inspect(json.NewDecoder(bytes.NewReader(text)), ""); f != nil {
		return fmt.Errorf("%s %s", strings.TrimPrefix(f.place, "."), f.words)
	}
	return nil
}

// fault is what is wrong at a place such as .rows[2].
type fault struct{ place, words string }

// within is the fault as it is seen from further outside.
func (f *fault) within(place string) *fault { return &fault{place + f.place, f.words} }

// inspect reads a value that stands at a key, "" for one in a list.
func inspect(d *json.Decoder, key string) *fault {
	token, err := d.Token()
	switch {
	case err != nil:
		return &fault{words: err.Error()}
	case token == nil && !slices.Contains(nullable, key):
		return &fault{words: "is null; give a value, or leave the key out"}
	case token == json.Delim('['):
		for k := 0; d.More(); k++ {
			if f := inspect(d, ""); f != nil {
				return f.within(fmt.Sprintf("[%d]", k))
			}
		}
		_, _ = d.Token() // the end
	case token == json.Delim('{'):
		return inspectObject(d, key)
	}
	return nil
}

// inspectObject reads an object to its end. Of budgets the keys are names, as they may be.
func inspectObject(d *json.Decoder, key string) *fault {
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		inner, is := token.(string)
		small := strings.ToLower(strings.ToUpper(inner))
		switch {
		case err != nil || !is:
			return &fault{words: fmt.Sprint("is no object: ", err)}
		case seen[inner]:
			return &fault{"." + inner, "stands twice; give it once"}
		case key != "budgets" && inner != small:
			return &fault{"." + inner, fmt.Sprintf("is unknown; write %q", small)}
		}
		seen[inner] = true
		at := inner
		if key == "budgets" {
			at = "" // a name, whatever it is
		}
		if f := inspect(d, at); f != nil {
			return f.within("." + inner)
		}
	}
	_, _ = d.Token() // the end
	return nil
}
