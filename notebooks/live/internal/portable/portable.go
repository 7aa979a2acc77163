// Package portable writes values as JSON and reads them back equal, to the bit: NaN and the infinities, which JSON
// does not have, are strings. It refuses what it could not read back, such as functions and fields that are not
// exported, text that is no UTF-8 and what is embedded but no struct, so that nothing is lost in silence. The fields of an embedded struct count as those of the struct around it,
// whose own come before them where both have one of a name; a field with the tag json:"-" is left out.
package portable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Marshal writes a struct with its exported fields under their names, whatever its own methods do; the values inside
// may have methods of their own for JSON. It is an error if a field is not exported or a value has no form in JSON.
func Marshal(v any) ([]byte, error) {
	var buffer bytes.Buffer
	value := reflect.Indirect(reflect.ValueOf(v))
	if value.Kind() != reflect.Struct {
		return nil, fmt.Errorf("portable: %T is no struct", v)
	}
	err := writeFields(&buffer, value)
	return buffer.Bytes(), err
}

func write(b *bytes.Buffer, v reflect.Value) error {
	if v.Type() == reflect.TypeFor[float64]() { // first, because large arrays hold them
		return writeFloat(b, v.Float())
	}
	if isNil(v) {
		b.WriteString("null")
		return nil
	}
	if marshaler, ok := v.Interface().(json.Marshaler); ok {
		data, err := marshaler.MarshalJSON()
		b.Write(data)
		return err
	}
	switch v.Kind() {
	case reflect.Float64:
		return writeFloat(b, v.Float())
	case reflect.Struct:
		return writeFields(b, v)
	case reflect.Pointer:
		return write(b, v.Elem())
	case reflect.Slice, reflect.Array:
		return writeList(b, v)
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return fmt.Errorf("portable: the text %q is no UTF-8, which JSON is; correct it", v.String())
		}
		fallthrough
	case reflect.Bool, reflect.Int, reflect.Int64:
		data, err := json.Marshal(v.Interface())
		b.Write(data)
		return err
	}
	// What is in an interface could not be read back.
	return fmt.Errorf("portable: a %v has no form in JSON", v.Type())
}

func isNil(v reflect.Value) bool {
	return slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Interface, reflect.Slice}, v.Kind()) && v.IsNil()
}

func writeFloat(b *bytes.Buffer, x float64) error {
	if size := math.Abs(x); size == 0 || 1e-6 <= size && size < 1e21 { // what package json writes without an exponent
		b.Write(strconv.AppendFloat(b.AvailableBuffer(), x, 'f', -1, 64))
		return nil
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		b.WriteString(strconv.Quote(strconv.FormatFloat(x, 'g', -1, 64)))
		return nil
	}
	data, err := json.Marshal(x)
	b.Write(data)
	return err
}

func writeList(b *bytes.Buffer, v reflect.Value) error {
	b.WriteByte('[')
	for k := range v.Len() {
		if k > 0 {
			b.WriteByte(',')
		}
		if err := write(b, v.Index(k)); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

// fieldsOf are the fields of a struct in JSON.
func fieldsOf(structure reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(structure), func(f reflect.StructField) bool {
		return f.Anonymous || f.Tag.Get("json") == "-"
	})
}

// checkEmbedded finds fields that are not among those of fieldsOf because their struct is embedded.
func checkEmbedded(structure reflect.Type) error {
	for _, embedded := range reflect.VisibleFields(structure) {
		if !embedded.Anonymous || embedded.Tag.Get("json") == "-" {
			continue
		}
		if embedded.Type.Kind() != reflect.Struct {
			return fmt.Errorf("portable: %v embeds %v, which is no struct; give it a name", structure, embedded.Type)
		}
		for _, field := range reflect.VisibleFields(embedded.Type) {
			if _, found := structure.FieldByName(field.Name); !found {
				return fmt.Errorf("portable: %v embeds two fields of the name %s; rename one", structure, field.Name)
			}
		}
	}
	return nil
}

func writeFields(b *bytes.Buffer, v reflect.Value) error {
	if err := checkEmbedded(v.Type()); err != nil {
		return err
	}
	b.WriteByte('{')
	for k, field := range fieldsOf(v.Type()) {
		if !field.IsExported() {
			return fmt.Errorf("portable: field %s of %v is not exported", field.Name, v.Type())
		}
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q:", field.Name)
		if err := write(b, v.FieldByIndex(field.Index)); err != nil {
			return fmt.Errorf("%s: %w", field.Name, err)
		}
	}
	b.WriteByte('}')
	return nil
}

// Unmarshal reads what Marshal wrote into the struct that v points to.
func Unmarshal(data []byte, v any) error {
	value := reflect.ValueOf(v)
	if value.Kind() != reflect.Pointer || value.IsNil() || value.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("portable: %T is no pointer to a struct", v)
	}
	return readFields(data, value.Elem())
}

func read(data []byte, v reflect.Value) error {
	if unmarshaler, ok := v.Addr().Interface().(json.Unmarshaler); ok {
		return unmarshaler.UnmarshalJSON(data)
	}
	switch v.Kind() {
	case reflect.Float64:
		return readFloat(data, v)
	case reflect.Struct:
		return readFields(data, v)
	case reflect.Pointer:
		if string(bytes.TrimSpace(data)) == "null" {
			v.SetZero()
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		return read(data, v.Elem())
	case reflect.Slice, reflect.Array:
		return readList(data, v)
	}
	return json.Unmarshal(data, v.Addr().Interface())
}

func readFloat(data []byte, v reflect.Value) error {
	var text string
	if json.Unmarshal(data, &text) == nil && text != "" {
		if strings.ContainsAny(text, "_xX") { // numbers of Go alone
			return strconv.ErrSyntax
		}
		x, err := strconv.ParseFloat(text, 64)
		v.SetFloat(x)
		return err
	}
	return json.Unmarshal(data, v.Addr().Interface())
}

func readList(data []byte, v reflect.Value) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	switch {
	case v.Kind() == reflect.Array && len(parts) != v.Len():
		return fmt.Errorf("portable: a list of %d has %d entries", v.Len(), len(parts))
	case v.Kind() == reflect.Array:
	case parts == nil:
		v.SetZero()
	default:
		v.Set(reflect.MakeSlice(v.Type(), len(parts), len(parts)))
	}
	for k, part := range parts {
		if err := read(part, v.Index(k)); err != nil {
			return err
		}
	}
	return nil
}

func readFields(data []byte, v reflect.Value) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for _, field := range fieldsOf(v.Type()) {
		if part, ok := fields[field.Name]; ok && field.IsExported() {
			if err := read(part, v.FieldByIndex(field.Index)); err != nil {
				return fmt.Errorf("%s: %w", field.Name, err)
			}
		}
	}
	return nil
}
