package readme

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/calibration"
)

// results are the tables that make studies writes.
var results = filepath.Join("..", "..", "notebooks", "results")

// stored returns a number from a stored table: the column of the first row that holds all the wanted entries.
func stored(t *testing.T, table, column string, row map[string]string) float64 {
	t.Helper()
	file, err := os.Open(filepath.Join(results, table+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		entries := map[string]string{}
		for i, name := range records[0] {
			entries[name] = record[i]
		}
		if !matches(entries, row) {
			continue
		}
		number, err := strconv.ParseFloat(entries[column], 64)
		if err != nil {
			t.Fatalf("%s.csv, %v: column %s is %q", table, row, column, entries[column])
		}
		return number
	}
	t.Fatalf("%s.csv has no row %v", table, row)
	return 0
}

func matches(entries, row map[string]string) bool {
	for name, want := range row {
		if entries[name] != want {
			return false
		}
	}
	return true
}

// quotes checks that a package comment holds the lines, which are made of stored and computed numbers.
func quotes(t *testing.T, document string, lines ...string) {
	t.Helper()
	text := read(t, filepath.Join("..", "..", filepath.FromSlash(document)))
	for _, line := range lines {
		if !strings.Contains(text, "//\t"+line+"\n") {
			t.Errorf("%s does not hold this line:\n//\t%s", document, line)
		}
	}
}

func TestPolicyTableQuotesTheStudies(t *testing.T) {
	atoms := func(policy string) string {
		row := map[string]string{"Policy": policy}
		median := stored(t, "synthetic_zero", "median", row)
		if math.IsInf(median, 1) {
			return "never"
		}
		return fmt.Sprintf("%.0f (%.0f to %.0f)", median, stored(t, "synthetic_zero", "p05", row), stored(t, "synthetic_zero", "p95", row))
	}
	onset := func(policy string) string {
		return strconv.FormatFloat(stored(t, "integer_onset", "Censored median B*",
			map[string]string{"Seeds": "0-99", "Protocol": "nested", "Policy": policy}), 'f', -1, 64)
	}
	line := func(wish, policy, synthetic, integer string) string {
		return strings.TrimRight(fmt.Sprintf("%-40s %-26s %-14s %s", wish, policy, synthetic, integer), " ")
	}
	quotes(t, "sparsero/selection/doc.go",
		line("what you are after", "policy", "synthetic", "integer"),
		line("the mean over the probes, with a proof", "Greedy{}", atoms("Greedy Coverage"), onset("greedy-coverage")),
		line("the worst probe, with a guarantee", "SetCover{}", atoms("Set cover"), ""),
		line("the worst probe, atom by atom", "MaxGap{Tie: CoverageGain}", atoms("Greedy MaxGap, ties by coverage"), ""),
		line("the baseline of the paper", "MaxGap{}", atoms("Greedy MaxGap"), onset("greedy-maxgap")),
		line("a ranking by the probes", "TopActivation{}", atoms("TopAct"), ""),
		line("a ranking by few reference directions", "MaxGamma{Reference: ...}", "", onset("max-gamma-x0")),
		line("nothing: long atoms need not matter", "MaxNorm{}", atoms("MaxNorm"), ""),
	)
}

func TestRuleTableQuotesTheStudies(t *testing.T) {
	const alpha, delta, size, budget = 0.05, 1e-5, 2000, 9
	quantity := func(scale, method, name string) float64 {
		return stored(t, "synthetic_calibration", "median", map[string]string{
			"Scale": scale, "B": "9", "alpha": "0.05", "delta": "1e-05", "Method": method, "Quantity": name})
	}
	measured := func(method string) string {
		return fmt.Sprintf("%-8.2f %.0f, %.0f", quantity("1", method, "Radius"),
			quantity("1", method, "Above alpha (%)"), quantity("10", method, "Above alpha (%)"))
	}
	line := func(wish, name string, rule calibration.Rule, rest string) string {
		need := must(rule.MinSamples())
		return strings.TrimRight(fmt.Sprintf("%-38s %-33s %-6d %s", wish, name, need, rest), " ")
	}
	subsets := calibration.Subsets(size, budget)
	quotes(t, "sparsero/calibration/doc.go",
		strings.TrimRight(fmt.Sprintf("%-38s %-33s %-6s %-8s %s", "what you know of the set", "rule", "need", "radius", "misses"), " "),
		line("the set does not know the samples", "OrderStatistic{}",
			calibration.OrderStatistic{Alpha: alpha, Delta: delta}, measured("Order statistic, fixed set")),
		line("it may know them; Z scores", "Envelope{}", calibration.Envelope{Alpha: alpha, Delta: delta}, measured("Envelope")),
		line("it is one of the prefixes of a path", "OrderStatistic{Family: Prefixes}",
			calibration.OrderStatistic{Alpha: alpha, Delta: delta, Family: calibration.Prefixes(budget)}, ""),
		line("it is any set of up to 9 of 2,000", "OrderStatistic{Family: Subsets}",
			calibration.OrderStatistic{Alpha: alpha, Delta: delta, Family: subsets}, "refused"),
		line("the same, by the printed theorem", "DKW{Family: Subsets}",
			calibration.DKW{Alpha: alpha, Delta: delta, Family: subsets}, "refused"),
		line("an average over samples will do", "SplitConformal{}", calibration.SplitConformal{Alpha: alpha}, measured("Split conformal")),
		line("to repeat the tables of the paper", "Additive{Family: Subsets}",
			calibration.Additive{Alpha: alpha, Delta: delta, Family: subsets}, measured("DKW union")),
	)
}

func TestCertificateTableQuotesTheStudies(t *testing.T) {
	median := func(quantity string) string {
		return fmt.Sprintf("%.2f", stored(t, "synthetic_decomposition", "median",
			map[string]string{"Policy": "Greedy Coverage", "B": "9", "Quantity": quantity}))
	}
	line := func(known, use, bounds, value string) string {
		return strings.TrimRight(fmt.Sprintf("%-34s %-22s %-34s %s", known, use, bounds, value), " ")
	}
	quotes(t, "sparsero/certificate/doc.go",
		line("what you know", "use", "it bounds", "example"),
		line("a minimiser of the small model", "NewPointwise", "gap and regret of this b", ""),
		line("X a polyhedron, q affine", "NewUniform", "the gap of every b", ""),
		line("only the length of q(x)", "NewHausdorff", "the gap of every b and such X", median("exact certificate on the circle")),
		line("q Lipschitz, few dimensions", "NewNetBound", "the gap of every b", median("+ 2 true radius")),
		line("nothing but the atoms", "NewInflation", "all of it, by a larger radius", ""),
		line("nothing at all", "the trivial bound", "the gap of every b", median("trivial bound on the circle")),
	)
}
