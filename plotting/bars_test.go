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
