package live

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
)

// encode writes an answer as JSON: structs with their fields under their names, numbers to the bit, NaN and the infinities as
// strings. What writes itself does so, as bounds do, on their safe side. It panics for what has no form in JSON and for a field
// that is not exported.
func encode(text *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		encodeNumber(text, v.Float())
		return
	case reflect.Pointer:
		encode(text, v.Elem())
		return
	}
	_, writesItself := v.Interface().(json.Marshaler)
	switch {
	case v.Kind() == reflect.Struct && !writesItself:
		encodeList(text, "{}", v.NumField(), func(i int) {
			text.WriteString(strconv.Quote(v.Type().Field(i).Name) + ":")
			encode(text, v.Field(i))
		})
	case v.Kind() == reflect.Slice && !v.IsNil():
		encodeList(text, "[]", v.Len(), func(i int) { encode(text, v.Index(i)) })
	default:
		text.Write(must(json.Marshal(v.Interface())))
	}
}

func encodeNumber(text *bytes.Buffer, x float64) {
	number := strconv.AppendFloat(nil, x, 'g', -1, 64)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		number = strconv.AppendQuote(nil, string(number))
	}
	text.Write(number)
}

// encodeList writes entries between brackets.
func encodeList(text *bytes.Buffer, brackets string, length int, entry func(int)) {
	text.WriteByte(brackets[0])
	for i := range length {
		if i > 0 {
			text.WriteByte(',')
		}
		entry(i)
	}
	text.WriteByte(brackets[1])
}
