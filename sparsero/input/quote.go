package input

import (
	"fmt"
	"strconv"
	"strings"
)

// longestQuote is how many bytes of one text an error quotes: enough to find it in a file.
const longestQuote = 60

// Quote returns text in quotation marks for an error; what is long is cut and says so.
func Quote(text string) string {
	if len(text) <= longestQuote {
		return strconv.Quote(text)
	}
	return strconv.Quote(strings.ToValidUTF8(text[:longestQuote], "")) + "..."
}

// List returns names for an error: all of a few, and the first and the last of many.
func List(names []string) string {
	const shown = 3
	quoted := make([]string, 0, shown+1)
	for i, name := range names {
		if i < shown-1 || i == len(names)-1 || len(names) == shown {
			quoted = append(quoted, Quote(name))
		} else if i == shown-1 {
			quoted = append(quoted, "...")
		}
	}
	return fmt.Sprintf("(%s)", strings.Join(quoted, ", "))
}
