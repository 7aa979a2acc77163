package input

import "fmt"

// largestArray is how many numbers one array may hold: 8 GB of float64.
const largestArray = 1 << 30

// CheckSize refuses an array that no memory holds, before it is allocated. The text
// says what asks for it; its sizes are at least 0.
func CheckSize(what string, sizes ...int) error {
	product := 1
	for _, size := range sizes {
		if size > 0 && product > largestArray/size {
			return fmt.Errorf("%s with sizes %v would hold more than %d numbers; use smaller sizes", what, sizes, largestArray)
		}
		product *= size
	}
	return nil
}
