package study

import (
	"fmt"
	"strconv"
)

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

// Seeds is a block of consecutive seeds.
type Seeds struct {
	First uint64
	Count int // at least 1
}

// String returns the first and last seed, such as "0-99".
func (s Seeds) String() string { return fmt.Sprintf("%d-%d", s.First, s.First+uint64(s.Count)-1) }

// List returns the seeds of a block.
func (s Seeds) List() []uint64 {
	seeds := make([]uint64, max(s.Count, 0))
	for k := range seeds {
		seeds[k] = s.First + uint64(k)
	}
	return seeds
}

// Keys returns the keys of units that are a seed each.
func Keys(seeds []uint64) []string {
	keys := make([]string, len(seeds))
	for k, seed := range seeds {
		keys[k] = strconv.FormatUint(seed, 10)
	}
	return keys
}
