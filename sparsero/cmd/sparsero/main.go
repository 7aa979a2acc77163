// Command sparsero designs a robust decision from few directions; it checks, exports and reports design files.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
)

//go:embed usage.txt
var usage string

// commands read flags and files from the call; they return what is printed as JSON or in words, and what it misses.
var commands = map[string]func(*call) (value, words any, unmet error){
	"design": design, "verify": verify, "select": choose, "export": export, "report": report,
	"cut": cut, "describe": describe, "work": work,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl+C ends at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// errInterrupted stands beside an answer that is not complete.
var errInterrupted = errors.New("interrupted: this is what was found until then, and what it says holds")

// errUnmet stands beside an answer that misses a demand.
var errUnmet = errors.New("the demands are not met")

// exitCode is what the command ends with.
func exitCode(err error) int {
	var wrong *certificate.FalseClaimError
	var unmet *robust.UnmetError
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
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

// run carries out a command and returns its exit code.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	if len(arguments) == 0 || strings.TrimLeft(arguments[0], "-") == "h" || strings.TrimLeft(arguments[0], "-") == "help" {
		fmt.Fprint(stdout, usage)
		return 0
	}
	name := arguments[0]
	command, known := commands[name]
	if !known {
		fmt.Fprintf(stderr, "sparsero: there is no command %q; \"sparsero help\" lists them\n", name)
		return 2
	}
	c := &call{Context: ctx, raw: arguments[1:], stderr: stderr, flags: flag.NewFlagSet(name, flag.ContinueOnError)}
	c.flags.SetOutput(io.Discard)
	asJSON := c.flags.Bool("json", false, "print JSON")
	value, words, err := c.answer(command)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "%s\nflags of sparsero %s:\n", usage, name)
		c.flags.SetOutput(stdout)
		c.flags.PrintDefaults()
	case err != nil:
		fmt.Fprintf(stderr, "sparsero %s: %v\n", name, err)
	}
	if value != nil && *asJSON {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "  ")
		err = errors.Join(err, encoder.Encode(value))
	} else if value != nil {
		fmt.Fprintln(stdout, words)
	}
	return exitCode(err)
}

// call is one run of a command.
type call struct {
	context.Context
	flags      *flag.FlagSet
	raw, files []string // the arguments, and those that are no flags
	stderr     io.Writer
}

// failure is an error that ends a command without an answer.
type failure struct{ error }

// answer runs a command up to its answer or the error that ends it.
func (c *call) answer(command func(*call) (value, words any, unmet error)) (value, words any, err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case failure:
			err = reason.error
		default:
			panic(reason)
		}
	}()
	return command(c)
}

// fail ends the command if there is an error.
func fail(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must returns a value that came without an error, which would end the command.
func must[T any](value T, err error) T {
	fail(err)
	return value
}

// parse reads the flags, which may stand before, between and behind the files.
func (c *call) parse(least, most int) {
	err := c.flags.Parse(c.raw)
	for err == nil && c.flags.NArg() > 0 {
		c.files = append(c.files, c.flags.Arg(0))
		err = c.flags.Parse(c.flags.Args()[1:])
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		err = fmt.Errorf("%w; \"sparsero %s -h\" lists the flags", err, c.flags.Name())
	} else if err == nil && (len(c.files) < least || len(c.files) > most) {
		err = fmt.Errorf("got %d files %q; but sparsero %s takes %d to %d; \"sparsero help\" names them", len(c.files), c.files, c.flags.Name(), least, most)
	}
	fail(err)
}

// say reports progress.
func (c *call) say(format string, arguments ...any) { fmt.Fprintf(c.stderr, format+"\n", arguments...) }

// working says every few seconds that the command works, until the function that it returns is called.
func (c *call) working(format string, arguments ...any) (finished func()) {
	c.say(format+"; Ctrl+C ends it with what was found until then", arguments...)
	ticker := time.NewTicker(5 * time.Second)
	go func() {
		for range ticker.C {
			c.say("still working")
		}
	}()
	return ticker.Stop
}
