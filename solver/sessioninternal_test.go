package solver

import (
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
)

// another stands for a backend that a program registers.
type another struct{ Backend }

func (another) String() string { return "another" }

// TestBackendsAndWhatIsBehindThem: small linear programs begin with the dual simplex method, convex quadratic ones with the
// interior point, and what is in doubt goes to the default backend, or to the interior point without one.
func TestBackendsAndWhatIsBehindThem(t *testing.T) {
	linear, quadratic, integer := strip(1, 1), strip(1, 1), strip(1, 1)
	quadratic.AddQuadratic(0, 0, 1)
	integer.AddColumn(Column{Integer: true, Bounds: Between(0, 1)})
	large := &Model{columns: make([]Column, 1<<11), rows: make([]program.Row, 1<<10+1)}
	registered := another{InteriorPoint}
	for _, test := range []struct {
		name               string
		model              *Model
		registered, wanted Backend
		first, next        Backend
	}{
		{"linear", linear, nil, nil, DualSimplex, InteriorPoint},
		{"linear, another default", linear, registered, nil, DualSimplex, registered},
		{"linear, dual simplex wanted", linear, registered, DualSimplex, DualSimplex, InteriorPoint},
		{"linear, pure Go wanted", linear, registered, PureGo, PureGo, InteriorPoint},
		{"linear, interior point wanted", linear, registered, InteriorPoint, InteriorPoint, nil},
		{"quadratic", quadratic, registered, nil, InteriorPoint, nil},
		{"integer", integer, registered, nil, registered, nil},
		{"large", large, registered, nil, registered, nil},
		{"large without another", large, nil, nil, PureGo, nil},
	} {
		before := SetDefault(test.registered)
		if first, next := chooseBackends(test.model, test.wanted); first != test.first || next != test.next {
			t.Errorf("%s: got %v and %v, want %v and %v", test.name, first, next, test.first, test.next)
		}
		SetDefault(before)
	}
}
