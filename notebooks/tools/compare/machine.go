package compare

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Machine names what a comparison ran on.
type Machine struct {
	Date      string // of the run, UTC
	Processor string
	Cores     int
	System    string
	Load      [2]string // average load over 1, 5 and 15 minutes before and after the run
	Go        string
	Vectors   string // vector instructions that this module could use
	Peers     string // versions of Python, NumPy, SciPy and the BLAS
	CoreTypes string // core types of OpenBLAS, as shipped and best
}

// describeMachine fills in what is known before the run.
func describeMachine(p peers) Machine {
	v := p.shipped.versions
	return Machine{
		Date:      time.Now().UTC().Format("2006-01-02 15:04"),
		Processor: orUnknown(entry("/proc/cpuinfo", "model name", ":")) + family(),
		Cores:     runtime.NumCPU(),
		System:    orUnknown(strings.Trim(entry("/etc/os-release", "PRETTY_NAME", "="), `"`)),
		Load:      [2]string{load(), ""},
		Go:        runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Vectors:   vectors(),
		Peers:     fmt.Sprintf("Python %s, NumPy %s, SciPy %s, %s", v.Python, v.NumPy, v.SciPy, v.BLAS),
		CoreTypes: fmt.Sprintf("as shipped %s, best %s", orUnknown(v.Core), orUnknown(p.best.Core)),
	}
}

// lines returns the description line by line, name and value.
func (m Machine) lines() [][2]string {
	return [][2]string{
		{"date", m.Date}, {"processor", m.Processor}, {"cores", fmt.Sprint(m.Cores)}, {"system", m.System},
		{"load before", m.Load[0]}, {"load after", m.Load[1]}, {"go", m.Go}, {"vectors", m.Vectors},
		{"peers", m.Peers}, {"core type", m.CoreTypes},
	}
}

// WriteText writes one line for each entry.
func (m Machine) WriteText(w io.Writer) error {
	for _, line := range m.lines() {
		if _, err := fmt.Fprintf(w, "%-12s %s\n", line[0], line[1]); err != nil {
			return err
		}
	}
	return nil
}

// family tells processors apart whose model name is general.
func family() string {
	if number := entry("/proc/cpuinfo", "cpu family", ":"); number != "" {
		return fmt.Sprintf(" (family %s, model %s)", number, entry("/proc/cpuinfo", "model", ":"))
	}
	return ""
}

// vectors lists the vector instructions that matter here and that the processor has.
func vectors() string {
	flags := strings.Fields(entry("/proc/cpuinfo", "flags", ":") + " " + entry("/proc/cpuinfo", "Features", ":"))
	var found []string
	for _, name := range []string{"avx2", "fma", "f16c", "avx512f", "avx512vl", "asimd"} {
		if slices.Contains(flags, name) {
			found = append(found, name)
		}
	}
	return orUnknown(strings.Join(found, " "))
}

// load returns the load averages.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

// entry returns the value of the first line of a file that starts with a name.
func entry(path, name, separator string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), separator); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}
