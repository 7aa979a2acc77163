package plotting_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sparsero/directions/plotting"
	"gonum.org/v1/plot/cmpimg"
)

// goldenDelta is the difference of a pixel, from 0 to 1, that still counts as equal. Fused
// multiplication on other processors moves the edges of glyphs and lines by less.
const goldenDelta = 0.2

// TestGoldenImages compares the pictures of the examples with those in testdata. After a
// change that is meant, look at the pictures that this command writes:
//
//	go test ./plotting -run "TestGoldenImages|TestGallery" -regen
func TestGoldenImages(t *testing.T) {
	for name, example := range examples {
		t.Run(name, func(t *testing.T) { cmpimg.CheckPlotApprox(example, t, goldenDelta, name+".png") })
	}
}

// examples are the examples that draw a figure, by the name that they pass to show.
var examples = map[string]func(){
	"atomicset": ExampleAtomicSet, "ladder": ExampleBars_ladder, "bars": ExampleBars,
	"curves": ExampleCurves, "prices": ExampleCurves_time,
	"histogram": ExampleHistogram, "custom": ExampleNewFigure,
	"sketch": ExampleSketch,
}

// gallery holds the figures of the examples that have run.
var gallery = map[string]*plotting.Figure{}

// show prints the text line of a figure and writes its picture to testdata, at half the usual
// resolution to keep the repository small.
func show(name string, figure *plotting.Figure, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	gallery[name] = figure
	if figure.Live != nil {
		if err := errors.Join(checkReferences(figure.Live), validate(figure.Live)); err != nil {
			fmt.Println(err)
		}
	}
	png, err := figure.PNG(96)
	if err == nil {
		err = os.WriteFile(filepath.Join("testdata", name+".png"), png, 0o644)
	}
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(figure.Alt)
}
