package main

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

// errInterrupted stands beside an answer that is not complete.
var errInterrupted = errors.New("interrupted: this is what was found until then, and what it says holds")

// verb reads flags and files from the call; it returns what is printed as JSON or in words, and what it misses. It ends with
// [fail] where there is no answer.
type verb func(*call) (value, words any, unmet error)

// failure is the panic that ends a verb without an answer.
type failure struct{ error }

func fail(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must returns a value that came without an error, which would end the verb.
func must[T any](value T, err error) T {
	fail(err)
	return value
}

// call is one run of a verb.
type call struct {
	context.Context
	flags     *flag.FlagSet // those of the verb, defined before parse
	files     []string      // the arguments that are no flags, known after parse
	arguments []string
	stderr    io.Writer
}

// perform carries out the verb that the arguments begin with. Without one, and for help, it prints the usage. The error is what
// the verb misses or what it failed by; it has been printed.
func perform(ctx context.Context, verbs map[string]verb, arguments []string, stdout, stderr io.Writer) error {
	if len(arguments) == 0 || strings.TrimLeft(arguments[0], "-") == "h" || strings.TrimLeft(arguments[0], "-") == "help" {
		fmt.Fprint(stdout, usage)
		return nil
	}
	name := arguments[0]
	if strings.TrimLeft(name, "-") == "version" {
		name = "version"
	}
	do, known := verbs[name]
	if !known {
		err := fmt.Errorf("there is no command %q; \"sparsero help\" lists them", name)
		fmt.Fprintf(stderr, "sparsero: %v\n", err)
		return err
	}
	c := &call{Context: ctx, arguments: arguments[1:], stderr: stderr, flags: flag.NewFlagSet(name, flag.ContinueOnError)}
	c.flags.SetOutput(io.Discard)
	asJSON := c.flags.Bool("json", false, "print JSON")
	value, words, err := c.answer(do)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "%s\nflags:\n", usageOf(name))
		c.flags.SetOutput(stdout)
		c.flags.PrintDefaults()
		fmt.Fprint(stdout, "\n\"sparsero help\" lists the commands and the exit codes.\n")
		return nil
	case err != nil:
		c.say("sparsero %s: %v", name, err)
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
		c.say("sparsero %s: the answer could not be written: %v", name, failed)
		err = errors.Join(err, failed)
	}
	return err
}

// usageOf returns the lines of the usage that begin with a verb, each with the line that goes on with it.
func usageOf(name string) string {
	var lines []string
	follows := false
	for line := range strings.Lines(usage) {
		begins := strings.HasPrefix(strings.TrimSpace(line), "sparsero "+name+" ")
		if follows = begins || follows && strings.HasPrefix(line, "          "); follows {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func (c *call) answer(do verb) (value, words any, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			failed, expected := reason.(failure)
			if !expected {
				panic(reason)
			}
			err = failed.error
		}
	}()
	return do(c)
}

// parse reads the flags, which may stand before, between and behind the files; all behind "--" are files. Another number of
// files than least to most ends the verb.
func (c *call) parse(least, most int) {
	err := c.flags.Parse(c.arguments)
	for err == nil && c.flags.NArg() > 0 {
		rest := c.flags.Args()
		if read := len(c.arguments) - len(rest); read > 0 && c.arguments[read-1] == "--" { // the rest are files
			c.files = append(c.files, rest...)
			break
		}
		c.files = append(c.files, rest[0])
		err = c.flags.Parse(rest[1:])
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		err = fmt.Errorf("%w%s; \"sparsero %s -h\" lists the flags", err, c.meant(err), c.flags.Name())
	case len(c.files) < least || len(c.files) > most:
		takes := fmt.Sprint(least)
		if most > least {
			takes += fmt.Sprintf(" or %d", most)
		}
		err = fmt.Errorf("got the files %q, but sparsero %s takes %s; \"sparsero help\" names them", c.files, c.flags.Name(), takes)
	}
	fail(err)
}

// meant names the flag that an unknown one may stand for: both begin and end alike but for two letters.
func (c *call) meant(err error) (words string) {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	c.flags.VisitAll(func(f *flag.Flag) {
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

func (c *call) say(format string, arguments ...any) { fmt.Fprintf(c.stderr, format+"\n", arguments...) }

// working says every few seconds that the verb works, until the function that it returns is called.
func (c *call) working(format string, arguments ...any) (finished func()) {
	c.say(format+"; Ctrl+C ends it with what was found until then", arguments...)
	working, finished := context.WithCancel(context.Background())
	go func() {
		ticker := time.NewTicker(5 * time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-working.Done():
				return
			case <-ticker.C:
				c.say("still working")
			}
		}
	}()
	return finished
}

// fraction is a flag for a number from 0 to 1, such as 1% or 0.01.
type fraction float64

func (f *fraction) String() string { return fmt.Sprintf("%.6g%%", 100*float64(*f)) }

func (f *fraction) Set(text string) error {
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
	*f = fraction(value)
	return nil
}
