package study

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Usage says what a run took: the log behind statements about speed.
type Usage struct {
	// Units is the number of units computed in the run, Workers how many at the same time.
	Units   int `json:"units"`
	Workers int `json:"workers"`
	// Seconds is the wall-clock time, which other work on the machine lengthens.
	Seconds float64 `json:"seconds"`
	// ProcessorSeconds is the processor time of the process during the run, all
	// cores together, and PeakBytes the largest memory the process has held from
	// its start to the end of the run; 0 where the system does not tell.
	ProcessorSeconds float64 `json:"processor_seconds"`
	PeakBytes        int64   `json:"peak_bytes"`
}

// String returns one line such as "200 units on 2 workers: 19.2 s, 37.5 s of processor time, at most 61 MB".
func (u Usage) String() string {
	return fmt.Sprintf("%d units on %d workers: %.1f s, %.1f s of processor time, at most %.0f MB",
		u.Units, u.Workers, u.Seconds, u.ProcessorSeconds, float64(u.PeakBytes)/1e6)
}

// keepUsage takes over the usage that a side file holds when it tells of more
// units, so that writing the tables of a finished study again keeps its log.
func (r *Record) keepUsage(directory string) {
	text, err := os.ReadFile(r.sidePath(directory))
	if err != nil {
		return
	}
	var found sideFile
	same := json.Unmarshal(text, &found) == nil && found.Hash == r.Hash && found.Version == r.Version && found.Seed == r.Seed
	if same && found.Usage.Units > r.Usage.Units {
		r.Usage = found.Usage
	}
}

func (r Record) sidePath(directory string) string { return filepath.Join(directory, r.Study+".json") }
