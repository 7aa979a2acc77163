//go:build dataflow

package main

// The client of Google Dataflow takes long to build, so it is asked for with -tags dataflow.
import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
