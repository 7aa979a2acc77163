package datasets_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func ExampleNewXShape() {
	data, err := datasets.NewXShape(datasets.XShapeOptions{Seed: 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	directions, _ := data.Directions.Dims()
	fmt.Println(data.Dictionary.Size(), "atoms in dimension", data.Dictionary.Dim())
	fmt.Println(directions, "evaluation directions, the first is", data.Directions.RawRowView(0))
	// Output:
	// 2000 atoms in dimension 2
	// 801 evaluation directions, the first is [1 0]
}

func TestXShapeIsTheSameForTheSameSeed(t *testing.T) {
	first := mustXShape(t, datasets.XShapeOptions{Seed: 3})
	again := mustXShape(t, datasets.XShapeOptions{Seed: 3})
	other := mustXShape(t, datasets.XShapeOptions{Seed: 4})
	if !mat.Equal(first.Dictionary.Matrix(), again.Dictionary.Matrix()) || !mat.Equal(first.Test, again.Test) {
		t.Error("the same seed gave different data")
	}
	if mat.Equal(first.Dictionary.Matrix(), other.Dictionary.Matrix()) {
		t.Error("different seeds gave the same dictionary")
	}
	fewer := mustXShape(t, datasets.XShapeOptions{Seed: 3, Decoys: 10, Calibration: 20})
	if !mat.Equal(first.Test, fewer.Test) {
		t.Error("changing the number of decoys changed the test samples; parts must draw from their own streams")
	}
}

// TestXShapeStaysTheSame: a seed names the numbers that it named in earlier versions, in two columns: one in
// the middle, the last ones and the sums.
func TestXShapeStaysTheSame(t *testing.T) {
	data := mustXShape(t, datasets.XShapeOptions{Seed: 7})
	for name, part := range map[string]struct {
		values mat.Matrix
		rows   int
		last   string
	}{
		"atoms":       {data.Dictionary.Matrix(), 2000, "[1.609988 0.067013] [0.237445 0.130480] [9.992206 48.242571]"},
		"directions":  {data.Directions, 801, "[-0.990065 0.140613] [-0.990580 -0.136936] [12.907650 8.460701]"},
		"probes":      {data.Probes, 4000, "[0.975798 0.218673] [-0.979201 0.202890] [23.063364 0.575642]"},
		"calibration": {data.Calibration, 1000, "[-1.338310 0.321069] [1.172708 0.252245] [53.436826 14.638351]"},
		"test":        {data.Test, 5000, "[-0.602461 -0.077579] [-0.979820 0.154052] [61.809633 -21.275980]"},
	} {
		rows, columns := part.values.Dims()
		middle, last := part.values.(mat.RowViewer).RowView(rows/3), part.values.(mat.RowViewer).RowView(rows-1)
		sums := []float64{floats.Sum(mat.Col(nil, 0, part.values)), floats.Sum(mat.Col(nil, 1, part.values))}
		if got := fmt.Sprintf("%.6f %.6f %.6f", mat.Col(nil, 0, middle), mat.Col(nil, 0, last), sums); rows != part.rows || columns != 2 || got != part.last {
			t.Errorf("%s: %d rows of %d, %q", name, rows, columns, got)
		}
	}
}

// TestXShapeHasTheStatedMoments compares means over the draw with the constants
// in NewXShape's comment; tolerances are 5 standard errors.
func TestXShapeHasTheStatedMoments(t *testing.T) {
	data := mustXShape(t, datasets.XShapeOptions{Seed: 11})
	for i := range 801 {
		if norm := mat.Norm(data.Directions.RowView(i), 2); math.Abs(norm-1) > 1e-12 {
			t.Fatalf("direction %d has norm %g, want 1", i, norm)
		}
	}
	count := map[string]int{}
	norms := map[string][]float64{}
	for i, label := range data.Dictionary.Labels() {
		kind, _, _ := strings.Cut(label, "-")
		count[kind]++
		norms[kind] = append(norms[kind], mat.Norm(data.Dictionary.Matrix().RowView(i), 2))
	}
	if count["structured"] != 1200 || count["isotropic"] != 400 || count["decoy"] != 400 {
		t.Errorf("kinds %v, want 1200 structured, 400 isotropic, 400 decoys", count)
	}
	for kind, want := range map[string][2]float64{"structured": {1.5, 0.3}, "decoy": {3, 0.25}} {
		mean := stat.Mean(norms[kind], nil)
		if limit := 5 * want[1] / math.Sqrt(float64(len(norms[kind]))); math.Abs(mean-want[0]) > limit {
			t.Errorf("mean norm of %s atoms is %.4f, want %g ± %.4f", kind, mean, want[0], limit)
		}
	}
	// |u_1| is about |N(1, 0.43²)|, whose second moment is 1 + 0.43², and u_2 about ±0.22 u_1; the noise adds 0.05² to each.
	for k, slope := range []float64{1, 0.22} {
		squares := make([]float64, 5000)
		for i := range squares {
			squares[i] = data.Test.At(i, k) * data.Test.At(i, k)
		}
		mean, deviation := stat.MeanStdDev(squares, nil)
		if want := slope*slope*(1+0.43*0.43) + 0.05*0.05; math.Abs(mean-want) > 5*deviation/math.Sqrt(5000) {
			t.Errorf("mean of u_%d² is %.4f, want %.4f", k+1, mean, want)
		}
	}
}

func TestXShapeRejectsBadOptions(t *testing.T) {
	for _, test := range []struct {
		options datasets.XShapeOptions
		want    string
	}{
		{datasets.XShapeOptions{Decoys: -1}, "Decoys = -1"},
	} {
		if _, err := datasets.NewXShape(test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want one that names %q", test.options, err, test.want)
		}
	}
}

func mustXShape(t *testing.T, options datasets.XShapeOptions) *datasets.XShape {
	t.Helper()
	data, err := datasets.NewXShape(options)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
