package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestEditsOutliveTheContainer edits in the page, saves, removes the container and looks into the next one.
func TestEditsOutliveTheContainer(t *testing.T) {
	work := volume(t)
	options := append([]string{"-v", work + ":/work"}, safe...)
	first, s := start(t, options...)
	l := openLab(t, s, "02_few_directions.ipynb")
	l.click(codeCell(1)+`.querySelector('.cm-content')`, 0.5)
	l.press(kb.End, chromedp.ModifierCtrl)
	l.insert("\n// edited in class")
	l.wait("the edit appears", codeCell(1)+`.textContent.includes('edited in class')`)
	l.save()
	waitFor(t, "the edit to be on disk", func() bool { return edited(s.read(t, "02_few_directions.ipynb")) })
	must(t, "rm", "-fv", first)

	_, s = start(t, options...)
	if !edited(s.read(t, "02_few_directions.ipynb")) {
		t.Fatal("the edit is gone")
	}
	l = openLab(t, s, "02_few_directions.ipynb")
	l.wait("the page shows the edit", codeCell(1)+`.textContent.includes('edited in class')`)
}

func edited(n notebook) bool { return strings.Contains(string(n.code()[1].Source), "edited in class") }

// TestKilledSave kills the container while it saves a large notebook again and again: the notebook then holds the last
// save that was answered, or the one that was under way.
func TestKilledSave(t *testing.T) {
	work := volume(t)
	options := append([]string{"-v", work + ":/work"}, safe...)
	name, s := start(t, options...)
	version := func(number int) map[string]any {
		return program(fmt.Sprintf("// version %d", number), "// "+strings.Repeat("ballast ", 2_000_000))
	}
	s.write(t, "big.ipynb", version(1))
	saved, ended := make(chan int, 1000), make(chan struct{})
	go func() {
		defer close(ended)
		for number := 2; number < 1000; number++ {
			status, _ := s.request("PUT", contents("big.ipynb"), s.token, map[string]any{"type": "notebook", "format": "json", "content": version(number)})
			if status != 200 {
				return
			}
			saved <- number
		}
	}()
	last := 0
	for last < 3 {
		select {
		case last = <-saved:
		case <-ended:
			t.Fatal("no notebook can be saved")
		}
	}
	must(t, "kill", "-s", "KILL", name)
	<-ended
	for len(saved) > 0 {
		last = <-saved
	}
	_, s = start(t, options...)
	source := string(s.read(t, "big.ipynb").code()[0].Source)
	if !strings.Contains(source, fmt.Sprintf("version %d\"", last)) && !strings.Contains(source, fmt.Sprintf("version %d\"", last+1)) {
		t.Fatalf("the last answered save was version %d, and the notebook holds %s", last, source)
	}

	// The worst moment, by hand: the file is cut off, and only the copy that a save makes first is whole.
	must(t, "run", "--rm", "--label", label(), "-v", work+":/work", image(t), "sh", "-c", "cd /work && cp big.ipynb .~big.ipynb && truncate -s 1000 big.ipynb")
	if got := string(s.read(t, "big.ipynb").code()[0].Source); got != source {
		t.Fatalf("after a save that was cut off the notebook holds %.100s", got)
	}
}

// TestDiskFull saves more than fits: the answer says why, and what was saved before is still there.
func TestDiskFull(t *testing.T) {
	_, s := start(t, append(safe, "--tmpfs", "/work:size=32m,mode=1777")...)
	s.write(t, "mine.ipynb", program("// saved before"))
	status, answer := s.request("PUT", contents("mine.ipynb"), s.token, map[string]any{
		"type": "notebook", "format": "json", "content": program("// " + strings.Repeat("too much ", 5_000_000))})
	if status != 500 || !strings.Contains(string(answer), "No space left on device") {
		t.Errorf("a save on a full disk answers %d %.300s", status, answer)
	}
	if source := string(s.read(t, "mine.ipynb").code()[0].Source); !strings.Contains(source, "saved before") {
		t.Errorf("the notebook now holds %.100s", source)
	}
	answerOfStart, err := once(t, append(safe, "--tmpfs", "/work:size=64k,mode=1777"))
	if err == nil || !strings.Contains(answerOfStart, "No space left on device") {
		t.Errorf("a start on a full disk says: %s (%v)", answerOfStart, err)
	}
}

// TestUpgrade starts with older tutorials, changes one, and upgrades.
func TestUpgrade(t *testing.T) {
	base := t.TempDir()
	old, work := filepath.Join(base, "old"), filepath.Join(base, "work")
	newer := filepath.Join(base, "newer")
	files := func(folder string, content map[string]string) {
		for name, text := range content {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			os.Chmod(path, 0o666)
		}
	}
	copyTutorials := func(from string) string {
		answer, err := once(t, append([]string{"--user", "0:0", "-v", base + ":" + base}, "--network", "none"), "copy-tutorials", from, work)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	files(old, map[string]string{"a.ipynb": "a1", "b.ipynb": "b1", "solutions/c.ipynb": "c1", "d.ipynb": "d1"})
	files(newer, map[string]string{"a.ipynb": "a2", "b.ipynb": "b2", "solutions/c.ipynb": "c1", "d.ipynb": "d1", "e.ipynb": "e2"})
	os.Mkdir(work, 0o777)
	copyTutorials(old)
	copyTutorials(old)
	files(work, map[string]string{"b.ipynb": "mine", "own.ipynb": "own"})
	os.Remove(filepath.Join(work, "d.ipynb"))
	answer := copyTutorials(newer)
	if !strings.Contains(answer, "b.ipynb: kept as you changed it; the new version is b.new.ipynb") {
		t.Errorf("the upgrade says %q", answer)
	}
	files(work, map[string]string{"b.new.ipynb": "mine too"})
	copyTutorials(newer)
	files(newer, map[string]string{"b.ipynb": "b3"})
	copyTutorials(newer)
	want := map[string]string{"a.ipynb": "a2", "b.ipynb": "mine", "b.new.ipynb": "mine too", "solutions/c.ipynb": "c1", "d.ipynb": "d1", "e.ipynb": "e2", "own.ipynb": "own"}
	for name, text := range want {
		if content, err := os.ReadFile(filepath.Join(work, name)); err != nil || string(content) != text {
			t.Errorf("%s holds %q (%v), want %q", name, content, err, text)
		}
	}
}

// TestWorkFolders mounts folders of this machine: of the user, and of somebody else.
func TestWorkFolders(t *testing.T) {
	mine := folder(t, 4242)
	_, s := start(t, append(safe, "--user", "4242:0", "-v", mine+":/work")...)
	s.write(t, "mine.ipynb", program("// mine"))
	if _, err := os.Stat(filepath.Join(mine, "mine.ipynb")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(mine, "02_few_directions.ipynb")); err != nil {
		t.Error(err)
	}
	answer, err := once(t, append(safe, "--user", "4243:0", "-v", mine+":/work"))
	if err == nil || !strings.Contains(answer, "cannot be written by user 4243") || !strings.Contains(answer, "--user 4242:0") {
		t.Errorf("a work folder of somebody else: %s (%v)", answer, err)
	}
}
