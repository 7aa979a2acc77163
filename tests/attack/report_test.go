package attack

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"sort"
)

// cell counts what happened to one certificate in one family.
type cell struct {
	tried, refused, below, wrong int
	worst                        float64   // of the numbers below the truth, relative to the data
	looseness                    []float64 // of those that held, relative to the data
}

// key names a cell.
type key struct{ family, certificate string }

// finding is a false claim.
type finding struct {
	key
	index   int // of the problem in the campaign
	problem *problem
	observation
}

// tally collects the observations of a campaign.
type tally struct {
	problems int
	cells    map[key]*cell
	findings map[key]finding // the worst one, the first among equals
	reasons  map[string]int  // of refusals, with their numbers left out
}

func newTally() *tally {
	return &tally{cells: map[key]*cell{}, findings: map[key]finding{}, reasons: map[string]int{}}
}

func (t *tally) add(family string, index int, p *problem, observations []observation) {
	t.problems++
	for _, o := range observations {
		k := key{family, o.certificate}
		c := t.cells[k]
		if c == nil {
			c = &cell{}
			t.cells[k] = c
		}
		c.tried++
		switch o.verdict {
		case refused:
			c.refused++
			t.reasons[numbers.ReplaceAllString(o.detail, "#")]++
			continue
		case below:
			c.below++
			c.worst = math.Max(c.worst, o.amount)
		case wrong:
			c.wrong++
		default:
			if !math.IsNaN(o.amount) {
				c.looseness = append(c.looseness, o.amount)
			}
			continue
		}
		fmt.Printf("false: problem %d (%s), %s: %s\n", index, family, o.certificate, o.detail)
		if known, found := t.findings[k]; !found || o.amount > known.amount || o.amount == known.amount && index < known.index {
			t.findings[k] = finding{k, index, p, o}
		}
	}
}

// numbers matches what differs between two errors of the same kind.
var numbers = regexp.MustCompile(`[-+]?[0-9][-+.e0-9]*`)

// add joins the counts of another cell.
func (c *cell) add(other *cell) {
	c.tried, c.refused, c.below, c.wrong = c.tried+other.tried, c.refused+other.refused, c.below+other.below, c.wrong+other.wrong
	c.worst = math.Max(c.worst, other.worst)
	c.looseness = append(c.looseness, other.looseness...)
}

// total sums cells by a name taken from their keys.
func (t *tally) total(by func(key) string) map[string]*cell {
	sums := map[string]*cell{}
	for k, c := range t.cells {
		name := by(k)
		if sums[name] == nil {
			sums[name] = &cell{}
		}
		sums[name].add(c)
	}
	return sums
}

// claims is the number of claims that were made.
func (t *tally) claims() int {
	count := 0
	for _, c := range t.cells {
		count += c.tried - c.refused
	}
	return count
}

// falseClaims is the number of claims that are false.
func (t *tally) falseClaims() int {
	count := 0
	for _, c := range t.cells {
		count += c.below + c.wrong
	}
	return count
}

// write prints the tables: by certificate, by family, and every cell with a false claim.
func (t *tally) write(w io.Writer) {
	t.section(w, "by certificate", t.total(func(k key) string { return k.certificate }))
	t.section(w, "by family", t.total(func(k key) string { return k.family }))
	faulty := map[string]*cell{}
	for k, c := range t.cells {
		if c.below+c.wrong > 0 {
			faulty[k.family+": "+k.certificate] = c
		}
	}
	if len(faulty) > 0 {
		t.section(w, "false claims", faulty)
	}
}

func (t *tally) section(w io.Writer, title string, cells map[string]*cell) {
	list := make([]string, 0, len(cells))
	for name := range cells {
		list = append(list, name)
	}
	sort.Strings(list)
	width := len(title)
	for _, name := range list {
		width = max(width, len(name))
	}
	fmt.Fprintf(w, "%-*s %9s %8s %6s %6s %9s %9s %9s\n", width, title, "tried", "refused", "below", "wrong", "worst", "median", "99 %")
	for _, name := range list {
		c := cells[name]
		fmt.Fprintf(w, "%-*s %9d %8d %6d %6d %9s %9s %9s\n", width, name, c.tried, c.refused, c.below, c.wrong,
			amount(c.worst, c.below > 0), amount(quantile(c.looseness, 0.5), len(c.looseness) > 0), amount(quantile(c.looseness, 0.99), len(c.looseness) > 0))
	}
	fmt.Fprintln(w)
}

func amount(v float64, known bool) string {
	if !known {
		return "-"
	}
	return fmt.Sprintf("%.2g", v)
}

func quantile(values []float64, level float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[min(len(sorted)-1, int(level*float64(len(sorted))))]
}

// writeReasons prints why claims were refused, the most frequent first, at most so many.
func (t *tally) writeReasons(w io.Writer, limit int) {
	var list []string
	for reason := range t.reasons {
		list = append(list, reason)
	}
	sort.Slice(list, func(a, b int) bool {
		if t.reasons[list[a]] != t.reasons[list[b]] {
			return t.reasons[list[a]] > t.reasons[list[b]]
		}
		return list[a] < list[b]
	})
	fmt.Fprintln(w, "refused because")
	for _, reason := range list[:min(limit, len(list))] {
		fmt.Fprintf(w, "%8d  %.200s\n", t.reasons[reason], reason)
	}
	fmt.Fprintln(w)
}

// report prints the findings with reproducers, at most so many.
func (t *tally) report(w io.Writer, limit int) {
	var list []finding
	for _, f := range t.findings {
		list = append(list, f)
	}
	sort.Slice(list, func(a, b int) bool {
		if list[a].key.certificate != list[b].key.certificate {
			return list[a].key.certificate < list[b].key.certificate
		}
		if list[a].amount != list[b].amount {
			return list[a].amount > list[b].amount
		}
		return list[a].index < list[b].index
	})
	shown := map[string]int{}
	for _, f := range list {
		if shown[f.key.certificate]++; shown[f.key.certificate] > limit {
			continue
		}
		small, o := shrink(f.problem, f.observation)
		fmt.Fprintf(w, "%s, problem %d (%s): %s\n  %s\n", f.key.certificate, f.index, f.family, o.detail, small)
	}
}
