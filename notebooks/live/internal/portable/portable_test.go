package portable_test

import (
	"math"
	"testing"
	"time"

	"github.com/sparsero/directions/notebooks/live/internal/portable"
)

type inner struct{ Value float64 }

type other struct{ Value float64 }

type outer struct {
	Numbers []float64
	Nil     []int
	Empty   []int
	Part    *inner
	None    *inner
	Nothing any
	Pair    [2]float64
	Name    string
	Set     bool
}

// What JSON does not have comes back to the bit: NaN, the infinities, -0, and nil apart from empty.
func TestComesBack(t *testing.T) {
	made := outer{
		Numbers: []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 5e-324, 0.1}, Empty: []int{},
		Part: &inner{math.Inf(-1)}, Pair: [2]float64{1, math.NaN()}, Name: "NaN", Set: true,
	}
	text, err := portable.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	var read outer
	if err := portable.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	for k, v := range made.Numbers {
		if math.Float64bits(v) != math.Float64bits(read.Numbers[k]) {
			t.Errorf("%v came back as %v", v, read.Numbers[k])
		}
	}
	if read.Nil != nil || read.Empty == nil || read.None != nil || read.Nothing != nil || !math.IsInf(read.Part.Value, -1) || !math.IsNaN(read.Pair[1]) || read.Name != "NaN" || !read.Set {
		t.Errorf("%s came back as %+v", text, read)
	}
}

// What could not be read back is refused.
func TestRefusals(t *testing.T) {
	for name, value := range map[string]any{
		"hidden field": struct{ hidden int }{1}, "function": struct{ F func() }{}, "interface": struct{ In any }{1}, "inside": struct{ In []struct{ hidden int } }{make([]struct{ hidden int }, 1)},
		"no struct": 3, "no UTF-8": struct{ Name string }{"a\xff"}, "no UTF-8 inside": struct{ Names []string }{[]string{"\xff"}},
		"embedded number": struct {
			time.Duration
			B int
		}{5, 6},
		"embedded pointer": struct{ *inner }{&inner{1}},
		"field of two embedded structs": struct {
			inner
			other
		}{inner{1}, other{2}},
	} {
		if text, err := portable.Marshal(value); err == nil {
			t.Errorf("%s is written as %s", name, text)
		}
	}
	if err := portable.Unmarshal([]byte("{}"), outer{}); err == nil {
		t.Error("a struct that is no pointer is filled")
	}
	for _, number := range []string{"1_0", "0x1p3"} {
		if read := (struct{ X float64 }{}); portable.Unmarshal([]byte(`{"X":"`+number+`"}`), &read) == nil {
			t.Errorf("%s is read as %v", number, read.X)
		}
	}
	if err := portable.Unmarshal([]byte(`{"Pair":[1]}`), &outer{}); err == nil {
		t.Error("a list of one fills a pair")
	}
}

type around struct {
	outer
	Pair   string
	hidden int `json:"-"`
}

// The fields of an embedded struct are there unless the struct around it has one of the name; those left out stay zero.
func TestEmbedded(t *testing.T) {
	text, err := portable.Marshal(around{outer{Name: "in", Numbers: []float64{math.Inf(1)}}, "out", 3})
	if err != nil {
		t.Fatal(err)
	}
	var read around
	if err := portable.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if read.Name != "in" || !math.IsInf(read.Numbers[0], 1) || read.Pair != "out" || read.outer.Pair != [2]float64{} || read.hidden != 0 {
		t.Errorf("%s came back as %+v", text, read)
	}
}
