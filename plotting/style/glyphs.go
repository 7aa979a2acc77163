package style

import (
	"strings"
	"sync"

	"gonum.org/v1/plot/font"
)

// substitutes stand for characters that the font of the static pictures lacks and that are not
// drawn as signs. Interactive charts use the fonts of the browser and need none.
var substitutes = map[rune]string{
	'ℝ': "R", 'ℕ': "N", 'ℤ': "Z", 'ℚ': "Q", '𝔼': "E", 'ℙ': "P", '★': "*", '☆': "*", '⏎': " ",
	'⁰': "^{0}", '⁻': "^{-}", 'ⁱ': "^{i}", '₋': "_{-}", 'ᵢ': "_{i}", 'ⱼ': "_{j}", 'ₖ': "_{k}", 'ₘ': "_{m}", 'ₙ': "_{n}", 'ᵣ': "_{r}",
	'⊤': "^{T}", 'ᵀ': "^{T}",
}

// unknownGlyph stands for characters without a substitute, such as those of most Asian
// scripts, which the embedded font does not hold.
const unknownGlyph = "□"

// known remembers which characters the font holds.
var known sync.Map // rune -> bool

// drawable replaces the characters of a text for which there is neither a glyph nor a sign.
func drawable(face font.Face, text string) string {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < 0x80
	}
	if ascii {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		_, drawn := signs[r]
		switch substitute, ok := substitutes[r]; {
		case drawn || holds(face, r):
			b.WriteRune(r)
		case ok:
			b.WriteString(substitute)
		default:
			b.WriteString(unknownGlyph)
		}
	}
	return b.String()
}

func holds(face font.Face, r rune) bool {
	if v, ok := known.Load(r); ok {
		return v.(bool)
	}
	index, err := face.Face.GlyphIndex(nil, r)
	holds := err == nil && index != 0
	known.Store(r, holds)
	return holds
}
