//go:build !unix || solaris || illumos || aix

package study

// resources tells nothing where the system has no getrusage.
func resources() (seconds float64, peak int64) { return 0, 0 }
