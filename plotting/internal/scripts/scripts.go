// Package scripts holds the programs that draw charts in a page: Vega and Vega-Lite. LICENCES says from where they come.
package scripts

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"sync"
)

//go:embed vega.min.js.gz
var vega []byte

//go:embed vega-lite.min.js.gz
var vegaLite []byte

// All returns Vega and Vega-Lite as one script, about 0.8 MB.
var All = sync.OnceValues(func() ([]byte, error) {
	var script bytes.Buffer
	for _, packed := range [][]byte{vega, vegaLite} {
		reader, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(&script, reader); err != nil {
			return nil, err
		}
		script.WriteString(";\n")
	}
	return script.Bytes(), nil
})
