package lifted

import (
	"strings"
	"testing"
)

// robustStatement has every kind of row: min 0.5 + 2x + y + 3t over 0 <= x <= 4, -6 <= x - 2y <= 2, which bounds the free y by
// [-1, 5], with a free whole z that counts nowhere, and t >= x + 1 + 4y for the atom (1, 2) and the constraint x + 3(-y + x + 0.5) <= 7 for the atom (-1, 1). The
// multipliers of its leaf, over the scale 2, are 1/2 of the row, 1 of the objective's atom, 1/2 of the constraint's, 1/4 of x <= 7.
func robustStatement() *statement {
	return &statement{
		p: Problem{
			Dictionary: Dictionary{Atoms: 2, Dimension: 2, Values: [][]float64{{1, 2}, {-1, 1}}}, Radius: 3,
			Model: Model{
				Offset: 0.5, Columns: []Column{{Cost: 2, Lower: ptr(0.), Upper: ptr(4.)}, {Cost: 1}, {Integer: true}},
				Rows: []Row{{Columns: []int{0, 1, 2}, Values: []float64{1, -2, 0}, Lower: ptr(-6.), Upper: ptr(2.)}},
			},
			Objective: &Map{Matrix: []Entries{{[]int{0}, []float64{1}}, {[]int{1}, []float64{2}}}, Constant: []float64{1, 0}},
			Constraints: []Constraint{{
				Nominal: []float64{1, 0, 0}, Limit: 7,
				Map: Map{Matrix: []Entries{{[]int{1}, []float64{1}}, {[]int{0}, []float64{1}}}, Constant: []float64{0, 0.5}},
			}},
		},
		d: Decision{X: []float64{0, 0, 3}, Atoms: []int{0, 1}},
		proof: Proof{
			Implied: []Implied{{0, 1, -1}, {0, 1, 1}},
			Leaves: []Leaf{{
				Scale: Float(2), Rows: Multipliers{[]int{0}, []Number{Float(-1)}}, Objective: Multipliers{[]int{0, 1}, []Number{Float(2), {}}},
				Constraints: []Multipliers{{[]int{1, -1}, []Number{Float(1), Float(0.5)}}},
			}},
		},
	}
}

