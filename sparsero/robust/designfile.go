package robust

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/portable"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
)

// The design file; sparsero/certificate/FORMAT.md says what its keys mean.
const (
	fileFormat  = "sparsero design"
	fileVersion = 1
	// embeddedNumbers is the largest Np of a dictionary whose atoms a design file holds.
	embeddedNumbers = 200_000
)

// Record is what the author of a design file states besides what is computed.
type Record struct {
	// Calibration says how the radius was set. Nil says nothing.
	Calibration *calibration.Radius
	// Seeds names the seeds of whatever was drawn.
	Seeds map[string]int64
	// Note is a remark.
	Note string
}

// entry is one key of a design file.
type entry struct {
	key   string
	value any
}

// mapJSON is the form of an affine map.
type mapJSON struct {
	Matrix   [][]float64 `json:"matrix"`
	Constant []float64   `json:"constant"`
}

// constraintJSON is the form of a Constraint.
type constraintJSON struct {
	Name    string    `json:"name"`
	Nominal []float64 `json:"nominal"`
	mapJSON
	Limit float64 `json:"limit"`
}

// Save writes the solution to a design file, which LoadSolution reads back into an equal value and which anybody can check
// apart from this module (certificate.Verify, verify.py). The record may be nil. The claims rest on multipliers and are
// made in fractions; those of an integer problem on a tree of linear relaxations of at most 400 nodes, which may prove
// less than LowerBound. The dictionary is embedded up to 200,000 numbers, beyond that its hash stands for it. It is an
// error if no method of Problem returned the solution, or if the file cannot be written.
func (s *Solution) Save(path string, record *Record) error {
	body, err := sealed("solution", s, s.state(), record)
	return save(path, body, err)
}

// Save writes the design as [Solution.Save] does. Functions among the options are not written; what depends on them
// says so after LoadDesign.
func (d *Design) Save(path string, record *Record) error {
	body, err := sealed("design", d.Solution, d.state(), record)
	return save(path, body, err)
}

// Save writes the answer, the steps included, as [Solution.Save] does.
func (t *Tuned) Save(path string, record *Record) error {
	body, err := sealed("tuned", t.Solution, t.state(), record)
	return save(path, body, err)
}

// Write writes the design file that Save writes, for programs without files such as those in a browser.
func (t *Tuned) Write(w io.Writer, record *Record) error {
	body, err := sealed("tuned", t.Solution, t.state(), record)
	if err == nil {
		_, err = w.Write(body)
	}
	return err
}

// sealed is a whole design file.
func sealed(kind string, s *Solution, state any, record *Record) ([]byte, error) {
	body, err := designFile(kind, s, state, record, true)
	digest := sha256.Sum256(body)
	return fmt.Appendf(body, "\"seal\": %q\n}\n", hex.EncodeToString(digest[:])), err
}

// save writes a whole file under another name first, so that no half one is ever seen.
func save(path string, body []byte, err error) error {
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".design-*")
	if err == nil {
		draft.Chmod(0o644) // a file to hand on; where this fails, it is its owner's alone
		_, err = draft.Write(body)
		if closing := draft.Close(); err == nil {
			err = closing
		}
		if err == nil {
			err = os.Rename(draft.Name(), path)
		}
		if err != nil {
			os.Remove(draft.Name())
		}
	}
	if err != nil {
		return fmt.Errorf("robust: design file %s: %w", path, err)
	}
	return nil
}

// designFile writes all keys but the seal, a line each; the object stays open for it.
func designFile(kind string, s *Solution, state any, record *Record, small bool) ([]byte, error) {
	if s == nil || s.problem == nil {
		return nil, fmt.Errorf("robust: no method of Problem returned this %s, so that there is nothing to write; use Solve, Design or Tune", kind)
	}
	if s.problem.set != nil {
		return nil, fmt.Errorf("robust: a file has no form for a convex set; for the claims about the points that were needed, build a problem over the Dictionary of Solution.Problem and write its %s", kind)
	}
	entries, err := s.entries(kind, small)
	if err != nil {
		return nil, err
	}
	if record == nil {
		record = &Record{}
	}
	note := record.Note
	if s.Blocks != nil {
		note = strings.TrimLeft(note+"\n"+s.Blocks.note(), "\n")
	}
	result, err := portable.Marshal(state) // it has numbers that JSON does not have
	if err != nil {
		return nil, fmt.Errorf("robust: design file: result: %w", err)
	}
	entries = append(entries, entry{"calibration", record.Calibration}, entry{"seeds", record.Seeds}, entry{"note", note}, entry{"result", json.RawMessage(result)})
	var body bytes.Buffer
	body.WriteString("{\n")
	for _, e := range entries {
		value, err := json.Marshal(e.value)
		if err != nil {
			return nil, fmt.Errorf("robust: design file: %s: %w", e.key, err)
		}
		fmt.Fprintf(&body, "%q: %s,\n", e.key, value)
	}
	return body.Bytes(), nil
}

