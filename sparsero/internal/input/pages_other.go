//go:build !linux

package input

// inLargePages does nothing on this system.
func inLargePages([]byte) {}
