package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/sparsero/directions/plotting/internal/table"
)

// Show displays each item: a *Figure, a *table.Table, or any data that Table takes. In a GoNB notebook it is one bundle
// with an interactive chart where there is one, a picture or HTML, and text; in a terminal a table is printed and a
// picture written to a file in build/figures, or in the folder that the environment variable DIRECTIONS_FIGURES names.
//
// An error among the items is returned at once, so that the result of a call that returns a
// figure and an error can be passed as it is:
//
//	err := plotting.Show(plotting.AtomicSet(set, nil))
func Show(items ...any) error {
	for _, item := range items {
		if err, ok := item.(error); ok {
			return err
		}
	}
	for _, item := range items {
		if item == nil { // the nil error of a call whose results are shown
			continue
		}
		name, message, err := messageOf(item)
		switch {
		case err != nil:
			return err
		case gonbui.IsNotebook:
			err = send(message)
		default:
			err = show(os.Stdout, name, message)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shown is what shows itself: a *Figure. Because messageOf asks for it by this interface and not by its name, a program that shows
// tables alone is linked without what draws figures.
type shown interface {
	shown() (title string, message *protocol.DisplayData, err error)
}

// messageOf returns the title of an item, and the item in all its forms as GoNB sends them to the front end, which shows the
// richest that it knows: JupyterLab the interactive chart, a code host the PNG, a plain text viewer the text line.
func messageOf(item any) (title string, message *protocol.DisplayData, err error) {
	switch v := item.(type) {
	case shown:
		return v.shown()
	case *table.Table:
		if v == nil {
			return "", nil, fmt.Errorf("plotting: table is nil; check the error of the call that made it")
		}
		forms := map[protocol.MIMEType]any{protocol.MIMETextPlain: v.String(), protocol.MIMETextHTML: v.HTML()}
		return v.Title(), &protocol.DisplayData{Data: forms}, nil
	}
	t, err := Table(item, nil)
	if err != nil {
		return "", nil, err
	}
	return messageOf(t)
}

// TableOptions shape a table; see table.Options.
type TableOptions = table.Options

// Table makes a table of a gota frame, anything with a method Frame, a gonum matrix, a slice of structs, or rows of
// numbers; nil options give the defaults. See table.New, whose errors it returns.
func Table(data any, o *TableOptions) (*table.Table, error) { return table.New(data, o) }

// folderVariable names the environment variable with the folder for pictures shown in a
// terminal; defaultFolder is used where it is unset.
const (
	folderVariable = "DIRECTIONS_FIGURES"
	defaultFolder  = "build/figures"
)

// acknowledgeWithin bounds the wait for the kernel to confirm that it read a message. The confirmation takes
// milliseconds; without it a program that ends at once could lose its last picture.
const acknowledgeWithin = 10 * time.Second

// send hands a message to the kernel and waits until the kernel has read it.
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

// printed counts the pictures of this run, so that two figures of the same title do not overwrite each other, and a second
// run writes the same files again.
var printed atomic.Int32

// show prints the text of a message, and writes its picture, if it has one, to a file whose path is printed.
func show(w io.Writer, title string, message *protocol.DisplayData) error {
	text := strings.TrimRight(fmt.Sprint(message.Data[protocol.MIMETextPlain]), "\n")
	picture, ok := message.Data[protocol.MIMEImagePNG].([]byte)
	if !ok {
		_, err := fmt.Fprintln(w, text)
		return err
	}
	folder := cmp.Or(os.Getenv(folderVariable), defaultFolder)
	path := filepath.Join(folder, fmt.Sprintf("%02d-%s.png", printed.Add(1), fileName(title)))
	err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(path, picture, 0o644))
	if err != nil {
		return fmt.Errorf("plotting: writing the picture: %w; set %s to a folder that can be written", err, folderVariable)
	}
	_, err = fmt.Fprintf(w, "%s\n  picture: %s\n", text, path)
	return err
}

// maxName bounds a file name made from a title, in runes.
const maxName = 60

// fileName makes a file name without extension from a title: letters and digits in lower
// case, everything else a hyphen; "figure" for a title without either.
func fileName(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	name := []rune(strings.Join(words, "-"))
	return cmp.Or(strings.TrimRight(string(name[:min(maxName, len(name))]), "-"), "figure")
}
