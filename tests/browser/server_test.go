package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience bounds each wait for a condition. It is long because the machine may be busy; a passing test never waits it
// out.
const patience = 10 * time.Minute

// server is a JupyterLab that answers; container is "" for one of this machine.
type server struct {
	url, token, container string
}

// notebook is the part of an .ipynb file that the tests look at.
type notebook struct {
	Cells []cell `json:"cells"`
}

type cell struct {
	Type    string          `json:"cell_type"`
	Source  json.RawMessage `json:"source"`
	Count   *int            `json:"execution_count"`
	Outputs []output        `json:"outputs"`
}

type output struct {
	Type  string                     `json:"output_type"`
	Text  json.RawMessage            `json:"text"`
	Data  map[string]json.RawMessage `json:"data"`
	Name  string                     `json:"ename"`
	Value string                     `json:"evalue"`
}

// code returns the code cells.
func (n notebook) code() []cell {
	var cells []cell
	for _, c := range n.Cells {
		if c.Type == "code" {
			cells = append(cells, c)
		}
	}
	return cells
}

// count returns how many outputs hold something of a MIME type.
func (n notebook) count(mime string) int { return n.holding(mime, "") }

// holding returns how many outputs hold a text in what they have of a MIME type.
func (n notebook) holding(mime, text string) int {
	number := 0
	for _, c := range n.Cells {
		for _, o := range c.Outputs {
			if content, found := o.Data[mime]; found && bytes.Contains(content, []byte(text)) {
				number++
			}
		}
	}
	return number
}

// request asks the server; the status 0 stands for no answer.
func (s server) request(method, path, token string, body any) (int, []byte) {
	var reader io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return 0, []byte(err.Error())
		}
		reader = bytes.NewReader(encoded)
	}
	request, err := http.NewRequest(method, s.url+path, reader)
	if err != nil {
		return 0, []byte(err.Error())
	}
	if token != "" {
		request.Header.Set("Authorization", "token "+token)
	}
	client := http.Client{
		Timeout:       patience,
		Transport:     &http.Transport{DisableKeepAlives: true}, // no proxy: the server is on this machine
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, []byte(err.Error())
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, []byte(err.Error())
	}
	return response.StatusCode, content
}

// call asks the server as its user and fails the test on any other answer than success.
func (s server) call(t *testing.T, method, path string, body any) []byte {
	t.Helper()
	status, content := s.request(method, path, s.token, body)
	if status < 200 || status > 299 {
		t.Fatalf("%s %s answers %d: %.500s", method, path, status, content)
	}
	return content
}

// answers tells whether the server is there and takes the token.
func (s server) answers() bool {
	status, _ := s.request("GET", "/api/status", s.token, nil)
	return status == 200
}

func contents(path string) string {
	return "/api/contents/" + strings.ReplaceAll(url.PathEscape(path), "%2F", "/")
}

// read returns a notebook of the work folder.
func (s server) read(t *testing.T, path string) (n notebook) {
	t.Helper()
	var answer struct{ Content *notebook }
	answer.Content = &n
	decode(t, s.call(t, "GET", contents(path)+"?content=1", nil), &answer)
	return n
}

// write saves a notebook, or anything that encodes as one, as the page does.
func (s server) write(t *testing.T, path string, content any) {
	t.Helper()
	s.call(t, "PUT", contents(path), map[string]any{"type": "notebook", "format": "json", "content": content})
}

// connected tells whether a page is connected to the kernel of a notebook.
func (s server) connected(path string) bool {
	var sessions []struct {
		Path   string
		Kernel struct{ Connections int }
	}
	status, content := s.request("GET", "/api/sessions", s.token, nil)
	if status != 200 || json.Unmarshal(content, &sessions) != nil {
		return false
	}
	for _, session := range sessions {
		if session.Path == path && session.Kernel.Connections > 0 {
			return true
		}
	}
	return false
}

// endSessions stops every kernel, so that one test leaves nothing running for the next.
func (s server) endSessions(t *testing.T) {
	t.Helper()
	var sessions []struct{ ID string }
	decode(t, s.call(t, "GET", "/api/sessions", nil), &sessions)
	for _, session := range sessions {
		s.request("DELETE", "/api/sessions/"+session.ID, s.token, nil)
	}
}

func decode(t *testing.T, content []byte, target any) {
	t.Helper()
	if err := json.Unmarshal(content, target); err != nil {
		t.Fatalf("%v in %.500s", err, content)
	}
}

// waitFor polls a condition until it holds.
func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for !condition() {
		select {
		case <-ctx.Done():
			t.Fatalf("waited %v in vain for %s", patience, what)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// freePort returns a port of 127.0.0.1 that nobody listens on.
func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// program returns a notebook of Go cells without outputs.
func program(cells ...string) map[string]any {
	var list []map[string]any
	for i, source := range cells {
		list = append(list, map[string]any{
			"cell_type": "code", "id": fmt.Sprintf("cell-%d", i), "metadata": map[string]any{},
			"source": source, "outputs": []any{}, "execution_count": nil,
		})
	}
	return map[string]any{
		"cells": list, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}},
	}
}

// tutorial reads a tutorial of the repository, whole, and as a document without outputs.
func tutorial(t *testing.T, name string) (notebook, map[string]any) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "notebooks", name))
	if err != nil {
		t.Fatal(err)
	}
	var whole notebook
	decode(t, content, &whole)
	var bare map[string]any
	decode(t, content, &bare)
	for _, c := range bare["cells"].([]any) {
		if fields := c.(map[string]any); fields["cell_type"] == "code" {
			fields["outputs"], fields["execution_count"] = []any{}, nil
		}
	}
	return whole, bare
}
