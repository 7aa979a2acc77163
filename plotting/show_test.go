package plotting_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/plotting"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// printed returns what a call prints on standard output.
func printed(t *testing.T, call func() error) string {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = writer
	defer func() { os.Stdout = stdout }()
	err = call()
	writer.Close()
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestShowInTerminal: tables are printed, pictures written and their paths printed, nil errors
// passed over.
func TestShowInTerminal(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("DIRECTIONS_FIGURES", folder)
	df := dataframe.New(series.New([]float64{0.5, 0.25}, series.Float, "share"))
	bare := &plotting.Figure{Title: "Bare gonum", Alt: "Nothing at all.", Static: plot.New()}
	figure := must(plotting.Bars([]string{"a"}, []float64{1}, &plotting.BarOptions{Title: "One bar"}))
	out := printed(t, func() error {
		return plotting.Show(df, figure, nil, mat.NewDense(1, 1, []float64{7}), bare)
	})
	pictures := must(filepath.Glob(filepath.Join(folder, "*.png"))) // numbered in the order in which they were shown
	if len(pictures) != 2 || !strings.HasSuffix(pictures[0], "-one-bar.png") || !strings.HasSuffix(pictures[1], "-bare-gonum.png") {
		t.Fatalf("pictures %q", pictures)
	}
	want := " share\n──────\n0.5000\n0.2500\n" +
		"One bar. Value: a 1.\n  picture: " + pictures[0] + "\n" +
		"    c0\n──  ──\nr0   7\n" +
		"Bare gonum. Nothing at all.\n  picture: " + pictures[1] + "\n"
	if out != want {
		t.Errorf("printed\n%s\nwant\n%s", out, want)
	}
	data, err := os.ReadFile(pictures[0])
	if err != nil {
		t.Fatal(err)
	}
	if config, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || config.Width != 1280 {
		t.Errorf("the picture is %d pixels wide (%v), want twice 640", config.Width, err)
	}
}

// TestShowTakesResults: the results of a call go into Show as they are.
func TestShowTakesResults(t *testing.T) {
	t.Setenv("DIRECTIONS_FIGURES", t.TempDir())
	out := printed(t, func() error { return plotting.Show(plotting.Bars([]string{"a"}, []float64{1}, nil)) })
	if !strings.Contains(out, "-figure.png") {
		t.Errorf("printed %q", out)
	}
	if err := plotting.Show(plotting.Bars(nil, nil, nil)); err == nil {
		t.Error("the error of the call got lost")
	}
}

func TestSaveForms(t *testing.T) {
	folder := t.TempDir()
	figure := must(plotting.Bars([]string{"a", "b"}, []float64{1, 2}, &plotting.BarOptions{Title: "A ∪ B"}))
	for name, start := range map[string]string{"f.png": "\x89PNG", "f.SVG": "<?xml", "sub/f.vl.json": "{"} {
		path := filepath.Join(folder, name)
		if err := figure.Save(path); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(data, []byte(start)) {
			t.Errorf("%s starts with %.8q (%v), want %q", name, data, err, start)
		}
	}
	if err := figure.Save(filepath.Join(folder, "f.png", "g.png")); err == nil {
		t.Error("a file cannot be a folder, and no error said so")
	}
}

// TestThinnedFigureSaysSo: a picture of 10^6 points says in its text line that the
// interactive view holds fewer.
func TestThinnedFigureSaysSo(t *testing.T) {
	const n = 1_000_000
	s := plotting.Series{Name: "walk", X: make([]float64, n), Y: make([]float64, n)}
	for i := range n {
		s.X[i], s.Y[i] = float64(i), math.Sin(float64(i)/5e4)+0.1*math.Sin(float64(i))
	}
	figure := must(plotting.Curves([]plotting.Series{s}, nil))
	if !strings.Contains(figure.Alt, "of 1000000 rows") || len(figure.Live) > 1_500_000 || !json.Valid(figure.Live) {
		t.Errorf("text line %q, specification of %d bytes", figure.Alt, len(figure.Live))
	}
	if _, err := figure.PNG(96); err != nil {
		t.Error(err)
	}
}

// TestGonumPlotThatPanics: a plot with a zero on a logarithmic axis, at which gonum panics, is
// an error.
func TestGonumPlotThatPanics(t *testing.T) {
	t.Setenv("DIRECTIONS_FIGURES", t.TempDir())
	p := plot.New()
	p.Add(must(plotter.NewScatter(plotter.XYs{{X: 0, Y: 0}})))
	p.X.Scale = plot.LogScale{}
	if err := plotting.Show(&plotting.Figure{Static: p}); err == nil || !strings.Contains(err.Error(), "log scale") {
		t.Errorf("error %v", err)
	}
}

// TestQuantiles: median and band of three runs of different lengths.
func TestQuantiles(t *testing.T) {
	s := must(plotting.Quantiles("q", []float64{1, 2}, [][]float64{{1, 10}, {2}, {3, math.NaN()}}, 0.25))
	if s.Low[0] != 1 || s.Y[0] != 2 || s.High[0] != 3 || s.Low[1] != 10 || s.Y[1] != 10 {
		t.Errorf("got %+v", s)
	}
	ten := make([][]float64, 10)
	for i := range ten {
		ten[i] = []float64{float64(i + 1)}
	}
	if s := must(plotting.Quantiles("q", []float64{1}, ten, 0.3)); s.Low[0] != 3 || s.High[0] != 7 {
		t.Errorf("of 1 to 10, the quantiles at 0.3 and 0.7 are %g and %g, want 3 and 7", s.Low[0], s.High[0])
	}
}
