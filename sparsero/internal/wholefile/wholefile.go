// Package wholefile writes files that are complete or not there at all.
package wholefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write writes the content of a file first under another name in its folder, and then gives it its own: nobody ever
// sees half a file, and an old one stays until the new one is complete, on a full disk too. A symbolic link stays one,
// and the new file has the permission bits of the old one.
func Write(path string, content func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := os.FileMode(0o644) // a file to hand on
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".draft-*")
	if err != nil { // which names the draft
		return fmt.Errorf("no file can be made in the folder %s (%w); give another one", filepath.Dir(path), errors.Unwrap(err))
	}
	draft.Chmod(mode) // where this fails, it is its owner's alone
	buffered := bufio.NewWriter(draft)
	if err = content(buffered); err == nil {
		err = buffered.Flush()
	}
	if closing := draft.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		os.Remove(draft.Name())
	}
	return err
}
