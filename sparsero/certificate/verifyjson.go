package certificate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// Limits of a design file, so that reading one takes bounded memory.
const (
	mostBytes   = 256 << 20
	mostValues  = 8_000_000 // commas and opening brackets
	mostObjects = 1_000_000 // opening braces
	mostKeys    = 4_000_000 // colons
	mostLevels  = 2_100     // of nesting
)

// parseJSON reads a file strictly: UTF-8, keys once and as they are spelled, finite numbers, nothing behind the end.
// Objects become map[string]any, lists []any and numbers float64.
func parseJSON(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, notCheckable("it is not text in UTF-8")
	}
	objects := bytes.Count(data, []byte("{"))
	if objects > mostObjects || bytes.Count(data, []byte(":")) > mostKeys || objects+bytes.Count(data, []byte(","))+bytes.Count(data, []byte("[")) > mostValues {
		return nil, notCheckable("it holds more than %d values, %d objects or %d keys", mostValues, mostObjects, mostKeys)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	value, err := parseValue(decoder, 0)
	if err == nil {
		if _, end := decoder.Token(); end != io.EOF {
			err = errors.New("something follows after the end")
		}
	}
	if err != nil && !errors.Is(err, ErrNotCheckable) {
		err = notCheckable("it is not JSON near byte %d: %v", decoder.InputOffset(), err)
	}
	return value, err
}

func parseValue(decoder *json.Decoder, level int) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Number:
		number, err := strconv.ParseFloat(string(token), 64)
		if err != nil {
			return nil, notCheckable("the number %.40s is beyond float64", token)
		}
		return number + 0, nil // -0 counts as 0
	case json.Delim:
		if level == mostLevels {
			return nil, notCheckable("it is nested more than %d levels deep", mostLevels)
		}
		if token == '{' {
			return parseObject(decoder, level+1)
		}
		return parseList(decoder, level+1)
	}
	return token, nil // a string, a truth value or null
}

func parseList(decoder *json.Decoder, level int) (any, error) {
	list := []any{}
	for decoder.More() {
		value, err := parseValue(decoder, level)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := decoder.Token()
	return list, err
}

func parseObject(decoder *json.Decoder, level int) (any, error) {
	object := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		if _, twice := object[key]; twice {
			return nil, notCheckable("an object has the key %.40q twice", key)
		}
		if object[key], err = parseValue(decoder, level); err != nil {
			return nil, err
		}
	}
	_, err := decoder.Token()
	return object, err
}

// sealAtEnd is the last key of a file.
var sealAtEnd = regexp.MustCompile(`"seal"[ \t\r\n]*:[ \t\r\n]*"([0-9a-f]{64})"[ \t\r\n]*\}[ \t\r\n]*$`)

// readSeal returns the SHA-256 of what precedes the key "seal", which must be the last one.
func readSeal(data []byte, stated string) (string, error) {
	end := max(0, bytes.LastIndex(data, []byte(`"seal"`)))
	place := sealAtEnd.FindSubmatch(data[end:])
	if place == nil || string(place[1]) != stated {
		return "", notCheckable("its last key is not seal with 64 hexadecimal digits; it may be cut off, ask for the whole file")
	}
	sum := sha256.Sum256(data[:end])
	return hex.EncodeToString(sum[:]), nil
}
