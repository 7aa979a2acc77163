package compare

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The lines of README.md between which the quoted figures stand.
const (
	quoteBegin = "<!-- speed: written by make compare -->\n"
	quoteEnd   = "<!-- end of speed -->\n"
)

// quoted lists the rows that README.md shows.
var quoted = []string{
	"scores_greedy_isotropic_2_best", "scores_greedy_clustered_2_best", "greedy_isotropic_batches", "greedy_clustered_batches",
	"maxgap_isotropic", "setcover_isotropic", "lp_15000_512_isotropic_1", "lp_15000_512_clustered_4",
	"milp_enumeration_scipy", "memory_held",
}

// Quote returns the paragraph for README.md that the stored files of a folder give.
func Quote(folder string) (string, error) {
	machine, err := readTable(filepath.Join(folder, MachineFile), "name")
	if err != nil {
		return "", err
	}
	rows, err := readTable(filepath.Join(folder, ComparisonFile), "key")
	if err != nil {
		return "", err
	}
	points, err := ReadGrowth(filepath.Join(folder, GrowthFile))
	if err != nil {
		return "", err
	}
	var text strings.Builder
	say := func(name string) string { return machine[name]["value"] }
	fmt.Fprintf(&text, "Beside NumPy and SciPy on the same data, in turn, the results checked to agree; medians of %s. Machine: %s,\n%s cores, load %s before the run;\n",
		rows[quoted[0]]["repetitions"], say("processor"), say("cores"), say("load before"))
	fmt.Fprintf(&text, "%s;\n%s; core type of OpenBLAS %s, of which the best counts here.\n\n", say("go"), say("peers"), say("core type"))
	text.WriteString("| workload | peer | peer's | ours | ratio |\n|---|---|---:|---:|---:|\n")
	for _, key := range quoted {
		row, ok := rows[key]
		if !ok {
			return "", fmt.Errorf("compare: %s has no row %s; run make compare", ComparisonFile, key)
		}
		fmt.Fprintf(&text, "| %s | %s | %s %s | %s %s | %s |\n", row["workload"], row["peer"], row["peer_median"], row["unit"], row["ours_median"], row["unit"], row["ratio"])
	}
	product := rows[quoted[0]]
	limit, err := ratio(product["ours_median"], product["limit"])
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&text, "\nScores and greedy together take %s times one SGEMM of the same shape by the best core type, and grow like N to the\npower %.2f from %s to %s atoms.\n",
		digits(limit), Slope(points), thousands(points[0].Atoms), thousands(points[len(points)-1].Atoms))
	return text.String(), nil
}

func ratio(a, b string) (float64, error) {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return x / y, errors.Join(errX, errY)
}

// UpdateReadme puts the paragraph into a document that has a place for it.
func UpdateReadme(path, folder string) error {
	quote, err := Quote(folder)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), quoteBegin)
	_, after, closed := strings.Cut(rest, quoteEnd)
	if !found || !closed {
		return fmt.Errorf("compare: %s has no place for the figures: the lines %q and %q", path, quoteBegin, quoteEnd)
	}
	return os.WriteFile(path, []byte(before+quoteBegin+quote+quoteEnd+after), 0o644)
}

// readTable reads a CSV file into rows by one of its columns.
func readTable(path, by string) (map[string]map[string]string, error) {
	records, err := readCSV(path)
	if err != nil {
		return nil, err
	}
	rows := map[string]map[string]string{}
	for _, record := range records[1:] {
		row := map[string]string{}
		for k, name := range records[0] {
			row[name] = record[k]
		}
		rows[row[by]] = row
	}
	return rows, nil
}

func readCSV(path string) ([][]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err == nil && len(records) < 2 {
		err = fmt.Errorf("compare: %s has no rows; run make compare", path)
	}
	return records, err
}

// ReadGrowth reads what WriteGrowth wrote.
func ReadGrowth(path string) ([]Point, error) {
	records, err := readCSV(path)
	if err != nil {
		return nil, err
	}
	var points []Point
	for _, record := range records[1:] {
		n, errN := strconv.Atoi(record[0])
		median, errMedian := strconv.ParseFloat(record[1], 64)
		if err := errors.Join(errN, errMedian); err != nil {
			return nil, fmt.Errorf("compare: %s: %w", path, err)
		}
		points = append(points, Point{Atoms: n, Median: median, Least: math.NaN()})
	}
	return points, nil
}
