package notebook

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/janpfeifer/gonb/gonbui"
)

// FolderVariable names the environment variable with the folder for pictures shown in a
// terminal; DefaultFolder is used where it is unset.
const (
	FolderVariable = "DIRECTIONS_FIGURES"
	DefaultFolder  = "build/figures"
)

// acknowledgeWithin bounds the wait for the kernel to confirm that it read a message. The
// confirmation takes milliseconds; without it a program that ends at once could lose its
// last picture.
const acknowledgeWithin = 10 * time.Second

// Active reports whether the program runs as a cell of a GoNB notebook.
func Active() bool { return gonbui.IsNotebook }

// Show displays a bundle: in a notebook as the output of the running cell, elsewhere as text
// on the terminal and, for a picture, as a PNG file in the folder of FolderVariable whose
// path is printed. It is an error if the bundle has no text or a form that is broken, if the
// kernel does not take it, or if the file cannot be written.
func Show(b Bundle) error {
	if !Active() {
		return terminal.show(os.Stdout, b)
	}
	return send(b, "")
}

// Update displays a bundle under an identifier; a later call with the same identifier replaces
// what was shown. Outside a notebook it does nothing. The errors are those of Show.
func Update(id string, b Bundle) error {
	if !Active() {
		return nil
	}
	return send(b, id)
}

// send hands a bundle to the kernel, which puts it in the place of what has the same identifier.
func send(b Bundle, id string) error {
	message, err := b.display()
	if err != nil {
		return err
	}
	message.DisplayID = id
	gonbui.SendData(message)
	return settle()
}

// settle waits until the kernel has read what was sent.
func settle() error {
	if err := failure(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() { gonbui.Sync(); close(done) }()
	select {
	case <-done:
		return failure()
	case <-time.After(acknowledgeWithin):
		return fmt.Errorf("notebook: the kernel did not confirm the output within %v; restart the kernel and run the cell again", acknowledgeWithin)
	}
}

func failure() error {
	if err := gonbui.Error(); err != nil {
		return fmt.Errorf("notebook: sending output to the kernel: %w", err)
	}
	return nil
}

// files remembers the names given to pictures, so that two figures of the same title do not
// overwrite each other within one run, and a second run writes the same files again.
type files struct {
	mu   sync.Mutex
	used map[string]int
}

var terminal = &files{used: map[string]int{}}

func (f *files) show(w io.Writer, b Bundle) error {
	if b.PNG == nil {
		_, err := fmt.Fprintln(w, strings.TrimRight(b.Text, "\n"))
		return err
	}
	folder := cmp.Or(os.Getenv(FolderVariable), DefaultFolder)
	path := filepath.Join(folder, f.name(b.Name)+".png")
	err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(path, b.PNG, 0o644))
	if err != nil {
		return fmt.Errorf("notebook: writing the picture: %w; set %s to a folder that can be written", err, FolderVariable)
	}
	_, err = fmt.Fprintf(w, "%s\n  picture: %s\n", strings.TrimRight(b.Text, "\n"), path)
	return err
}

func (f *files) name(title string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := FileName(title)
	f.used[name]++
	if n := f.used[name]; n > 1 {
		return fmt.Sprintf("%s-%d", name, n)
	}
	return name
}

// maxName bounds a file name made from a title, in runes.
const maxName = 60

// FileName makes a file name without extension from a title: letters and digits in lower
// case, everything else a hyphen; "figure" for a title without either.
func FileName(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	name := []rune(strings.Join(words, "-"))
	if len(name) > maxName {
		name = name[:maxName]
	}
	if len(name) == 0 {
		return "figure"
	}
	return strings.TrimRight(string(name), "-")
}
