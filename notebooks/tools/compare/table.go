package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Row is one line of the comparison: a workload, a peer and ours. Times are in
// milliseconds, memory in megabytes (10⁶ bytes).
type Row struct {
	Key       string // names the row for those who quote it
	Workload  string
	Unit      string  // ms or MB
	LimitName string  // what the limit is; empty if there is none
	Limit     float64 // NaN if there is none
	Peer      string
	PeerValue float64 // median; NaN if the peer cannot do it
	PeerLeast float64
	Ours      float64 // median
	OursLeast float64
	Target    Target
	Agreement string // what was compared, and how well it agreed
	Count     int    // repetitions
}

// Target is what was set out to be reached. The zero value is none.
type Target struct {
	Ratio float64 // peer over ours, at least
	Limit float64 // ours over the limit, at most
}

// Ratio returns how many times as long the peer takes as we do.
func (r Row) Ratio() float64 { return r.PeerValue / r.Ours }

// Met tells whether the target is reached, which it is if there is none.
func (r Row) Met() bool {
	return (r.Target.Ratio == 0 || r.Ratio() >= r.Target.Ratio) && (r.Target.Limit == 0 || r.Ours <= r.Target.Limit*r.Limit)
}

func (t Target) String() string {
	var parts []string
	if t.Ratio > 0 {
		parts = append(parts, fmt.Sprintf("ratio >= %g", t.Ratio))
	}
	if t.Limit > 0 {
		parts = append(parts, fmt.Sprintf("<= %g limit", t.Limit))
	}
	return strings.Join(parts, ", ")
}

var csvHeader = []string{
	"key", "workload", "unit", "limit_name", "limit", "peer", "peer_median", "peer_least", "ours_median", "ours_least",
	"ratio", "target", "met", "agreement", "repetitions",
}

// WriteCSV writes the rows under a header.
func WriteCSV(w io.Writer, rows []Row) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvHeader); err != nil {
		return err
	}
	for _, r := range rows {
		met := ""
		if r.Target != (Target{}) {
			met = strconv.FormatBool(r.Met())
		}
		err := out.Write([]string{
			r.Key, r.Workload, r.Unit, r.LimitName, digits(r.Limit), r.Peer, digits(r.PeerValue), digits(r.PeerLeast),
			digits(r.Ours), digits(r.OursLeast), digits(r.Ratio()), r.Target.String(), met, r.Agreement, strconv.Itoa(r.Count),
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteText writes the rows as a table for reading.
func WriteText(w io.Writer, rows []Row) error {
	lines := [][]string{{"workload", "limit", "peer", "peer", "ours", "ratio", "target", "met"}}
	for _, r := range rows {
		met := ""
		if r.Target != (Target{}) {
			met = "no"
			if r.Met() {
				met = "yes"
			}
		}
		lines = append(lines, []string{
			r.Workload, withUnit(r.Limit, r.Unit), r.Peer, withUnit(r.PeerValue, r.Unit), withUnit(r.Ours, r.Unit),
			digits(r.Ratio()), r.Target.String(), met,
		})
	}
	return writeAligned(w, lines, map[int]bool{1: true, 3: true, 4: true, 5: true})
}

// writeAligned writes the lines with columns of one width, the given ones flush right.
func writeAligned(w io.Writer, lines [][]string, right map[int]bool) error {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for k, cell := range line {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range lines {
		var text strings.Builder
		for k, cell := range line {
			gap := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
			if right[k] {
				text.WriteString(gap + cell + "  ")
			} else {
				text.WriteString(cell + gap + "  ")
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(text.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// digits gives three significant digits, nothing for NaN.
func digits(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case math.Abs(x) >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func withUnit(x float64, unit string) string {
	if math.IsNaN(x) {
		return ""
	}
	return digits(x) + " " + unit
}