// entries are the keys that the checkers read.
func (s *Solution) entries(kind string, small bool) ([]entry, error) {
	p := s.problem
	e := newExactProblem(p, s.Radius, s.X)
	list := e.findImplied()
	found := s.prove(context.Background(), e.bounded(list))
	made := s.claims(e, list, found)
	dictionary, err := p.dictionary.Summary()
	if n, dimension := p.dictionary.Size(), p.dictionary.Dim(); !small || n*dimension <= embeddedNumbers {
		dictionary, err = json.Marshal(p.dictionary)
	}
	if err != nil {
		return nil, err
	}
	form := p.form(dictionary)
	return []entry{
		{"format", fileFormat}, {"version", fileVersion}, {"software", software()}, {"kind", kind},
		{"statements", made.statements(s)}, {"dictionary", form.Dictionary}, {"model", form.Model},
		{"objective", form.Objective}, {"constraints", form.Constraints},
		{"chosen", append([]int{}, s.Atoms...)}, {"radius", s.Radius + 0}, {"decision", s.X}, {"claims", made},
		{"implied", list}, {"proof", found},
	}, nil
}

// newMapJSON returns nil for a map without a matrix.
func newMapJSON(q sparsero.AffineMap) *mapJSON {
	if q.Matrix == nil {
		return nil
	}
	form := &mapJSON{Constant: q.Constant}
	p, _ := q.Dims()
	for k := range p {
		form.Matrix = append(form.Matrix, q.Matrix.RawRowView(k))
	}
	return form
}

func (f *mapJSON) affine() (sparsero.AffineMap, error) {
	if f == nil || len(f.Matrix) == 0 {
		return sparsero.AffineMap{}, nil
	}
	matrix := mat.NewDense(len(f.Matrix), max(1, len(f.Matrix[0])), nil)
	for k, row := range f.Matrix {
		if len(row) != matrix.RawMatrix().Cols {
			return sparsero.AffineMap{}, fmt.Errorf("robust: row %d of a map has %d numbers, not %d", k, len(row), matrix.RawMatrix().Cols)
		}
		matrix.SetRow(k, row)
	}
	return sparsero.NewAffineMap(matrix, f.Constant)
}

// software names the module and the version that this program was built from.
func software() string {
	const module = "github.com/sparsero/directions"
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(slices.Clone(info.Deps), &info.Main) {
			if m.Path == module && m.Version != "" {
				version = m.Version
			}
		}
	}
	return module + " " + version
}

// LoadSolution reads a design file that Solution.Save wrote. The dictionary may be nil if the file embeds it;
// otherwise it must have the hash in the file. It trusts the file: certificate.Verify checks the claims. It is an
// error if the file is of another kind, format or version, or does not fit together.
func LoadSolution(path string, dictionary *sparsero.Dictionary) (*Solution, error) {
	s := &Solution{}
	return s, load(path, dictionary, s.load)
}

// LoadDesign reads a design file that Design.Save wrote, as [LoadSolution] does.
func LoadDesign(path string, dictionary *sparsero.Dictionary) (*Design, error) {
	d := &Design{}
	return d, load(path, dictionary, d.load)
}

// LoadTuned reads a design file that Tuned.Save wrote, as [LoadSolution] does.
func LoadTuned(path string, dictionary *sparsero.Dictionary) (*Tuned, error) {
	t := &Tuned{}
	return t, load(path, dictionary, t.load)
}

func load(path string, dictionary *sparsero.Dictionary, into func([]byte, *sparsero.Dictionary) error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("robust: design file: %w", err)
	}
	if err := into(data, dictionary); err != nil {
		return fmt.Errorf("design file %s: %w", path, err)
	}
	return nil
}

// LoadRecord reads what the author of a design file stated.
func LoadRecord(path string) (*Record, error) {
	record := &Record{}
	if err := load(path, nil, func(data []byte, _ *sparsero.Dictionary) error { return json.Unmarshal(data, record) }); err != nil {
		return nil, err
	}
	return record, nil
}

// fileJSON is what is read of a design file.
type fileJSON struct {
	Format  string          `json:"format"`
	Version int             `json:"version"`
	Kind    string          `json:"kind"`
	Result  json.RawMessage `json:"result"`
	problemJSON
}

// readFile reads a file of a kind: the problem, and the state of what is to be restored.
func readFile(data []byte, kind string, dictionary *sparsero.Dictionary, state any) (*Problem, error) {
	var f fileJSON
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	switch {
	case f.Format != fileFormat || f.Version != fileVersion:
		return nil, fmt.Errorf("robust: format %q of version %d is not %q of version %d, which this program reads", f.Format, f.Version, fileFormat, fileVersion)
	case f.Kind != kind:
		return nil, fmt.Errorf("robust: the file holds a %s, not a %s; load it as that", f.Kind, kind)
	}
	dictionary, err := readDictionary(f.Dictionary, dictionary)
	if err != nil {
		return nil, err
	}
	problem, err := f.problem(dictionary)
	if err == nil {
		if err = portable.Unmarshal(f.Result, state); err != nil {
			err = fmt.Errorf("robust: result: %w", err)
		}
	}
	return problem, err
}

// readDictionary returns the embedded dictionary, or the one at hand if it has the hash.
func readDictionary(data json.RawMessage, at *sparsero.Dictionary) (*sparsero.Dictionary, error) {
	if at == nil {
		embedded := &sparsero.Dictionary{}
		return embedded, embedded.UnmarshalJSON(data)
	}
	var form struct {
		SHA256  string `json:"sha256"`
		Sampled bool   `json:"sampled"`
	}
	if err := json.Unmarshal(data, &form); err != nil {
		return nil, fmt.Errorf("robust: dictionary: %w", err)
	}
	if hash := at.Hash(); hash != form.SHA256 {
		return nil, fmt.Errorf("robust: the dictionary at hand has the hash %.12s…, that of the file %.12s…; pass the one that the file was made with", hash, form.SHA256)
	}
	if form.Sampled && !at.Sampled() {
		return at.AsSampled()
	}
	return at, nil
}
