package grid_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/grid"
	"github.com/sparsero/directions/solver"
)

// awkward is a case with everything that is left out, and every kind of cost.
const awkward = `function mpc = awkward
% a comment with mpc.bus = [ in it
mpc.version = '2';
mpc.baseMVA = 50;
mpc.bus_name = { 'a'; 'b % not a comment to anyone'; };
mpc.areas = [ 1 'north'; 2 'south' ];
mpc.bus = [ 1 3 0 0 2 0 1 1 0 1 1 1.1 0.9; 7, 1, 30, 0, 0, 0, 1, 1, 0, 1, 1, 1.1, 0.9
	9	4	50	0	0	0	1	1	0	1	1	1.1	0.9; % isolated
	12	1	10	0	0	0	1	1	0	1	1	1.1	0.9 ];
mpc.gen = [
	1	0	0	0	0	1	100	1	100	0;
	7	0	0	0	0	1	100	0	100	0;
	9	0	0	0	0	1	100	1	100	0;
	12	0	0	0	0	1	100	1	60	10;
	12	0	0	0	0	1	100	1	20	-5;
];
mpc.branch = [
	1	7	0	0.1	0	0	0	0	0	0	1	0	0;
	7	1	0	0.1	0	20	20	20	0.95	-3	1	-360	20;
	7	12	0	0.2	0	0	0	0	0	0	1;
	1	12	0	0.2	0	0	0	0	0	0	0	0	0;
	9	12	0	0.2	0	0	0	0	0	0	1	0	0;
];
mpc.gencost = [
	2	0	0	3	0.5	3	7;
	2	0	0	2	1	0	0	0;
	2	0	0	2	1	0	0	0;
	2	0	0	2	4	-40;
	2	0	0	1	5	0	0	0;
];
`

