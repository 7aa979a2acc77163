package grid

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Event is something that happens after the generators were dispatched: branches fail, injections differ from the plan, or both.
type Event struct {
	// Name begins its label, which goes on with what fails; it may be empty.
	Name string
	// Outages are the branches that fail together, by their positions; none is fine.
	Outages []int
	// Injection is what each bus gives beyond the plan, in MW (length B): wind above or load below what was expected is
	// positive. What does not balance is taken up by the generators of the same part of the grid, in proportion to
	// their Max. Nil means as planned.
	Injection []float64
}

// Outages returns an event for every single branch whose failure leaves the grid whole, and the names of the others, which cut
// a part of it off.
func (n *Network) Outages() (events []Event, splitting []string) {
	for k := range n.made().Branches {
		if _, err := n.LODF(k); err != nil {
			splitting = append(splitting, n.Grid.BranchName(k))
			continue
		}
		events = append(events, Event{Outages: []int{k}})
	}
	return events, splitting
}

// Cross returns both lists and each of the outages, which have no Injection, during each of the injections, which have no Outages.
func Cross(outages, injections []Event) []Event {
	events := slices.Concat(outages, injections)
	for _, injection := range injections {
		for _, outage := range outages {
			events = append(events, Event{injection.Name, outage.Outages, injection.Injection})
		}
	}
	return events
}

func (n *Network) label(k int, event Event) string {
	label := event.Name
	if len(event.Outages) > 0 {
		label = strings.TrimPrefix(label+", outage "+n.names(event.Outages), ", ")
	}
	return cmp.Or(label, fmt.Sprintf("event %d", k))
}

// change returns what an event adds to flows and outputs, response x + base as in Network.
func (n *Network) change(event Event) (response *mat.Dense, base []float64, err error) {
	rows, generators := n.response.Dims()
	response, base = mat.NewDense(rows, generators, nil), make([]float64, rows)
	if event.Injection != nil {
		if base, err = n.balanced(event.Injection); err != nil {
			return nil, nil, err
		}
	}
	if len(event.Outages) == 0 {
		return response, base, nil
	}
	factors, err := n.LODF(event.Outages...)
	if err != nil {
		return nil, nil, err
	}
	passed := make([]float64, rows)
	for i, outage := range event.Outages {
		lost := n.base[outage] + base[outage]
		for l := range n.Grid.Branches {
			floats.AddScaled(response.RawRowView(l), factors.At(l, i), n.response.RawRowView(outage))
			passed[l] += factors.At(l, i) * lost
		}
	}
	floats.Add(base, passed)
	return response, base, nil
}

// balanced returns what injections add to the flows, and to the outputs of the generators, which balance them in each
// connected part.
func (n *Network) balanced(injection []float64) ([]float64, error) {
	if len(injection) != len(n.Grid.Buses) || math.IsInf(floats.Norm(injection, 1), 0) || floats.HasNaN(injection) {
		return nil, fmt.Errorf("grid: Injection has %d entries; give a finite one for each of the %d buses", len(injection), len(n.Grid.Buses))
	}
	surplus, capacity := make([]float64, len(injection)), make([]float64, len(injection)) // of the part that a bus names
	for bus, power := range injection {
		surplus[n.island[bus]] += power
	}
	for _, generator := range n.Grid.Generators {
		capacity[n.island[generator.Bus]] += max(generator.Max, 0)
	}
	for part, power := range surplus {
		if power != 0 && !(capacity[part] > 0 && capacity[part] < math.Inf(1)) {
			return nil, fmt.Errorf("grid: the generators around bus %d cannot share %g MW in proportion to their Max, in all %g; make these finite", n.Grid.Buses[part].Number, power, capacity[part])
		}
	}
	injection = slices.Clone(injection)
	added := make([]float64, len(n.Grid.Generators))
	for g, generator := range n.Grid.Generators {
		if part := n.island[generator.Bus]; surplus[part] != 0 {
			added[g] = -surplus[part] * max(generator.Max, 0) / capacity[part]
			injection[generator.Bus] += added[g]
		}
	}
	base := n.transfer(injection)
	copy(base[len(n.Grid.Branches):], added)
	return base, nil
}

// FlowsAfter returns the flows in MW after an event, as Security counts them. It has the errors of Security about an event,
// and panics if dispatch has not one entry for each generator.
func (n *Network) FlowsAfter(dispatch []float64, event Event) ([]float64, error) {
	if generators := len(n.made().Generators); len(dispatch) != generators {
		panic(fmt.Sprintf("grid: dispatch has %d entries; give one for each of the %d generators", len(dispatch), generators))
	}
	response, base, err := n.change(event)
	if err != nil {
		return nil, err
	}
	flows := make([]float64, len(n.Grid.Branches))
	for l := range flows {
		flows[l] = n.base[l] + floats.Dot(n.response.RawRowView(l), dispatch)
		flows[l] += base[l] + floats.Dot(response.RawRowView(l), dispatch)
	}
	return flows, nil
}

// Overload returns by how many MW the worst branch is above emergency times its rating after the worst of the events,
// the position of that event and of that branch; 0, -1 and -1 if none is. It has the errors of FlowsAfter, one of
// numbers that are not finite, and panics where that does.
func (n *Network) Overload(dispatch []float64, events []Event, emergency float64) (overload float64, event, branch int, err error) {
	event, branch = -1, -1
	if !(emergency >= 0 && emergency+floats.Norm(dispatch, 1) < math.Inf(1)) {
		return 0, -1, -1, fmt.Errorf("grid: emergency = %g, and dispatch gives %g MW in all; give a multiple of the ratings of at least 0, and finite outputs", emergency, floats.Sum(dispatch))
	}
	for k := range events {
		flows, err := n.FlowsAfter(dispatch, events[k])
		if err != nil {
			return 0, -1, -1, err
		}
		for l, flow := range flows {
			if over := math.Abs(flow) - emergency*n.Grid.Branches[l].Rating; over > overload {
				overload, event, branch = over, k, l
			}
		}
	}
	return overload, event, branch, nil
}

