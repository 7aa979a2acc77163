//go:build !linux

package input

// InLargePages does nothing on this system.
func InLargePages[T any]([]T) {}
