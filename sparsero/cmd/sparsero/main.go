// Command sparsero designs a robust decision from few directions; it checks, exports and reports design files.
//
// Where things are:
//
//	main                    the verbs, the exit code of each kind of error (which kind an answer is says its verb), the release; the help is usage.txt
//	command                 how a verb is called: flags (each stands with its verb), files, -json, how 1% and 0.01 are read, errors, progress
//	design, portfolio       a robust decision from a model and atoms, or from a document; from prices, and their flags
//	answer                  what design says of its decision, and its file
//	select                  rules of package selection
//	files                   verify and export, and what files are written as (tables are read by internal/input)
//	report, watch           a page about a decision, its headings, and which figures (drawn and coloured by plotting/bars.go, its sentences in report.html); later draws
package main

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/robust"
)

//go:embed usage.txt
var usage string

var verbs = map[string]verb{
	"design": design, "verify": verify, "select": choose, "export": export, "report": report, "watch": watch, "version": version,
}

// release is the newest release that CHANGELOG.md describes.
const release = "0.1.0"

func version(c *call) (value, words any, unmet error) {
	c.parse(0, 0)
	return struct {
		Version string `json:"version"`
	}{release}, "sparsero " + release, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl+C ends at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// errUnmet stands beside an answer that misses a demand.
var errUnmet = errors.New("the demands are not met")

func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	err := perform(ctx, verbs, arguments, stdout, spoken{stderr})
	var wrong *designfile.FalseClaimError
	var unmet *robust.UnmetError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled):
		return 130
	case errors.As(err, &unmet) || errors.Is(err, errUnmet):
		return 3
	case errors.As(err, &wrong) || errors.Is(err, solver.ErrInfeasible) || errors.Is(err, solver.ErrUnbounded):
		return 1
	}
	return 2
}

// spoken writes messages of the library in the words of the command.
type spoken struct{ io.Writer }

func (s spoken) Write(text []byte) (int, error) {
	_, err := s.Writer.Write([]byte(ofCommand.Replace(string(text))))
	return len(text), err
}

// ofCommand are the flags and keys that stand for names of the Go packages.
var ofCommand = strings.NewReplacer(
	": robust: Tune: ", ": ", ": robust: ", ": ", ": datasets: ", ": ", ": sparsero: ", ": ", ": solver: ", ": ", ": solver/highs: ", ": ",
	": convex: ", ": ", ": selection: ", ": ", ": calibration: ", ": ", ": designfile: ", ": ", "(robust: ", "(", "; robust: ", "; ", "(calibration: ", "(", "(solver: ", "(",
	"Dates (-dates)", "-dates", "LoadReturns (-returns)", "-returns", "Since and Until (-since, -until)", "-since and -until",
	"from Since to Until", "from -since to -until", " (see Availability)", "", " with AddColumn", "", ", or raise MemoryLimit", "",
	"RowBudgets gives", "budgets give", "list larger radii", "list larger radii with -radii", "use math.Inf for", "write null for", " (robust.Around moves it into the nominal part)", "",
	": solver.Explain names those that contradict each other", "", " under the full dictionary", "", "add atom ", "its worst atom is ", " to the chosen atoms and solve again", "",
	"ask Problem.Explain which constraints and atoms conflict and which radius is still feasible", "relax their limits, or lower the radius",
	"ask Problem.ExplainFull at this radius", "give -radius in the place of -violations to learn which contradict each other",
)
