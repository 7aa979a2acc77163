package certificate

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"strings"
)

// mostDigits bounds the digits of a fraction.
const mostDigits = 100_000

// misfit says what a place of the file should hold.
type misfit struct{ place, wanted string }

func (m *misfit) in(place string) *misfit {
	if m != nil {
		m.place = place + m.place
	}
	return m
}

// fill sets a target to what a file holds, and returns nil if it fits: a field of a struct takes the key of its name in
// lower case, spelled exactly so. A pointer and a field with the tag optional may be null or absent; a struct with the
// tag list is a list of its fields.
func fill(value any, target reflect.Value) *misfit {
	switch {
	case target.Type() == reflect.TypeFor[*big.Rat]():
		return fillMultiplier(value, target)
	case target.Type() == reflect.TypeFor[designProof]():
		return fillProof(value, target)
	case target.Kind() == reflect.Pointer && value == nil:
		return nil
	case target.Kind() == reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		return fill(value, target.Elem())
	case target.Kind() == reflect.Struct && target.Type().Field(0).Tag.Get("file") == "list":
		return fillTuple(value, target)
	case target.Kind() == reflect.Struct:
		return fillObject(value, target)
	case target.Kind() == reflect.Slice:
		return fillList(value, target)
	case target.Kind() == reflect.Int:
		number, isNumber := value.(float64)
		if !isNumber || number != math.Trunc(number) || math.Abs(number) > math.MaxInt32 {
			return &misfit{wanted: "a whole number"}
		}
		target.SetInt(int64(number))
	case reflect.TypeOf(value) != target.Type():
		return &misfit{wanted: "a " + target.Kind().String()}
	default:
		target.Set(reflect.ValueOf(value))
	}
	return nil
}

func fillObject(value any, target reflect.Value) *misfit {
	object, isObject := value.(map[string]any)
	if !isObject {
		return &misfit{wanted: "an object"}
	}
	for i := range target.NumField() {
		field := target.Type().Field(i)
		key := strings.ToLower(field.Name)
		value, found := object[key]
		if field.Anonymous {
			value, found = object, true // the keys of an embedded struct are those of the object
		}
		if !found && field.Type.Kind() != reflect.Pointer && field.Tag.Get("file") != "optional" {
			return &misfit{"." + key, "there"}
		}
		if m := fill(value, target.Field(i)); m != nil {
			return m.in("." + key)
		}
	}
	return nil
}

// fillTuple takes a list of the fields.
func fillTuple(value any, target reflect.Value) *misfit {
	list, _ := value.([]any)
	if len(list) != target.NumField() {
		return &misfit{wanted: fmt.Sprintf("a list of %d values", target.NumField())}
	}
	for i, entry := range list {
		if m := fill(entry, target.Field(i)); m != nil {
			return m.in(fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}

func fillList(value any, target reflect.Value) *misfit {
	list, isList := value.([]any)
	if !isList && value != nil {
		return &misfit{wanted: "a list"}
	}
	if isList {
		target.Set(reflect.MakeSlice(target.Type(), len(list), len(list)))
	}
	for i, entry := range list {
		if m := fill(entry, target.Index(i)); m != nil {
			return m.in(fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}

// fillProof takes an object with a column for a branch and any other one for a leaf.
func fillProof(value any, target reflect.Value) *misfit {
	object, isObject := value.(map[string]any)
	if !isObject {
		return &misfit{wanted: "a branch or a leaf"}
	}
	if object["column"] != nil {
		return fill(value, target.FieldByName("Branch"))
	}
	return fill(value, target.FieldByName("Leaf"))
}

var fraction = regexp.MustCompile(`^(-?[0-9a-fA-F]+)/(0*[1-9a-fA-F][0-9a-fA-F]*)$`)

// fillMultiplier takes a number or a fraction.
func fillMultiplier(value any, target reflect.Value) *misfit {
	multiplier := new(big.Rat)
	switch value := value.(type) {
	case float64:
		multiplier.SetFloat64(value)
	case string:
		parts := fraction.FindStringSubmatch(value)
		if len(value) > mostDigits || parts == nil {
			return &misfit{wanted: fmt.Sprintf("a fraction of two hexadecimal integers within %d digits", mostDigits)}
		}
		above, _ := new(big.Int).SetString(parts[1], 16)
		below, _ := new(big.Int).SetString(parts[2], 16)
		multiplier.SetFrac(above, below)
	default:
		return &misfit{wanted: "a number or a fraction"}
	}
	target.Set(reflect.ValueOf(multiplier))
	return nil
}
