// Package architecture checks that the rooms of the module keep to their places:
// who imports whom, where cgo may be, and how packages may be called.
package architecture

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/sparsero/directions"

// goPackage holds what `go list -json` says of a package and the rules need.
type goPackage struct {
	ImportPath string
	Name       string
	Imports    []string
	GoFiles    []string
	CgoFiles   []string
}

// room is a folder of the module and what its packages may import besides the
// standard library and packages of the same room. An entry ending in "/..."
// allows everything below it.
type room struct {
	folder string
	allows []string
}

// rooms lists the longest folder first, so that the first match decides.
var rooms = []room{
	{"solver/highs", []string{module + "/solver", "github.com/lanl/highs"}},
	{"solver", []string{"gonum.org/v1/gonum/..."}},
	{"sparsero/cmd", []string{ // programs for users, which nothing imports
		module + "/sparsero/...", module + "/solver", module + "/solver/highs", module + "/solver/proof", module + "/datasets/...", module + "/plotting/...",
		"gonum.org/v1/gonum/...",
	}},
	{"sparsero", []string{module + "/solver", module + "/solver/proof", module + "/solver/proof/directed", module + "/solver/proof/exact", "gonum.org/v1/gonum/...", "github.com/go-gota/gota/..."}},
	{"datasets", []string{module + "/sparsero/...", module + "/solver", "gonum.org/v1/gonum/...", "github.com/go-gota/gota/..."}},
	{"plotting/style", nil},
	{"plotting/internal/static", []string{
		module + "/plotting/chart", module + "/plotting/style", module + "/plotting/internal/...",
		"gonum.org/v1/plot/...", "golang.org/x/image/...", "codeberg.org/go-fonts/...",
	}},
	{"plotting/internal/live", []string{module + "/plotting/chart", module + "/plotting/style", module + "/plotting/internal/..."}},
	{"plotting/internal/table", []string{module + "/sparsero/...", "gonum.org/v1/gonum/...", "github.com/go-gota/gota/..."}},
	{"plotting/internal/thumbnail", []string{module + "/plotting/internal/static", "golang.org/x/image/draw"}},
	{"plotting/internal", []string{module + "/plotting/chart", module + "/plotting/style", "gonum.org/v1/gonum/spatial/r2"}},
	{"plotting/chart", nil}, // data, which no renderer is needed to describe
	{"plotting", []string{
		module + "/plotting/...", module + "/sparsero/...", module + "/solver", module + "/solver/proof", module + "/datasets/...",
		"gonum.org/v1/gonum/...", "github.com/go-gota/gota/...", "github.com/janpfeifer/gonb/...",
	}},
	{"notebooks/live", []string{module + "/sparsero/...", module + "/solver", module + "/solver/proof", module + "/datasets", "gonum.org/v1/gonum/..."}},
}

// TestPanelsStayLight: what is compiled for browsers draws nothing and needs no cgo.
func TestPanelsStayLight(t *testing.T) {
	command := exec.Command("go", "list", "-deps", "./notebooks/live/wasm")
	command.Dir, command.Env = path.Join("..", ".."), append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, imported := range strings.Fields(string(output)) {
		for _, heavy := range []string{module + "/plotting", module + "/solver/highs", "gonum.org/v1/plot", "github.com/janpfeifer/gonb"} {
			if strings.HasPrefix(imported, heavy) {
				t.Errorf("the panels of the book are linked with %s", imported)
			}
		}
	}
}

