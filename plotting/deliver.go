package plotting

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
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// folderVariable names the environment variable with the folder for pictures shown in a
// terminal; defaultFolder is used where it is unset.
const (
	folderVariable = "DIRECTIONS_FIGURES"
	defaultFolder  = "build/figures"
)

// acknowledgeWithin bounds the wait for the kernel to confirm that it read a message. The
// confirmation takes milliseconds; without it a program that ends at once could lose its
// last picture.
const acknowledgeWithin = 10 * time.Second

// send hands a message to the kernel, which puts it in the place of what has the same identifier, and waits until the kernel
// has read it.
func send(message *protocol.DisplayData) error {
	gonbui.SendData(message)
	if err := failure(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() { gonbui.Sync(); close(done) }()
	select {
	case <-done:
		return failure()
	case <-time.After(acknowledgeWithin):
		return fmt.Errorf("plotting: the kernel did not confirm the output within %v; restart the kernel and run the cell again", acknowledgeWithin)
	}
}

func failure() error {
	if err := gonbui.Error(); err != nil {
		return fmt.Errorf("plotting: sending output to the kernel: %w", err)
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

// show prints the text of a message, and writes its picture, if it has one, to a file whose path is printed.
func (f *files) show(w io.Writer, name string, message *protocol.DisplayData) error {
	text := strings.TrimRight(fmt.Sprint(message.Data[protocol.MIMETextPlain]), "\n")
	picture, ok := message.Data[protocol.MIMEImagePNG].([]byte)
	if !ok {
		_, err := fmt.Fprintln(w, text)
		return err
	}
	folder := cmp.Or(os.Getenv(folderVariable), defaultFolder)
	path := filepath.Join(folder, f.name(name)+".png")
	err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(path, picture, 0o644))
	if err != nil {
		return fmt.Errorf("plotting: writing the picture: %w; set %s to a folder that can be written", err, folderVariable)
	}
	_, err = fmt.Fprintf(w, "%s\n  picture: %s\n", text, path)
	return err
}

func (f *files) name(title string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := fileName(title)
	f.used[name]++
	if n := f.used[name]; n > 1 {
		return fmt.Sprintf("%s-%d", name, n)
	}
	return name
}

// maxName bounds a file name made from a title, in runes.
const maxName = 60

// fileName makes a file name without extension from a title: letters and digits in lower
// case, everything else a hyphen; "figure" for a title without either.
func fileName(title string) string {
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
