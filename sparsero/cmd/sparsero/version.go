package main

import "github.com/sparsero/directions/sparsero/cmd/internal/command"

// release is the newest release that CHANGELOG.md describes.
const release = "0.1.0"

func version(c *command.Call) (value, words any, unmet error) {
	c.Parse(0, 0)
	return struct {
		Version string `json:"version"`
	}{release}, "sparsero " + release, nil
}