func viprOf(t *testing.T, s *statement, lower float64, upper *float64) string {
	t.Helper()
	var out strings.Builder
	if err := WriteVIPR(&out, &s.p, &s.d, &s.proof, lower, upper); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// deepSplit is the least x of the whole ones up to 3 with 2x >= 3, which is 2: a row that implies x >= 1.5, branches at 1 and at
// 2, whose first part is empty by twice the row, and in the last of which x >= 3 holds.
func deepSplit() *statement {
	s := split()
	s.p.Model.Columns[0].Lower, s.p.Model.Rows[0].Lower, s.d.X[0] = nil, ptr(3.), 2
	s.proof.Implied, s.proof.Branches = []Implied{{0, 0, -1}}, []Branch{{0, 1, 2, 1}, {0, 2, 3, 4}}
	s.proof.Leaves = append(s.proof.Leaves, s.proof.Leaves[1])
	s.proof.Leaves[0].Rows.Values = []Number{Float(2)}
	s.proof.Leaves[1].Rows = Multipliers{[]int{0}, []Number{{}}} // which counts for nothing
	return s
}

// TestCertificatesNameEveryRowOnce, with the multipliers by which the rows add up to the claim: these were added up by hand.
func TestCertificatesNameEveryRowOnce(t *testing.T) {
	if got, want := viprOf(t, robustStatement(), -6.5, ptr(3.5)), `% The objective leaves out the constant 1/2 of the costs.
VER 1.0
VAR 4
x0 x1 x2 t
INT 1
2
OBJ min
3 0 2 1 1 3 3
CON 8 3
lower0 G 0 1 0 1
upper0 L 4 1 0 1
lower_t G 0 1 3 1
row0G G -6 2 0 1 1 -2
row0L L 2 2 0 1 1 -2
objective_atom0 L -1 3 0 1 1 4 3 -1
limit0_atom1 L 11/2 2 0 4 1 -3
limit0_atom-1 L 7 1 0 1
RTP range -7 3
SOL 1
decision 2 2 3 3 1
DER 3
implied0 G -1 1 1 1 { lin 2 0 1/2 4 -1/2 } -1
implied1 L 5 1 1 1 { lin 2 1 1/2 3 -1/2 } -1
leaf0 G -7 OBJ { lin 7 0 23/4 2 2 4 -1/2 5 -1 6 -1/2 7 -1/4 8 5/2 } -1
`; got != want {
		t.Error(got)
	}
	if got, want := viprOf(t, deepSplit(), 2, nil), `% The objective leaves out the constant 0 of the costs.
VER 1.0
VAR 1
x0
INT 1
0
OBJ min
1 0 1
CON 2 1
upper0 L 3 1 0 1
row0G G 3 1 0 2
RTP range 2 inf
SOL 0
DER 10
implied0 G 3/2 1 0 1 { lin 1 1 1/2 } -1
node0L L 1 1 0 1 { asm } -1
leaf0 G 1 0 { lin 2 1 1 3 -2 } -1
node0G G 2 1 0 1 { asm } -1
node1L L 2 1 0 1 { asm } -1
leaf1 G 2 OBJ { lin 1 5 1 } -1
node1G G 3 1 0 1 { asm } -1
leaf2 G 2 OBJ { lin 1 8 1 } -1
node1 G 2 OBJ { uns 7 6 9 8 } -1
node0 G 2 OBJ { uns 4 3 10 5 } -1
`; got != want {
		t.Error(got)
	}
}

// TestCertificatesOfWhatChangesNothing: a branch inside the sides of its column moves neither, an implied bound beyond float64 is
// none, and rows that two leaves name are stated once.
func TestCertificatesOfWhatChangesNothing(t *testing.T) {
	s := deepSplit()
	s.p.Model.Rows = append(s.p.Model.Rows, Row{Columns: []int{0}, Values: []float64{0x1p-600}, Lower: ptr(-0x1p600)})
	s.proof.Implied = []Implied{{1, 0, -1}, {0, 0, -1}}
	s.proof.Branches, s.proof.Leaves = []Branch{{0, 0, 1, 2}}, s.proof.Leaves[:2]
	text := viprOf(t, s, 1.5, nil)
	if got := text[strings.Index(text, "DER"):]; got != `DER 6
implied1 G 3/2 1 0 1 { lin 1 1 1/2 } -1
node0L L 0 1 0 1 { asm } -1
leaf0 G 1 0 { lin 2 1 1/3 4 -2/3 } -1
node0G G 1 1 0 1 { asm } -1
leaf1 G 3/2 OBJ { lin 1 3 1 } -1
node0 G 3/2 OBJ { uns 5 4 7 6 } -1
` {
		t.Error(got)
	}
	if text := viprOf(t, s, 1.5, ptr(2.)); !strings.Contains(text, "RTP range 3/2 2\nSOL 1\ndecision 1 0 2\nDER") {
		t.Error(text)
	}
	s = deepSplit()
	if s.p.Model.Rows[0].Values[0] = 1; !strings.Contains(viprOf(t, s, 3, nil), "implied0 G 3 1 0 1 { lin 1 1 1 } -1") {
		t.Error(viprOf(t, s, 3, nil))
	}
	s = robustStatement()
	s.proof.Branches = []Branch{{2, 0, 1, 2}}
	s.proof.Leaves = append(s.proof.Leaves, s.proof.Leaves[0])
	if text := viprOf(t, s, -6.5, nil); !strings.Contains(text, "CON 8 3\n") {
		t.Error(text)
	}
}
