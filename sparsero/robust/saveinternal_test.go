package robust

import (
	"runtime/debug"
	"testing"
)

// TestSoftwareOfAFile is this module, in the version that a program was built with.
func TestSoftwareOfAFile(t *testing.T) {
	const module = "github.com/sparsero/directions"
	other, part, local := debug.Module{Path: "example.com/a", Version: "v9.0.0"}, debug.Module{Path: module, Version: "v1.2.3"}, debug.Module{Path: module}
	for k, c := range []struct {
		built *debug.BuildInfo
		want  string
	}{
		{nil, "(devel)"}, {&debug.BuildInfo{Main: local}, "(devel)"}, {&debug.BuildInfo{Main: other}, "(devel)"},
		{&debug.BuildInfo{Main: part}, "v1.2.3"}, {&debug.BuildInfo{Main: other, Deps: []*debug.Module{&part, &other}}, "v1.2.3"},
	} {
		if got := software(c.built); got != module+" "+c.want {
			t.Errorf("program %d is written by %s, want %s", k, got, c.want)
		}
	}
}