// Security returns the optimal power flow that survives each of the events without a change of the dispatch x, as a
// robust problem at radius 1. Its atoms are the unit vectors e_k of the K events, labelled with their names; for every
// branch l with a rating and both directions it has a robust row
//
//	±f_l(x) + max(0, max_k ±q_l(x)_k) <= emergency Rating_l,    q_l(x)_k = LODF_lk f_k(x) + what the injections of event k add,
//
// and for every generator that balances injections one row each for its Max and Min. Rows are called by the direction
// of the flow that they limit, "4-5" and "5-4", and by the generator. emergency, from 1 on, is what a branch may carry
// after an event, as a multiple of its Rating. It takes O(K L G) numbers.
//
// An outage that cuts a part off is an error that wraps [ErrSplits]; other errors name the argument.
func (n *Network) Security(events []Event, emergency float64) (*robust.Problem, error) {
	if len(events) == 0 || !(emergency >= 1) || math.IsInf(emergency, 1) {
		return nil, fmt.Errorf("grid: %d events, emergency = %g; give at least one event and a multiple of the ratings of at least 1", len(events), emergency)
	}
	region, labels := n.Dispatch(), make([]string, len(events))
	changes := make([]sparsero.AffineMap, len(n.base)) // of each flow and output, by events
	for q := range changes {
		changes[q] = sparsero.AffineMap{Matrix: mat.NewDense(len(events), region.Columns(), nil), Constant: make([]float64, len(events))}
	}
	for k, event := range events {
		response, base, err := n.change(event)
		if err != nil {
			return nil, fmt.Errorf("%w (events[%d])", err, k)
		}
		labels[k] = n.label(k, event)
		for q, change := range changes {
			for g, before := range n.response.RawRowView(q) {
				added := response.At(q, g)
				if math.Abs(before+added) <= negligibleFactor {
					added = -before // nothing is left but rounding
				}
				change.Matrix.Set(k, g, added)
			}
			change.Constant[k] = base[q]
		}
	}
	dictionary, err := sparsero.NewDictionary(sparsero.Identity(len(events)).Matrix, &sparsero.DictionaryOptions{Labels: labels})
	if err != nil {
		return nil, err
	}
	rows := n.rows(changes, emergency)
	if len(rows) == 0 {
		return nil, errors.New("grid: no branch has a finite Rating and no event an Injection to balance, so that nothing limits the dispatch after an event; give Ratings")
	}
	return robust.NewProblem(dictionary, region, sparsero.AffineMap{}, rows...)
}

func (n *Network) rows(changes []sparsero.AffineMap, emergency float64) (rows []robust.Constraint) {
	add := func(q int, sign float64, name string, limit float64) {
		if math.IsInf(limit, 1) {
			return
		}
		events, columns := changes[q].Dims()
		row := robust.Constraint{Name: name, Nominal: make([]float64, columns), Limit: limit - sign*n.base[q]}
		row.Map = sparsero.AffineMap{Matrix: mat.NewDense(events, columns, nil), Constant: make([]float64, events)}
		floats.AddScaled(row.Nominal[:len(n.Grid.Generators)], sign, n.response.RawRowView(q))
		row.Map.Matrix.Scale(sign, changes[q].Matrix)
		floats.AddScaled(row.Map.Constant, sign, changes[q].Constant)
		rows = append(rows, row)
	}
	for l, branch := range n.Grid.Branches {
		add(l, 1, n.Grid.direction(l, branch.From, branch.To), emergency*branch.Rating)
		add(l, -1, n.Grid.direction(l, branch.To, branch.From), emergency*branch.Rating)
	}
	for g, generator := range n.Grid.Generators {
		if q := len(n.Grid.Branches) + g; floats.Norm(changes[q].Constant, 1) > 0 {
			add(q, 1, "most of "+n.Grid.generatorName(g), generator.Max)
			add(q, -1, "least of "+n.Grid.generatorName(g), -generator.Min)
		}
	}
	return rows
}

// Survivable splits events into those that some dispatch survives and those that none does, each event by itself: a lost one has to
// be planned for otherwise, by a larger emergency or by other branches. The kept ones may still contradict each other; then
// robust's Explain tells which. It solves a model for each event that the last dispatch does not survive. It has the errors
// of Security, of the solver and of the context.
func (n *Network) Survivable(ctx context.Context, events []Event, emergency float64) (kept, lost []Event, err error) {
	var dispatch []float64
	for k, event := range events {
		problem, err := n.Security(events[k:k+1], emergency)
		if err != nil {
			return nil, nil, fmt.Errorf("%w; this is events[%d:%d] alone", err, k, k+1)
		}
		if tried, err := problem.Evaluate([]int{0}, 1, dispatch); err == nil && tried.FullFeasible() { // no first one is an error
			kept = append(kept, event)
			continue
		}
		solved, err := problem.Solve(ctx, []int{0}, 1, nil)
		switch {
		case err == nil:
			kept, dispatch = append(kept, event), solved.X
		case errors.Is(err, solver.ErrInfeasible):
			lost = append(lost, event)
		default:
			return nil, nil, err
		}
	}
	return kept, lost, nil
}
