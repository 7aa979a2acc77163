package plotting_test

import (
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/table"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
)

// second drops the first result of a call, for tables of calls that must fail.
func second[T any](_ T, err error) error { return err }

func TestBadInput(t *testing.T) {
	flat := must(sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, -1, -1}), nil))
	solid := must(sparsero.NewDictionary(mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}), nil))
	set := must(sparsero.NewAtomicSet(flat, []int{0, 1}, 1))
	cube := must(sparsero.NewAtomicSet(solid, []int{0, 1}, 1))
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"set nil", second(plotting.AtomicSet(nil, nil)), "set is nil"},
		{"set in 3-D", second(plotting.AtomicSet(cube, nil)), "dimension 3"},
		{"set: zero direction", second(plotting.AtomicSet(set, &plotting.AtomicSetOptions{Direction: []float64{0, 0}})), "Direction"},
		{"set: long direction", second(plotting.AtomicSet(set, &plotting.AtomicSetOptions{Direction: []float64{1, 0, 0}})), "Direction"},
		{"set: NaN in direction", second(plotting.AtomicSet(set, &plotting.AtomicSetOptions{Direction: []float64{nan, 0}})), "Direction"},
		{"set: a layer", second(plotting.AtomicSet(set, &plotting.AtomicSetOptions{Layers: []chart.Layer{&chart.Line{X: []float64{1}}}})), "y has 0 values"},
		{"sketch: no dictionary", second(plotting.Sketch(nil, nil, nil, nil)), "nil"},
		{"sketch in 3-D", second(plotting.Sketch(solid, []int{0}, nil, nil)), "dimension 3"},
		{"sketch: no such atom", second(plotting.Sketch(flat, []int{3}, nil, nil)), "3"},
		{"sketch: directions", second(plotting.Sketch(flat, []int{0}, mat.NewDense(1, 3, nil), nil)), "directions"},
		{"bars empty", second(plotting.Bars(nil, nil, nil)), "at least one"},
		{"bars groups", second(plotting.Bars([]string{"a"}, []float64{1}, &plotting.BarOptions{Groups: []string{"b", "c"}})), "Groups has 2 entries"},
		{"bars numbers", second(plotting.Bars([]string{"a"}, []float64{1}, &plotting.BarOptions{Numbers: []string{}})), "Numbers has 0 entries"},
		{"too many bars", second(plotting.Bars(make([]string, 500), make([]float64, 500), nil)), "names has 500 entries"},
		{"bars lengths", second(plotting.Bars([]string{"a"}, nil, nil)), "names has 1 and values 0"},
		{"bars -Inf", second(plotting.Bars([]string{"a"}, []float64{-inf}, nil)), "-Inf"},
		{"curves empty", second(plotting.Curves(nil, nil)), "series is empty"},
		{"curves lengths", second(plotting.Curves([]plotting.Series{{Name: "s", X: []float64{1}}}, nil)), "y has 0 values"},
		{"curves Inf", second(plotting.Curves([]plotting.Series{{Name: "s", X: []float64{1}, Y: []float64{inf}}}, nil)), "y[0] is +Inf"},
		{"curves NaN", second(plotting.Curves([]plotting.Series{{Name: "s", X: []float64{1}, Y: []float64{nan}}}, nil)), "no finite value"},
		{"curves: half a band", second(plotting.Curves([]plotting.Series{{Name: "s", X: []float64{1}, Y: []float64{1}, Low: []float64{1}}}, nil)), "only one limit"},
		{"curves: log axis with nothing positive", second(plotting.Curves([]plotting.Series{{X: []float64{1}, Y: []float64{0}}}, &plotting.CurveOptions{LogY: true})), "use a linear axis"},
		{"histogram empty", second(plotting.Histogram(nil, nil)), "0 samples"},
		{"histogram of NaN", second(plotting.Histogram([]plotting.Sample{{Values: []float64{nan, inf}}}, nil)), "none of the 2 values"},
		{"histogram: bins", second(plotting.Histogram([]plotting.Sample{{Values: []float64{1}}}, &plotting.HistogramOptions{Bins: -1})), "Bins -1"},
		{"quantiles", second(plotting.Quantiles("a", []float64{1}, nil, 0.7)), "level 0.7"},
		{"table nil", second(plotting.Table(nil, nil)), "data is nil"},
		{"show a broken frame", plotting.Show(dataframe.New()), "carries an error"},
		{"show an error", plotting.Show((*plotting.Figure)(nil), errors.New("the cause")), "the cause"},
		{"show a nil figure", plotting.Show((*plotting.Figure)(nil), nil), "figure is nil"},
		{"show a nil table", plotting.Show((*table.Table)(nil)), "table is nil"},
		{"show something else", plotting.Show(struct{}{}), "cannot show data"},
		{"figure without picture", second((&plotting.Figure{Title: "t"}).PNG(0)), "no static picture"},
		{"save without picture", (&plotting.Figure{Title: "t"}).Save("x.png"), "no static picture"},
		{"save without chart", (&plotting.Figure{Title: "t"}).Save("x.vl.json"), "no interactive view"},
		{"save in an unknown form", (&plotting.Figure{Static: plot.New()}).Save("x.doc"), ".doc"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that contains %q", test.name, test.err, test.want)
		}
	}
}

