package architecture

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var regenerate = flag.Bool("regen", false, "write testdata/licences*.txt anew")

// root is the folder of the module.
var root = filepath.Join("..", "..")

// licences names the licences that a module may have, by phrases that its text holds; the first that fits counts.
var licences = []struct {
	name    string
	phrases []string
}{
	{"MPL-2.0", []string{"Mozilla Public License Version 2.0"}}, // rapid, for tests alone
	{"CC-BY-4.0", []string{"Creative Commons Attribution 4.0"}}, // svgo
	{"FTL", []string{"The FreeType License"}},
	{"Apache-2.0", []string{"Apache License", "Version 2.0"}},
	{"MIT", []string{"Permission is hereby granted, free of charge"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "endorse or promote products"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
}

// TestLicences: every module that a program, a test or a tool of ours is linked with has a licence of the list, and
// testdata/licences.txt names all of them; testdata/licences-blocks.txt those of the module for blocks on Apache Beam, which this test
// does not fetch, because they are many: make test does before.
func TestLicences(t *testing.T) {
	for path, parts := range map[string][]part{
		"testdata/licences.txt": {
			{"programs that import this module", ".", []string{"./solver/...", "./sparsero/...", "./datasets/...", "./plotting/..."}},
			{"all programs and tests of this module", ".", []string{"-test", "./..."}},
			{"the tools: the kernel, gopls, goimports, staticcheck", ".ci/tools", []string{"tool"}},
			{"tests/browser", "tests/browser", []string{"-test", "./..."}},
		},
		"testdata/licences-blocks.txt": {{blocksFolder, blocksFolder, []string{"-test", "./..."}}},
	} {
		t.Run(path, func(t *testing.T) { checkLicences(t, path, parts) })
	}
}

// blocksFolder is the module for dictionaries past one machine, on Apache Beam.
const blocksFolder = "sparsero/blocks"

// part is a folder of a module and packages there.
type part struct {
	title, folder string
	arguments     []string
}

func checkLicences(t *testing.T, path string, parts []part) {
	watchSources(t)
	var table strings.Builder
	for _, part := range parts {
		table.WriteString("# " + part.title + "\n")
		for _, line := range linkedModules(t, part.folder, part.arguments) {
			module, folder, _ := strings.Cut(line, " ")
			licence := licenceOf(folder)
			if licence == "" {
				t.Errorf("%s has no licence that is known; read it, and name it in tests/architecture or do without the module", module)
			}
			table.WriteString(module + " " + licence + "\n")
		}
	}
	if *regenerate {
		if err := os.WriteFile(path, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if stored := read(t, path); stored != table.String() {
		t.Errorf("%s is not what the modules say; run go test ./tests/architecture -run Licences -regen and read the difference. It should be:\n%s", path, &table)
	}
}

// linkedModules returns the modules of all packages that go list names, each with its folder.
func linkedModules(t *testing.T, folder string, packages []string) []string {
	t.Helper()
	for _, name := range []string{"go.mod", "go.sum"} { // so that a change of theirs is noticed
		read(t, filepath.Join(root, folder, name))
	}
	const form = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}"
	command := exec.Command("go", append([]string{"list", "-deps", "-f", form}, packages...)...)
	command.Dir, command.Env = filepath.Join(root, folder), append(os.Environ(), "GOWORK=off", "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1")
	if folder == blocksFolder {
		command.Env = append(command.Env, "GOPROXY=off", "GOTOOLCHAIN=local")
	}
	output, err := command.Output()
	if err != nil {
		t.Skipf("the modules of %s are not here: %v; make setup brings them, make test those of %s", folder, err, blocksFolder)
	}
	lines := strings.Fields(strings.ReplaceAll(string(output), " ", "\x00"))
	slices.Sort(lines)
	lines = slices.Compact(lines)
	for k := range lines {
		lines[k] = strings.Replace(lines[k], "\x00", " ", 1)
	}
	return lines
}

// licenceOf reads the licence of a module, "" for none that is known.
func licenceOf(folder string) string {
	for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			continue
		}
		words := strings.Join(strings.Fields(string(text)), " ")
		for _, licence := range licences {
			if !slices.ContainsFunc(licence.phrases, func(phrase string) bool { return !strings.Contains(words, phrase) }) {
				return licence.name
			}
		}
	}
	return ""
}

// downloads are the commands that fetch something, each with what pins it. apt checks the signatures of its archives, Go
// the checksums of go.sum; both need no line here.
var downloads = []struct{ file, command, pin string }{
	{".ci/highs.sh", "curl --fail", "SHA-256 in .ci/base.sh"},
	{".ci/highs.sh", "wget --quiet", "SHA-256 in .ci/base.sh"},
	{".ci/docker.sh", "docker pull -q", "Debian's own image, by name; FROM of docker/Dockerfile takes a digest"},
	{"docker/start.sh", "docker pull -q", "the same"},
	{"docker/JUPYTERHUB.md", "jupyterhub==", "the version, that of the hub"},
	{"docker/JUPYTERHUB.md", "/opt/tljh/hub/bin/python3 -m pip install", "a command of who runs the hub, in the hub's own environment"},
	{".ci/requirements.sh", "pip' install", "a command that a user may run where the system has no packages"},
	{"sparsero/cmd/sparsero/python/README.md", "pip install ./sparsero", "a command of the user, for a folder of this repository"},
	{"notebooks/tools/compare/README.md", "go run golang.org/x/perf/cmd/benchstat@v", "the version, by Go's checksum database"},
	{"CONTRIBUTING.md", "go run golang.org/x/vuln/cmd/govulncheck@v", "the version, by Go's checksum database"},
}

var download = regexp.MustCompile(`\b(curl|wget) -|\bpip3?'? install|\bnpm (install|ci)|\bgo (install|run) \S+@|\bdocker pull|\bgit clone|urlopen|urlretrieve|http\.Get\(`)

// TestDownloadsArePinned: who adds a download says what pins it.
func TestDownloadsArePinned(t *testing.T) {
	for _, path := range sources(t, "") {
		for number, line := range linesOf(t, path) {
			if !download.MatchString(line) || strings.HasSuffix(path, "supply_test.go") {
				continue
			}
			file, _ := filepath.Rel(root, path)
			known := slices.ContainsFunc(downloads, func(d struct{ file, command, pin string }) bool {
				return d.file == file && strings.Contains(line, d.command)
			})
			if !known {
				t.Errorf("%s:%d fetches something that no line of tests/architecture/supply_test.go pins: %s", file, number+1, strings.TrimSpace(line))
			}
		}
	}
}

// TestDebianPackagesOfOthersArePinned: where apt fetches from another release than the machine's, signatures are not
// checked, so that each package has its SHA-256 in the script.
func TestDebianPackagesOfOthersArePinned(t *testing.T) {
	fetches := regexp.MustCompile(`debian_13 deb(-src)? `)
	checks := regexp.MustCompile(`\$\(checksum `)
	for _, path := range sources(t, ".ci") {
		text := read(t, path)
		if strings.HasSuffix(path, "debian.sh") || !fetches.MatchString(text) {
			continue
		}
		if !checks.MatchString(text) {
			t.Errorf("%s fetches packages of Debian 13 without comparing checksums", path)
		}
	}
}

// TestNothingListensBeyondThisMachine: what is published by Docker, by JupyterLab or by a program of ours is published on
// 127.0.0.1. The server in the container listens on all addresses of the container, which Docker keeps apart.
func TestNothingListensBeyondThisMachine(t *testing.T) {
	compose := read(t, filepath.Join(root, "docker", "compose.yaml"))
	ports := regexp.MustCompile(`(?m)^ +- "([^"]*):8888"$`).FindAllStringSubmatch(compose, -1)
	if len(ports) != 1 || !strings.HasPrefix(ports[0][1], "127.0.0.1:") {
		t.Errorf("docker/compose.yaml publishes %q; publish on 127.0.0.1 alone", ports)
	}
	if strings.Contains(compose, "network_mode") {
		t.Error("docker/compose.yaml gives the container a network of the host")
	}
	if lab := read(t, filepath.Join(root, ".ci", "lab.sh")); !strings.Contains(lab, "--ServerApp.ip=127.0.0.1") {
		t.Error(".ci/lab.sh does not say that JupyterLab listens on 127.0.0.1 alone")
	}
	publish := regexp.MustCompile(`docker run.* (-p|--publish|-P|--network[= ]host) ?(\S*)`)
	listen := regexp.MustCompile(`(net\.Listen\w*|ListenAndServe\w*)\(`)
	for _, path := range sources(t, "") {
		if strings.HasSuffix(path, "supply_test.go") {
			continue
		}
		for number, line := range linesOf(t, path) {
			if found := publish.FindStringSubmatch(line); found != nil && !strings.HasPrefix(strings.Trim(found[2], `"`), "127.0.0.1:") {
				t.Errorf("%s:%d publishes %q; publish on 127.0.0.1 alone", path, number+1, found[2])
			}
			if listen.MatchString(line) && !strings.Contains(line, `"127.0.0.1:`) && !strings.Contains(line, `"localhost:`) {
				t.Errorf("%s:%d listens on an address that is not 127.0.0.1: %s", path, number+1, strings.TrimSpace(line))
			}
		}
	}
}

// sources returns the scripts, programs and documents below a folder of the repository, but for what is built.
func sources(t *testing.T, folder string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry os.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == ".git" || name == "testdata" || path == filepath.Join(root, "build") || path == filepath.Join(root, "notebooks", "results")):
			return filepath.SkipDir
		case entry.IsDir() || name == "CHANGELOG.md":
		case slices.Contains([]string{".go", ".py", ".sh", ".md", ".yaml", ".json", ".ipynb", ""}, filepath.Ext(name)):
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// linesOf returns the lines that a person wrote: longer ones hold pictures.
func linesOf(t *testing.T, path string) []string {
	lines := strings.Split(read(t, path), "\n")
	for k, line := range lines {
		if len(line) > 1000 {
			lines[k] = ""
		}
	}
	return lines
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
