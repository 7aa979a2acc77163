package compare

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

//go:embed peers.py
var peersScript string

// ErrNoPeers says that no Python with NumPy and SciPy was found.
var ErrNoPeers = errors.New("compare: no Python with numpy and scipy; on Debian and Ubuntu: apt-get install python3-numpy python3-scipy")

// FindPython returns an interpreter that has NumPy and SciPy: the system's, whose
// packages are those of the distribution, before that of PATH.
func FindPython() (string, error) {
	for _, python := range []string{os.Getenv("DIRECTIONS_PYTHON"), "/usr/bin/python3", "python3"} {
		if python != "" && exec.Command(python, "-c", "import numpy, scipy.optimize; scipy.optimize.milp").Run() == nil {
			return python, nil
		}
	}
	return "", ErrNoPeers
}

// peer is a process of peers.py.
type peer struct {
	versions
	command *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
}

// versions is what a peer says of itself.
type versions struct {
	Python, NumPy, SciPy string
	BLAS                 string
	Core                 string // core type of OpenBLAS
}

// startPeer starts a process. An empty core type leaves the choice to OpenBLAS.
func startPeer(ctx context.Context, python, core string) (*peer, error) {
	p := &peer{command: exec.CommandContext(ctx, python, "-c", peersScript)}
	p.command.Env = os.Environ()
	if core != "" {
		p.command.Env = append(p.command.Env, "OPENBLAS_CORETYPE="+core)
	}
	p.command.Stderr = os.Stderr
	var err error
	if p.input, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.output = bufio.NewReader(output)
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	if _, err := p.call("describe", nil, &p.versions); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// arguments are those of a function of peers.py, by name.
type arguments map[string]any

// call calls a function of peers.py and returns the seconds that its work took.
func (p *peer) call(name string, with arguments, result any) (seconds float64, err error) {
	if with == nil {
		with = arguments{}
	}
	request, err := json.Marshal(map[string]any{"call": name, "arguments": with})
	if err != nil {
		return 0, err
	}
	if _, err := p.input.Write(append(request, '\n')); err != nil {
		return 0, fmt.Errorf("compare: peer %s: %w", name, err)
	}
	line, err := p.output.ReadBytes('\n')
	if err != nil {
		return 0, fmt.Errorf("compare: peer %s ended: %w", name, err)
	}
	var answer struct {
		Seconds float64
		Result  json.RawMessage
		Error   string
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return 0, fmt.Errorf("compare: peer %s: %w", name, err)
	}
	if answer.Error != "" {
		return 0, fmt.Errorf("compare: peer %s: %s", name, strings.TrimSpace(answer.Error))
	}
	if result == nil {
		return answer.Seconds, nil
	}
	return answer.Seconds, json.Unmarshal(answer.Result, result)
}

// close ends the process.
func (p *peer) close() error {
	return errors.Join(p.input.Close(), p.command.Wait())
}