// TestAwkwardInput gives a picture and a sound specification.
func TestAwkwardInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	hostile := `<script>alert("x")</script>`
	origin := must(sparsero.NewDictionary(mat.NewDense(2, 2, nil), nil))
	one := must(sparsero.NewDictionary(mat.NewDense(1, 2, []float64{1e-9, 0}), nil))
	for name, make := range map[string]func() (*plotting.Figure, error){
		"a dictionary of zeros": func() (*plotting.Figure, error) { return plotting.AtomicSet(must(sparsero.FullSet(origin, 1)), nil) },
		"the empty set": func() (*plotting.Figure, error) {
			return plotting.AtomicSet(must(sparsero.NewAtomicSet(one, nil, 1)), nil)
		},
		"radius 0": func() (*plotting.Figure, error) { return plotting.AtomicSet(must(sparsero.FullSet(one, 0)), nil) },
		"a ladder of zero": func() (*plotting.Figure, error) {
			return plotting.Bars([]string{hostile}, []float64{0}, &plotting.BarOptions{Log: true})
		},
		"a ladder of infinity": func() (*plotting.Figure, error) {
			return plotting.Bars([]string{"a"}, []float64{inf}, &plotting.BarOptions{Log: true})
		},
		"bars of zero, NaN and ∞": func() (*plotting.Figure, error) {
			return plotting.Bars([]string{"a", "b", "c"}, []float64{0, nan, inf}, nil)
		},
		"log bars with zero": func() (*plotting.Figure, error) {
			return plotting.Bars([]string{"a", "b"}, []float64{0, 3}, &plotting.BarOptions{Log: true})
		},
		"a mark at infinity": func() (*plotting.Figure, error) {
			return plotting.Curves([]plotting.Series{{X: []float64{1}, Y: []float64{1}}}, &plotting.CurveOptions{Marks: []plotting.Mark{{Value: inf, Vertical: true}, {Value: -inf}}})
		},
		"a histogram of one value": func() (*plotting.Figure, error) {
			return plotting.Histogram([]plotting.Sample{{Name: hostile, Values: []float64{7, inf, nan}}, {Name: "nothing"}}, nil)
		},
		"a histogram of a million": func() (*plotting.Figure, error) {
			return plotting.Histogram([]plotting.Sample{{Values: scores(1_000_000)}}, &plotting.HistogramOptions{Counts: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			figure, err := make()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := figure.PNG(48); err != nil {
				t.Error(err)
			}
			if err := errors.Join(checkReferences(figure.Live), validate(figure.Live)); err != nil {
				t.Error(err)
			}
			if strings.Contains(string(figure.Live), "<script") {
				t.Error("the specification holds a script element")
			}
			if figure.Alt == "" || strings.Contains(figure.Alt, "%!") {
				t.Errorf("text line %q", figure.Alt)
			}
		})
	}
}

