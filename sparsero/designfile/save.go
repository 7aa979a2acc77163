package designfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/sparsero/directions/sparsero/internal/lifted"
	"github.com/sparsero/directions/sparsero/internal/wholefile"
)

// Save makes the claims, checks the whole file as [Verify] does, and then writes it under its name: first under another
// name in the same folder, so that no half file is ever seen and an old one stays until the new one is complete. The
// hash of the dictionary is computed, and its atoms are left out of the file if they are more than 200,000 numbers and
// not points of a set. A proof that proves no bound is left out. The error is that of Verify if a claim would be false,
// or if nobody could check the file.
func (c *Content) Save(path string) error {
	data, err := c.bytes()
	if err != nil {
		return err
	}
	if err := wholefile.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return fmt.Errorf("designfile: %s: %w", path, err)
	}
	return nil
}

// Write writes the file that Save writes, for programs without files such as those in a browser.
func (c *Content) Write(w io.Writer) error {
	if w == nil {
		return errors.New("designfile: the writer is nil; hand over a file or a buffer")
	}
	data, err := c.bytes()
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// bytes returns a file that was checked: it is written without claims, read, and written with what the reader computes.
// What is read in the end has to be what was evaluated, so that nothing is computed again.
func (c *Content) bytes() ([]byte, error) {
	f := &file{Format: formatName, Version: formatVersion, Problem: c.Problem, Decision: c.Decision, Proof: c.Proof, Provenance: c.Provenance}
	d := &f.Problem.Dictionary
	atoms := d.Values
	if c.Problem.Set == nil && len(atoms)*d.Dimension > lifted.MostEmbedded {
		d.Values = nil
	}
	data, err := encode(f)
	if err != nil {
		return nil, err
	}
	hashed := make(chan string, 1)
	go func() { hashed <- lifted.Hash(d.Dimension, atoms) }() // beside the check, which takes as long
	var t *lifted.Truth
	err = lifted.Checked(func() {
		lifted.Need(len(atoms) > 0, "it has no atoms")
		f = decode(data)
		f.check()
		written := f.Problem.Dictionary.Values
		f.Problem.Dictionary.Values = atoms
		t = f.truth()
		f.Claims, f.Problem.Dictionary.Values = claimed(t, c.Uncertified), written
		if t.Lower == nil {
			f.Proof = nil
		}
	})
	hash := <-hashed
	if err != nil {
		return nil, err
	}
	f.Problem.Dictionary.SHA256 = hash
	if data, err = sealed(f); err != nil {
		return nil, err
	}
	err = lifted.Checked(func() {
		read := decode(data)
		read.check()
		lifted.Ensure(sealOf(data) == read.Seal && reflect.DeepEqual(read, f), "seal", read.Seal, "the file was not written as it is")
		read.Claims.judge(t)
	})
	return data, err
}

// sealed encodes a file with its seal.
func sealed(f *file) ([]byte, error) {
	f.Seal = hex.EncodeToString(make([]byte, sha256.Size)) // of the right length
	data, err := encode(f)
	if err != nil {
		return nil, err
	}
	f.Seal = sealOf(data)
	copy(data[bytes.LastIndexByte(data, ':'):], fmt.Sprintf(": %q", f.Seal))
	return data, nil
}
