package attack

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	count  = flag.Int("attack.count", 0, "number of problems; 0 is the slice that make test runs")
	first  = flag.Int("attack.first", 0, "index of the first problem: campaigns of one seed can be run in slices")
	seed   = flag.Uint64("attack.seed", 1, "seed of the campaign")
	table  = flag.String("attack.table", "", "file for the table")
	commit = flag.String("attack.commit", "unknown", "commit that the table names")
	only   = flag.String("attack.family", "", "only families whose name contains this")
	checks = flag.String("attack.check", "", "only checks whose name contains this")
	replay = flag.String("attack.replay", "", "file with one problem in JSON, as a failure prints it")
	shown  = flag.Int("attack.show", 1, "reproducers per certificate")
)

// allChecks are the parts of the examination.
var allChecks = []check{
	{"Solve", checkSolve, false}, {"File", checkFile, false}, {"SolveFull", checkSolveFull, false}, {"Design", checkDesign, false},
	{"DesignAsPrinted", checkDesignAsPrinted, false}, {"SolveSafe", checkSolveSafe, false},
	{"duals", checkDuals, false}, {"dual support", checkReduce, false}, {"required", checkRequired, false},
	{"Ladder", checkLadder, false},
	{"Explain", checkExplain, false}, {"ExplainFull", checkExplainFull, false}, {"uniform", checkUniform, false},
	{"box", checkBox, false}, {"direction norm", checkNorm, false}, {"net", checkNet, false},
	{"solvers", checkSolvers, false}, {"units", checkUnits, false},
	{"inflation", checkInflation, true}, {"gauge", checkGauge, true},
	{"vertices", checkVertices, true}, {"pseudometric vertices", checkPseudometricVertices, true},
	{"estimate", checkEstimate, true}, {"cancelled", checkCancelled, false},
	{"convex", checkConvex, false}, {"Tune", checkTune, false}, {"pointwise", checkPointwise, true}, {"Hausdorff", checkHausdorff, true},
	{"selection", checkSelection, true},
}

// campaign examines problems on all cores. The families come in turn, and each problem has a seed of its own.
func campaign(first, total int, seed uint64, kinds []family, checks []check) *tally {
	tally, lock, work := newTally(), sync.Mutex{}, make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for index := range work {
				kind := kinds[index%len(kinds)]
				p := kind.draw(rand.New(rand.NewPCG(seed, uint64(index))))
				observations := examine(p, checks)
				lock.Lock()
				tally.add(kind.name, index, p, observations)
				lock.Unlock()
			}
		}()
	}
	for index := first; index < first+total; index++ {
		work <- index
	}
	close(work)
	workers.Wait()
	return tally
}

// legend explains the columns of the table.
const legend = `tried    claims asked for
refused  no claim was made: an error that says why
below    numbers on the wrong side of exact truth by more than 2^-52 of the largest term of their exact evaluation
wrong    statuses, flags, choices and points that are false
worst    the largest distance on the wrong side; median and 99 %: distance on the right side, both relative to the data

`

// reasonsShown is how many reasons of refusals are printed.
const reasonsShown = 20

// TestAttack is the campaign: no claim of the library is false.
func TestAttack(t *testing.T) {
	if *count == 0 && *replay == "" {
		t.Skip("the campaign runs with make attack")
	}
	if *replay != "" {
		examineFile(t, *replay)
		return
	}
	var kinds []family
	for _, f := range families {
		if strings.Contains(f.name, *only) {
			kinds = append(kinds, f)
		}
	}
	var parts []check
	for _, c := range allChecks {
		if strings.Contains(c.name, *checks) {
			parts = append(parts, c)
		}
	}
	started := time.Now()
	tally := campaign(*first, *count, *seed, kinds, parts)
	var text strings.Builder
	fmt.Fprintf(&text, "make attack COUNT=%d SEED=%d at %s on %s, %s on %d cores: %d problems, %d claims, %d of them false\n\n",
		*count, *seed, *commit, started.UTC().Format(time.DateOnly), time.Since(started).Round(time.Second), runtime.GOMAXPROCS(0),
		tally.problems, tally.claims(), tally.falseClaims())
	text.WriteString(legend)
	tally.write(&text)
	fmt.Println(text.String())
	tally.writeReasons(os.Stdout, reasonsShown)
	if *table != "" {
		if err := os.WriteFile(*table, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if wrong := tally.falseClaims(); wrong > 0 {
		tally.report(os.Stdout, *shown)
		t.Errorf("%d claims are false", wrong)
	}
}

// examineFile examines one problem and prints everything about it.
func examineFile(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &problem{}
	if err := json.Unmarshal(text, p); err != nil {
		t.Fatal(err)
	}
	for _, o := range examine(p, allChecks) {
		fmt.Printf("%-10s %-28s %.3g %s\n", [...]string{"held", "refused", "below", "wrong"}[o.verdict], o.certificate, o.amount, o.detail)
	}
}
