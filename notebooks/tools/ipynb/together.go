package ipynb

import (
	"bytes"
	"context"
	"io"
	"sync"
)

// RunAll executes notebooks, so many at a time, and returns their results in the given order, without those that were
// not begun when the context ended. Most of a cell's time goes into the compiler and the linker, which leave one of two
// processors idle.
func (r *Runner) RunAll(ctx context.Context, paths []string, jobs int) []Result {
	done := make([]*Result, len(paths))
	next := make(chan int)
	var group sync.WaitGroup
	var screen sync.Mutex
	for range min(jobs, len(paths)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for k := range next {
				one := *r
				if jobs > 1 {
					one.Progress = &labelled{label: Name(r.Root, paths[k]), screen: &screen, w: r.Progress}
				}
				result := one.Run(ctx, paths[k])
				done[k] = &result
			}
		}()
	}
	for k := range paths {
		if ctx.Err() != nil {
			break
		}
		next <- k
	}
	close(next)
	group.Wait()
	var results []Result
	for _, result := range done {
		if result != nil {
			results = append(results, *result)
		}
	}
	return results
}

// labelled puts a label before each line, so that the lines of several notebooks can be told apart.
type labelled struct {
	label  string
	screen *sync.Mutex // held while a block of lines is written
	w      io.Writer
}

// Write takes whole lines.
func (l *labelled) Write(lines []byte) (int, error) {
	l.screen.Lock()
	defer l.screen.Unlock()
	for line := range bytes.Lines(lines) {
		if !bytes.HasPrefix(line, []byte(heading)) {
			line = append([]byte(l.label), line...)
		}
		if _, err := l.w.Write(line); err != nil {
			return 0, err
		}
	}
	return len(lines), nil
}
