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
		listing, fault := fileList(t, folder, files)
		if listing == nil && len(files) < fewestListed {
			continue
		}
		listed++
		if fault != "" {
			t.Errorf("%s: %s", folder, fault)
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

// fileList returns the names that the list of a package gives, nil without one, and what is wrong with its form.
func fileList(t *testing.T, folder string, files []string) (names []string, fault string) {
	for _, file := range append([]string{"doc"}, files...) {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, file+".go"), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			if file == "doc" {
				continue // not every package has one
			}
			t.Fatal(err)
		}
		if names, fault = listIn(parsed.Doc); names != nil {
			return names, fault
		}
	}
	return nil, "the package comment has no list \"Where things are:\""
}

// listIn reads the list of a package comment: lines of names, separated by commas, and behind two spaces a clause for all of
// them, or one for each between semicolons.
func listIn(comment *ast.CommentGroup) (names []string, fault string) {
	paragraphs := strings.Split(comment.Text(), "\n\n")
	at := slices.Index(paragraphs, "Where things are:")
	if at < 0 || at+1 == len(paragraphs) {
		return nil, ""
	}
	if at != 1 || !strings.HasSuffix(paragraphs[0], ".") {
		fault = "let the list \"Where things are:\" be the second paragraph of the package comment, behind whole sentences"
	}
	for line := range strings.Lines(paragraphs[at+1]) {
		list, clause, _ := strings.Cut(strings.TrimSpace(line), "  ")
		of, clauses := strings.Split(list, ", "), strings.Count(clause, "; ")+1
		if strings.TrimSpace(clause) == "" || len(of) > 1 && clauses > 1 && clauses != len(of) {
			fault = "give " + list + " one clause, or each name its own between semicolons"
		}
		names = append(names, of...)
	}
	return names, fault
}
