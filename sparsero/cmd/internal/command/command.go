// Package command carries out the verbs of a command line: flags before and behind files, progress, an answer as JSON or in words,
// and Ctrl+C that ends with what was found until then.
package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sparsero/directions/sparsero/internal/input"
)

// ErrInterrupted stands beside an answer that is not complete.
var ErrInterrupted = errors.New("interrupted: this is what was found until then, and what it says holds")

// Verb reads flags and files from the call; it returns what is printed as JSON or in words, and what it misses. It ends with a
// panic of [Failure] where there is no answer.
type Verb func(*Call) (value, words any, unmet error)

// Failure is an error that ends a verb without an answer.
type Failure struct{ Err error }

// Call is one run of a verb.
type Call struct {
	context.Context
	// Flags are those of the verb, defined before Parse.
	Flags *flag.FlagSet
	// Files are the arguments that are no flags, known after Parse.
	Files []string

	program string
	raw     []string
	stderr  io.Writer
}

// Run carries out the verb that the arguments begin with. Without one, and for help, it prints the usage of the program. The
// error is what the verb misses or what it failed by; it has been printed.
func Run(ctx context.Context, program, usage string, verbs map[string]Verb, arguments []string, stdout, stderr io.Writer) error {
	if len(arguments) == 0 || strings.TrimLeft(arguments[0], "-") == "h" || strings.TrimLeft(arguments[0], "-") == "help" {
		fmt.Fprint(stdout, usage)
		return nil
	}
	name := arguments[0]
	if strings.TrimLeft(name, "-") == "version" {
		name = "version"
	}
	verb, known := verbs[name]
	if !known {
		err := fmt.Errorf("there is no command %q; \"%s help\" lists them", name, program)
		fmt.Fprintf(stderr, "%s: %v\n", program, err)
		return err
	}
	c := &Call{Context: ctx, program: program, raw: arguments[1:], stderr: stderr, Flags: flag.NewFlagSet(name, flag.ContinueOnError)}
	c.Flags.SetOutput(io.Discard)
	asJSON := c.Flags.Bool("json", false, "print JSON")
	value, words, err := c.answer(verb)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "%s\nflags:\n", usageOf(usage, program+" "+name))
		c.Flags.SetOutput(stdout)
		c.Flags.PrintDefaults()
		fmt.Fprintf(stdout, "\n\"%s help\" lists the commands and the exit codes.\n", program)
		return nil
	case err != nil:
		fmt.Fprintf(stderr, "%s %s: %v\n", program, name, err)
	}
	var failed error
	if value != nil && *asJSON {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "  ")
		failed = encoder.Encode(value)
	} else if value != nil {
		_, failed = fmt.Fprintln(stdout, words)
	}
	if failed != nil {
		fmt.Fprintf(stderr, "%s %s: the answer could not be written: %v\n", program, name, failed)
		err = errors.Join(err, failed)
	}
	return err
}

// usageOf returns the lines of the usage that begin with a verb, each with the line that goes on with it.
func usageOf(usage, verb string) string {
	var lines []string
	follows := false
	for line := range strings.Lines(usage) {
		follows = strings.HasPrefix(strings.TrimSpace(line), verb+" ") || follows && strings.HasPrefix(line, "          ")
		if follows {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func (c *Call) answer(verb Verb) (value, words any, err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case Failure:
			err = reason.Err
		default:
			panic(reason)
		}
	}()
	return verb(c)
}

// Parse reads the flags, which may stand before, between and behind the files; all behind "--" are files. Another number of
// files than least to most ends the verb.
func (c *Call) Parse(least, most int) {
	err := c.Flags.Parse(c.raw)
	for err == nil && c.Flags.NArg() > 0 {
		rest := c.Flags.Args()
		if read := len(c.raw) - len(rest); read > 0 && c.raw[read-1] == "--" { // the rest are files
			c.Files = append(c.Files, rest...)
			break
		}
		c.Files = append(c.Files, rest[0])
		err = c.Flags.Parse(rest[1:])
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		err = fmt.Errorf("%w%s; \"%s %s -h\" lists the flags", err, c.meant(err), c.program, c.Flags.Name())
	case len(c.Files) < least || len(c.Files) > most:
		takes := fmt.Sprint(least)
		if most > least {
			takes += fmt.Sprintf(" or %d", most)
		}
		err = fmt.Errorf("got the files %q, but %s %s takes %s; \"%s help\" names them", c.Files, c.program, c.Flags.Name(), takes, c.program)
	}
	if err != nil {
		panic(Failure{err})
	}
}

// meant names the flag that an unknown one may stand for: both begin and end alike but for two letters.
func (c *Call) meant(err error) (words string) {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	c.Flags.VisitAll(func(f *flag.Flag) {
		alike, most := 0, min(len(name), len(f.Name))
		for alike < most && name[alike] == f.Name[alike] {
			alike++
		}
		for end := 1; alike < most && name[len(name)-end] == f.Name[len(f.Name)-end]; end++ {
			alike++
		}
		if unknown && alike > 0 && alike >= max(len(name), len(f.Name))-2 {
			words = "; use -" + f.Name
		}
	})
	return words
}

func (c *Call) Say(format string, arguments ...any) { fmt.Fprintf(c.stderr, format+"\n", arguments...) }

// Working says every few seconds that the verb works, until the function that it returns is called.
func (c *Call) Working(format string, arguments ...any) (finished func()) {
	c.Say(format+"; Ctrl+C ends it with what was found until then", arguments...)
	working, finished := context.WithCancel(context.Background())
	go func() {
		ticker := time.NewTicker(5 * time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-working.Done():
				return
			case <-ticker.C:
				c.Say("still working")
			}
		}
	}()
	return finished
}

// Share is a flag for a number from 0 to 1, such as 1% or 0.01.
type Share float64

func (s *Share) String() string { return fmt.Sprintf("%.6g%%", 100*float64(*s)) }

func (s *Share) Set(text string) error {
	digits, percent := strings.CutSuffix(text, "%")
	value, err := input.Number(digits)
	if percent {
		value /= 100
	}
	if err != nil || !(value >= 0 && value <= 1) {
		return errors.New("give a fraction from 0 to 1, such as 1% or 0.01")
	}
	if value == 1 && !percent {
		return errors.New("1 is the whole; write 0.01 for a hundredth of it; a flag takes 1% and 100%, too")
	}
	*s = Share(value)
	return nil
}
