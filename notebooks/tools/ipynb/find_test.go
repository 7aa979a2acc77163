package ipynb

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folder makes a folder of notebooks with a subfolder, a checkpoint and another file.
func folder(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"01_b.ipynb", "00_a.ipynb", "more/02_c.ipynb", ".ipynb_checkpoints/00_a-checkpoint.ipynb", "data.csv"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// names are the names of notebooks below root.
func names(root string, paths []string) []string {
	var list []string
	for _, path := range paths {
		list = append(list, Name(root, path))
	}
	return list
}

func TestSelect(t *testing.T) {
	root := folder(t)
	cases := map[string]struct{ asked, want []string }{
		"all, sorted, recursive": {nil, []string{"00_a", "01_b", "more/02_c"}},
		"name":                   {[]string{"01_b"}, []string{"01_b"}},
		"name with extension":    {[]string{"01_b.ipynb"}, []string{"01_b"}},
		"name in a subfolder":    {[]string{"02_c"}, []string{"more/02_c"}},
		"relative name":          {[]string{"more/02_c"}, []string{"more/02_c"}},
		"path":                   {[]string{filepath.Join(root, "00_a.ipynb")}, []string{"00_a"}},
		"path, no extension":     {[]string{filepath.Join(root, "00_a")}, []string{"00_a"}},
		"several, as asked":      {[]string{"01_b", "00_a"}, []string{"01_b", "00_a"}},
	}
	for name, c := range cases {
		selected, err := Select(root, c.asked)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := names(root, selected); !slices.Equal(got, c.want) {
			t.Errorf("%s: selected %v, want %v", name, got, c.want)
		}
	}
}

func TestSelectNamesWhatExists(t *testing.T) {
	_, err := Select(folder(t), []string{"99_absent"})
	if err == nil || !strings.Contains(err.Error(), "00_a, 01_b, more/02_c") {
		t.Errorf("error %v, want the list of notebooks in it", err)
	}
}

func TestSelectNeedsTheFolderOnlyForNames(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent")
	if _, err := Select(absent, nil); err == nil {
		t.Error("no error for all notebooks of a folder that does not exist")
	}
	path := filepath.Join(folder(t), "00_a.ipynb")
	selected, err := Select(absent, []string{path})
	if err != nil || len(selected) != 1 {
		t.Errorf("selected %v, error %v; want the file itself", selected, err)
	}
	if got := Name(absent, path); got != "00_a" {
		t.Errorf("name of a notebook elsewhere is %q, want its base name", got)
	}
}
