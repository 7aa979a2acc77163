package lifted

import (
	"fmt"
	"strings"
	"testing"
)

// TestFewRowsStandForManyUpToALimit: ten million in all, where a map leaves rows out.
func TestFewRowsStandForManyUpToALimit(t *testing.T) {
	one := Map{Matrix: []Entries{{}}, First: new(int)}
	check := func(objective *Map, coordinates, constraints int) (refused bool) {
		defer func() { refused = recover() != nil }()
		p := Problem{
			Dictionary: Dictionary{Atoms: 1, Dimension: coordinates}, Objective: objective, Constraints: make([]Constraint, constraints),
		}
		for k := range p.Constraints {
			p.Constraints[k].Map = one
		}
		p.check(0)
		return false
	}
	for _, most := range [][2]int{{10_000_000, 0}, {5_000_000, 1}, {2_500_000, 3}} {
		for _, objective := range []*Map{&one, nil} {
			if objective == nil && most[1] == 0 {
				continue // no map at all
			}
			if check(objective, most[0], most[1]) || !check(objective, most[0]+1, most[1]) {
				t.Errorf("%d coordinates with %d constraints and the objective %v are refused, or one more is not", most[0], most[1], objective)
			}
		}
	}
}

// TestAModelHasColumns although a problem without any fits together otherwise.
func TestAModelHasColumns(t *testing.T) {
	defer func() {
		if said := fmt.Sprint(recover()); !strings.Contains(said, "no columns") {
			t.Error(said)
		}
	}()
	Check(&Problem{Dictionary: Dictionary{Atoms: 1, Dimension: 1}}, &Decision{}, nil)
}

// TestBranchesStandAboveALeafUpToALimit: 2,000 of them, each the upper part of the one before.
func TestBranchesStandAboveALeafUpToALimit(t *testing.T) {
	for more := range 2 {
		p := &Proof{Leaves: make([]Leaf, 2_001+more)}
		for id := range 2_000 + more {
			p.Branches = append(p.Branches, Branch{0, 0, 2_000 + more + id, id + 1})
		}
		p.Branches[len(p.Branches)-1][3] = 2 * len(p.Branches)
		err := Checked(func() { p.checkTree(&Model{Columns: []Column{{Integer: true}}}) })
		if (err == nil) != (more == 0) {
			t.Errorf("%d branches: %v", len(p.Branches), err)
		}
	}
}
