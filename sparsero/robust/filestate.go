package robust

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// solutionState is what a design file holds of a Solution besides the problem.
type solutionState struct {
	plainSolution
	Size        float64
	Multipliers multipliers
	Options     *solver.Options
}

type plainSolution Solution

// portableOptions are options without the backend, which is the default one after Load.
func portableOptions(o *solver.Options) *solver.Options {
	if o == nil {
		return nil
	}
	c := *o
	c.Backend = nil
	return &c
}

func (s *Solution) state() *solutionState {
	if s == nil {
		return nil
	}
	return &solutionState{plainSolution(*s), s.size, s.multipliers, portableOptions(s.options)}
}

// solution restores a solution of the problem.
func (state *solutionState) solution(p *Problem) (*Solution, error) {
	if state == nil || len(state.X) != p.region.Columns() || len(state.Constraints) != len(p.constraints) {
		return nil, errors.New("robust: the result does not fit the model")
	}
	if _, err := p.restrictedSet(state.Atoms, state.Radius); err != nil {
		return nil, err
	}
	if state.Blocks != nil {
		var err error
		if p, err = p.asPart(state.Blocks.Sizes); err != nil {
			return nil, err
		}
	}
	s := Solution(state.plainSolution)
	s.size, s.multipliers, s.options = state.Size, state.Multipliers, state.Options
	s.problem, s.exposed = p, p.exposeAll(s.X)
	return &s, nil
}

// designState is what a design file holds of a Design.
type designState struct {
	plainDesign
	designRequest
	Solution   *solutionState
	Directions [][]float64
}

type plainDesign Design

func (d *Design) state() *designState {
	state := &designState{plainDesign: plainDesign(*d), designRequest: d.request, Solution: d.Solution.state()}
	state.Solver = portableOptions(d.request.Solver)
	if d.Directions != nil {
		state.Directions = newMapJSON(sparsero.AffineMap{Matrix: d.Directions}).Matrix
	}
	return state
}

func (d *Design) load(data []byte, dictionary *sparsero.Dictionary) error {
	var state designState
	p, err := readFile(data, "design", dictionary, &state)
	if err != nil {
		return err
	}
	solution, err := state.Solution.solution(p)
	if err != nil {
		return err
	}
	*d = Design(state.plainDesign)
	d.Atoms, d.Radius, d.Solution, d.request = solution.Atoms, solution.Radius, solution, state.designRequest
	if state.Directions != nil {
		directions, err := (&mapJSON{Matrix: state.Directions}).affine()
		if err != nil {
			return err
		}
		d.Directions = directions.Matrix
	}
	return nil
}

func (s *Solution) load(data []byte, dictionary *sparsero.Dictionary) error {
	var state solutionState
	p, err := readFile(data, "solution", dictionary, &state)
	if err != nil {
		return err
	}
	read, err := state.solution(p)
	if err == nil {
		*s = *read
	}
	return err
}

// tunedState is what a design file holds of a Tuned.
type tunedState struct {
	Answer     int // the step that was chosen
	Steps      []stepState
	Demands    Demands
	Samples    int
	Hypotheses []string
	Partial    bool
	Rule       shareRule
	Atoms      int
}

type stepState struct {
	plainStep
	Solution *solutionState
	Support  int
}

type plainStep TuneStep

func (t *Tuned) state() *tunedState {
	if t.evidence == nil {
		return nil // an answer that Tune did not give has no problem either
	}
	state := &tunedState{Demands: t.Demands, Samples: t.Samples, Hypotheses: t.Hypotheses, Partial: t.Partial, Rule: t.evidence.shareRule, Atoms: t.atoms}
	for k, s := range t.Steps {
		if s.Solution == t.Solution {
			state.Answer = k
		}
		state.Steps = append(state.Steps, stepState{plainStep(s), s.Solution.state(), s.support})
	}
	return state
}

func (t *Tuned) load(data []byte, dictionary *sparsero.Dictionary) error {
	var state tunedState
	p, err := readFile(data, "tuned", dictionary, &state)
	if err != nil {
		return err
	}
	*t = Tuned{
		Demands: state.Demands, Samples: state.Samples, Hypotheses: state.Hypotheses, Partial: state.Partial,
		evidence: &evidence{shareRule: state.Rule}, atoms: state.Atoms,
	}
	for _, s := range state.Steps {
		solution, err := s.Solution.solution(p)
		if err != nil {
			return err
		}
		step := TuneStep(s.plainStep)
		step.Atoms, step.Radius, step.Solution, step.support = solution.Atoms, solution.Radius, solution, s.Support
		t.Steps = append(t.Steps, step)
	}
	if state.Answer < 0 || state.Answer >= len(t.Steps) {
		return fmt.Errorf("robust: the answer is step %d of %d; the file is damaged", state.Answer, len(t.Steps))
	}
	t.TuneStep = t.Steps[state.Answer]
	return nil
}

// MarshalJSON writes the design file of the solution without its seal.
func (s *Solution) MarshalJSON() ([]byte, error) { return object("solution", s, s.state()) }

// MarshalJSON writes the design file without its seal.
func (d *Design) MarshalJSON() ([]byte, error) { return object("design", d.Solution, d.state()) }

// MarshalJSON writes the design file of the answer without its seal.
func (t *Tuned) MarshalJSON() ([]byte, error) { return object("tuned", t.Solution, t.state()) }

// UnmarshalJSON reads what MarshalJSON or Save wrote.
func (s *Solution) UnmarshalJSON(data []byte) error { return s.load(data, nil) }

// UnmarshalJSON reads what MarshalJSON or Save wrote.
func (d *Design) UnmarshalJSON(data []byte) error { return d.load(data, nil) }

// UnmarshalJSON reads what MarshalJSON or Save wrote.
func (t *Tuned) UnmarshalJSON(data []byte) error { return t.load(data, nil) }

// object is a design file without a seal and with the atoms, whatever their number.
func object(kind string, s *Solution, state any) ([]byte, error) {
	body, err := designFile(kind, s, state, nil, false)
	if err != nil {
		return nil, err
	}
	return append(bytes.TrimSuffix(body, []byte(",\n")), '}'), nil
}
