package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func text(content string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	}
}

// TestWrite replaces a file, follows a link, and leaves nothing behind where it fails.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "file"), filepath.Join(folder, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct{ path, content string }{{path, "old"}, {path, "new"}, {link, "by the link"}} {
		if err := Write(test.path, text(test.content)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != test.content {
			t.Errorf("%s holds %q", path, got)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, text("still private")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a private file has become %v, %v", info, err)
	}
	if err := os.Mkdir(filepath.Join(folder, "taken"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, none := range []string{filepath.Join(folder, "none", "file"), filepath.Join(folder, "taken")} {
		if err := Write(none, text("x")); err == nil {
			t.Errorf("%s is written", none)
		}
	}
	if err := Write(filepath.Join(folder, "none", "file"), text("x")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "give another") || strings.Contains(err.Error(), "draft") {
		t.Error(err)
	}
	refused := errors.New("no content")
	if err := Write(path, func(w io.Writer) error { return errors.Join(text("half")(w), refused) }); !errors.Is(err, refused) {
		t.Error(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "still private" {
		t.Errorf("half a file replaces the old one: %q", got)
	}
	if left, _ := os.ReadDir(folder); len(left) != 3 {
		t.Errorf("the folder holds %v", left)
	}
}
