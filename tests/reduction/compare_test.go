package reduction

import (
	"context"
	"encoding/csv"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

var regenerate = flag.Bool("regen", false, "write notebooks/results/reduction.csv anew")

// method chooses count scenarios of an instance.
type method struct {
	name string
	run  func(c *instance, random *rand.Rand, count int) outcome
}

// patience bounds the integer program of a reduction.
const patience = 2 * time.Minute

func methods() []method {
	reduction := func(aware bool) func(*instance, *rand.Rand, int) outcome {
		return func(c *instance, _ *rand.Rand, count int) outcome {
			limited, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			chosen := c.pick(c.reduce(limited, count, aware))
			return c.solve(chosen, c.guarantee(chosen))
		}
	}
	return []method{
		{"k-means", func(c *instance, random *rand.Rand, count int) outcome {
			centres := c.kMeans(random, count)
			return c.solve(centres, c.guarantee(centres))
		}},
		{"reduction, any x >= 0", reduction(false)},
		{"reduction, x in X", reduction(true)},
		{"greedy coverage", func(c *instance, _ *rand.Rand, count int) outcome {
			chosen := c.pick(c.greedy(count))
			return c.solve(chosen, c.guarantee(chosen))
		}},
		{"design, as many", func(c *instance, _ *rand.Rand, count int) outcome { return c.design(count) }},
		{"design, certified", func(c *instance, _ *rand.Rand, _ int) outcome { return c.design(len(c.costs)) }},
		{"all scenarios", func(c *instance, _ *rand.Rand, _ int) outcome { return c.solve(c.costs, 1) }},
	}
}

// TestGuaranteesHold: on small instances no method loses more than its factors say, and the factor that knows X is smaller than the one that does
// not.
func TestGuaranteesHold(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		for _, c := range []*instance{selecting(random, 7, 8), covering(random, 7, 8)} {
			optimum := c.solve(c.costs, 1).value
			for _, m := range methods() {
				o := m.run(c, random, 2)
				if factor := o.value / optimum; factor < 1-1e-9 || factor > o.after*(1+1e-9) || factor > o.before*(1+1e-6) {
					t.Errorf("%s: loses the factor %g, %v", m.name, factor, o)
				}
				if m.name == "design, certified" && o.after > 1+1e-6 {
					t.Errorf("%s: %v", m.name, o)
				}
			}
			any, aware := c.pick(c.reduce(ctx, 2, false)), c.pick(c.reduce(ctx, 2, true))
			if known, unknown := c.guarantee(aware), c.guarantee(any); known > unknown*(1+1e-6) {
				t.Errorf("the reduction that knows X has the factor %g, the other one %g", known, unknown)
			}
		}
	}
}

// TestStoredComparison repeats notebooks/results/reduction.csv but for the seconds: means over five instances of 14 scenarios and 15 items, with 3 scenarios
// to choose. To write it anew:
//
//	DIRECTIONS_LONG=all go test ./tests/reduction -run TestStoredComparison -regen -timeout 60m
func TestStoredComparison(t *testing.T) {
	if os.Getenv("DIRECTIONS_LONG") != "all" {
		t.Skip("takes many minutes, those of the reductions; set DIRECTIONS_LONG=all")
	}
	const scenarios, items, count, instances = 14, 15, 3, 5
	table := [][]string{{"problem", "method", "scenarios", "loss", "factor_before", "factor_after", "seconds"}}
	for _, kind := range []struct {
		name string
		draw func(*rand.Rand, int, int) *instance
	}{{"selection", selecting}, {"vertex cover", covering}} {
		for _, m := range methods() {
			random := rand.New(rand.NewPCG(3, 4)) // the same instances for each method
			var sums [5]float64
			for range instances {
				c := kind.draw(random, scenarios, items)
				optimum := c.solve(c.costs, 1).value
				begin := time.Now()
				o := m.run(c, rand.New(rand.NewPCG(5, 6)), count)
				for k, v := range []float64{float64(o.scenarios), o.value / optimum, o.before, o.after, time.Since(begin).Seconds()} {
					sums[k] += v / instances
				}
			}
			row := []string{kind.name, m.name}
			for _, v := range sums {
				row = append(row, strconv.FormatFloat(v, 'g', 6, 64))
			}
			t.Log(row)
			table = append(table, row)
		}
	}
	path := filepath.Join("..", "..", "notebooks", "results", "reduction.csv")
	if *regenerate {
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := csv.NewWriter(file).WriteAll(table); err != nil {
			t.Fatal(err)
		}
		return
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stored, err := csv.NewReader(file).ReadAll()
	if err != nil || len(stored) != len(table) {
		t.Fatal(len(stored), err)
	}
	for i, row := range table {
		for j, cell := range row[:6] {
			got, notNumber := strconv.ParseFloat(cell, 64)
			want, _ := strconv.ParseFloat(stored[i][j], 64)
			if cell != stored[i][j] && (notNumber != nil || !(math.Abs(got-want) <= 1e-5*want)) {
				t.Errorf("%s, %s: %s, stored %s", row[1], table[0][j], cell, stored[i][j])
			}
		}
	}
}
