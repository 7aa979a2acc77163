package study

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// What the configurations of studies have in common: tags of their fields state defaults and ranges,
//
//	Budgets []int `default:"[1,2,5]" range:"[1,MaxBudget]"`
//
// A default is the JSON of the value. A range is an interval for a number, or for those of a list,
// which must increase. An end is a number, nothing, or the name of another field, of a list its first number.

// WithDefaults returns a configuration with the default of every field that is zero.
func WithDefaults[C any](c C) C {
	fields := reflect.ValueOf(&c).Elem()
	for k := range fields.NumField() {
		if text := fields.Type().Field(k).Tag.Get("default"); text != "" && fields.Field(k).IsZero() {
			if err := json.Unmarshal([]byte(text), fields.Field(k).Addr().Interface()); err != nil {
				panic(fmt.Sprintf("study: the default of %s: %v", fields.Type().Field(k).Name, err))
			}
		}
	}
	return c
}

// Check reports the first field of a configuration that is outside its range. The name of the
// study begins the error.
func Check[C any](study string, c C) error {
	fields := reflect.ValueOf(c)
	for k := range fields.NumField() {
		name, interval, numbers := fields.Type().Field(k).Name, fields.Type().Field(k).Tag.Get("range"), numbersOf(fields.Field(k))
		if interval == "" {
			continue
		}
		for j, v := range numbers {
			if !inside(fields, interval, v) {
				return fmt.Errorf("%s: %s = %v: %v is outside %s; give numbers inside, or nothing for the default", study, name, fields.Field(k), v, interval)
			}
			if j > 0 && v <= numbers[j-1] {
				return fmt.Errorf("%s: %s = %v; give increasing numbers, or nil for the default", study, name, fields.Field(k))
			}
		}
		if len(numbers) == 0 {
			return fmt.Errorf("%s: %s is empty; give at least one number, or nil for the default", study, name)
		}
	}
	return nil
}

// inside tells whether a number lies in an interval whose ends may name fields.
func inside(fields reflect.Value, interval string, v float64) bool {
	last := len(interval) - 1
	low, high, _ := strings.Cut(interval[1:last], ",")
	end := func(text string, none float64) float64 {
		if text == "" {
			return none
		}
		if number, err := strconv.ParseFloat(text, 64); err == nil {
			return number
		}
		return numbersOf(fields.FieldByName(text))[0]
	}
	least, most := end(low, math.Inf(-1)), end(high, math.Inf(1))
	return (v > least || v == least && interval[0] == '[') && (v < most || v == most && interval[last] == ']')
}

// numbersOf returns a number, or those of a list.
func numbersOf(field reflect.Value) (numbers []float64) {
	switch {
	case field.CanInt():
		return []float64{float64(field.Int())}
	case field.CanFloat():
		return []float64{field.Float()}
	case field.Kind() == reflect.Slice:
		for j := range field.Len() {
			numbers = append(numbers, numbersOf(field.Index(j))...)
		}
	}
	return numbers
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
