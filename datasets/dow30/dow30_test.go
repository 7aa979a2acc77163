package dow30_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/datasets/dow30"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
)

// portfolio is the problem of tutorial 01: weights of at most a quarter, mean loss plus the largest loss over count stress days.
func portfolio(returns *datasets.ReturnTable, count int) (*robust.Problem, error) {
	means := returns.Means()
	region := solver.NewModel("portfolio")
	total := solver.Row{Name: "invest everything", Bounds: solver.Equal(1)}
	for j, ticker := range returns.Tickers {
		column := region.AddColumn(solver.Column{Name: ticker, Bounds: solver.Between(0, 0.25), Cost: -means[j]})
		total.Columns, total.Values = append(total.Columns, column), append(total.Values, 1)
	}
	region.AddRow(total)
	days, err := datasets.StressDictionary(returns, count)
	if err != nil {
		return nil, err
	}
	return robust.NewProblem(days, region, sparsero.Identity(len(means)))
}

// Of all 2,528 days of ten years five are enough for the robust portfolio, and the certificate proves that the others could be
// forgotten: the Russian crisis, the day on which New York halted trading, "Marlboro Friday", Kodak's profit warning, and the end of
// the dot-com bubble. (Lesson 1 shows that the third was needed only on the way.)
func Example() {
	table, err := dow30.Load("")
	if err != nil {
		panic(err)
	}
	returns, err := table.CompleteReturns(time.Time{})
	if err != nil {
		panic(err)
	}
	days := len(returns.Dates)
	problem, err := portfolio(returns, days)
	if err != nil {
		panic(err)
	}
	design, err := problem.Design(context.Background(), days, 1, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d of %d days are enough, certified: %t\n", len(design.Atoms), days, design.Certified)
	fmt.Println(design.Solution.Labels())
	fmt.Println(dow30.Source)
	// Output:
	// 5 of 2528 days are enough, certified: true
	// [1998-08-31 1997-10-27 1993-04-02 2000-09-26 2000-04-14]
	// DowJones30 of the R package fBasics (GPL-2 or later), Debian r-cran-fbasics
}

func returns(t *testing.T) *datasets.ReturnTable {
	t.Helper()
	table, err := dow30.Load("dow30.csv")
	if err != nil {
		t.Fatal(err)
	}
	returns, err := table.CompleteReturns(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return returns
}

// TestFewDaysDecide repeats what "sparsero design dow30.csv -gap 1%" says of the random half of the days that it
// chooses from, and proves it against the model with every day of that half.
func TestFewDaysDecide(t *testing.T) {
	all := returns(t)
	if len(all.Dates) != 2528 || len(all.Tickers) != 30 || all.DroppedDays != 0 || len(all.DroppedTickers) != 0 {
		t.Fatalf("%d returns of %d stocks, without %d days and %v", len(all.Dates), len(all.Tickers), all.DroppedDays, all.DroppedTickers)
	}
	split, err := calibration.NewSplit(len(all.Dates), &calibration.SplitOptions{Shuffle: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	selection, _, _ := split.Rows()
	half, err := all.Rows(selection)
	if err != nil {
		t.Fatal(err)
	}
	problem, err := portfolio(half, 500)
	if err != nil {
		t.Fatal(err)
	}
	design, err := problem.Design(context.Background(), 500, 1, &robust.DesignOptions{Tolerance: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1998-08-27", "1998-07-23", "1993-04-02", "2000-10-12", "2000-04-14", "1996-03-08", "1998-08-04", "2000-10-17", "1996-07-15"}
	if got := design.Solution.Labels(); !slices.Equal(got, want) || !design.Certified {
		t.Errorf("days %v, certified %t; want %v", got, design.Certified, want)
	}
	full, err := problem.SolveFull(context.Background(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	bound, err := design.Solution.GapBound()
	if err != nil {
		t.Fatal(err)
	}
	lost := full.Value - design.Solution.Value
	if share := bound.Float() / full.Value; lost > bound.Float() || share > 0.003 {
		t.Errorf("forgetting the other days loses %g, bounded by %v, a share of %g", lost, bound, share)
	}
}

func TestMissingFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "elsewhere.csv")
	if _, err := dow30.Load(missing); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("a missing file gives %v; want an error that names it", err)
	}
}

// TestExtraction compares the table with what extract.py takes from Debian's package, unpacked or installed.
func TestExtraction(t *testing.T) {
	folder := "/usr/lib/R/site-library/fBasics/data"
	if chosen := os.Getenv("DIRECTIONS_FBASICS"); chosen != "" {
		folder = chosen
	}
	if _, err := os.Stat(filepath.Join(folder, "Rdata.rdb")); err != nil {
		t.Skip("r-cran-fbasics is not installed, and DIRECTIONS_FBASICS does not name the data folder of its unpacked files")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	extracted, err := exec.Command(python, "extract.py", folder).Output()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := os.ReadFile("dow30.csv")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(extracted, stored) {
		t.Error("dow30.csv is not what extract.py takes from the package")
	}
}
