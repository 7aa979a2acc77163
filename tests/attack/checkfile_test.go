package attack

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"

	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/floats"
)

// fileClaims are the claims of a design file.
type fileClaims struct {
	Restricted, Full, Missed float64
	Lower, Regret, Gap       *float64
	checked                  error
}

// file solves for the chosen atoms, writes the design file and reads its claims.
func (l *library) file() (*robust.Solution, *fileClaims, error) {
	s, err := l.robust.Solve(l.context, l.problem.Chosen, l.problem.Radius, l.robustOptions())
	if err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp("", "attack")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "design.json")
	if err := s.Save(path, nil); err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	f := struct{ Claims fileClaims }{fileClaims{checked: checked(data)}}
	return s, &f.Claims, json.Unmarshal(data, &f)
}

// checked is what the checker says, which shares no code with the writer.
func checked(file []byte) error {
	_, err := designfile.Verify(bytes.NewReader(file), nil)
	return err
}

// checkFile judges the claims of a design file by the exact truth.
func checkFile(j *judge) {
	s, claims, err := j.library.file()
	if err != nil {
		j.refuse("file", err)
		return
	}
	j.flag("file checked", claims.checked == nil, "%v", claims.checked)
	r, x, all := rational(s.Radius), rationals(s.X), j.problem.everyAtom()
	restricted, data := j.robustValue(s.Atoms, r, x)
	full, _ := j.robustValue(all, r, x)
	j.atLeast("file restricted", claims.Restricted, restricted, data)
	j.atLeast("file full", claims.Full, full, data)
	truth := j.minimum(all, s.Radius)
	if claims.Lower == nil {
		vanishes := j.problem.smallestCost(j.problem.Rows...) < 0x1p-1022 // a multiplier, of which a file holds float64 alone
		j.flag("file lower", math.IsInf(s.LowerBound.Float(), -1) || truth.outcome != solved || j.problem.Quadratic != nil || vanishes, "the file proves nothing, but LowerBound is %v", s.LowerBound.Float())
		return
	}
	if truth.outcome != solved {
		j.flag("file lower", truth.outcome == infeasible, "a lower bound %v of an unbounded problem", *claims.Lower)
		return
	}
	data = larger(data, truth.data)
	j.atMost("file lower", *claims.Lower, truth.value, data)
	if claims.Regret != nil {
		j.atLeast("file regret", *claims.Regret, difference(full, truth.value), data)
	}
	if claims.Gap != nil && claims.Missed == 0 {
		j.atLeast("file gap", *claims.Gap, difference(truth.value, j.minimum(s.Atoms, s.Radius).value), data)
	}
}

// smallestCost is the smallest cost but 0 as a share of the largest coefficient of the atoms and of some rows, +Inf without
// costs.
func (p *problem) smallestCost(rows ...row) float64 {
	cost, largest := math.Inf(1), 0.0
	for _, c := range p.Columns {
		if c.Cost != 0 {
			cost = min(cost, math.Abs(c.Cost))
		}
	}
	for _, r := range rows {
		largest = max(largest, floats.Norm(r.Values, math.Inf(1)))
	}
	maps := [][][]float64{p.Map}
	for _, c := range p.Constraints {
		maps = append(maps, c.Map)
	}
	for _, rows := range maps {
		for k, row := range rows {
			for _, atom := range p.Atoms {
				largest = max(largest, math.Abs(atom[k])*floats.Norm(row, math.Inf(1)))
			}
		}
	}
	return cost / largest
}
