package plotting_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/solver/proof"
)

// TestNumbersOfBars: bounds stand at the ends of their bars and in the text line as they were printed, on their safe side.
func TestNumbersOfBars(t *testing.T) {
	bound := proof.AtMost(0.30004)
	figure, err := plotting.Bars([]string{"net", "exact"}, []float64{bound.Float(), 0}, &plotting.BarOptions{
		Label: "bound", Numbers: []string{fmt.Sprintf("%.4g", bound), "none"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if figure.Alt != "bound: net 0.3001, exact none." || !strings.Contains(string(figure.Live), `"0.3001"`) || !strings.Contains(string(figure.Live), `"none"`) {
		t.Errorf("drawn as %s\n%s", figure.Alt, figure.Live)
	}
}

// TestRoomForNumbers: on a logarithmic axis that begins at 1 the numbers have their share of all decades, as large values
// that are close to each other had none of; no number lies on a name.
func TestRoomForNumbers(t *testing.T) {
	figure, err := plotting.Bars([]string{"a", "b"}, []float64{1e9, -1}, &plotting.BarOptions{Log: true})
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(figure.Live), `"domain":[`)
	var low, high float64
	if _, err := fmt.Sscanf(rest, "%g,%g", &low, &high); err != nil || low != 1 || high < 2e10 {
		t.Errorf("the axis runs from %g to %g (%v)", low, high, err)
	}
	if strings.Contains(string(figure.Live), `"align":"right"`) {
		t.Error("a number stands to the left of the axis")
	}
}

// TestMarksAreInThePicture: a mark beside all bars is on the axis, as the legend names it.
func TestMarksAreInThePicture(t *testing.T) {
	for mark, log := range map[float64]bool{100: false, -100: false, 1e6: true, 1e-6: true} {
		figure, err := plotting.Bars([]string{"a", "b"}, []float64{1, 2}, &plotting.BarOptions{Log: log, Marks: []plotting.Mark{{Value: mark, Label: "true"}}})
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(figure.Live), `"domain":[`)
		var low, high float64
		if _, err := fmt.Sscanf(rest, "%g,%g", &low, &high); err != nil || mark < low || mark > high {
			t.Errorf("the mark %g is not between %g and %g (%v)", mark, low, high, err)
		}
	}
}
