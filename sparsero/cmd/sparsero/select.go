package main

import (
	"cmp"
	"fmt"
	"os"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/cmd/internal/command"
	"github.com/sparsero/directions/sparsero/selection"
)

// rules are the policies of package selection under the names of the flag.
func rules(seed uint64, progress func(selection.Step)) map[string]selection.Policy {
	return map[string]selection.Policy{
		"greedy":         selection.Greedy{Progress: progress},
		"max-gap":        selection.MaxGap{Progress: progress},
		"top-activation": selection.TopActivation{},
		"random":         selection.Random{Seed: seed},
	}
}

// choose runs a rule of package selection, for a folder of blocks greedy.
func choose(c *command.Call) (value, words any, unmet error) {
	budget := c.Flags.Int("budget", 10, "`number` of atoms to choose")
	rule := c.Flags.String("rule", "greedy", "`name` of the rule: greedy, max-gap, top-activation or random")
	seed := c.Flags.Uint64("seed", 0, "`seed` of the rule random")
	out := c.Flags.String("o", "", "`file` for the choice: .npy or .csv for the chosen atoms in order, .json for their indices and all that is known of them")
	blocks := newBlockFlags(c)
	c.Parse(2, 2)
	policy, known := rules(*seed, func(s selection.Step) {
		if s.Number%10 == 0 {
			c.Say("%d of %d atoms cover %.2f %%", s.Number, s.Budget, 100*s.Coverage/cmp.Or(s.FullCoverage, 1))
		}
	})[*rule]
	if !known {
		fail(fmt.Errorf("-rule %q is unknown; use greedy, max-gap, top-activation or random", *rule))
	}
	probes := must(sparsero.LoadDictionary(c.Files[1]))
	if status, err := os.Stat(c.Files[0]); err == nil && status.IsDir() {
		if *rule != "greedy" {
			fail(fmt.Errorf("-rule %q does not work for blocks; use greedy", *rule))
		}
		return blocks.choose(c, probes, *budget, *out)
	}
	atoms := must(sparsero.LoadDictionary(c.Files[0]))
	defer c.Working("choosing %d of %d atoms by the rule %s", *budget, atoms.Size(), policy.Name())()
	coverage := must(selection.NewCoverage(atoms, probes.Matrix(), &selection.CoverageOptions{Context: c}))
	found := must(policy.Select(c, coverage, *budget))
	if found.Partial {
		unmet = command.ErrInterrupted
	}
	if *out != "" && found.Len() > 0 {
		save(*out, must(atoms.Subset(found.Atoms)), found)
	}
	return found, steps(found), unmet
}

// steps is the table of a path.
func steps(path *selection.Selection) any {
	frame := path.Frame().Drop([]string{"coverage", "oracle_calls", "seconds"})
	return must(plotting.Table(frame, &plotting.TableOptions{Rows: path.Len()}))
}
