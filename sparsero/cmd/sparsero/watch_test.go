package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero/calibration"
	"gonum.org/v1/gonum/floats"
)

// watching is the JSON of watch.
type watching struct {
	Days, Violations int
	Names            []string
	Wealth           []float64
	Alarm            *string
}

// TestWatch: a day violates where the portfolio loses more than the file proves, counted here from the returns alone; the alarm is that of
// the monitor on these days.
func TestWatch(t *testing.T) {
	if testing.Short() {
		t.Skip("designs and watches ten years of prices")
	}
	folder := t.TempDir()
	made := read[struct {
		Decision []float64
		Value    float64
	}](t, runs(t, folder, "design "+dow30Path+" -until 1996-12-31 -gap 1% -violations 5% -o FOLDER/d.json -json", 0))
	table, err := datasets.LoadPrices(dow30Path, &datasets.PriceOptions{Since: time.Date(1997, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	later, err := table.CompleteReturns(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for _, factor := range []float64{1, 3} {
		text := "date," + strings.Join(later.Tickers, ",") + "\n"
		monitor := &calibration.Monitor{Alpha: 0.05, Delta: 0.01}
		var state calibration.MonitorState
		for i, date := range later.Dates {
			day := later.Returns.RawRowView(i)
			text += date.Format(time.DateOnly)
			for _, r := range day {
				text += fmt.Sprintf(",%v", factor*r)
			}
			text += "\n"
			if state, err = monitor.Next(-factor*floats.Dot(day, made.Decision) > made.Value); err != nil {
				t.Fatal(err)
			}
		}
		file(t, folder, "new.csv", text)
		code := map[bool]int{false: 0, true: 3}[state.Alarm > 0]
		got := read[watching](t, runs(t, folder, "watch FOLDER/d.json FOLDER/new.csv -returns -violations 5% -json", code))
		if got.Days != state.Days || got.Violations != state.Violations || got.Wealth[got.Days-1] != state.Wealth.Float() {
			t.Errorf("returns times %g: %d of %d violate, wealth %g, not %+v", factor, got.Violations, got.Days, got.Wealth[got.Days-1], state)
		}
		if (factor == 3) != (state.Alarm > 0) {
			t.Errorf("returns times %g: alarm at day %d", factor, state.Alarm)
		}
		if state.Alarm > 0 && (got.Alarm == nil || *got.Alarm != later.Dates[state.Alarm-1].Format(time.DateOnly)) {
			t.Errorf("the alarm is at %v, not at day %d", got.Alarm, state.Alarm)
		}
	}
	watched := runs(t, folder, "watch FOLDER/d.json "+dow30Path+" -since 1997-01-01 -violations 5%", 0)
	if strings.Contains(watched.stderr, "warning") {
		t.Errorf("the share of the promise is not compared: %s", watched.stderr)
	}
	words := watched.stdout
	strict := sparseroCommand(t, folder, "watch FOLDER/d.json "+dow30Path+" -since 1997-01-01 -violations 1%").stderr
	var shown, promised float64
	_, after, _ := strings.Cut(strict, "guarantees at most ")
	fmt.Sscan(after, &shown)
	if found := promisedShare.FindStringSubmatch(words); found != nil {
		fmt.Sscan(found[1], &promised)
	}
	if promised == 0 || shown < 100*promised {
		t.Errorf("the share of the promise, %g, is shown as %g %%: %s", promised, shown, strict)
	}
	if !strings.Contains(words, "no alarm") || !strings.Contains(words, "A new draw puts objective above") {
		t.Errorf("the words lack the state or the promise:\n%s", words)
	}
}

// TestWatchDraws: draws of a law that is three times as wide raise the alarm, those of the same law do not.
func TestWatchDraws(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		name  string
		rows  int
		scale float64
	}{{"atoms", 800, 1}, {"same", 500, 1}, {"wide", 500, 3}} {
		rows, err := datasets.Gaussian(c.rows, 3, uint64(c.rows)+uint64(c.scale))
		if err != nil {
			t.Fatal(err)
		}
		text := "u,v,w\n"
		for i := range c.rows {
			text += fmt.Sprintf("%v,%v,%v\n", c.scale*rows.At(i, 0), c.scale*rows.At(i, 1), c.scale*rows.At(i, 2))
		}
		file(t, folder, c.name+".csv", text)
	}
	file(t, folder, "model.json", `{"name": "m", "columns": [{"name": "x", "lower": 1, "upper": 2, "cost": 1}, {"name": "y", "lower": 1, "upper": 2, "cost": 1}, {"name": "z", "lower": 1, "upper": 2, "cost": 1}]}`)
	runs(t, folder, "design FOLDER/atoms.csv -model FOLDER/model.json -violations 5% -o FOLDER/d.json", 0)
	runs(t, folder, "watch FOLDER/d.json FOLDER/same.csv -violations 5%", 0)
	runs(t, folder, "design FOLDER/atoms.csv -model FOLDER/model.json -violations 5% -radii 0.3 -o FOLDER/small.json", 0)
	if words := runs(t, folder, "watch FOLDER/small.json FOLDER/same.csv -violations 5%", 0).stdout; !strings.Contains(words, "0.3 times a new draw puts") {
		t.Errorf("the atoms are the samples, and a radius multiplies them: %q", words)
	}
	runs(t, folder, "watch FOLDER/small.json FOLDER/atoms.csv -violations 5%", 2) // which were used
	if words := runs(t, folder, "watch FOLDER/d.json FOLDER/wide.csv -violations 5% -delta 1%", 3).stdout; !strings.Contains(words, "ALARM at d") {
		t.Errorf("no alarm in %q", words)
	}
}

// TestWatchLevels: a draw violates where a row passes the level that the guarantee names, be it below the limit or, of a decision
// that misses the limit, above it.
func TestWatchLevels(t *testing.T) {
	folder := t.TempDir()
	for name, scale := range map[string]float64{"atoms": 0.2, "same": 0.2, "wide": 1.6} {
		rows, err := datasets.Gaussian(400, 3, uint64(len(name)))
		if err != nil {
			t.Fatal(err)
		}
		text := "u,v,w\n"
		for i := range 400 {
			text += fmt.Sprintf("%v,%v,%v\n", scale*math.Abs(rows.At(i, 0)), scale*math.Abs(rows.At(i, 1)), scale*math.Abs(rows.At(i, 2)))
		}
		file(t, folder, name+".csv", text)
	}
	for limit, demands := range map[string]string{"9": `"radii": [1]`, "1": `"radii": [1], "budget": 1`} {
		file(t, folder, "p.json", `{"model": {"columns": [{"lower": 0, "upper": 1, "cost": -1}, {"lower": 0, "upper": 1, "cost": -1}, {"lower": 0, "upper": 1, "cost": -1}]},
			"dictionary": "atoms.csv", "constraints": [{"name": "cap", "nominal": [0.9, 0.9, 0.9], "map": {"matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}, "limit": `+limit+`}],
			"demands": {"violations": 0.1, "gap": 0.05, `+demands+`}}`)
		runs(t, folder, "design FOLDER/p.json -o FOLDER/d.json", map[string]int{"9": 0, "1": 3}[limit])
		runs(t, folder, "watch FOLDER/d.json FOLDER/same.csv -violations 5%", 0)
		runs(t, folder, "watch FOLDER/d.json FOLDER/wide.csv -violations 5%", 3)
	}
}

// TestWatchRefuses: what cannot be watched is named.
func TestWatchRefuses(t *testing.T) {
	folder := fixtures(t)
	runs(t, folder, "design FOLDER/atoms.csv -model FOLDER/model.json -o FOLDER/bare.json", 0)
	runs(t, folder, "design FOLDER/prices.csv -violations 5% -o FOLDER/d.json", 0)
	file(t, folder, "centred.json", `{"model": "model.json", "objective": {"matrix": "identity"}, "dictionary": {"values": "atoms.csv", "centred": true}}`)
	runs(t, folder, "design FOLDER/centred.json -o FOLDER/mean.json", 0)
	for line, want := range map[string]string{
		"watch FOLDER/mean.json FOLDER/probes.csv -violations 5%":                       "makes no guarantee",
		"design FOLDER/centred.json -violations 5% -o FOLDER/x.json":                    "subtract a mean from atoms and samples",
		"watch FOLDER/d.json FOLDER/prices.csv -draws -since 2020-01-01 -violations 5%": "-since is for files of prices",
		"watch FOLDER/d.json FOLDER/prices.csv -split 50,25,25 -violations 5%":          "-split",
		"watch FOLDER/d.json FOLDER/prices.csv":                                         "-violations is missing",
		"watch FOLDER/bare.json FOLDER/probes.csv -violations 5%":                       "makes no guarantee",
		"watch FOLDER/d.json FOLDER/prices.csv -violations 5%":                          "used twice",
		"watch FOLDER/d.json " + dow30Path + " -violations 5%":                          "no complete prices of GEN",
		"watch FOLDER/d.json FOLDER/probes.csv -draws -violations 5%":                   "3",
		"watch FOLDER/d.json -violations 5%":                                            "takes",
		"watch FOLDER/d.json FOLDER/prices.csv -violations 5% -delta 0":                 "delta=0 must",
	} {
		if message := runs(t, folder, line, 2).stderr; !strings.Contains(message, want) {
			t.Errorf("%s: %q does not say %q", line, message, want)
		}
	}
}

// TestWatchOwnAssets: gaps of an asset that the design does not hold leave no day out, and nothing says that what is watched is guaranteed.
func TestWatchOwnAssets(t *testing.T) {
	folder := fixtures(t)
	runs(t, folder, "design FOLDER/prices.csv -until 2014-12-31 -violations 20% -o FOLDER/d.json", 0)
	want := runs(t, folder, "watch FOLDER/d.json FOLDER/prices.csv -since 2015-01-01 -violations 20%", 0)
	text, err := os.ReadFile(filepath.Join(folder, "prices.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for k := range lines {
		lines[k] += []string{",", ",5", ",6"}[k%3]
	}
	lines[0], lines[len(lines)-1] = lines[0]+"OTHER", lines[len(lines)-1]+"5"
	file(t, folder, "more.csv", strings.Join(lines, "\n"))
	got := runs(t, folder, "watch FOLDER/d.json FOLDER/more.csv -since 2015-01-01 -violations 20%", 0)
	if got.stdout != want.stdout || strings.Contains(got.stdout, "guaranteed is at most 20%") {
		t.Errorf("with an asset of no design:\n%s\ninstead of\n%s", got.stdout, want.stdout)
	}
	file(t, folder, "returns.csv", "date,"+strings.Join(strings.Split(lines[0], ",")[1:], ",")+"\n2020-01-01"+strings.Repeat(",0.01", strings.Count(lines[0], ","))+"\n")
	if said := runs(t, folder, "watch FOLDER/d.json FOLDER/returns.csv -returns -violations 20%", 2).stderr; !strings.Contains(said, "other assets") {
		t.Errorf("returns of another asset: %s", said)
	}
}

// TestHolidays: days on which no price moves are different days, among the atoms, the samples and those to be watched.
func TestHolidays(t *testing.T) {
	const days, before, assets = 300, 200, 5
	split, err := calibration.NewSplit(before, &calibration.SplitOptions{Shuffle: true, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	selecting, calibrating, _ := split.Rows()
	returns, err := datasets.Gaussian(days, assets, 1)
	if err != nil {
		t.Fatal(err)
	}
	returns.Scale(0.01, returns)
	for _, holiday := range []int{selecting[0], calibrating[0], before} {
		returns.SetRow(holiday, make([]float64, assets))
	}
	folder, header := t.TempDir(), "date,A,B,C,D,E\n"
	past, later := header, header
	for i := range days {
		values := strings.Trim(strings.ReplaceAll(fmt.Sprint(returns.RawRowView(i)), " ", ","), "[]")
		if line := time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) + "," + values + "\n"; i < before {
			past += line
		} else {
			later += line
		}
	}
	file(t, folder, "past.csv", past)
	file(t, folder, "later.csv", later)
	runs(t, folder, "design FOLDER/past.csv -returns -violations 30% -delta 5% -o FOLDER/d.json", 0)
	if got := runs(t, folder, "watch FOLDER/d.json FOLDER/later.csv -returns -violations 30%", 0); !strings.Contains(got.stdout, "new draws from 2020-07-19 to 2020-10-26: 100") {
		t.Error(got.stdout)
	}
	file(t, folder, "adjusted.csv", strings.ReplaceAll(past, ",0.0", ",0.01")) // the same days, though no row is equal
	if said := runs(t, folder, "watch FOLDER/d.json FOLDER/adjusted.csv -returns -violations 30%", 2).stderr; !strings.Contains(said, "used twice") {
		t.Error(said)
	}
}
