package live

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"github.com/sparsero/directions/solver/proof"
)

// TestEncode: numbers keep their bits, what JSON has no number for is a string, and bounds lie on their safe side.
func TestEncode(t *testing.T) {
	type inner struct{ Value float64 }
	var text bytes.Buffer
	encode(&text, reflect.ValueOf(&struct {
		Numbers []float64
		None    []int
		Empty   []inner
		Inside  inner
		Upper   []proof.Upper
		Lower   proof.Lower
		Name    string
		Set     bool
	}{[]float64{0.1, 5e-324, 1e300, math.Copysign(0, -1), math.NaN(), math.Inf(1)}, nil, []inner{}, inner{math.Inf(-1)},
		[]proof.Upper{proof.AtMost(0.1), {}}, proof.AtLeast(0.1), "a\"\n", true}))
	const want = `{"Numbers":[0.1,5e-324,1e+300,-0,"NaN","+Inf"],"None":null,"Empty":[],"Inside":{"Value":"-Inf"},` +
		`"Upper":[0.10000000000000001,"+Inf"],"Lower":0.1,"Name":"a\"\n","Set":true}`
	if text.String() != want {
		t.Errorf("written as\n%s, want\n%s", text.String(), want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a field that is not exported is left out in silence")
		}
	}()
	encode(&text, reflect.ValueOf(struct{ hidden []int }{}))
}