// TestCellsLinkQuickly: nothing that a cell of a notebook imports holds the standard library's templates. They call methods
// by name, so the linker would keep all exported methods, and each cell would take a fifth longer. And what every cell
// imports knows nothing of plotting, which doubles the time of a cell. And no picture is drawn by package gonum.org/v1/plot itself, which
// links 5 MB of fonts and formats.
func TestCellsLinkQuickly(t *testing.T) {
	for _, pkg := range modulePackages(t) {
		for _, imported := range pkg.Imports {
			if strings.HasSuffix(imported, "/template") && !strings.Contains(pkg.ImportPath, "/cmd/") {
				t.Errorf("%s imports %s; put the text together with fmt and html.EscapeString", pkg.ImportPath, imported)
			}
			if strings.HasSuffix(pkg.ImportPath, "/notebooks/lesson") && strings.HasSuffix(imported, "/plotting") {
				t.Errorf("%s imports %s; what shows something belongs in its package page", pkg.ImportPath, imported)
			}
			if strings.Contains(pkg.ImportPath, "/plotting") && (imported == "gonum.org/v1/plot" || imported == "gonum.org/v1/plot/plotter") {
				t.Errorf("%s imports %s; draw on its canvas, as area.go of plotting/internal/static does", pkg.ImportPath, imported)
			}
		}
	}
}

// TestRoomsExist: no rule speaks of a folder that is gone.
func TestRoomsExist(t *testing.T) {
	for _, r := range rooms {
		folders := []string{r.folder}
		for _, allowed := range r.allows {
			if folder, own := strings.CutPrefix(strings.TrimSuffix(allowed, "/..."), module+"/"); own {
				folders = append(folders, folder)
			}
		}
		for _, folder := range folders {
			if _, err := os.Stat(path.Join("..", "..", folder)); err != nil {
				t.Errorf("the rule of %s names the folder %s, which does not exist", r.folder, folder)
			}
		}
	}
}

func TestImportArrows(t *testing.T) {
	for _, pkg := range modulePackages(t) {
		rules, found := roomOf(pkg.ImportPath)
		if !found {
			continue
		}
		for _, imported := range pkg.Imports {
			if !allowed(rules, imported) {
				t.Errorf("%s imports %s; the room %s may import only %v", pkg.ImportPath, imported, rules.folder, rules.allows)
			}
		}
	}
}

func TestCertificateStandsBelowRobust(t *testing.T) {
	for _, pkg := range modulePackages(t) {
		if !strings.HasSuffix(pkg.ImportPath, "/sparsero/certificate") && !strings.HasSuffix(pkg.ImportPath, "/sparsero/selection") {
			continue
		}
		for _, imported := range pkg.Imports {
			if strings.HasSuffix(imported, "/sparsero/robust") {
				t.Errorf("%s imports %s; robust builds on it, never the other way", pkg.ImportPath, imported)
			}
		}
	}
}

func TestCgoOnlyInHighs(t *testing.T) {
	for _, pkg := range modulePackages(t) {
		usesC := len(pkg.CgoFiles) > 0
		for _, imported := range pkg.Imports {
			usesC = usesC || imported == "C"
		}
		if usesC && pkg.ImportPath != module+"/solver/highs" {
			t.Errorf("%s uses cgo; only solver/highs may", pkg.ImportPath)
		}
	}
}

// TestBeamStaysOutside: what runs on Apache Beam is a module of its own, and what it requires never becomes a
// requirement of this one.
func TestBeamStaysOutside(t *testing.T) {
	for _, name := range []string{"go.mod", "go.sum"} {
		if text := read(t, filepath.Join(root, name)); strings.Contains(text, "apache/beam") {
			t.Errorf("%s names Apache Beam; what needs it belongs in %s", name, blocksFolder)
		}
	}
	if own := read(t, filepath.Join(root, blocksFolder, "go.mod")); !strings.Contains(own, "apache/beam") {
		t.Errorf("%s/go.mod does not name Apache Beam: the test looks for the wrong name", blocksFolder)
	}
	for _, pkg := range modulePackages(t) {
		if strings.HasPrefix(pkg.ImportPath, module+"/"+blocksFolder) {
			t.Errorf("%s is part of this module; its folder has lost its go.mod", pkg.ImportPath)
		}
	}
}

// topLevel is what may stand at the top of the module besides what Git ignores and the names
// with a dot, which belong to tools: the rooms, and files that tools and hosts expect there.
var topLevel = []string{
	"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "build", "datasets", "docker", "go.mod", "go.sum",
	"notebooks", "plotting", "solver", "sparsero", "tests",
}

func TestTopLevelHoldsRooms(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) {
			t.Errorf("%s stands at the top level; move it into one of the rooms", name)
		}
	}
}

