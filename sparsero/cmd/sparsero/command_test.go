package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestFilesAfterDashes: behind "--" nothing is a flag, however many files there are.
func TestFilesAfterDashes(t *testing.T) {
	for _, test := range []struct{ arguments, files []string }{
		{[]string{"a", "-n", "3", "b"}, []string{"a", "b"}},
		{[]string{"-n", "3", "--", "-a", "-b", "c"}, []string{"-a", "-b", "c"}},
		{[]string{"a", "--", "-n", "4"}, []string{"a", "-n", "4"}},
		{[]string{"--"}, nil},
	} {
		var files []string
		verbs := map[string]verb{"list": func(c *call) (value, words any, unmet error) {
			c.flags.Int("n", 0, "a number")
			c.parse(0, 5)
			files = c.files
			return files, files, nil
		}}
		if err := perform(context.Background(), verbs, append([]string{"list"}, test.arguments...), new(bytes.Buffer), new(bytes.Buffer)); err != nil {
			t.Errorf("%q: %v", test.arguments, err)
		}
		if !slices.Equal(files, test.files) {
			t.Errorf("%q: files %q, want %q", test.arguments, files, test.files)
		}
	}
}

// TestMisspeltFlags: an error about a flag names the one that was meant, and none where none is near.
func TestMisspeltFlags(t *testing.T) {
	for wrong, want := range map[string]string{
		"-budgt": "-budget", "-budgets": "-budget", "-bugdet": "-budget", "-budfet": "-budget", "-xudget": "-budget", "--sed": "-seed", "-jsno": "-json",
		"-sees": "-seed", "-o2": "", "-budxyz": "", "-x": "", "-seeed=3": "-seed",
	} {
		list := func(c *call) (value, words any, unmet error) {
			c.flags.Int("budget", 0, "a number")
			c.flags.Int("seed", 0, "a number")
			c.parse(0, 1)
			return 1, 1, nil
		}
		var said bytes.Buffer
		err := perform(context.Background(), map[string]verb{"list": list}, []string{"list", wrong}, new(bytes.Buffer), &said)
		if err == nil || want != "" && !strings.Contains(said.String(), "; use "+want+";") || want == "" && strings.Contains(said.String(), "; use ") {
			t.Errorf("%s: %s", wrong, &said)
		}
	}
}

// closed is a standard output that nobody reads any more.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAnswerThatCannotBeWritten(t *testing.T) {
	verbs := map[string]verb{"count": func(c *call) (value, words any, unmet error) {
		c.parse(0, 0)
		return 1, "one", nil
	}}
	for _, arguments := range [][]string{{"count", "-json"}, {"count"}} {
		var said bytes.Buffer
		err := perform(context.Background(), verbs, arguments, closed{}, &said)
		if err == nil || !strings.Contains(said.String(), "sparsero count: the answer could not be written: broken pipe") {
			t.Errorf("%q: error %v, said %q", arguments, err, said.String())
		}
	}
}
