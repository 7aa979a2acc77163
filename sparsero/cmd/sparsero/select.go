package main

import (
	"cmp"
	"fmt"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/cmd/internal/document"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// rules are the policies of package selection under the names of the flag.
func rules(seed uint64, progress func(selection.Step)) map[string]selection.Policy {
	return map[string]selection.Policy{
		"greedy":         selection.Greedy{Progress: progress},
		"swap":           selection.Swap{},
		"max-gap":        selection.MaxGap{Progress: progress},
		"top-activation": selection.TopActivation{},
		"random":         selection.Random{Seed: seed},
	}
}

func choose(c *call) (value, words any, unmet error) {
	budget, seed, share := whole(10), whole(0), fraction(0)
	c.flags.Var(&budget, "budget", "`number` of atoms to choose")
	rule := c.flags.String("rule", "greedy", "`name` of the rule: greedy, swap, max-gap, top-activation or random")
	c.flags.Var(&seed, "seed", "`seed` of the rule random")
	c.flags.Var(&share, "share", "`fraction` of the best choice to prove, such as 0.99: the bound is lowered until it does or the steps end, which is code 3 (default 0, a few steps)")
	labels := c.flags.String("labels", "", "`column` of the table of atoms that holds their labels (default as for design)")
	out := c.flags.String("o", "", "`file` for the choice: .npy or .csv for the chosen atoms in order, .json for their indices and all that is known of them")
	c.parse(2, 2)
	if *out != "" {
		target("o", *out, c.files, ".npy", ".csv", ".json")
	}
	policy, known := rules(uint64(seed), func(s selection.Step) {
		if s.Number%10 == 0 {
			c.say("%d of %d atoms cover %.2f %%", s.Number, s.Budget, 100*s.Coverage/cmp.Or(s.FullCoverage, 1))
		}
	})[*rule]
	switch {
	case !known:
		fail(fmt.Errorf("-rule %q is unknown; use greedy, swap, max-gap, top-activation or random", *rule))
	case seed != 0 && *rule != "random":
		fail(fmt.Errorf("-seed %v is for -rule random, and -rule %s draws nothing; leave it out, or give -rule random", seed, *rule))
	}
	probes, atoms := must(sparsero.LoadDictionary(c.files[1])), atomsOf(c.files[0], *labels)
	if d, named := atoms.(*sparsero.Dictionary); named {
		probes = must(document.Matched(probes, d.Columns(), c.files[1]))
	}
	defer c.working("choosing %d of %d atoms by the rule %s", budget, atoms.Size(), *rule)()
	coverage := must(selection.NewCoverage(atoms, probes.Matrix(), &selection.CoverageOptions{Context: c}))
	found := must(policy.Select(c, coverage, int(budget)))
	if share != 0 {
		fail(found.Tighten(c, coverage, &selection.BoundOptions{Steps: proofSteps, Share: float64(share)}))
	}
	proven := found.OptimalityRatio(found.Len())
	switch missed := proven.Float() < float64(share); {
	case found.Partial || missed && c.Err() != nil:
		unmet = errInterrupted
	case missed:
		remedy := "choose by -rule swap, "
		if *rule == "swap" {
			remedy = ""
		}
		unmet = fmt.Errorf("%w: -share %v is not proven, %.6g%% is; %sask for less, or accept this", errUnmet, &share, proven.Times(100), remedy)
	}
	if *out != "" && found.Len() > 0 {
		save(*out, chosen(atoms, found), found)
	}
	steps := must(plotting.Table(found.Frame().Drop([]string{"coverage", "oracle_calls"}), &plotting.TableOptions{Rows: found.Len()}))
	return found, fmt.Sprintf("%v\nproven: the choice covers at least %.2f %% of what the best one of its size does", steps, proven.Times(100)), unmet
}

// atomsOf loads a dictionary, or opens a NumPy file, whose atoms are read when they are needed.
func atomsOf(path, labels string) selection.Source {
	if extension(path) == ".npy" && labels == "" {
		return must(selection.OpenNPY(path))
	}
	return must(document.Load(path, labels))
}

// chosen is the dictionary of the atoms of a choice.
func chosen(atoms selection.Source, found *selection.Selection) *sparsero.Dictionary {
	if d, loaded := atoms.(*sparsero.Dictionary); loaded {
		return must(d.Subset(found.Atoms))
	}
	rows := mat.NewDense(found.Len(), atoms.Dim(), nil)
	for k, i := range found.Atoms {
		rows.SetRow(k, must(atoms.Rows(rows.RawRowView(k), i, i+1)))
	}
	return must(sparsero.NewDictionary(rows, &sparsero.DictionaryOptions{Labels: found.Labels}))
}

// proofSteps is how many passes over the alignments a proof may take.
const proofSteps = 2000
