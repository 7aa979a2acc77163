package badinput

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// What the campaign calls, by the name of the package below the module and its own; a
// file that the parent test writes fills the first three. See buildWithRegistry.
var (
	functions = map[string]reflect.Value{}
	types     = map[string]reflect.Type{}
	panicking = map[string]bool{} // whose comment says when it panics
)

// mostSamples is how many values of a type are kept for further calls.
const mostSamples = 4

// values offers arguments: bad ones of every type, and samples of the types of the
// module, which are what earlier calls returned.
type values struct {
	samples map[reflect.Type][]reflect.Value
}

// newValues starts with what no constructor gives: matrices, frames, a model and a dictionary.
func newValues() *values {
	v := &values{samples: map[reflect.Type][]reflect.Value{}}
	region := solver.NewModel("box")
	for range 2 {
		region.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(-1, 1), Cost: 1})
	}
	for _, sample := range []any{
		mat.NewDense(2, 2, []float64{1, 0, 0, 1}), mat.NewDense(3, 2, []float64{1, 2, -1, 0, 0, 1}), mat.NewDense(1, 3, []float64{1, nan, inf}),
		&mat.Dense{}, threeAtoms(), region, sparsero.Identity(2),
		dataframe.New(series.New([]float64{1, 2}, series.Float, "a"), series.New([]string{"x", "y"}, series.String, "b")),
		dataframe.New(series.New([]float64{1, nan}, series.Float, "a")), dataframe.DataFrame{Err: errors.New("broken")},
		[]float64{1, 0}, []float64{0.5, -0.5, 1}, []int{0}, []int{0, 1}, []string{"a", "b"},
	} {
		v.keep(reflect.ValueOf(sample))
	}
	return v
}

// keep adds a value to the samples of its type.
func (v *values) keep(value reflect.Value) {
	if t := value.Type(); len(v.samples[t]) < mostSamples {
		v.samples[t] = append(v.samples[t], value)
	}
}

// of returns values of a type, the samples first.
func (v *values) of(t reflect.Type, depth int) []reflect.Value {
	result := append([]reflect.Value{}, v.samples[t]...)
	add := func(raw ...any) {
		for _, value := range raw {
			if r := reflect.ValueOf(value); r.CanConvert(t) {
				result = append(result, r.Convert(t))
			}
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		add(false, true)
	case reflect.Int, reflect.Int64:
		add(0, 1, 2, 3, -1, 1<<40, math.MaxInt, math.MinInt)
	case reflect.Int8, reflect.Int16, reflect.Int32:
		add(0, 1, -1, 127)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		add(uint64(0), uint64(1), uint64(math.MaxUint64))
	case reflect.Float64, reflect.Float32:
		add(0., 1., 0.5, -1., nan, inf, -inf, math.MaxFloat64, 5e-324)
	case reflect.String:
		add("", "a", "\x00", strings.Repeat("é\n", 1000))
	case reflect.Slice:
		result = append(result, reflect.Zero(t), reflect.MakeSlice(t, 0, 0))
		v.lists(t, depth, &result)
	case reflect.Pointer:
		result = append(result, reflect.Zero(t))
		for _, element := range v.deeper(t.Elem(), depth) {
			pointer := reflect.New(t.Elem())
			pointer.Elem().Set(element)
			result = append(result, pointer)
		}
	case reflect.Struct:
		result = append(result, reflect.Zero(t))
		v.structs(t, depth, &result)
	case reflect.Map:
		result = append(result, reflect.Zero(t), reflect.MakeMap(t))
	case reflect.Func:
		result = append(result, reflect.Zero(t), reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
			var results []reflect.Value
			for k := range t.NumOut() {
				results = append(results, reflect.Zero(t.Out(k)))
			}
			return results
		}))
	case reflect.Interface:
		v.interfaces(t, depth, &result)
	default:
		result = append(result, reflect.Zero(t))
	}
	return result
}

// deepest is how far values are nested into others.
const deepest = 3

func (v *values) deeper(t reflect.Type, depth int) []reflect.Value {
	if depth >= deepest {
		return []reflect.Value{reflect.Zero(t)}
	}
	return v.of(t, depth+1)
}

// lists adds slices of one, two and three elements, each bad element among good ones.
func (v *values) lists(t reflect.Type, depth int, result *[]reflect.Value) {
	elements := v.deeper(t.Elem(), depth)
	for _, element := range elements {
		for _, list := range [][]reflect.Value{{element}, {elements[0], element}, {element, elements[0], elements[len(elements)/2]}} {
			*result = append(*result, reflect.Append(reflect.MakeSlice(t, 0, 3), list...))
		}
	}
}

// structs adds the zero value and the samples with each field changed.
func (v *values) structs(t reflect.Type, depth int, result *[]reflect.Value) {
	bases := append([]reflect.Value{reflect.Zero(t)}, v.samples[t]...)
	for k := range t.NumField() {
		if !t.Field(k).IsExported() || t.PkgPath() == "time" || strings.Contains(t.PkgPath(), "gota") {
			continue
		}
		for _, value := range v.deeper(t.Field(k).Type, depth) {
			for _, base := range bases {
				changed := reflect.New(t).Elem()
				changed.Set(base)
				changed.Field(k).Set(value)
				*result = append(*result, changed)
			}
		}
	}
}

// interfaces adds nil and what implements an interface.
func (v *values) interfaces(t reflect.Type, depth int, result *[]reflect.Value) {
	if t == reflect.TypeFor[context.Context]() {
		return // made for each call
	}
	*result = append(*result, reflect.Zero(t))
	candidates := []any{
		(*mat.Dense)(nil), &mat.Dense{}, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), mat.NewDense(3, 2, []float64{1, 2, nan, 0, inf, 1}), mat.NewVecDense(2, nil),
		io.Discard, rand.NewPCG(1, 2), errors.New("an error"), time.Now(), 1, nan, "text", []any{},
	}
	if t == reflect.TypeFor[io.Reader]() {
		candidates = append(candidates, strings.NewReader(""), strings.NewReader("a,b\n1,2\n"), strings.NewReader("date,A\n2020-01-02,1\n2020-01-03,2\n"))
	}
	for _, candidate := range candidates {
		if r := reflect.ValueOf(candidate); r.Type().Implements(t) {
			*result = append(*result, r)
		}
	}
	if t.NumMethod() == 0 || depth >= deepest {
		return
	}
	for _, name := range sortedKeys(types) {
		for _, implementation := range []reflect.Type{types[name], reflect.PointerTo(types[name])} {
			if implementation.Kind() != reflect.Interface && implementation.Implements(t) {
				values := v.deeper(implementation, depth)
				*result = append(*result, values[:min(len(values), 2*mostSamples)]...)
			}
		}
	}
}
