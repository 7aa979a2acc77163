//go:build dataflow

package main

// Google Dataflow's client doubles nothing but the time to build, so it is asked for: -tags dataflow.
import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
