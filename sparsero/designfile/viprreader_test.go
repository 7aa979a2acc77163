package designfile_test

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A reader of VIPR 1.0 by its specification (Cheung, Gleixner and Steffy 2017), which shares no code with what writes such files.

// form is a linear form: coefficients that are not 0 by variables.
type form map[int]*big.Rat

func (f form) equals(other form) bool {
	return maps.EqualFunc(f, other, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
}

// at is the value of a form.
func (f form) at(x form) *big.Rat {
	sum := new(big.Rat)
	for j, v := range f {
		if x[j] != nil {
			sum.Add(sum, new(big.Rat).Mul(v, x[j]))
		}
	}
	return sum
}

// relation is left >= right for the sense 1, left <= right for -1 and left = right for 0.
type relation struct {
	name  string
	left  form
	sense int
	right *big.Rat
}

// holds tells whether a number on the left keeps to the relation.
func (r *relation) holds(left *big.Rat) bool {
	difference := left.Cmp(r.right)
	return difference == 0 || difference == r.sense
}

// absurd is what no point keeps to.
func (r *relation) absurd() bool { return len(r.left) == 0 && !r.holds(new(big.Rat)) }

func (r *relation) dominates(other *relation) bool {
	if r.absurd() {
		return true
	}
	fits := r.sense == 0 || r.sense == other.sense
	return fits && r.left.equals(other.left) && other.holds(r.right)
}

// derivation is a derived relation with its reason.
type derivation struct {
	relation
	kind        string
	multipliers form   // of lin and rnd, by relations
	split       [4]int // of uns
}

// viprFile is a certificate of a minimum.
type viprFile struct {
	variables    []string
	integers     map[int]bool
	objective    form
	given        []relation
	lower, upper *big.Rat // nil for an infinite one
	solutions    []form
	derived      []derivation
}

// viprTokens reads a certificate token by token.
type viprTokens struct {
	left []string
	file *viprFile
}

type malformed struct{ error }

func demand(holds bool, format string, arguments ...any) {
	if !holds {
		panic(malformed{fmt.Errorf(format, arguments...)})
	}
}

// readVIPR reads a certificate.
func readVIPR(text string) (file *viprFile, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			file, err = nil, reason.(malformed).error
		}
	}()
	for strings.HasPrefix(text, "%") {
		_, text, _ = strings.Cut(text, "\n")
	}
	r := &viprTokens{strings.Fields(text), &viprFile{integers: map[int]bool{}}}
	r.expect("VER")
	r.expect("1.0")
	r.expect("VAR")
	for range r.count() {
		r.file.variables = append(r.file.variables, r.next())
	}
	r.expect("INT")
	for range r.count() {
		r.file.integers[r.below(len(r.file.variables))] = true
	}
	r.expect("OBJ")
	r.expect("min")
	r.file.objective = r.form(len(r.file.variables))
	r.expect("CON")
	constraints, bounds := r.count(), r.count()
	for range constraints {
		r.file.given = append(r.file.given, r.relation())
	}
	demand(bounds <= constraints, "more bounds than constraints")
	r.goal()
	r.expect("SOL")
	for range r.count() {
		r.next()
		r.file.solutions = append(r.file.solutions, r.form(len(r.file.variables)))
	}
	r.expect("DER")
	for range r.count() {
		r.derivation()
	}
	demand(len(r.left) == 0, "more at the end")
	return r.file, nil
}

func (r *viprTokens) next() string {
	demand(len(r.left) > 0, "cut off")
	token := r.left[0]
	r.left = r.left[1:]
	return token
}

func (r *viprTokens) expect(want string) {
	token := r.next()
	demand(token == want, "%q where %q belongs", token, want)
}

func (r *viprTokens) count() int {
	token := r.next()
	n, err := strconv.Atoi(token)
	demand(err == nil && n >= 0, "%q is no count", token)
	demand(n <= len(r.left), "%d is more than follows", n)
	return n
}

func (r *viprTokens) below(limit int) int {
	token := r.next()
	n, err := strconv.Atoi(token)
	demand(err == nil && n >= 0 && n < limit, "%q is no index below %d", token, limit)
	return n
}

func (r *viprTokens) number() *big.Rat {
	token := r.next()
	v, ok := new(big.Rat).SetString(token)
	demand(ok && !strings.ContainsAny(token, "_eEpPxXbBoO"), "%q is no number", token)
	return v
}

// form reads a linear form of distinct indices.
func (r *viprTokens) form(limit int) form {
	f, seen := form{}, map[int]bool{}
	for range r.count() {
		j := r.below(limit)
		demand(!seen[j], "index %d twice", j)
		seen[j] = true
		if v := r.number(); v.Sign() != 0 {
			f[j] = v
		}
	}
	return f
}

func (r *viprTokens) relation() relation {
	c := relation{name: r.next()}
	sense := r.next()
	demand(len(sense) == 1 && strings.Contains("LEG", sense), "%q is no sense", sense)
	c.sense, c.right = strings.Index("LEG", sense)-1, r.number()
	if len(r.left) > 0 && r.left[0] == "OBJ" {
		r.next()
		c.left = r.file.objective
		return c
	}
	c.left = r.form(len(r.file.variables))
	return c
}

