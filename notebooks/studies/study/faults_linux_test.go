package study

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// nobody is a user without rights to the files of others.
const nobody = 65534

// asNobody calls do with the rights of nobody to files: root may write everywhere.
func asNobody(do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked, so that the thread ends with the goroutine
		if os.Geteuid() == 0 {
			if err := syscall.Setfsuid(nobody); err != nil {
				panic(err)
			}
		}
		do()
	}()
	<-done
}

// TestReadOnlyFolder checks that a run that may not write says so, changes
// nothing, and goes on once it may.
func TestReadOnlyFolder(t *testing.T) {
	root := t.TempDir()
	p := place{filepath.Join(root, "shut", "walks.jsonl"), filepath.Join(root, "shut", "tables")}
	results := mustRun(t, walks(faultUnits, faultSteps, nil), Options{})
	for _, folder := range []string{filepath.Join(root, "shut"), p.folder} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{filepath.Dir(root), root} { // nobody may look into them
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	shut := []string{p.folder, filepath.Dir(p.folder)}
	for _, folder := range shut {
		if err := os.Chmod(folder, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	asNobody(func() {
		if err := (&unitFile[walk]{path: p.path}).append([]byte("{}")); !errors.Is(err, os.ErrPermission) {
			t.Errorf("a unit: error = %v, want one about permissions", err)
		}
		if err := results.WriteTables(p.folder, faultTables(results)...); !errors.Is(err, os.ErrPermission) {
			t.Errorf("tables: error = %v, want one about permissions", err)
		}
	})
	for _, folder := range shut {
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if files, err := os.ReadDir(p.folder); err != nil || len(files) != 0 {
		t.Errorf("%d files were left (%v)", len(files), err)
	}
	p.checkGoesOn(t)
}
