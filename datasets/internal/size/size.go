// Package size refuses arrays that no memory holds, before they are allocated.
package size

import "fmt"

// largest is how many numbers one array may hold: 8 GB of float64.
const largest = 1 << 30

// Check returns an error if an array of such sizes, each at least 0, holds too many numbers. The text says what asks for it.
func Check(what string, sizes ...int) error {
	product := 1
	for _, size := range sizes {
		if size > 0 && product > largest/size {
			return fmt.Errorf("%s with sizes %v would hold more than %d numbers; use smaller sizes", what, sizes, largest)
		}
		product *= size
	}
	return nil
}
