//go:build !linux

package badinput

import "testing"

// limitMemory does nothing where addresses cannot be limited.
func limitMemory(*testing.T) {}
