package designfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// encode writes a file with a line for each key of the first two levels.
func encode(f *file) ([]byte, error) {
	var b bytes.Buffer
	err := writeObject(&b, reflect.ValueOf(*f), 2)
	b.WriteByte('\n')
	if bytes.Contains(b.Bytes(), []byte(`\ufffd`)) { // which the encoder writes for what is no character
		err = errors.New("designfile: a name, a label or a note is not UTF-8, and JSON would change it; correct it")
	}
	return b.Bytes(), err
}

// writeObject writes a struct with a line for each field, and the structs in it likewise down to some levels.
func writeObject(b *bytes.Buffer, v reflect.Value, levels int) error {
	for k := range v.NumField() {
		if optional(v.Type(), k) && v.Field(k).IsNil() {
			continue
		}
		fmt.Fprintf(b, "%c\n%q: ", "{,"[min(k, 1)], keyOf(v.Type(), k))
		field := reflect.Indirect(v.Field(k))
		if levels > 1 && field.Kind() == reflect.Struct {
			if err := writeObject(b, field, levels-1); err != nil {
				return err
			}
			continue
		}
		text, err := json.Marshal(v.Field(k).Interface())
		if err != nil {
			return fmt.Errorf("designfile: %s holds a number beyond float64 (%w); give the problem in other units", keyOf(v.Type(), k), err)
		}
		b.Write(text)
	}
	b.WriteByte('}')
	return nil
}

// keyOf is the key of a field.
func keyOf(t reflect.Type, field int) string {
	key, _, _ := strings.Cut(t.Field(field).Tag.Get("json"), ",")
	return key
}

// optional tells that a key is left out for null.
func optional(t reflect.Type, field int) bool {
	return keyOf(t, field) != t.Field(field).Tag.Get("json")
}
