package robust

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/frame"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// UnmetError says which demands on Tune no decision meets, and what would meet them all.
type UnmetError struct {
	// Asked are the demands. Gap and Violation are what the answer has where it misses them, nil where it does not.
	Asked          Demands
	Gap, Violation *proof.Upper
	// Atoms and Samples would meet the demands: the atoms of the decision that comes nearest to them, and a number of
	// samples, the same share of which behaves like those at hand. 0 stands for no number (of atoms, also for none needed).
	Atoms, Samples int
	// Remedy says it in words.
	Remedy string
}

// Error names every demand and the remedy.
func (e *UnmetError) Error() string {
	var parts []string
	if e.Gap != nil {
		parts = append(parts, fmt.Sprintf("gap %.4g is above %.4g", *e.Gap, e.Asked.Gap))
	}
	if e.Violation != nil {
		parts = append(parts, fmt.Sprintf("violation %.4g is above %.4g", *e.Violation, e.Asked.Violation))
	}
	return fmt.Sprintf("robust: Tune: %s; %s", strings.Join(parts, " and "), e.Remedy)
}

// unmet describes what the answer misses, and what the answer without a limit on atoms needs.
func (t *Tuned) unmet() *UnmetError {
	e, missed, target := &UnmetError{Asked: t.Demands}, t.Demands.missed(&t.TuneStep), t.nearest(t.atoms)
	if missed[0] > 1 {
		e.Gap = &t.RelativeGap
	}
	if missed[1] > 1 {
		e.Violation = &t.Violation
	}
	reached := t.Demands.missed(target)[0] == 1
	if reached {
		e.Atoms = len(target.Atoms)
	}
	e.Samples = t.enoughSamples(target)
	e.Remedy = t.remedy(e, target, reached)
	return e
}

func (t *Tuned) remedy(e *UnmetError, target *TuneStep, reached bool) string {
	switch {
	case t.Partial && (!reached || e.Samples == 0):
		return "the context ended the search: give it more time"
	case !reached && math.IsInf(target.Gap.Float(), 1):
		return "no decision keeps the robust constraints of all atoms: give them larger limits, or ask Problem.ExplainFull at this radius"
	case !reached:
		return fmt.Sprintf("no number of atoms would do: after %d none helps, and the solver left %.3g open; give it larger limits, or accept this gap", len(target.Atoms), target.Gap)
	case e.Samples == 0:
		return fmt.Sprintf("no number of samples like these %d would do; list larger radii, or accept the fraction, in which a draw counts as soon as a row passes what it reaches against the atoms, even below its limit", t.Samples)
	case e.Samples > t.Samples:
		sharper := ""
		if t.evidence.basis == compressed && !t.evidence.picks {
			sharper = "choose the most violated atoms (the rule MostViolated), about which more is guaranteed, or "
		}
		return fmt.Sprintf("%sgive %d samples like the %d at hand, for %s at radius %.6g, or accept the fraction", sharper, e.Samples, t.Samples, input.Count(e.Atoms, "atom"), target.Radius)
	default:
		return fmt.Sprintf("choose %s at radius %.6g, or accept what is reached", input.Count(e.Atoms, "atom"), target.Radius)
	}
}

// largestSearch bounds the samples that are suggested.
const largestSearch = 1 << 22

// enoughSamples returns a number of samples, the smallest up to the rounding of counts, that would promise
// the demanded violation for a step; 0 if there is none.
func (t *Tuned) enoughSamples(s *TuneStep) int {
	enough := func(samples int) bool {
		violation, err := t.evidence.violation(s, len(t.Steps), samples)
		return err == nil && violation.Float() <= t.Demands.Violation
	}
	if enough(t.Samples) {
		return t.Samples
	}
	few, many := t.Samples, 2*t.Samples
	for !enough(many) {
		if few, many = many, 2*many; many > largestSearch {
			return 0
		}
	}
	return few + sort.Search(many-few, func(more int) bool { return enough(few + more) })
}

// String states the answer, what is proven about it, and on what its guarantee rests.
func (t *Tuned) String() string {
	head := fmt.Sprintf("%s at radius %.6g: costs at most %.6g", input.Count(len(t.Atoms), "atom"), t.Radius, t.Value)
	if !t.Met {
		head = "demands not met; the best answer: " + head
	}
	if t.Partial {
		head += ", stopped early"
	}
	above := fmt.Sprintf("at most %.3g (gap %.3g %%) above", t.Gap, t.RelativeGap.Times(100))
	if t.Solution.negligible(t.Gap) {
		above = "up to rounding"
	}
	return fmt.Sprintf("%s, %s the optimum against all %d atoms; %s puts %s with probability at most %.3g, unless the %d samples mislead, which they do with probability at most %g%s",
		head, above, t.atoms, t.newDraw(), anyAbove(t.Levels), t.Violation, t.Samples, t.Demands.Delta, provided(t.Hypotheses))
}

// newDraw is what exceeds a level: where the atoms are the samples, the radius multiplies it.
func (t *Tuned) newDraw() string {
	if t.evidence != nil && t.evidence.basis == compressed {
		return newDraw(t.Radius)
	}
	return newDraw(1)
}

// Frame returns one row for each step: what each further atom and each radius buys. The column met tells
// which steps meet all demands, answer which of them was chosen.
func (t *Tuned) Frame() dataframe.DataFrame {
	rows := frame.NewRows("radius,atoms,value,gap,relative gap,violation,met,answer")
	for _, s := range t.Steps {
		rows.Add(s.Radius, len(s.Atoms), s.Value, s.Gap, s.RelativeGap, s.Violation, s.Met, s.Solution == t.Solution)
	}
	return rows.Frame()
}
