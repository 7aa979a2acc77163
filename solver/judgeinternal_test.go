package solver

import "testing"

// TestObjectiveReach: the largest terms of the objective between the bounds are added up; a column without a bound that says
// something counts as 0.
func TestObjectiveReach(t *testing.T) {
	m := NewModel("reach")
	m.AddColumn(Column{Bounds: Between(-2, 8), Cost: -3})
	m.AddColumn(Column{Bounds: Between(-16, 4), Cost: 0.5})
	m.AddColumn(Column{Bounds: AtLeast(1), Cost: 100})
	m.SetOffset(-5)
	m.AddQuadratic(0, 0, 1)
	m.AddQuadratic(1, 1, 2)
	session, err := Open(m, &Options{Backend: InteriorPoint})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := session.objectiveReach(), 5+3*8+0.5*16+1*8*8+2*16.*16; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