// TestLargeInput: a million values, tens of thousands of atoms, many series: pictures of a
// bounded size whose text line says what was thinned.
func TestLargeInput(t *testing.T) {
	many := scores(1_000_000)
	plane := must(sparsero.NewDictionary(normal(20_000, 2, 1), nil))
	var series []plotting.Series
	for k := range 50 {
		s := plotting.Series{Name: strconv.Itoa(k)}
		for i := range 5000 {
			s.X, s.Y = append(s.X, float64(i)), append(s.Y, many[k*5000+i])
		}
		series = append(series, s)
	}
	for name, test := range map[string]struct {
		make func() (*plotting.Figure, error)
		says string
	}{
		"histogram": {func() (*plotting.Figure, error) { return plotting.Histogram([]plotting.Sample{{Values: many}}, nil) }, "in 60 bins"},
		"2-D atoms": {func() (*plotting.Figure, error) {
			return plotting.AtomicSet(must(sparsero.FullSet(plane, 1)), &plotting.AtomicSetOptions{Layers: []chart.Layer{arrows(5000, 1.2)}})
		}, "thinned"},
		"series": {func() (*plotting.Figure, error) { return plotting.Curves(series, nil) }, "50 series"},
		"bars":   {func() (*plotting.Figure, error) { return plotting.Bars(make([]string, 300), many[:300], nil) }, "and 280 more"},
	} {
		t.Run(name, func(t *testing.T) {
			figure, err := test.make()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(figure.Alt, test.says) || len(figure.Alt) > 2000 {
				t.Errorf("text line %.200q, want one with %q", figure.Alt, test.says)
			}
			if size := base64.StdEncoding.EncodedLen(len(figure.Live)); size > 2_000_000 {
				t.Errorf("the specification has %d bytes as it is sent", size)
			}
			if err := errors.Join(checkReferences(figure.Live), validate(figure.Live)); err != nil {
				t.Error(err)
			}
			if _, err := figure.PNG(48); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHostileText: texts of the user reach no form of a figure as markup, wherever they stand.
func TestHostileText(t *testing.T) {
	folder := t.TempDir()
	for _, text := range []string{`<script>alert("x")</script>`, `"><img src=x onerror=alert(1)>`, `</svg>`, `'); alert(1); ('`, `a & b \ "c" 'd'`, "株価 \u202e Größe 🙂", "]]>", "d_{<b>} ^{&amp;}"} {
		figure := must(plotting.Curves([]plotting.Series{{Name: text, X: []float64{1, 2}, Y: []float64{1, 2}}, {Name: "b", X: []float64{1}, Y: []float64{1}}}, &plotting.CurveOptions{
			Title: text, Subtitle: text, XLabel: text, YLabel: text, Marks: []plotting.Mark{{Value: 1, Label: text}}}))
		bars := must(plotting.Bars([]string{text, "b"}, []float64{1, 2}, &plotting.BarOptions{Title: text, Label: text}))
		for _, f := range []*plotting.Figure{figure, bars} {
			if strings.ContainsAny(string(f.Live), "<>&") {
				t.Errorf("%q: the specification holds a character of HTML", text)
			}
			if err := errors.Join(checkReferences(f.Live), validate(f.Live)); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			path := filepath.Join(folder, "f.svg")
			if err := f.Save(path); err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			checkSVG(t, text, path)
		}
	}
}

// checkSVG checks that a file is well-formed XML of drawing elements alone.
func checkSVG(t *testing.T, text, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for decoder := xml.NewDecoder(file); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%q: the SVG is not well-formed: %v", text, err)
			return
		}
		if element, ok := token.(xml.StartElement); ok && !slices.Contains([]string{"svg", "g", "path", "text", "clipPath", "defs", "rect", "image"}, element.Name.Local) {
			t.Errorf("%q: the SVG has an element <%s>", text, element.Name.Local)
		}
	}
}
