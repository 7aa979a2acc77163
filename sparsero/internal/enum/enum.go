// Package enum names the values of enumerations.
package enum

import (
	"fmt"
	"reflect"
)

// Name returns the name of a value that counts from 0, or, where there is none, the type and the number.
func Name[T ~int](value T, names ...string) string {
	if value >= 0 && int(value) < len(names) {
		return names[value]
	}
	return fmt.Sprintf("%s(%d)", reflect.TypeOf(value).Name(), int(value))
}
