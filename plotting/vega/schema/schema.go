// Package schema validates specifications against the JSON schema of Vega-Lite, for tests.
//
// The schema is that of release 5.18.1 without its descriptions; strip.py writes it from the
// package of that release.
package schema

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed vega-lite-5.18.1.json.gz
var compressed []byte

// compiled is the schema, read once.
var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	root, err := jsonschema.UnmarshalJSON(reader)
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("vega-lite.json", root); err != nil {
		return nil, err
	}
	return compiler.Compile("vega-lite.json")
})

// Validate reports where a specification breaks the schema; nil means that it is a Vega-Lite
// specification.
func Validate(specification []byte) error {
	schema, err := compiled()
	if err != nil {
		return fmt.Errorf("schema: reading the schema of Vega-Lite: %w", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(specification))
	if err != nil {
		return fmt.Errorf("schema: the specification is not valid JSON: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	return nil
}
