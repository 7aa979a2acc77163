package study

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// What the configurations of studies have in common: defaults and checks. The name of the study
// begins every error.

// OrDefault returns the values, or the others where they are nil.
func OrDefault[T any](values []T, others ...T) []T {
	if values == nil {
		return others
	}
	return values
}

// CheckPositive reports the first number, in the order of the names, that is below 1.
func CheckPositive(study string, numbers map[string]int) error {
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		if numbers[name] < 1 {
			return fmt.Errorf("%s: %s = %d; use at least 1, or 0 for the default", study, name, numbers[name])
		}
	}
	return nil
}

// CheckSeeds reports a range of seeds that is empty or goes beyond 64 bits.
func CheckSeeds(study string, first uint64, count int) error {
	if err := CheckPositive(study, map[string]int{"Seeds": count}); err != nil {
		return err
	}
	if first > math.MaxUint64-uint64(count)+1 {
		return fmt.Errorf("%s: First = %d with %d seeds goes beyond 64 bits; use a smaller first seed", study, first, count)
	}
	return nil
}

// CheckIncreasing reports a list that is empty, not increasing, or leaves
// (above, limit]. The name begins with that of the package.
func CheckIncreasing[N int | float64](name string, values []N, above, limit N) error {
	if len(values) == 0 || !slices.IsSorted(values) || len(slices.Compact(slices.Clone(values))) != len(values) {
		return fmt.Errorf("%s = %v; give increasing numbers, or nil for the default", name, values)
	}
	for k, v := range values {
		if !(v > above && v <= limit) {
			return fmt.Errorf("%s[%d] = %v is outside (%v,%v]; give numbers inside", name, k, v, above, limit)
		}
	}
	return nil
}
