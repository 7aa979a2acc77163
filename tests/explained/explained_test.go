package explained

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero/robust"
)

// patience bounds one explanation.
const patience = 5 * time.Minute

var verdicts = []string{right, bracket, feasible, empty, unknown, unjudged, wrong}

// TestExplanations explains each model with both solvers. None may be wrong; what is unknown is counted, and printed.
func TestExplanations(t *testing.T) {
	all := os.Getenv("DIRECTIONS_LONG") == "all"
	for family, models := range map[string]func(testing.TB, bool) []model{"portfolios": portfolios, "networks": networks, "grids": grids} {
		for name, backend := range map[string]solver.Backend{"HiGHS": highs.Backend{}, "pure Go": solver.PureGo} {
			t.Run(family+" "+name, func(t *testing.T) {
				counts := make([]int, len(verdicts))
				for _, m := range models(t, all) {
					t.Run(m.name, func(t *testing.T) { counts[slices.Index(verdicts, m.explain(t, backend))]++ })
				}
				t.Logf("%s, %s: %v %d", family, name, verdicts, counts)
			})
		}
	}
}

// explain explains a model with a solver.
func (m *model) explain(t *testing.T, backend solver.Backend) (verdict string) {
	limited, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	start := time.Now()
	e, err := m.problem.ExplainFull(limited, m.radius, &robust.Options{Solver: &solver.Options{Backend: backend}})
	took := time.Since(start).Round(time.Millisecond)
	verdict, reason := m.verdict(context.Background(), e, err)
	t.Logf("radius %.4g: %s %s (%v)", m.radius, verdict, reason, took)
	if verdict == wrong {
		t.Fail()
	}
	return verdict
}