func TestRead(t *testing.T) {
	g, err := grid.Read(strings.NewReader(awkward))
	if err != nil {
		t.Fatal(err)
	}
	inf := math.Inf(1)
	want := &grid.Grid{Name: "awkward", Base: 50, Buses: []grid.Bus{{1, 2}, {7, 30}, {12, 10}},
		Branches: []grid.Branch{{0, 1, 0, 0.1, 1, 0, inf, -inf, inf}, {1, 0, 0, 0.1, 0.95, -3, 20, -inf, 20}, {1, 2, 0, 0.2, 1, 0, inf, -inf, inf}},
		Generators: []grid.Generator{{Bus: 0, Max: 100, Quadratic: 0.5, Linear: 3, Constant: 7},
			{Bus: 2, Min: 10, Max: 60, Linear: 4, Constant: -40}, {Bus: 2, Min: -5, Max: 20, Constant: 5}}}
	if g.Name != want.Name || g.Base != want.Base || !slices.Equal(g.Buses, want.Buses) || !slices.Equal(g.Branches, want.Branches) {
		t.Errorf("read %+v, want %+v", g, want)
	}
	for k, generator := range g.Generators {
		w := want.Generators[k]
		if generator.Bus != w.Bus || generator.Min != w.Min || generator.Max != w.Max || generator.Linear != w.Linear || generator.Quadratic != w.Quadratic || generator.Constant != w.Constant {
			t.Errorf("generator %d: %+v, want %+v", k, generator, w)
		}
	}
	if len(g.Left) != 5 {
		t.Errorf("left out are %q, which do not count", g.Left)
	}
	left := strings.Join(g.Left, "; ")
	for _, what := range []string{"bus 9", "generator 2 at bus 7", "generator 3 at bus 9", "branch 1-12", "branch 9-12"} {
		if !strings.Contains(left, what) {
			t.Errorf("%s is not named among what was left: %s", what, left)
		}
	}
	if first, second := g.BranchName(0), g.BranchName(1); first != "1-7" || second != "7-1 (2)" {
		t.Errorf("the parallel branches are called %s and %s", first, second)
	}
	// By hand: the linear generator costs 4, the quadratic one p + 3 at the margin, so that it gives 1 MW, the free one its 20 MW and
	// the linear one the remaining 21: 0.5 + 3 + 7 + 84 - 40 + 5.
	r, err := solver.Solve(context.Background(), network(t, g, lossless).Dispatch(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Objective-59.5) > 1e-6 || math.Abs(r.X[0]-1) > 1e-4 {
		t.Errorf("cost %.9g at %v, want 59.5", r.Objective, r.X)
	}
}

// TestReadNeedsEveryColumn: rows may end behind the last column that is read, and not before.
func TestReadNeedsEveryColumn(t *testing.T) {
	const least = "function mpc = least\nmpc.version = '2';\nmpc.baseMVA = 50;\nmpc.bus = [ 1 3 0 0 0; 2 1 10 0 0 ];\n" +
		"mpc.gen = [ 1 0 0 0 0 1 100 1 100 0 ];\nmpc.branch = [ 1 2 0 0.1 0 0 0 0 0 0 1 ];\nmpc.gencost = [ 2 0 0 1 5 ];\n"
	if _, err := grid.Read(strings.NewReader(least)); err != nil {
		t.Fatal(err)
	}
	reactive := strings.NewReplacer( // the costs of reactive power follow
		"100 0 ];", "100 0; 2 0 0 0 0 1 100 1 100 0 ];", "1 5 ];", "1 5; 2 0 0 1 6; 2 0 0 1 7; 2 0 0 1 8 ];")
	both, err := grid.Read(strings.NewReader(reactive.Replace(least)))
	if err != nil || len(both.Generators) != 2 || both.Generators[0].Constant != 5 || both.Generators[1].Constant != 6 {
		t.Errorf("%+v, %v", both, err)
	}
	for _, end := range []string{" 0 ];\nmpc.gen ", " 0 ];\nmpc.branch", " 1 ];\nmpc.gencost", " 5 ];\n"} {
		if _, err := grid.Read(strings.NewReader(strings.Replace(least, end, end[2:], 1))); err == nil || !strings.Contains(err.Error(), "columns") {
			t.Errorf("without the number before %q: %v", end[2:], err)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for name, change := range map[string][2]string{
		"no number":         {"7, 1, 30", "7, 1, many"},
		"a number of Go":    {"7, 1, 30", "7, 1, 3_0"},
		"binary exponent":   {"7, 1, 30", "7, 1, 0x1p3"},
		"base of Go":        {"baseMVA = 50", "baseMVA = 5_0"},
		"NaN":               {"7, 1, 30", "7, 1, NaN"},
		"infinite demand":   {"7, 1, 30", "7, 1, Inf"},
		"short row":         {"1	7	0	0.1	0	0	0	0	0	0	1	0	0;", "1 7 0 0.1;"},
		"bus twice":         {"7, 1, 30", "1, 1, 30"},
		"unknown bus":       {"7	12	0	0.2", "7	13	0	0.2"},
		"unknown generator": {"12	0	0	0	0	1	100	1	60	10", "13	0	0	0	0	1	100	1	60	10"},
		"one bus":           {"7	12	0	0.2", "7	7	0	0.2"},
		"no reactance":      {"7	12	0	0.2", "7	12	0	0"},
		"angles cross":      {"1	-360	20", "1	30	20"},
		"negative rating":   {"7	1	0	0.1	0	20", "7	1	0	0.1	0	-20"},
		"limits cross":      {"1	60	10", "1	60	70"},
		"degree 3":          {"3	0.5	3	7", "4	0.1	0.5	3	7"},
		"not convex":        {"3	0.5	3	7", "3	-0.5	3	7"},
		"half a term":       {"3	0.5	3	7", "2.5	0.5	3	7"},
		"a missing term":    {"3	0.5	3	7", "3	0.5	3"},
		"two missing terms": {"3	0.5	3	7", "3	40"},
		"no place for any":  {"2	0	0	1	5	0	0	0;", "2	0	0;"},
		"no terms":          {"3	0.5	3	7", "0	0.5	3	7"},
		"piecewise linear":  {"2	0	0	2	4	-40", "1	0	0	2	0	0	20	40"},
		"no cost":           {"	2	0	0	1	5	0	0	0;\n", ""},
		"base":              {"baseMVA = 50", "baseMVA = -50"},
		"no base":           {"mpc.baseMVA = 50;", ""},
		"computed":          {"mpc.gencost = [", "mpc.branch(:, 3) = 0.1 * mpc.branch(:, 3);\nmpc.gencost = ["},
		"loaded":            {"mpc.gencost = [", "mpc.branch = load('x');\nmpc.gencost = ["},
		"loaded at first":   {"mpc.branch = [", "mpc.branch = load('x');\nmpc.branch = ["},
		"written in part":   {"mpc.branch = [", "mpc.branch(1, :) = [ 1 7 0 0.1 ];\nmpc.branch = ["},
		"direct current":    {"mpc.gencost = [", "mpc.dcline = [\n1 7 1 10 8;\n];\nmpc.gencost = ["},
		"old version":       {"mpc.", ""},
		"infinite base":     {"baseMVA = 50", "baseMVA = Inf"},
		"half a bus":        {"	1	7	0	0.1", "	1.6	7	0	0.1"},
		"a bus of a half":   {"7, 1, 30", "7.5, 1, 30"},
		"many lines":        {"mpc.gencost = [", "%{\nmpc.gencost = [ 2 0 0 1 9 ];\n%}\nmpc.gencost = ["},
		"a long remark":     {"mpc.gencost = [", "%{\nwritten in haste\n%}\nmpc.gencost = ["},
		"a second table":    {"mpc.gencost = [", "mpc.branch = [ 7 12 0 0.1 0 0 0 0 0 0 1 0 0 ];\nmpc.gencost = ["},
		"in other units":    {"1	0	0;\n];\nmpc.gencost", "1	0	0;\n] * 2;\nmpc.gencost"},
		"turned":            {"1	0	0;\n];\nmpc.gencost", "1	0	0;\n]';\nmpc.gencost"},
		"cut short":         {"5	0	0	0;\n];\n", "5	0	0	0;\n"},
		"a long line":       {"	2	0	0	1	5	0", strings.Repeat(" ", 1<<16) + "	2	0	0	1	5	0"},
		"a block":           {"mpc.gencost = [", "if true\nmpc.name = 1;\nend\nmpc.gencost = ["},
		"an early end":      {"mpc.gencost = [", "return;\nmpc.gencost = ["},
		"status -1":         {"7	12	0	0.2	0	0	0	0	0	0	1", "7	12	0	0.2	0	0	0	0	0	0	-1"},
		"too many costs":    {"	2	0	0	1	5	0	0	0;\n", "	2	0	0	1	5	0	0	0;\n	2	0	0	1	5	0	0	0;\n"},
	} {
		text := strings.Replace(awkward, change[0], change[1], 1)
		if name == "old version" {
			text = strings.ReplaceAll(awkward, "mpc.", "")
		}
		if text == awkward {
			t.Fatalf("%s: the case does not hold %q", name, change[0])
		}
		if _, err := grid.Read(strings.NewReader(text)); err == nil || name == "old version" && !strings.Contains(err.Error(), "there is no table mpc.") {
			t.Errorf("%s: %v", name, err)
		} else if name == "a number of Go" && !strings.Contains(err.Error(), "line 7, column 3 of mpc.bus") {
			t.Errorf("%s is not where it is said to be: %v", name, err)
		} else {
			t.Log(name, "→", err)
		}
	}
}
