package grid_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/sparsero/directions/datasets/grid"
	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero/robust"
)

var regenerate = flag.Bool("regen", false, "write notebooks/results/grid*.csv anew")

// pglib loads a case of PGLib-OPF from beside the repository.
func pglib(t *testing.T, name string) *grid.Grid {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "pglib", "pglib_opf_case"+name+".m"))
	if err != nil {
		t.Skip("the cases of PGLib-OPF are not at ../shared/data/pglib beside the repository")
	}
	defer file.Close()
	g, err := grid.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Left) > 0 {
		t.Errorf("%s: left out %v", name, g.Left)
	}
	return g
}

func optimum(t *testing.T, g *grid.Grid, series bool) float64 {
	t.Helper()
	r, err := solver.Solve(context.Background(), network(t, g, series).Dispatch(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	return r.Objective
}

// TestPGLib: the values in the column DC of BASELINE.md in PGLib-OPF v23.07, to the five digits printed there.
func TestPGLib(t *testing.T) {
	for name, printed := range map[string]string{"5_pjm": "1.7480e+04", "14_ieee": "2.0515e+03", "30_ieee": "7.4728e+03", "57_ieee": "3.4773e+04",
		"118_ieee": "9.3101e+04", "300_ieee": "5.1785e+05"} {
		if got := strconv.FormatFloat(optimum(t, pglib(t, name), seriesAdmittance), 'e', 4, 64); got != printed {
			t.Errorf("case%s costs %s, published %s", name, got, printed)
		}
	}
}

// TestEmbeddedCases: MATPOWER's rundcopf gives 7642.5918 for its case of 14 buses, BASELINE.md 767.60 for Alsac's and Stott's.
func TestEmbeddedCases(t *testing.T) {
	if got := optimum(t, grid.IEEE14(), lossless); math.Abs(got-7642.591776) > 1e-5 {
		t.Errorf("14 buses cost %.9g, published 7642.591776", got)
	}
	if got := optimum(t, grid.IEEE30(), seriesAdmittance); math.Abs(got-767.60) > 5e-3 {
		t.Errorf("30 buses cost %.9g, published 767.60", got)
	}
}

// TestEmbeddedBranches: the two sources of the network of 14 buses agree.
func TestEmbeddedBranches(t *testing.T) {
	ours, theirs := grid.IEEE14(), pglib(t, "14_ieee")
	for k, branch := range ours.Branches {
		other := theirs.Branches[k]
		if branch.From != other.From || branch.To != other.To || branch.Resistance != other.Resistance || branch.Reactance != other.Reactance || branch.Tap != other.Tap {
			t.Errorf("branch %s: %+v and %+v", ours.BranchName(k), branch, other)
		}
	}
	for k, bus := range ours.Buses {
		if bus != theirs.Buses[k] {
			t.Errorf("bus %+v and %+v", bus, theirs.Buses[k])
		}
	}
}

// studied are the cases of the stored tables: the ratings after an outage are emergency times those of the file. Only in the
// smaller two a row for every pair of branch and outage is solved as well.
var studied = []struct {
	name      string
	emergency float64
	allPairs  bool
}{{"57_ieee", 1, true}, {"118_ieee", 1.5, true}, {"300_ieee", 2, false}}

// thresholds are those of the outage factors below which a planner's tool may drop a pair.
var thresholds = []float64{0.05, 0.1, 0.2, 0.3, 0.5}

// TestStoredTables repeats notebooks/results/grid.csv and grid_threshold.csv. To write them anew:
//
//	go test ./datasets/grid -run TestStoredTables -regen
func TestStoredTables(t *testing.T) {
	if testing.Short() {
		t.Skip("solves grids of up to 300 buses")
	}
	cases := studied
	if os.Getenv("DIRECTIONS_LONG") != "all" && !*regenerate {
		cases = studied[:1]
		t.Log("grids of 118 and 300 buses take minutes; set DIRECTIONS_LONG=all")
	}
	secure := [][]string{{"case", "buses", "branches", "splitting", "lost", "outages", "pairs", "emergency", "planned", "secure", "all_pairs", "deciding"}}
	thinned := [][]string{{"case", "emergency", "threshold", "rows", "cost", "overload"}}
	for _, c := range cases {
		g := pglib(t, c.name)
		n, ctx := network(t, g, seriesAdmittance), context.Background()
		events, splitting := n.Outages()
		kept, lost, err := n.Survivable(ctx, events, c.emergency)
		if err != nil {
			t.Fatal(err)
		}
		problem, err := n.Security(kept, c.emergency)
		if err != nil {
			t.Fatal(err)
		}
		design, err := problem.Design(ctx, len(kept), 1, &robust.DesignOptions{Rule: robust.MostViolated})
		if err != nil {
			t.Fatal(err)
		}
		if !design.Certified {
			t.Errorf("case%s: not certified", c.name)
		}
		pairs := len(problem.Constraints()) * len(kept)
		whole := ""
		if c.allPairs {
			r, err := solver.Solve(ctx, explicit(t, g, seriesAdmittance, kept, c.emergency), nil)
			if err != nil {
				t.Fatal(err)
			}
			if miss := math.Abs(r.Objective - design.Solution.Value); miss > 1e-9*r.Objective {
				t.Errorf("case%s costs %.12g, with all pairs as rows %.12g", c.name, design.Solution.Value, r.Objective)
			}
			whole = number(r.Objective)
		}
		t.Logf("case%s: %d of %d outages decide: %v", c.name, len(design.Atoms), len(kept), design.Solution.Labels())
		secure = append(secure, []string{c.name, count(len(g.Buses)), count(len(g.Branches)), count(len(splitting)), count(len(lost)), count(len(kept)),
			count(pairs), number(c.emergency), number(optimum(t, g, seriesAdmittance)), number(design.Solution.Value), whole, count(len(design.Atoms))})
		for _, threshold := range thresholds {
			rows, cost, overload := thin(t, n, kept, c.emergency, threshold)
			thinned = append(thinned, []string{c.name, number(c.emergency), number(threshold), count(rows), number(cost), number(overload)})
		}
	}
	whole := len(cases) == len(studied)
	compareOrWrite(t, "grid.csv", secure, whole)
	compareOrWrite(t, "grid_threshold.csv", thinned, whole)
}

// thin is what planners' tools do: rows only for pairs whose outage factor reaches a threshold. It returns the number of rows, the
// cost, and by how many MW the worst branch is above its rating after the worst outage.
func thin(t *testing.T, n *grid.Network, events []grid.Event, emergency, threshold float64) (rows int, cost, overload float64) {
	t.Helper()
	model := thinned(t, n, events, emergency, threshold)
	r, err := solver.Solve(context.Background(), model, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	overload, _, _, err = n.Overload(r.X, events, emergency)
	if err != nil {
		t.Fatal(err)
	}
	return model.Rows() - n.Dispatch().Rows(), r.Objective, math.Round(overload*100) / 100
}

func count(n int) string { return strconv.Itoa(n) }

func number(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// compareOrWrite compares a table, or its first rows, with the stored one, to a relative 1e-9 where it holds numbers.
func compareOrWrite(t *testing.T, name string, table [][]string, whole bool) {
	t.Helper()
	path := filepath.Join("..", "..", "notebooks", "results", name)
	if *regenerate {
		var text bytes.Buffer
		if err := csv.NewWriter(&text).WriteAll(table); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(stored) < len(table) || whole && len(stored) != len(table) {
		t.Fatalf("%s has %d rows, not %d; write it anew with -regen", name, len(stored), len(table))
	}
	for i, row := range table {
		for j, cell := range row {
			got, notNumber := strconv.ParseFloat(cell, 64)
			want, _ := strconv.ParseFloat(stored[i][j], 64)
			if cell != stored[i][j] && (notNumber != nil || math.Abs(got-want) > 1e-9*math.Abs(want)) {
				t.Errorf("%s, row %d, %s: %s, stored %s", name, i, table[0][j], cell, stored[i][j])
			}
		}
	}
}
