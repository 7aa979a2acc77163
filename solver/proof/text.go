package proof

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// String returns the shortest text that is not below the bound and reads back as the same float64.
func (u Upper) String() string { return safeText(u.Float(), up, 'g', -1) }

// String returns the shortest text that is not above the bound and reads back as the same float64.
func (l Lower) String() string { return safeText(l.Float(), down, 'g', -1) }

// Format prints the bound with any verb of package fmt, rounded upwards at the precision asked for. It panics without a state.
func (u Upper) Format(s fmt.State, verb rune) { format(s, verb, u.Float(), up, "proof.Upper") }

// Format prints the bound with any verb of package fmt, rounded downwards at the precision asked for. It panics without a state.
func (l Lower) Format(s fmt.State, verb rune) { format(s, verb, l.Float(), down, "proof.Lower") }

// MarshalJSON writes what String returns as a number, and the infinities as the strings "+Inf" and "-Inf".
func (u Upper) MarshalJSON() ([]byte, error) { return jsonText(u.String()), nil }

// MarshalJSON writes what String returns as a number, and the infinities as the strings "+Inf" and "-Inf".
func (l Lower) MarshalJSON() ([]byte, error) { return jsonText(l.String()), nil }

func jsonText(text string) []byte {
	if strings.HasSuffix(text, "Inf") {
		return []byte(strconv.Quote(text))
	}
	return []byte(text)
}

// The directions in which a text may lie.
const (
	up   = 1
	down = -1
)

// format writes a number as package fmt does, but on one side of it.
func format(s fmt.State, verb rune, v float64, side int, name string) {
	if s == nil {
		panic("proof: the state is nil; print with package fmt")
	}
	precision, given := s.Precision()
	if !given {
		precision = -1
	}
	text, plus := "", s.Flag('+')
	switch verb {
	case 'v', 's', 'q':
		plus = plus && verb != 'v' // of %+v, which is for structs
		if text = safeText(v, side, 'g', precision); verb == 'q' {
			text = strconv.Quote(text)
		} else if verb == 'v' && s.Flag('#') {
			text = map[int]string{up: "proof.AtMost(", down: "proof.AtLeast("}[side] + text + ")"
		}
	case 'g', 'G':
		text = safeText(v, side, 'g', precision)
	case 'e', 'E', 'f', 'F':
		if !given {
			precision = 6
		}
		text = safeText(v, side, byte(verb|0x20), precision)
	case 'x', 'X', 'b': // exact
		text = strconv.FormatFloat(v, byte(verb|0x20), -1, 64)
	default:
		text = fmt.Sprintf("%%!%c(%s=%s)", verb, name, safeText(v, side, 'g', -1))
	}
	if strings.ContainsRune("GEX", verb) && !math.IsInf(v, 0) {
		text = strings.ToUpper(text)
	}
	if strings.ContainsRune("sgGeEfFxXb", verb) && text[0] != '-' && text[0] != '+' {
		switch {
		case plus:
			text = "+" + text
		case s.Flag(' '):
			text = " " + text
		}
	}
	pad(s, text, s.Flag('0') && !math.IsInf(v, 0) && strings.ContainsRune("gGeEfF", verb))
}

// pad writes a text in the width asked for.
func pad(s fmt.State, text string, zeros bool) {
	width, _ := s.Width()
	missing := max(0, width-len(text))
	switch {
	case s.Flag('-'):
		text += strings.Repeat(" ", missing)
	case zeros:
		sign := len(text) - len(strings.TrimLeft(text, "+- "))
		text = text[:sign] + strings.Repeat("0", missing) + text[sign:]
	default:
		text = strings.Repeat(" ", missing) + text
	}
	fmt.Fprint(s, text)
}

// safeText returns v in a format and a precision of strconv.FormatFloat: the nearest decimal number where that is on the right
// side of v, and the next one on that side otherwise. With precision -1, in the format g, it takes as few digits as read back as v.
func safeText(v float64, side int, format byte, precision int) string {
	text := strconv.FormatFloat(v, format, precision, 64)
	if math.IsInf(v, 0) || onSide(text, v, side) {
		return text
	}
	if precision >= 0 {
		return nextText(text, v, side, format, precision)
	}
	mantissa, _, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	for digits := len(strings.Trim(mantissa, "-")) - strings.Count(mantissa, "."); ; digits++ {
		text = safeText(v, side, format, digits)
		if back, _ := strconv.ParseFloat(text, 64); back == v {
			return text
		}
	}
}

// onSide tells whether a decimal number is v or on one side of it.
func onSide(text string, v float64, side int) bool {
	if nearest, _ := strconv.ParseFloat(text, 64); nearest != v {
		return (nearest > v) == (side == up)
	}
	decimal, _ := new(big.Rat).SetString(text)
	return decimal.Cmp(new(big.Rat).SetFloat64(v))*side >= 0
}

// nextText returns the decimal number that follows a text of v in a format and a precision.
func nextText(text string, v float64, side int, format byte, precision int) string {
	power := -precision // of ten, of the unit in the last place
	if format != 'f' {
		if format == 'g' {
			precision = max(precision, 1)
		}
		places := precision // behind the first digit
		if format == 'g' {
			places--
		}
		_, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e") // of v: below a power of ten units are smaller
		power, _ = strconv.Atoi(exponent)
		power -= places
	}
	unit := new(big.Rat).SetInt64(int64(side))
	ten := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil))
	if power < 0 {
		ten.Inv(ten)
	}
	next, _ := new(big.Rat).SetString(text)
	next.Add(next, unit.Mul(unit, ten))
	const bitsPerDigit, mostDigits = 4, 320 // mostDigits stand in front of the point at the most
	return new(big.Float).SetPrec(uint(bitsPerDigit*(mostDigits+precision))).SetRat(next).Text(format, precision)
}
