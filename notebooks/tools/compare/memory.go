package compare

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
)

// memory compares the peak of resident memory. Ours is measured by the test of
// package large, which runs each workload in a process of its own.
func (c *comparison) memory() error {
	if !c.scale.Thorough {
		return nil
	}
	command := exec.CommandContext(c.ctx, "go", "test", "-count=1", "-v", "-run", "^TestPeakMemory$", "github.com/sparsero/directions/sparsero/selection/large")
	command.Env = append(os.Environ(), "DIRECTIONS_LONG=1")
	output, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("compare: %w\n%s", err, output)
	}
	found := regexp.MustCompile(`TestPeakMemory/(\w+)[\s\S]*?peak (\d+) MB`).FindAllSubmatch(output, -1)
	if len(found) != 2 {
		return fmt.Errorf("compare: the test of memory reports %d figures, want 2\n%s", len(found), output)
	}
	for _, figure := range found {
		ours, err := strconv.ParseFloat(string(figure[2]), 64)
		if err != nil {
			return err
		}
		r := Row{
			Key: key("memory", string(figure[1])), Unit: "MB", Limit: math.NaN(), PeerValue: math.NaN(), PeerLeast: math.NaN(),
			Ours: ours, OursLeast: ours, Target: Target{Limit: 1}, Count: 1, Agreement: "the same picks held and streamed, checked where both fit",
		}
		switch string(figure[1]) {
		case "held":
			r.Workload = "peak memory of scores + greedy, N=100,000, M=1,000, p=512, B=50"
			r.LimitName, r.Limit, r.Peer = "what was asked for", 750, "NumPy float32, atoms and scores in memory"
			if r.PeerValue, err = c.peerPeak(); err != nil {
				return err
			}
			r.PeerLeast = r.PeerValue
		case "streamed":
			r.Workload = "peak memory streaming from a file, N=1,000,000, M=1,000, p=64, B=20"
			r.LimitName, r.Limit, r.Peer = "what was asked for", 1000, "none: the scores alone take 4,000 MB"
		}
		c.add(r)
	}
	return nil
}

// peerPeak measures NumPy in a process of its own, in megabytes.
func (c *comparison) peerPeak() (float64, error) {
	p, err := startPeer(c.ctx, c.python, "")
	if err != nil {
		return 0, err
	}
	defer p.close()
	var bytes float64
	_, err = p.call("peak", arguments{"n": 100_000, "m": 1000, "p": 512, "budget": 50}, &bytes)
	return bytes / 1e6, err
}