func (r *viprTokens) goal() {
	r.expect("RTP")
	r.expect("range")
	if r.left[0] != "-inf" {
		r.file.lower = r.number()
	} else {
		r.next()
	}
	if r.left[0] != "inf" {
		r.file.upper = r.number()
	} else {
		r.next()
	}
}

func (r *viprTokens) derivation() {
	known := len(r.file.given) + len(r.file.derived)
	d := derivation{relation: r.relation()}
	r.expect("{")
	switch d.kind = r.next(); d.kind {
	case "asm":
	case "lin", "rnd":
		d.multipliers = r.form(known)
	case "uns":
		for k := range d.split {
			d.split[k] = r.below(known)
		}
	default:
		demand(false, "%q is no reason", d.kind)
	}
	r.expect("}")
	last, err := strconv.Atoi(r.next())
	demand(err == nil && last >= -1, "the last use is no index")
	r.file.derived = append(r.file.derived, d)
}

// check returns the assumptions on which each relation rests; the error tells why a certificate proves nothing.
func (f *viprFile) check() (assumptions []map[int]bool, err error) {
	for k, x := range f.solutions {
		if !f.feasible(x) {
			return nil, fmt.Errorf("solution %d is not feasible", k)
		}
	}
	attained := func(x form) bool { return f.objective.at(x).Cmp(f.upper) <= 0 }
	if f.upper != nil && !slices.ContainsFunc(f.solutions, attained) {
		return nil, errors.New("no solution attains the upper bound")
	}
	relations := []*relation{}
	for k := range f.given {
		relations, assumptions = append(relations, &f.given[k]), append(assumptions, nil)
	}
	for k := range f.derived {
		d := &f.derived[k]
		rests, err := f.follows(d, relations, assumptions)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		relations, assumptions = append(relations, &d.relation), append(assumptions, rests)
	}
	if f.lower == nil {
		return assumptions, nil
	}
	last := len(relations) - 1
	if last < 0 || len(assumptions[last]) > 0 || !relations[last].dominates(&relation{left: f.objective, sense: 1, right: f.lower}) {
		return nil, errors.New("the last relation is not the lower bound, without assumptions")
	}
	return assumptions, nil
}

// feasible tells whether a point keeps to all that is given.
func (f *viprFile) feasible(x form) bool {
	for j := range f.integers {
		if x[j] != nil && !x[j].IsInt() {
			return false
		}
	}
	return !slices.ContainsFunc(f.given, func(r relation) bool { return !r.holds(r.left.at(x)) })
}

// follows returns the assumptions on which a derivation rests.
func (f *viprFile) follows(d *derivation, known []*relation, assumptions []map[int]bool) (rests map[int]bool, err error) {
	rests = map[int]bool{}
	switch d.kind {
	case "asm":
		return map[int]bool{len(known): true}, nil
	case "uns":
		return f.unsplit(d, known, assumptions)
	}
	sum := relation{left: form{}, right: new(big.Rat)}
	for k, v := range d.multipliers {
		if sense := known[k].sense * v.Sign(); sense != 0 {
			if sum.sense*sense < 0 {
				return nil, errors.New("the signs of the multipliers do not fit")
			}
			sum.sense = sense
		}
		sum.right.Add(sum.right, new(big.Rat).Mul(v, known[k].right))
		for j, a := range known[k].left {
			if sum.left[j] == nil {
				sum.left[j] = new(big.Rat)
			}
			sum.left[j].Add(sum.left[j], new(big.Rat).Mul(v, a))
		}
		maps.Copy(rests, assumptions[k])
	}
	maps.DeleteFunc(sum.left, func(_ int, a *big.Rat) bool { return a.Sign() == 0 })
	if d.kind == "rnd" {
		return nil, errors.New("no rounding is expected here")
	}
	if !sum.dominates(&d.relation) {
		return nil, errors.New("the combination does not dominate")
	}
	return rests, nil
}

// unsplit discharges x <= whole and x >= whole + 1 of integer variables.
func (f *viprFile) unsplit(d *derivation, known []*relation, assumptions []map[int]bool) (map[int]bool, error) {
	rests := map[int]bool{}
	for side := range 2 {
		of, without := d.split[2*side], d.split[2*side+1]
		if !known[of].dominates(&d.relation) {
			return nil, errors.New("a part does not dominate")
		}
		for k := range assumptions[of] {
			if k != without {
				rests[k] = true
			}
		}
	}
	below, above := known[d.split[1]], known[d.split[3]]
	if below.sense > above.sense {
		below, above = above, below
	}
	next := new(big.Rat).Add(below.right, big.NewRat(1, 1))
	if below.sense != -1 || above.sense != 1 || !below.right.IsInt() || next.Cmp(above.right) != 0 || !below.left.equals(above.left) {
		return nil, errors.New("the assumptions do not cover everything")
	}
	for j, a := range below.left {
		if !f.integers[j] || !a.IsInt() {
			return nil, errors.New("a split of what is not whole")
		}
	}
	return rests, nil
}
