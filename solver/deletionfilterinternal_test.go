package solver

import "testing"

// What a proof of infeasibility leans on is kept: the rows with a multiplier and of each column the bound on its side, as
// x + y - z >= 4 on [0,1]³ is out of reach by the upper bounds of x and y and the lower one of z, and -x - y + z <= -4, too.
func TestMembersThatAProofNeeds(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		m := NewModel("cube")
		for range 3 {
			m.AddColumn(Column{Bounds: Between(0, 1)})
		}
		row := Row{Bounds: AtLeast(4), Columns: []int{0, 1, 2}, Values: []float64{sign, sign, -sign}}
		if sign < 0 {
			row.Bounds = AtMost(-4)
		}
		m.AddRow(row)
		m.AddRow(Row{Bounds: AtMost(9), Columns: []int{0}, Values: []float64{1}})
		members := []Member{m.rowMember(0), m.rowMember(1)}
		for j := range 3 {
			members = append(members, m.boundMember(j, false), m.boundMember(j, true))
		}
		r, err := Solve(t.Context(), m, nil)
		if err != nil || r.Status != Infeasible || r.Farkas == nil {
			t.Fatalf("%v, %v", r, err)
		}
		s := &search{model: m}
		needed := s.needed(r.Farkas, members, 0)
		if len(needed) != 4 || needed[0].Rows[0] != 0 || needed[1].Column != 0 || !needed[1].Upper || needed[2].Column != 1 || !needed[2].Upper || needed[3].Column != 2 || needed[3].Upper {
			t.Errorf("%+v", needed)
		}
		if kept := s.needed(r.Farkas, members, 4); len(kept) != 6 || kept[1].Rows[0] != 1 {
			t.Errorf("the first four stay: %+v", kept)
		}
		if all := s.needed(nil, members, 0); len(all) != len(members) {
			t.Errorf("of no proof %d members are needed", len(all))
		}
	}
}
