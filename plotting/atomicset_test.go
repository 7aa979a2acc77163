package plotting

import (
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// TestLabelsFitTheFrame: the label of an atom at the right edge of a set ends inside of the frame, which is wider for it.
func TestLabelsFitTheFrame(t *testing.T) {
	label := strings.Repeat("m", 14)
	d, err := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{3, 0.1, 0, 1}), &sparsero.DictionaryOptions{Labels: []string{label, "b"}})
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.NewAtomicSet(d, []int{0, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	end := func(o *AtomicSetOptions) float64 { // of the label, in pixels from the left of the frame
		v, err := newSetView(set, o)
		if err != nil {
			t.Fatal(err)
		}
		return (3+v.extent)/(2*v.extent)*labelFrame + labelGap + labelChar*float64(len(label))
	}
	if wide, usual := end(&AtomicSetOptions{LabelAtoms: true}), end(&AtomicSetOptions{}); wide > labelFrame+1e-9 || usual <= labelFrame {
		t.Errorf("the label ends at %.1f of %d pixels, in the usual frame at %.1f", wide, labelFrame, usual)
	}
}

// TestAngleOfTheSlider: a direction just below the first axis is at 0 degrees of the slider, which ends at 359.
func TestAngleOfTheSlider(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 0, 0, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.FullSet(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := AtomicSet(set, &AtomicSetOptions{Direction: []float64{1, -0.001}}); err != nil || !strings.Contains(string(f.Live), `"name":"angle","value":0}`) {
		t.Errorf("%v: the slider does not begin at 0", err)
	}
}

// TestWordsCountTheRadius: at radius 2 the words give what the two support lines differ by, which is twice the deficit.
func TestWordsCountTheRadius(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 0, 4, 0}), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.NewAtomicSet(d, []int{0}, 2)
	if err != nil {
		t.Fatal(err)
	}
	v, err := newSetView(set, &AtomicSetOptions{Direction: []float64{1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "the support is 2, reached by d0; the full dictionary reaches 8 with d1; r times the deficit is 6."; !strings.HasSuffix(v.alt(), want) {
		t.Errorf("%s, want %s", v.alt(), want)
	}
}
