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
// line per finished unit, each a checksum and a JSON object.
const formatName = "directions-study-2"

// header is the first line of a results file.
type header struct {
	Format        string          `json:"format"`
	Study         string          `json:"study"`
	Version       string          `json:"version"`
	Seed          uint64          `json:"seed"`
	Hash          string          `json:"configuration_hash"`
	Configuration json.RawMessage `json:"configuration"`
}

// line is one finished unit.
type line struct {
	Unit    string          `json:"unit"`
	Result  json.RawMessage `json:"result"`
	Seconds float64         `json:"seconds"`
}

func newHeader(study, version string, seed uint64, configuration []byte) header {
	sum := sha256.Sum256(configuration)
	return header{
		Format: formatName, Study: study, Version: version, Seed: seed,
		Hash: hex.EncodeToString(sum[:]), Configuration: configuration,
	}
}

// encodeLine returns a header or a unit as a line, with its newline.
func encodeLine(record any) ([]byte, error) {
	text, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s %s\n", checksum(text), text), nil
}

// checksum returns the CRC-32 (IEEE) of a text.
func checksum(text []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) }

var (
	errDamaged  = errors.New("it does not match its checksum")
	errNoRecord = errors.New("it is not a record")
)

// decodeLine reads a line, with its newline, as this package wrote it.
func decodeLine(text []byte, record any) error {
	sum, object, found := bytes.Cut(bytes.TrimSuffix(text, []byte("\n")), []byte(" "))
	if !found {
		return errNoRecord
	}
	if string(sum) != checksum(object) {
		return errDamaged
	}
	if err := unmarshalStrictly(object, record); err != nil {
		return fmt.Errorf("%w: %w", errNoRecord, err)
	}
	return nil
}

// startsAsHeader tells whether a line was the first one of a results file once.
func startsAsHeader(text []byte) bool {
	_, object, _ := bytes.Cut(text, []byte(" "))
	return bytes.HasPrefix(object, []byte(`{"format":"`))
}

// unmarshalStrictly decodes one JSON value and refuses fields that the target does not have.
func unmarshalStrictly(text []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(target)
}
