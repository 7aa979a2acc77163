package study

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestUsageTellsOfTheRun(t *testing.T) {
	usage := mustRun(t, walks(3, 3, nil), Options{Workers: 2}).Usage
	if usage.Units != 3 || usage.Workers != 2 || usage.Seconds < 0 || usage.ProcessorSeconds < 0 || usage.PeakBytes < 0 {
		t.Errorf("usage %+v", usage)
	}
	text := Usage{Units: 200, Workers: 2, Seconds: 19.23, ProcessorSeconds: 37.5, PeakBytes: 61e6}.String()
	if want := "200 units on 2 workers: 19.2 s, 37.5 s of processor time, at most 61 MB"; text != want {
		t.Errorf("String() = %q, want %q", text, want)
	}
}

// TestUsageIsKept writes the tables of a study again after a run that computed
// nothing: the side file keeps the usage of the run that did the work, and loses
// it when the tables belong to another configuration.
func TestUsageIsKept(t *testing.T) {
	folder := t.TempDir()
	options := Options{Path: filepath.Join(folder, "walks.jsonl")}
	first := mustRun(t, walks(3, 3, nil), options).Record
	second := mustRun(t, walks(3, 3, nil), options).Record
	if first.Usage.Units != 3 || second.Usage.Units != 0 {
		t.Fatalf("computed %d, then %d units; want 3 and 0", first.Usage.Units, second.Usage.Units)
	}
	other := second
	other.Hash = "another"
	for _, test := range []struct {
		record Record
		want   Usage
	}{{first, first.Usage}, {second, first.Usage}, {other, second.Usage}} {
		if err := test.record.WriteTables(folder, true, exampleTable()); err != nil {
			t.Fatal(err)
		}
		var side Record
		decoder := json.NewDecoder(strings.NewReader(readFile(t, filepath.Join(folder, "walks.json"))))
		if err := decoder.Decode(&side); err != nil || side.Usage != test.want {
			t.Errorf("the side file holds %+v (%v), want %+v", side.Usage, err, test.want)
		}
	}
}
