// Command testreport reads go test -json on standard input, prints go test's line per package, the output of what
// failed, the reasons of what was skipped, and closing counts. With -summary it appends a line of tab-separated
// fields to a file: name, passed, failed, skipped. The exit status is 1 when something failed or no package was tested.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
)

// longestLine bounds a line of the stream; longer ones are an error rather than silently cut.
const longestLine = 1 << 26

func main() {
	name := flag.String("name", "tests", "name of this run in the summary")
	summary := flag.String("summary", "", "file to append the counts to")
	flag.Parse()

	r := newReport(os.Stdout)
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, longestLine)
	for scanner.Scan() {
		r.add(scanner.Bytes())
	}
	if err := scanner.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		r.failed++
	}
	r.finish()
	if err := appendSummary(*summary, *name, r); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(1)
	}
	if r.failed > 0 || r.passed+r.skipped == 0 {
		os.Exit(1)
	}
}

func appendSummary(path, name string, r *report) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s\t%d\t%d\t%d\n", name, r.passed, r.failed, r.skipped)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}
