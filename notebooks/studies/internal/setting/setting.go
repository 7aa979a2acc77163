// Package setting has what the settings of the studies share: lists with defaults, and their checks.
package setting

import "fmt"

// ListOr returns a list, or the default of a setting where the list is nil.
func ListOr[T any](list []T, otherwise ...T) []T {
	if list == nil {
		return otherwise
	}
	return list
}

// Check reports the first number of a setting that is not inside the open interval (low, high), numbers
// that do not increase, and none at all.
func Check[N int | float64](name string, low, high float64, numbers ...N) error {
	if len(numbers) == 0 {
		return fmt.Errorf("%s is empty; give at least one number, or nil for the default", name)
	}
	for k, v := range numbers {
		if !(low < float64(v) && float64(v) < high) {
			return fmt.Errorf("%s = %v: %v is outside the open interval (%v, %v); give numbers inside, or nothing for the default", name, numbers, v, low, high)
		}
		if k > 0 && v <= numbers[k-1] {
			return fmt.Errorf("%s = %v; give increasing numbers, or nil for the default", name, numbers)
		}
	}
	return nil
}
