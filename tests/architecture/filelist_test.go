package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fewestListed is the number of files, doc.go and tests aside, from which on a package must list them.
const fewestListed = 4

// TestPackagesListTheirFiles: the comment of a package with several files says, directly after its first paragraph, which
// question each file decides, so that nobody has to guess where a change belongs.
func TestPackagesListTheirFiles(t *testing.T) {
	listed := 0
	for folder, files := range sourceFolders(t) {
		listing, first := fileList(t, folder, files)
		if listing == nil && len(files) < fewestListed {
			continue
		}
		listed++
		if !first {
			t.Errorf("%s: let the list \"Where things are:\" be the second paragraph of the package comment, behind whole sentences", folder)
		}
		for _, file := range files {
			if !slices.Contains(listing, file) {
				t.Errorf("%s: \"Where things are\" does not name %s; say in a clause which question it decides", folder, file)
			}
		}
		for k, name := range listing {
			if !slices.Contains(files, name) || slices.Contains(listing[:k], name) {
				t.Errorf("%s: \"Where things are\" names %s, which is no file there or is named twice", folder, name)
			}
		}
	}
	t.Logf("%d packages list their files", listed)
	if listed < 30 {
		t.Errorf("only %d packages list their files; the test does not find the lists", listed)
	}
}

// sourceFolders lists the names of the Go files of each folder, without ending; doc.go and tests are left out.
func sourceFolders(t *testing.T) map[string][]string {
	folders := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "build" || name == "testdata" || strings.HasPrefix(name, ".") && path != root):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			folder := filepath.Dir(path)
			if folders[folder] = append(folders[folder], strings.TrimSuffix(name, ".go")); name == "doc.go" {
				folders[folder] = slices.DeleteFunc(folders[folder], func(file string) bool { return file == "doc" })
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

// fileList returns the names that the list of a package gives, nil without one, and whether it follows the first paragraph.
func fileList(t *testing.T, folder string, files []string) (names []string, first bool) {
	for _, file := range append([]string{"doc"}, files...) {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, file+".go"), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			if file == "doc" {
				continue // not every package has one
			}
			t.Fatal(err)
		}
		if found, second := listIn(parsed.Doc); found != nil {
			return found, second
		}
	}
	return nil, false
}

// listIn reads the list of a package comment: lines of names, separated by commas, and behind two spaces their clauses.
func listIn(comment *ast.CommentGroup) (names []string, second bool) {
	paragraphs := strings.Split(comment.Text(), "\n\n")
	at := slices.Index(paragraphs, "Where things are:")
	if at < 0 || at+1 == len(paragraphs) {
		return nil, false
	}
	for line := range strings.Lines(paragraphs[at+1]) {
		of, clause, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if strings.TrimSpace(clause) != "" {
			names = append(names, strings.Split(of, ", ")...)
		}
	}
	return names, at == 1 && strings.HasSuffix(paragraphs[0], ".")
}