func TestFolderTestsHoldsTests(t *testing.T) {
	for _, pkg := range modulePackages(t) {
		if strings.HasPrefix(pkg.ImportPath, module+"/tests/") && len(pkg.GoFiles) > 0 {
			t.Errorf("%s holds %v; what a command runs belongs in notebooks/tools", pkg.ImportPath, pkg.GoFiles)
		}
	}
}

func TestPackageNamesSaySomething(t *testing.T) {
	for _, pkg := range modulePackages(t) {
		switch pkg.Name {
		case "util", "utils", "common", "helper", "helpers", "misc", "base":
			t.Errorf("%s is called %q; name a package by its subject", pkg.ImportPath, pkg.Name)
		}
	}
}

// TestRulesCanFail shows that the rules refuse what they must refuse.
func TestRulesCanFail(t *testing.T) {
	for _, test := range []struct {
		importer, imported string
		want               bool
	}{
		{"sparsero/robust", module + "/sparsero", true},
		{"sparsero/robust", module + "/plotting", false},
		{"sparsero/selection", "github.com/janpfeifer/gonb/gonbui", false},
		{"sparsero", "gonum.org/v1/plot", false},
		{"solver", "github.com/lanl/highs", false},
		{"solver", module + "/sparsero", false},
		{"solver/highs", "github.com/lanl/highs", true},
		{"datasets", module + "/plotting", false},
		{"datasets", module + "/notebooks/studies/integer", false},
		{"plotting", "github.com/janpfeifer/gonb/gonbui", true},
		{"plotting", module + "/solver/highs", false},
		{"plotting", module + "/plotting/internal/live", true},
		{"plotting/internal/live", "gonum.org/v1/plot", false},
		{"plotting/chart", module + "/plotting/internal/static", false},
		{"plotting", "fmt", true},
		{"sparsero/cmd/sparsero", module + "/plotting", true},
		{"sparsero/cmd/sparsero", module + "/notebooks/studies", false},
		{"sparsero/cmd/sparsero", "github.com/lanl/highs", false},
		{"sparsero/robust", module + "/sparsero/cmd/sparsero", false},
	} {
		rules, found := roomOf(module + "/" + test.importer)
		if !found {
			t.Fatalf("no room holds %s", test.importer)
		}
		if got := allowed(rules, test.imported); got != test.want {
			t.Errorf("%s importing %s: allowed = %v, want %v", test.importer, test.imported, got, test.want)
		}
	}
}

func roomOf(importPath string) (room, bool) {
	folder := strings.TrimPrefix(importPath, module+"/")
	for _, candidate := range rooms {
		if folder == candidate.folder || strings.HasPrefix(folder, candidate.folder+"/") {
			return candidate, true
		}
	}
	return room{}, false
}

func allowed(rules room, imported string) bool {
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return true // the standard library, "C" included: TestCgoOnlyInHighs looks after that
	}
	if other, found := roomOf(imported); found && other.folder == rules.folder {
		return true
	}
	for _, pattern := range rules.allows {
		if imported == strings.TrimSuffix(pattern, "/...") {
			return true
		}
		if prefix, tree := strings.CutSuffix(pattern, "..."); tree && strings.HasPrefix(imported, prefix) {
			return true
		}
	}
	return false
}

func modulePackages(t *testing.T) []goPackage {
	t.Helper()
	watchSources(t)
	command := exec.Command("go", "list", "-json=ImportPath,Name,Imports,GoFiles,CgoFiles", "./...")
	command.Dir = path.Join("..", "..")
	output, err := command.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	decoder := json.NewDecoder(strings.NewReader(string(output)))
	for {
		var pkg goPackage
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("go list printed something unreadable: %v", err)
		}
		packages = append(packages, pkg)
	}
	if len(packages) == 0 {
		t.Fatal("go list found no package")
	}
	return packages
}

// watchSources looks at every Go file, so that the result of this test is not
// taken from the cache after one has changed: what a subprocess reads does not count.
func watchSources(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "build" || entry.Name() == ".git"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
