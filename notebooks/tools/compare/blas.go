package compare

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
)

// coreTypes lists the core types of OpenBLAS that may be faster than the one it
// chooses itself. A build without one of them takes its own choice instead; a
// processor that cannot run one ends the process, which rules it out.
func coreTypes() []string {
	switch runtime.GOARCH {
	case "amd64":
		return []string{"Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids"}
	case "arm64":
		return []string{"NEOVERSEN1", "NEOVERSEV1", "ARMV8"}
	}
	return nil
}

const (
	// coreTrials is how often each core type multiplies; its least time counts.
	coreTrials = 7
	// coreGain is by how much another core type must be faster than the shipped
	// choice to be preferred to it; less is noise.
	coreGain = 1.03
)

// peers are NumPy as shipped and with the best core type, the same process where
// that is the same.
type peers struct{ shipped, best *peer }

// startPeers starts both, or only the shipped one if no other core type is to be
// looked for.
func startPeers(ctx context.Context, python, folder string, search bool) (peers, error) {
	shipped, err := startPeer(ctx, python, "")
	if err != nil {
		return peers{}, err
	}
	p := peers{shipped, shipped}
	if !search || shipped.Core == "" { // another BLAS has no core types
		return p, nil
	}
	core, err := bestCore(ctx, python, folder, shipped)
	if err != nil || core == "" {
		return p, err
	}
	p.best, err = startPeer(ctx, python, core)
	return p, err
}

// bestCore returns the core type that multiplies fastest with one thread, or
// nothing if that is the shipped one.
func bestCore(ctx context.Context, python, folder string, shipped *peer) (string, error) {
	candidates := map[string]*peer{shipped.Core: shipped}
	names := map[string]string{}
	order := []*peer{shipped}
	for _, core := range coreTypes() {
		p, err := startPeer(ctx, python, core)
		if err != nil {
			continue // the processor cannot run it
		}
		if candidates[p.Core] != nil {
			if err := p.close(); err != nil {
				return "", err
			}
			continue
		}
		candidates[p.Core], names[p.Core], order = p, core, append(order, p)
	}
	defer func() {
		for _, p := range order[1:] {
			p.close() // its work is done, and it may have died of an unknown instruction
		}
	}()
	const rows, p = 3000, 512
	path := filepath.Join(folder, "trial.npy")
	if err := cloud(1, rows, p, 0).write(path); err != nil {
		return "", err
	}
	least := map[*peer]float64{}
	for trial := range coreTrials {
		for _, candidate := range order {
			seconds, err := candidate.trial(path, trial == 0)
			if err != nil && candidate == shipped {
				return "", err
			}
			if before, ok := least[candidate]; err == nil && (!ok || seconds < before) {
				least[candidate] = seconds
			}
		}
	}
	best := shipped
	for _, candidate := range order {
		if seconds, ok := least[candidate]; ok && seconds*coreGain < least[shipped] && seconds < least[best] {
			best = candidate
		}
	}
	return names[best.Core], nil
}

// trial multiplies once with one thread and returns the processor time.
func (p *peer) trial(path string, first bool) (seconds float64, err error) {
	if first {
		if _, err := p.call("load", arguments{"name": "trial", "path": path}, nil); err != nil {
			return 0, err
		}
	}
	return p.call("trial", arguments{"array": "trial"}, nil)
}

// each calls a function of both processes.
func (p peers) each(name string, with arguments) error {
	for _, process := range p.processes() {
		if _, err := process.call(name, with, nil); err != nil {
			return err
		}
	}
	return nil
}

func (p peers) processes() []*peer {
	if p.best == p.shipped {
		return []*peer{p.shipped}
	}
	return []*peer{p.shipped, p.best}
}

// name says which of the peers a process is.
func (p peers) name(process *peer) string {
	switch {
	case process.Core == "":
		return process.BLAS
	case process == p.shipped:
		return fmt.Sprintf("OpenBLAS %s (as shipped)", process.Core)
	}
	return fmt.Sprintf("OpenBLAS %s (best)", process.Core)
}

func (p peers) close() {
	for _, process := range p.processes() {
		process.close() // nothing depends on how it ends
	}
}
