package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// class is a hub that runs, and the passwords of its sheet.
type class struct {
	hub       server
	prefix    string
	container string
	passwords map[string]string
	names     []string
	roster    string
}

// student is somebody of the class: a page of a browser, and the server that the hub has started.
type student struct {
	name string
	page *lab
	own  server
}

const teacher = "teacher"

// startClass starts docker/hub/compose.yaml for a number of students, as a project of its own that goes with the test.
func startClass(t *testing.T, size int) *class {
	t.Helper()
	if os.Getenv("DIRECTIONS_HUB_IMAGE") == "" {
		t.Skip("no image of the hub: DIRECTIONS_HUB_IMAGE is not set (make hub-test)")
	}
	c := &class{prefix: project(), roster: t.TempDir()}
	for i := range size {
		c.names = append(c.names, fmt.Sprintf("student%d", i+1))
	}
	if err := os.Chmod(c.roster, 0o755); err != nil {
		t.Fatal(err)
	}
	c.writeRoster(t, c.names...)
	t.Cleanup(c.remove)
	port := freePort(t)
	command := exec.Command(filepath.Join("..", "..", "docker", "hub", "start.sh"), "-d")
	command.Env = append(os.Environ(), "COMPOSE_PROJECT_NAME="+c.prefix, "DIRECTIONS_HUB="+c.prefix, "DIRECTIONS_CLASS="+c.roster,
		fmt.Sprintf("DIRECTIONS_HUB_PORT=%d", port), "DIRECTIONS_STUDENT_MEMORY="+studentMemory)
	if answer, err := run(command); err != nil {
		t.Fatalf("%v\n%s", err, answer)
	}
	c.container = must(t, "ps", "-aq", "--filter", "label=com.docker.compose.project="+c.prefix, "--filter", "label=com.docker.compose.service=hub")
	t.Cleanup(func() {
		if t.Failed() {
			logs, _ := docker("logs", "--tail", "60", c.container)
			t.Logf("log of the hub:\n%s", logs)
		}
	})
	c.hub = server{url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	c.waitForHub(t)
	c.readSheet(t)
	return c
}

func (c *class) waitForHub(t *testing.T) {
	t.Helper()
	waitFor(t, "the hub to answer", func() bool {
		status, _ := c.hub.request("GET", "/hub/api/", "", nil)
		return status == 200
	})
}

// remove removes everything that the hub and Compose have made.
func (c *class) remove() {
	removeProject(c.prefix) // the hub first, which would start servers again
	for _, kind := range []string{"container", "network", "volume"} {
		list := []string{kind, "ls", "-q", "--filter", "label=org.sparsero.directions.hub=" + c.prefix}
		if kind == "container" {
			list = append(list, "--all")
		}
		names, _ := docker(list...)
		for _, name := range strings.Fields(names) {
			docker(kind, "rm", "-f", name)
		}
	}
}

func (c *class) writeRoster(t *testing.T, lines ...string) {
	t.Helper()
	path := filepath.Join(c.roster, "students.txt")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

var strip = regexp.MustCompile(`name: (\S+) +password: (\S+)`)

// readSheet prints the sheet as the teacher does.
func (c *class) readSheet(t *testing.T) {
	t.Helper()
	c.passwords = map[string]string{}
	for _, found := range strip.FindAllStringSubmatch(must(t, "exec", c.container, "sheet"), -1) {
		c.passwords[found[1]] = found[2]
	}
	if len(c.passwords) != len(c.names)+1 {
		t.Fatalf("the sheet holds %d names, want %d students and the teacher", len(c.passwords), len(c.names))
	}
}

// token asks the hub for a token with a name and a password; the status tells whether they were right.
func (c *class) token(t *testing.T, name, password string) (int, string) {
	t.Helper()
	login := map[string]any{"auth": map[string]string{"username": name, "password": password}}
	status, content := c.hub.request("POST", "/hub/api/users/"+name+"/tokens", "", login)
	if status != 201 && status != 200 {
		return status, ""
	}
	var answer struct{ Token string }
	decode(t, content, &answer)
	return status, answer.Token
}

// objectName is the name of a student's container.
func (c *class) objectName(name string) string { return c.prefix + "-student-" + name }

// logIn fills in the hub's form, in a browser context that shares nothing with others, and waits for the page behind it.
// The page is closed at the end of the test that owns it.
func (c *class) logIn(t, owner *testing.T, browser context.Context, name, next, shown string) student {
	t.Helper()
	_, token := c.token(t, name, c.passwords[name])
	if token == "" {
		t.Fatalf("the password of the sheet does not let %s in", name)
	}
	s := student{name, newTab(owner, browser, chromedp.WithNewBrowserContext()), server{url: c.hub.url + "/user/" + name, token: token}}
	s.page.t = t
	s.page.do(chromedp.Navigate(c.hub.url + "/hub/login?next=" + next))
	s.page.wait("the form", `document.querySelector('#username_input') && document.querySelector('#password_input')`)
	fill := fmt.Sprintf(`(() => { document.querySelector('#username_input').value = %s; document.querySelector('#password_input').value = %s;
		document.querySelector('#login_submit').click(); return true })()`, quote(name), quote(c.passwords[name]))
	evaluate[bool](s.page, fill)
	s.page.wait("the page behind the form", shown)
	return s
}

// at lends the page to a subtest, which then is the one that fails.
func (s *student) at(t *testing.T) *lab {
	s.page.t = t
	return s.page
}

// newTabOf opens another tab in the browser context of a student, who is logged in there.
func newTabOf(t *testing.T, s student) *lab {
	t.Helper()
	return newTab(t, s.page.ctx)
}
