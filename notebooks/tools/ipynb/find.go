// Package ipynb reads and writes notebooks, executes them with the GoNB kernel through nbclient and reports.
package ipynb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

const (
	extension = ".ipynb"
	// checkpoints is the folder in which Jupyter keeps its own copies.
	checkpoints = ".ipynb_checkpoints"
	// testdata is the folder of notebooks that only tests execute.
	testdata = "testdata"
)

// Find lists the notebooks below root, sorted by path; Jupyter's checkpoints and test data are left out.
func Find(root string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == checkpoints || entry.Name() == testdata):
			return filepath.SkipDir
		case !entry.IsDir() && filepath.Ext(path) == extension:
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("ipynb: cannot list %s: %w", root, err)
	}
	sort.Strings(found)
	return found, nil
}

// Select resolves what the user named: a path of a file, or the name of a notebook below root, with or without
// extension. No names select all notebooks below root.
func Select(root string, names []string) ([]string, error) {
	found, err := Find(root)
	if err != nil && !(len(names) > 0 && errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	if len(names) == 0 {
		return found, nil
	}
	var selected []string
	for _, name := range names {
		path, err := selectOne(root, found, name)
		if err != nil {
			return nil, err
		}
		selected = append(selected, path)
	}
	return selected, nil
}

func selectOne(root string, found []string, name string) (string, error) {
	for _, candidate := range []string{name, name + extension} {
		if information, err := os.Stat(candidate); err == nil && !information.IsDir() {
			return candidate, nil
		}
	}
	wanted := strings.TrimSuffix(name, extension)
	for _, path := range found {
		if Name(root, path) == wanted || strings.TrimSuffix(filepath.Base(path), extension) == wanted {
			return path, nil
		}
	}
	var known []string
	for _, path := range found {
		known = append(known, Name(root, path))
	}
	return "", fmt.Errorf("ipynb: no notebook %q below %s and no such file; there are: %s",
		name, root, strings.Join(known, ", "))
}

// Name is the path of a notebook relative to root, without extension; for a notebook elsewhere its base name.
func Name(root, path string) string {
	name := filepath.Base(path)
	if relative, err := filepath.Rel(absolute(root), absolute(path)); err == nil && filepath.IsLocal(relative) {
		name = filepath.ToSlash(relative)
	}
	return strings.TrimSuffix(name, extension)
}

// absolute is filepath.Abs, which fails only where the working directory is gone; then the path itself must do.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
