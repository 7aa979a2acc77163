package designfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// ErrNotCheckable is what errors of [Verify] wrap about files that it cannot judge: malformed or too large ones, another
// version, a dictionary that is not at hand.
var ErrNotCheckable = lifted.ErrNotCheckable

// FalseClaimError says which claim of a design file is false, what the file claims and what is true.
type FalseClaimError = lifted.FalseClaimError

// Checked is a design file whose claims are all true. [Verify] alone makes one.
type Checked struct{ file file }

// Content returns what the claims are about, with the atoms of the dictionary wherever they come from. It shares its memory
// with the file and is not to be changed. Nobody can check the Provenance, names and labels.
func (c *Checked) Content() Content {
	f := &c.file
	return Content{Problem: f.Problem, Decision: f.Decision, Proof: f.Proof, Provenance: f.Provenance, Uncertified: f.Claims.Regret == nil}
}

// Claims are those of the file.
func (c *Checked) Claims() Claims {
	f := &c.file.Claims
	claims := Claims{Full: proof.AtMost(f.Full), Restricted: proof.AtMost(f.Restricted), Missed: proof.AtMost(f.Missed)}
	if f.Lower != nil {
		claims.Lower = proof.AtLeast(*f.Lower)
	}
	if f.Regret != nil {
		claims.Regret = proof.AtMost(*f.Regret)
	}
	if f.Gap != nil {
		claims.Gap = proof.AtMost(*f.Gap)
	}
	return claims
}

// Seal is the SHA-256 of the file in front of its seal.
func (c *Checked) Seal() string { return c.file.Seal }

// Unchecked lists what a file states and nobody can check from it.
func (c *Checked) Unchecked() []string {
	return []string{
		"that the model, the dictionary and the radius are those of your problem", "guarantees about new draws",
		"labels, names, seeds and notes",
	}
}

// String says in words what was checked and what was not.
func (c *Checked) String() string {
	var b strings.Builder
	b.WriteString("The file is valid. Checked without rounding:\n")
	for _, statement := range c.Statements() {
		fmt.Fprintf(&b, "  %s\n", statement)
	}
	fmt.Fprintf(&b, "Not checked: %s.", strings.Join(c.Unchecked(), "; "))
	return b.String()
}

// Verify checks every claim of a design file by the rules of FORMAT.md in exact arithmetic. The dictionary may be nil if
// the file holds it, otherwise it is the NPY file (float64 or float32) or the CSV file with the atoms. A claim that is
// false is a [FalseClaimError]; a file that cannot be judged is an error that wraps [ErrNotCheckable]. The design file may
// have up to 256 MB, that of the dictionary 8.5 GB as NPY and 1.2 GB as CSV.
func Verify(design, dictionary io.Reader) (*Checked, error) {
	var verified *Checked
	err := lifted.Checked(func() {
		data := readWhole("design file", design, mostBytes)
		f := decode(data)
		f.check()
		var handed [][]float64
		if dictionary != nil {
			handed = readTable(&f.Problem.Dictionary, dictionary)
		}
		verified = f.judge(sealOf(data), handed)
	})
	return verified, err
}

// check ends the check of a file whose parts do not fit together.
func (f *file) check() {
	lifted.Check(&f.Problem, &f.Decision, f.Proof)
	for _, c := range f.Claims.list() {
		if c.value != nil {
			shown, _ := strconv.ParseFloat(fmt.Sprintf("%.12g", *c.value), 64)
			lifted.Need(shown == *c.value, "the claim %s has more than 12 significant digits", c.name)
		}
	}
}

// judge recomputes every claim. The atoms that are handed over are nil if there are none.
func (f *file) judge(seal string, handed [][]float64) *Checked {
	d := &f.Problem.Dictionary
	lifted.Need(len(d.Values) > 0 || handed != nil, "its dictionary of %d atoms is not in it; hand over their NPY or CSV file; the SHA-256 of their numbers, which is not that of the file, is %s", d.Atoms, d.SHA256)
	if handed != nil {
		hash := lifted.Hash(d.Dimension, handed)
		lifted.Need(len(handed) == d.Atoms && hash == d.SHA256, "the atoms handed over are not its own, which have the SHA-256 %s, but some with %s; "+
			"hand over those of the design, their columns in its order, or none if it holds them", d.SHA256, hash)
	}
	lifted.Ensure(seal == f.Seal, "seal", f.Seal, seal+" by the bytes of the file, which has changed since it was sealed")
	if len(d.Values) > 0 {
		hash := lifted.Hash(d.Dimension, d.Values)
		lifted.Ensure(hash == d.SHA256, "dictionary", d.SHA256, hash+" by its numbers")
	} else {
		d.Values = handed
	}
	f.Claims.judge(f.truth())
	return &Checked{*f}
}

// truth is what the claims are compared with. It ends the check of a decision, atoms or curvature that are not what
// they have to be.
func (f *file) truth() *lifted.Truth {
	for j, c := range f.Problem.Model.Columns {
		v := f.Decision.X[j]
		lifted.Ensure(!c.Integer || v == math.Trunc(v), "decision", fmt.Sprintf("%v in column %d", v, j), "that column holds whole numbers")
	}
	f.Problem.CheckAtoms(&f.Decision)
	if f.Proof != nil && f.Proof.Curvature != nil {
		lifted.Ensure(f.Proof.Curvature.Convex(&f.Problem.Model.Quadratic), "quadratic", "convex", "the squares of the proof do not show it")
	}
	return lifted.Evaluate(&f.Problem, &f.Decision, f.Proof)
}

// readWhole reads a file that is not too large.
func readWhole(name string, reader io.Reader, most int64) []byte {
	lifted.Need(reader != nil, "there is no %s; hand over a reader of it", name)
	data, err := io.ReadAll(io.LimitReader(reader, most+1))
	lifted.Need(err == nil, "the %s cannot be read: %v", name, err)
	lifted.Need(int64(len(data)) <= most, "the %s has more than %d bytes", name, most)
	return data
}

// sealAtEnd is the last key of a file.
var sealAtEnd = regexp.MustCompile(`^"seal"[ \t\r\n]*:[ \t\r\n]*"[0-9a-f]{64}"[ \t\r\n]*\}[ \t\r\n]*$`)

// sealOf returns the SHA-256 of what precedes the key "seal", which must be the last one.
func sealOf(data []byte) string {
	end := max(0, bytes.LastIndex(data, []byte(`"seal"`)))
	lifted.Need(sealAtEnd.Match(data[end:]), "its last key is not seal with 64 hexadecimal digits; it may be cut off, ask for the whole file")
	sum := sha256.Sum256(data[:end])
	return hex.EncodeToString(sum[:])
}
