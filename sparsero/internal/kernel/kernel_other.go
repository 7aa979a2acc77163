//go:build !amd64 && !arm64

package kernel

// usable lists the kernels of this processor, fastest first.
func usable() []*Kernel { return []*Kernel{portable} }
