package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// classSize is the number of students who work at the same time; studentMemory is the default of compose.yaml.
const (
	classSize     = 8
	studentMemory = "1500M"
)

// lesson holds what each student gets.
type lesson struct {
	sync.Mutex
	page, figure, notebook []time.Duration
	memory                 []reading
}

// reading is what the containers of all students take at a moment, in MB.
type reading struct {
	when  string
	taken []float64
}

// TestClass lets a class work on one hub: each has a server, what one does reaches nobody else, and what is saved stays.
func TestClass(t *testing.T) {
	c := startClass(t, classSize)
	browser := newTab(t, newBrowser(t))
	var measured lesson
	students := make([]student, classSize)

	t.Run("log in", func(t *testing.T) { c.refuses(t) })
	outer := t
	t.Run("open", func(t *testing.T) {
		for i, name := range c.names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				began := time.Now()
				students[i] = c.logIn(t, outer, browser.ctx, name, "/hub/spawn", `document.querySelector('.jp-Launcher, .jp-NotebookPanel')`)
				_, bare := tutorial(t, "00_quickstart.ipynb")
				students[i].own.write(t, "lesson.ipynb", bare)
				students[i].at(t).openNotebook(students[i].own, "lesson.ipynb", c.hub.url+"/user/"+name+"/lab/tree/lesson.ipynb")
				measured.add(&measured.page, time.Since(began))
			})
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	measured.read(t, c, "the page is open")

	t.Run("first figure", func(t *testing.T) {
		for i := range students {
			t.Run(students[i].name, func(t *testing.T) {
				t.Parallel()
				l := students[i].at(t)
				began := time.Now()
				l.start("the first cell", prompts+`.some(p => /\[[*\d]+\]/.test(p))`, func() { l.menu("Run", "runmenu:run-all") })
				l.waitFigures(1)
				measured.add(&measured.figure, time.Since(began))
				l.wait("all cells have run", prompts+`.every(p => /\[(\d+|-)\]/.test(p)) || document.querySelector('[data-mime-type="application/vnd.jupyter.error"]')`)
				l.waitIdle()
				measured.add(&measured.notebook, time.Since(began))
				l.save()
			})
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	measured.read(t, c, "all cells have run")
	students[0].at(t).screenshot("hub_student")
	measured.keep(t)

	t.Run("the teacher sees who runs", func(t *testing.T) { c.adminPage(t, browser) })
	t.Run("nobody opens the server of another", func(t *testing.T) { c.apart(t, students) })
	t.Run("the memory limit strikes one alone", func(t *testing.T) { c.limit(t, students) })
	t.Run("the hub dies and comes back", func(t *testing.T) { c.restart(t, students) })
	t.Run("a file outlives the container", func(t *testing.T) { c.outlives(t, students[2]) })
	t.Run("stop", func(t *testing.T) { c.stops(t) })
}

func (m *lesson) add(list *[]time.Duration, value time.Duration) {
	m.Lock()
	defer m.Unlock()
	*list = append(*list, value)
}

// read asks Docker what the containers of the students take, without the cache of files.
func (m *lesson) read(t *testing.T, c *class, when string) {
	t.Helper()
	r := reading{when: when}
	arguments := []string{"stats", "--no-stream", "--format", "{{.MemUsage}}"}
	for _, name := range c.names {
		arguments = append(arguments, c.objectName(name))
	}
	for _, line := range strings.Split(must(t, arguments...), "\n") {
		r.taken = append(r.taken, megabytes(t, line))
	}
	m.memory = append(m.memory, r)
}

// megabytes reads the first number of "412.3MiB / 1.465GiB".
func megabytes(t *testing.T, text string) float64 {
	t.Helper()
	var value float64
	var unit string
	if _, err := fmt.Sscanf(text, "%f%s", &value, &unit); err != nil {
		t.Fatalf("docker stats prints %q: %v", text, err)
	}
	factor, known := map[string]float64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[unit]
	if !known {
		t.Fatalf("docker stats prints %q", text)
	}
	return value * factor / 1e6
}

// keep writes the table.
func (m *lesson) keep(t *testing.T) {
	t.Helper()
	var table strings.Builder
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Fprintf(&table, "%d students at the same time on %d cores, their browsers on the same machine; load %s\n\n", classSize, runtime.NumCPU(), strings.Fields(string(load))[0])
	fmt.Fprintf(&table, "%-50s %8s %8s %8s\n", "", "least", "median", "most")
	for _, row := range []struct {
		what  string
		times []time.Duration
	}{
		{"from the login to a kernel that is idle, s", m.page},
		{"from Run All to the first figure, s", m.figure},
		{"from Run All to the last cell, s", m.notebook},
	} {
		slices.Sort(row.times)
		fmt.Fprintf(&table, "%-50s %8.1f %8.1f %8.1f\n", row.what, row.times[0].Seconds(), row.times[len(row.times)/2].Seconds(), row.times[len(row.times)-1].Seconds())
	}
	for _, r := range m.memory {
		slices.Sort(r.taken)
		fmt.Fprintf(&table, "%-50s %8.0f %8.0f %8.0f\n", "memory when "+r.when+", MB", r.taken[0], r.taken[len(r.taken)/2], r.taken[len(r.taken)-1])
	}
	t.Log("\n" + table.String())
	if folder := os.Getenv("DIRECTIONS_RESULTS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "hub.txt"), []byte(table.String()), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// refuses checks who is let in: nobody without the password, and a name on the list at once, with a number of its own.
func (c *class) refuses(t *testing.T) {
	name := c.names[1]
	for who, password := range map[string]string{name: c.passwords[c.names[0]], c.names[0]: "", "stranger": c.passwords[name], teacher: c.passwords[name]} {
		if status, _ := c.token(t, who, password); status != 403 {
			t.Errorf("%s with a wrong password is answered %d", who, status)
		}
	}
	before := c.passwords[name]
	lines := slices.Clone(c.names)
	lines[1] += " 2"
	c.writeRoster(t, lines...)
	c.readSheet(t)
	if status, _ := c.token(t, name, before); status != 403 {
		t.Errorf("the password that was replaced is answered %d", status)
	}
	if _, token := c.token(t, name, c.passwords[name]); token == "" {
		t.Error("the new password is refused")
	}
}

// adminPage opens the page of the teacher, and checks that students have none.
func (c *class) adminPage(t *testing.T, browser *lab) {
	boss := c.logIn(t, t, browser.ctx, teacher, "/hub/admin", `document.querySelectorAll('.stop-button, [data-testid^="stop"], tr button').length > 0`)
	shown := evaluate[string](boss.page, `document.body.innerText`)
	for _, name := range c.names {
		if !strings.Contains(shown, name) {
			t.Errorf("the page of the teacher lacks %s: %s", name, shown)
		}
	}
	if stops := evaluate[int](boss.page, `[...document.querySelectorAll('button')].filter(b => b.innerText.trim() === 'Stop Server' && !b.classList.contains('d-none')).length`); stops != classSize {
		t.Errorf("the page of the teacher offers to stop %d servers, and %d run", stops, classSize)
	}
	boss.page.screenshot("hub_admin")
	_, token := c.token(t, c.names[0], c.passwords[c.names[0]])
	if status, _ := c.hub.request("GET", "/hub/api/users/"+c.names[1], token, nil); status != 404 && status != 403 {
		t.Errorf("a student who asks for another's account is answered %d", status)
	}
}

// apart checks the walls between the students, the hub and the machine.
func (c *class) apart(t *testing.T, students []student) {
	thief, victim := students[0], students[1]
	status, _ := server{url: victim.own.url, token: thief.own.token}.request("GET", "/api/contents/", thief.own.token, nil)
	if status != 403 {
		t.Errorf("another's files are answered %d", status)
	}
	page := newTabOf(t, thief)
	page.do(chromedp.Navigate(c.hub.url + "/user/" + victim.name + "/lab"))
	page.wait("the refusal", `document.body.innerText.includes('403')`)
	if evaluate[bool](page, `document.querySelector('.jp-LabShell') !== null`) {
		t.Error("the page of another is shown")
	}
	address := inspect[string](t, c.objectName(victim.name), "(index .NetworkSettings.Networks \""+c.objectName(victim.name)+"\").IPAddress")
	c.reaches(t, thief.name, "hub:8081", true) // the hub's API, which the server needs
	for _, closed := range []string{address + ":8888", c.objectName(victim.name) + ":8888", "hub:8001", "1.1.1.1:443"} {
		c.reaches(t, thief.name, closed, false)
	}
	if answer, err := docker("exec", c.objectName(thief.name), "find", "/", "-xdev", "-name", "docker.sock", "-o", "-xdev", "-name", "jupyterhub.sqlite"); strings.Contains(answer, "docker.sock") || strings.Contains(answer, "jupyterhub.sqlite") {
		t.Errorf("the container of a student holds %s (%v)", answer, err)
	}
}

// reaches checks whether a program in a student's container can connect to an address.
func (c *class) reaches(t *testing.T, name, address string, want bool) {
	t.Helper()
	host, port, _ := strings.Cut(address, ":")
	program := fmt.Sprintf("import socket; socket.create_connection((%q, %s), timeout=3)", host, port)
	if answer, err := docker("exec", c.objectName(name), "python3", "-c", program); (err == nil) != want {
		t.Errorf("a connection from %s to %s: %s", name, address, answer)
	}
}

// limit lets one student take more memory than the limit: the cell ends, and nothing else does, there or elsewhere.
func (c *class) limit(t *testing.T, students []student) {
	greedy := students[0]
	before := map[string]string{}
	for _, s := range students {
		before[s.name] = c.alive(t, s)
	}
	greedy.own.write(t, "greedy.ipynb", program("import \"fmt\"\n\n%%\nvar kept [][]byte\nfor i := range 4000 {\n\tblock := make([]byte, 1<<20)\n\tfor j := range block {\n\t\tblock[j] = 1\n\t}\n\tkept = append(kept, block)\n\tif i%100 == 0 {\n\t\tfmt.Println(i, \"MB\")\n\t}\n}\nfmt.Println(len(kept), \"blocks, all of them\")"))
	l := newTabOf(t, greedy)
	l.openNotebook(greedy.own, "greedy.ipynb", c.hub.url+"/user/"+greedy.name+"/lab/workspaces/greedy/tree/greedy.ipynb")
	l.runCell(0)
	l.wait("the cell ends", hasRun(0))
	shown := evaluate[string](l, codeCell(0)+`.querySelector('.jp-OutputArea').innerText`)
	if !strings.Contains(shown, "signal: killed") && !strings.Contains(shown, "out of memory") || strings.Contains(shown, "all of them") {
		t.Errorf("a cell that takes 4 GB shows %s", shown)
	}
	for _, s := range students {
		if now := c.alive(t, s); now != before[s.name] {
			t.Errorf("%s had %s before the cell of %s, and has %s", s.name, before[s.name], greedy.name, now)
		}
	}
}

// alive names the process of a student's container and the kernel of the lesson.
func (c *class) alive(t *testing.T, s student) string {
	t.Helper()
	var sessions []struct {
		Path   string
		Kernel struct{ ID string }
	}
	decode(t, s.own.call(t, "GET", "/api/sessions", nil), &sessions)
	kernel := "no kernel"
	for _, session := range sessions {
		if session.Path == "lesson.ipynb" {
			kernel = session.Kernel.ID
		}
	}
	return fmt.Sprintf("process %d, kernel %s", inspect[int](t, c.objectName(s.name), ".State.Pid"), kernel)
}

// restart kills the hub: the servers go on, and the new hub finds them.
func (c *class) restart(t *testing.T, students []student) {
	before := c.alive(t, students[3])
	must(t, "kill", c.container)
	must(t, "start", c.container)
	c.waitForHub(t)
	waitFor(t, "the server to be found again", students[3].own.answers)
	if now := c.alive(t, students[3]); now != before {
		t.Errorf("before: %s; after: %s", before, now)
	}
	students[3].own.write(t, "after.ipynb", program("// after the restart"))
}

// outlives stops a student's server as the teacher does, and starts it again.
func (c *class) outlives(t *testing.T, s student) {
	s.own.write(t, "mine.ipynb", program("// of "+s.name))
	_, token := c.token(t, teacher, c.passwords[teacher])
	path := "/hub/api/users/" + s.name + "/server"
	if status, answer := c.hub.request("DELETE", path, token, nil); status != 204 && status != 202 {
		t.Fatalf("the stop is answered %d %s", status, answer)
	}
	waitFor(t, "the container to be removed", func() bool {
		names := must(t, "ps", "-aq", "--filter", "name=^/"+c.objectName(s.name)+"$")
		return names == ""
	})
	waitFor(t, "the server to start again", func() bool {
		status, _ := c.hub.request("POST", path, token, nil)
		return status == 201 || status == 202 || status == 400 // 400: it runs already
	})
	waitFor(t, "the server to answer", s.own.answers)
	if source := string(s.own.read(t, "mine.ipynb").code()[0].Source); !strings.Contains(source, "of "+s.name) {
		t.Errorf("the file now holds %s", source)
	}
	if n := s.own.read(t, "lesson.ipynb"); n.count(vega) == 0 {
		t.Error("the lesson has lost its figures")
	}
}

// stops stops the hub: containers and networks of the class go with it, volumes stay.
func (c *class) stops(t *testing.T) {
	must(t, "stop", "-t", "60", c.container)
	filter := "label=org.sparsero.directions.hub=" + c.prefix
	if left := must(t, "ps", "-aq", "--filter", filter) + must(t, "network", "ls", "-q", "--filter", filter); left != "" {
		t.Errorf("after the hub has stopped there are %s", left)
	}
	if volumes := strings.Fields(must(t, "volume", "ls", "-q", "--filter", filter)); len(volumes) != classSize {
		t.Errorf("%d volumes are left, want one for each of %d students", len(volumes), classSize)
	}
}
