package designfile

import (
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/lifted"
)

const (
	formatName    = "sparsero design"
	formatVersion = 2
)

// file is a whole design file; its fields are the keys, in the order in which they are written.
type file struct {
	Format     string          `json:"format"`
	Version    int             `json:"version"`
	Claims     numbers         `json:"claims"`
	Decision   lifted.Decision `json:"decision"`
	Problem    lifted.Problem  `json:"problem"`
	Proof      *lifted.Proof   `json:"proof"`
	Provenance Provenance      `json:"provenance"`
	Seal       string          `json:"seal"`
}

// Content is what a design file holds besides its claims.
type Content struct {
	Problem    lifted.Problem
	Decision   lifted.Decision
	Proof      *lifted.Proof // nil for none
	Provenance Provenance
	// Uncertified withholds the claims about regret and gap, as X is not meant to be feasible.
	Uncertified bool
}

// Claims are what a file claims about its decision; the zero value of a bound where it claims nothing.
type Claims struct {
	Full       proof.Upper // of Φ_N(X)
	Restricted proof.Upper // of Φ_S(X)
	Missed     proof.Upper // of what X is out of bounds, rows and robust constraints by
	Lower      proof.Lower // of min Φ_N
	Regret     proof.Upper // of Φ_N(X) - min Φ_N
	Gap        proof.Upper // of min Φ_N - min Φ_S
}

// numbers are the claims as a file writes them, rounded outwards to 12 decimal digits; nil where nothing is proven.
type numbers struct {
	Full       float64  `json:"full"`       // Φ_N(X) is at most this
	Restricted float64  `json:"restricted"` // Φ_S(X) is at most this
	Missed     float64  `json:"missed"`     // X is out of bounds, rows and robust constraints by at most this
	Lower      *float64 `json:"lower"`      // min Φ_N is at least this
	Regret     *float64 `json:"regret"`     // Φ_N(X) - min Φ_N is at most this
	Gap        *float64 `json:"gap"`        // min Φ_N - min Φ_S is at most this
}

// Provenance is what the author states. Nobody can check it from the file.
type Provenance struct {
	Software   string   `json:"software"`
	Promises   []string `json:"promises"`   // about draws that are not among the atoms, and how the radius was set
	Hypotheses []string `json:"hypotheses"` // on what the promises rest
	Seeds      []Seed   `json:"seeds"`
	Note       string   `json:"note"`
}

// Seed is what was drawn and its seed, in decimal digits because readers of JSON round numbers.
type Seed [2]string
