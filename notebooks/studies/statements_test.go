package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// TestStatementsInTheDocumentation looks up, in the stored tables, the numbers
// that the documentation of package integer states.
func TestStatementsInTheDocumentation(t *testing.T) {
	for _, s := range []struct {
		table  string
		match  []string // cells that the row must contain
		column string
		want   string // rounded to a whole number where it ends in "%"
	}{
		{"integer_baseline", []string{"0-99", "feasible with the full dictionary, zero violations"}, "Value", "60"},
		{"integer_baseline", []string{"1000-1099", "feasible with the full dictionary, zero violations"}, "Value", "60"},
		{"integer_baseline", []string{"0-99", "feasible with the full dictionary"}, "Value", "75"},
		{"integer_onset", []string{"0-99", "nested", "greedy-maxgap"}, "Median B*", "2"},
		{"integer_onset", []string{"1000-1099", "nested", "greedy-maxgap"}, "Median B*", "3"},
		{"integer_onset", []string{"0-99", "calibrated-after", "greedy-coverage"}, "Median B*", "2"},
		{"integer_onset", []string{"1000-1099", "calibrated-after", "greedy-coverage"}, "Median B*", "2"},
		{"integer_onset", []string{"all", "nested", "greedy-coverage"}, "Mean", "3%"},
		{"integer_onset", []string{"0-99", "nested", "max-gamma-sum"}, "Median B*", "8.5"},
		{"integer_onset", []string{"1000-1099", "nested", "max-gamma-sum"}, "Median B*", "5"},
		{"integer_onset", []string{"0-99", "nested", "max-gamma-sum"}, "Censored median B*", "17.5"},
		{"integer_onset", []string{"1000-1099", "nested", "max-gamma-sum"}, "Censored median B*", "15"},
		{"integer_onset", []string{"0-99", "nested", "max-gamma-x0"}, "Censored median B*", "5"},
		{"integer_onset", []string{"1000-1099", "nested", "max-gamma-x0"}, "Censored median B*", "8.5"},
		{"integer_success", []string{"all", "nested", "greedy-maxgap", "30"}, "Success (%)", "100"},
		{"integer_success", []string{"all", "calibrated-after", "greedy-coverage", "7"}, "Success (%)", "79%"},
		{"integer_success", []string{"all", "calibrated-after", "greedy-coverage", "30"}, "Success (%)", "74%"},
		{"integer_success", []string{"all", "calibrated-after", "greedy-maxgap", "30"}, "Success (%)", "76%"},
		{"integer_decline_success", []string{"calibrated-after", "greedy-maxgap", "5"}, "Success (%)", "48%"},
		{"integer_decline_success", []string{"calibrated-after", "greedy-maxgap", "7"}, "Success (%)", "40%"},
		{"integer_decline_random", []string{"calibrated-after", "7"}, "Success (%)", "46%"},
		{"integer_decline_success", []string{"calibrated-after", "greedy-maxgap", "30"}, "Success (%)", "27%"},
		{"integer_decline_success", []string{"calibrated-after", "greedy-maxgap", "30"}, "Infeasible (%)", "67%"},
		{"integer_decline_success", []string{"calibrated-after", "greedy-coverage", "30"}, "Infeasible (%)", "69%"},
		{"integer_random", []string{"all", "nested", "3"}, "Success (%)", "28%"},
		{"integer_random", []string{"all", "nested", "15"}, "Success (%)", "64%"},
		{"integer_random", []string{"all", "nested", "7"}, "Std", "37%"},
		{"integer_random", []string{"all", "nested", "15"}, "Std", "34%"},
		{"integer_monotonicity", []string{"all", "nested", "greedy-maxgap", "dictionary", "150"}, "Seeds losing a success", "0"},
		{"integer_monotonicity", []string{"all", "nested", "greedy-maxgap", "held-out", "120"}, "Seeds losing a success", "9"},
		{"integer_all_seeds", []string{"0-99", "nested", "greedy-maxgap", "feasible, zero violations"}, "Full infeasible", "3/40 (7.5%)"},
		{"integer_all_seeds", []string{"1000-1099", "nested", "greedy-maxgap", "feasible, zero violations"}, "Full infeasible", "5/40 (12.5%)"},
	} {
		got := lookUp(t, s.table, s.match, s.column)
		if number, err := strconv.ParseFloat(got, 64); err == nil && s.want[len(s.want)-1] == '%' {
			got = strconv.FormatFloat(number, 'f', 0, 64) + "%"
		}
		if got != s.want {
			t.Errorf("%s, %v: %s is %s, the documentation of package integer says %s", s.table, s.match, s.column, got, s.want)
		}
	}
}

// lookUp returns a cell of the first stored row that contains the given cells.
func lookUp(t *testing.T, table string, match []string, column string) string {
	t.Helper()
	rows := readTable(t, filepath.Join(stored, table+".csv"))
	position := slices.Index(rows[0], column)
	if position < 0 {
		t.Fatalf("%s has no column %q", table, column)
	}
	for _, row := range rows[1:] {
		if !slices.ContainsFunc(match, func(cell string) bool { return !slices.Contains(row, cell) }) {
			return row[position]
		}
	}
	t.Fatalf("%s has no row with %v", table, match)
	return ""
}
