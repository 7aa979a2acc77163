package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// formatName is the first field of every results file: what it is and the
// version of the layout described here. A file has one header line and one
// line per finished unit, each a JSON object that ends with a checksum of what
// stands before it.
const formatName = "directions-study-1"

// header is the first line of a results file.
type header struct {
	Format        string          `json:"format"`
	Study         string          `json:"study"`
	Version       string          `json:"version"`
	Seed          uint64          `json:"seed"`
	Hash          string          `json:"configuration_hash"`
	Configuration json.RawMessage `json:"configuration"`
	Checksum      string          `json:"checksum"`
}

// line is one finished unit.
type line struct {
	Unit     string          `json:"unit"`
	Result   json.RawMessage `json:"result"`
	Seconds  float64         `json:"seconds"`
	Checksum string          `json:"checksum"`
}

func newHeader(study, version string, seed uint64, configuration []byte) header {
	sum := sha256.Sum256(configuration)
	return header{
		Format: formatName, Study: study, Version: version, Seed: seed,
		Hash: hex.EncodeToString(sum[:]), Configuration: configuration,
	}
}

func (h header) encode() ([]byte, error) {
	h.Checksum = ""
	sum, err := checksum(h)
	if err != nil {
		return nil, err
	}
	h.Checksum = sum
	return encodeLine(h)
}

func (l line) encode() ([]byte, error) {
	l.Checksum = ""
	sum, err := checksum(l)
	if err != nil {
		return nil, err
	}
	l.Checksum = sum
	return encodeLine(l)
}

// checksum returns the CRC-32 of the encoding of a record whose own checksum is empty.
func checksum(record any) (string, error) {
	encoded, err := json.Marshal(record)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(encoded)), nil
}

func encodeLine(record any) ([]byte, error) {
	encoded, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	return append(encoded, '\n'), nil
}

var errDamaged = errors.New("it does not match its checksum")

// decodeHeader reads the first line, with its newline.
func decodeHeader(text []byte) (header, error) {
	var h header
	err := decodeLine(text, &h, func() ([]byte, error) { return h.encode() })
	return h, err
}

// decodeUnit reads the line of a unit, with its newline.
func decodeUnit(text []byte) (line, error) {
	var l line
	err := decodeLine(text, &l, func() ([]byte, error) { return l.encode() })
	return l, err
}

// decodeLine decodes a line and encodes it again: only a line that comes out
// byte for byte the same was written by this package and left alone since.
func decodeLine(text []byte, target any, encode func() ([]byte, error)) error {
	if err := unmarshalStrictly(text, target); err != nil {
		return fmt.Errorf("it is not a record: %w", err)
	}
	again, err := encode()
	if err != nil {
		return fmt.Errorf("it is not a record: %w", err)
	}
	if !bytes.Equal(again, text) {
		return errDamaged
	}
	return nil
}

// unmarshalStrictly decodes one JSON value and refuses fields that the target does not have.
func unmarshalStrictly(text []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(target)
}
