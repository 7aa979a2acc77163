package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadUsage: the code is 2, and the error names the argument, the value and what to do.
func TestBadUsage(t *testing.T) {
	folder := fixtures(t)
	runs(t, folder, "design FOLDER/atoms.csv -model FOLDER/model.json -o FOLDER/d.json", 0)
	file(t, folder, "named.json", `{"model": "model.json", "objective": {"matrix": "identity"}, "dictionary": "atoms.csv"}`)
	if err := os.Mkdir(filepath.Join(folder, "taken.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	file(t, folder, "tiny.json", `{"model": "model.json", "objective": {"matrix": "identity"}, "dictionary": "atoms.csv", "radius": 1e-400}`)
	file(t, folder, "box.json", `{"model": {"columns": [{"upper": 1}]}, "objective": {"matrix": "identity"}, "set": {"box": {"widths": [1]}}}`)
	file(t, folder, "gap.csv", "date,A\n2020-01-01,1\n2020-01-01,2\n")
	file(t, folder, "short.csv", "date,A,B,C,D\n2020-01-01,1,1,1,1\n2020-01-02,2,2,2,2\n")
	file(t, folder, "two.csv", "date,A,B\n2020-01-01,1,1\n2020-01-02,2,2\n2020-01-03,2,3\n2020-01-04,2,2\n2020-01-05,1,2\n")
	file(t, folder, "nodays.csv", "A,B\n1.5,2\n1.6,3\n")
	file(t, folder, "nan.csv", "u,v,w\n1,NaN,3\n")
	file(t, folder, "hostile.npy", "\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999), }"+strings.Repeat(" ", 40)+"\n")
	file(t, folder, "deep.json", strings.Repeat("[", 100000))
	file(t, folder, "kind.json", `{"kind": "tuned", "format": "sparsero design", "version": 1, "model": null, "dictionary": {}}`)
	file(t, folder, "hour.csv", "date,A\n2020-01-01 10:00,1\n2020-01-01 11:00,2\n")
	file(t, folder, "form.csv", "date,A\n01/02/20,1\n01/03/20,2\n")
	file(t, folder, "doubt.csv", "date,A\n01/02/2020,1\n01/03/2020,2\n")
	file(t, folder, "returns.csv", "date,A,B\n2020-01-01,-0.01,0.01\n2020-01-02,0.01,-0.02\n")
	file(t, folder, "packed.npz", "PK\x03\x04")
	file(t, folder, "currency.csv", "u,v,w\nEUR 3,1,2\n")
	file(t, folder, "away.json", `{"model": {"columns": [{"upper": 1}]}, "objective": {"matrix": "identity"}, "set": {"polyhedron": {"columns": [{"lower": 1, "upper": 2}]}}}`)
	file(t, folder, "nocolumns.json", `{"model": {"columns": []}, "objective": {"matrix": "identity"}, "dictionary": [[1]]}`)
	file(t, folder, "sunday.csv", "date,A,B,C,D\n2020-01-02,1,1,1,1\n2020-01-03,2,2,2,1\n2020-01-04,2,2,2,2\n2020-01-05,1,,,\n")
	for line, want := range map[string]string{
		"design FOLDER/sunday.csv":                                              "without a price on the last day [B C D] (-until",
		"design FOLDER/form.csv -dates %d/%m/%y":                                "as 2 January 2006 stands in it",
		"design FOLDER/hour.csv":                                                "keep one price for each day",
		"design FOLDER/form.csv":                                                "form, written for 2 January 2006, as -dates",
		"design FOLDER/doubt.csv":                                               "as -dates",
		"design FOLDER/returns.csv":                                             "with -returns",
		"design FOLDER/prices.csv -since 2090-01-01":                            "from -since to -until; it has days from",
		"design FOLDER/packed.npz":                                              "save prices as CSV",
		"design FOLDER/packed.npz -model FOLDER/model.json":                     ".npy",
		"design FOLDER/currency.csv -model FOLDER/model.json":                   "without currency",
		"design FOLDER/nocolumns.json":                                          "has no columns; add at least one\n",
		"design FOLDER/away.json":                                               "deviations from a point of the set",
		"frobnicate":                                                            "no command",
		"design":                                                                "takes 1;",
		"watch FOLDER/d.json":                                                   "takes 2 or 3;",
		"design FOLDER/d.json":                                                  "d.json is a design file",
		"design FOLDER/prices.csv -radius abc":                                  "-radius: give a number that float64 holds",
		"design FOLDER/nodays.csv":                                              "the first column holds the days",
		"design FOLDER/prices.csv FOLDER/more.csv":                              "got the files",
		"design FOLDER/prices.csv -model FOLDER/model.json":                     "prices.csv",
		"design FOLDER/none.csv":                                                "none.csv",
		"design FOLDER/gap.csv":                                                 "2020-01-01",
		"design FOLDER/short.csv":                                               "rows",
		"design FOLDER/prices.csv -gap x":                                       "-gap",
		"design FOLDER/prices.csv -gap -1%":                                     "-gap",
		"design FOLDER/prices.csv -gap NaN":                                     "-gap",
		"design FOLDER/prices.csv -gap 1":                                       "-gap",
		"design FOLDER/prices.csv -violations 5% -radius 2":                     "-radius",
		"design FOLDER/prices.csv -radii 1,2":                                   "-radii",
		"design FOLDER/prices.csv -gap 100%":                                    "-gap 100%",
		"design FOLDER/prices.csv -violations 101%":                             "-violations",
		"design FOLDER/prices.csv -violations 5% -delta 0":                      "-delta 0%",
		"design FOLDER/prices.csv -radius 1;2":                                  "-radius",
		"design FOLDER/prices.csv -radius NaN":                                  "NaN",
		"design FOLDER/two.csv":                                                 "4",
		"design FOLDER/prices.csv -radius -1":                                   "-radius -1",
		"design FOLDER/prices.csv -budget -1":                                   "at least 0",
		"design FOLDER/prices.csv -budget 0x10":                                 "-budget",
		"design FOLDER/prices.csv -stress-days 1_0":                             "-stress-days",
		"design FOLDER/prices.csv -violations 1e-400":                           "-violations",
		"design FOLDER/atoms.csv -model FOLDER/model.json -o FOLDER/model.json": "model.json",
		"design FOLDER/named.json -o FOLDER/model.json":                         "model.json",
		"design FOLDER/named.json -o FOLDER/taken.json":                         "give one",
		"design FOLDER/tiny.json":                                               "radius is 1e-400",
		"export FOLDER/d.json -to FOLDER/d.json":                                "is read",
		"select FOLDER/atoms.csv FOLDER/probes.csv -o FOLDER/atoms.csv":         "is read",
		"select FOLDER/atoms.csv FOLDER/probes.csv -share 1e-400":               "-share",
		"design FOLDER/prices.csv -radius 1e-400":                               "-radius",
		"export FOLDER/d.json -to FOLDER/none/m.lp":                             "-to",
		"select FOLDER/none.csv FOLDER/probes.csv -o FOLDER/none/c.csv":         "-o",
		"select FOLDER/atoms.csv FOLDER/probes.csv -budget 061":                 "budget 61",
		"select FOLDER/atoms.csv FOLDER/probes.csv -seed -1":                    "-seed",
		"select FOLDER/atoms.NPY FOLDER/probes.csv -labels name":                "leave labels out",
		"select FOLDER/atoms.csv FOLDER/probes.csv -rule swap -seed 7":          "leave it out, or give -rule random",
		"design FOLDER/prices.csv -violations 100%":                             "-violations 100%",
		"design FOLDER/prices.csv -violations 5% -radii -1":                     "-radii -1",
		"design FOLDER/prices.csv -split 50,50":                                 "-split 50,50",
		"design FOLDER/prices.csv -split 50,50,0":                               "-split 50,50,0",
		"design FOLDER/prices.csv -split 1,1,100000":                            "-split 1,1,100000",
		"design FOLDER/prices.csv -stress-days 0":                               "-stress-days 0",
		"design FOLDER/none2.json":                                              "none2.json",
		"design FOLDER/model.json":                                              `"name"`,
		"design FOLDER/box.json -violations 5%":                                 "-violations",
		"design FOLDER/box.json -o FOLDER/box.json":                             "box.json",
		"design FOLDER/box.json -model FOLDER/model.json":                       "-model",
		"design FOLDER/prices.csv -budget 501":                                  "501",
		"design FOLDER/prices.csv -o FOLDER/none/d.json":                        "-o",
		"design -unknown":                                                       "-h",
		"design -model FOLDER/model.json":                                       "takes",
		"design FOLDER/nan.csv -model FOLDER/model.json":                        "line 2",
		"design FOLDER/hostile.npy -model FOLDER/model.json":                    "hostile.npy",
		"design FOLDER/atoms.csv -model FOLDER/deep.json":                       "deep.json",
		"design FOLDER/atoms.csv -model FOLDER/atoms.csv":                       "-model",
		"verify":                                                           "takes",
		"verify FOLDER/none.json":                                          "none.json",
		"verify FOLDER/prices.csv":                                         "not checkable",
		"verify FOLDER/deep.json":                                          "not checkable",
		"select FOLDER/atoms.csv":                                          "takes",
		"select FOLDER/atoms.csv FOLDER/prices.csv":                        "prices.csv",
		"select FOLDER/atoms.csv FOLDER/probes.csv -budget 0":              "budget 0",
		"select FOLDER/atoms.csv FOLDER/probes.csv -budget 61":             "budget 61",
		"select FOLDER/atoms.csv FOLDER/probes.csv -rule best":             "greedy",
		"select FOLDER/atoms.csv FOLDER/probes.csv -budget 1 -o c.parquet": ".npy, .csv, .json",
		"select FOLDER/hostile.npy FOLDER/probes.csv":                      "hostile.npy",
		"design FOLDER/prices.csv -o -":                                    "-o",
		"design FOLDER/prices.csv -o FOLDER/d.mps":                         "-o",
		"design FOLDER":                                                    "directory",
		"export FOLDER/d.json":                                             ".npy",
		"export FOLDER/d.json -to x.txt":                                   ".vipr",
		"export FOLDER/prices.csv -to x.csv":                               "prices.csv",
		"export FOLDER/kind.json -to x.csv":                                "kind.json",
		"export FOLDER/d.json FOLDER/probes.csv -to x.csv":                 "121 lines for 60 atoms",
		"report FOLDER/deep.json":                                          "not checkable",
		"report FOLDER/d.json -to FOLDER/none/r.html":                      "-to",
		"report FOLDER/d.json -to FOLDER/r.pdf":                            ".html",
	} {
		o := runs(t, folder, line, 2)
		if !strings.Contains(o.stderr, want) || o.stdout != "" {
			t.Errorf("sparsero %s: %q, want %q in it", line, o.stderr, want)
		}
	}
}

// TestStressDays: the days of the first part of -split may be atoms, more than half of all, as the help says.
func TestStressDays(t *testing.T) {
	folder := fixtures(t)
	if help := runs(t, folder, "design -h", 0).stdout; !strings.Contains(help, "at most those of the first part of -split") {
		t.Error(help)
	}
	o := runs(t, folder, "design FOLDER/prices.csv -split 80,10,10 -stress-days 5000 -json -o FOLDER/d.json", 0)
	_, counts, _ := strings.Cut(read[struct{ Note string }](t, o).Note, "]: ")
	var days, means, atoms int
	if _, err := fmt.Sscanf(counts, "of %d days %d gave means and %d atoms", &days, &means, &atoms); err != nil || atoms != means || 2*atoms <= days {
		t.Errorf("%s: %v", counts, err)
	}
}
