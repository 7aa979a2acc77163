package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// dow30Path leads from the folder of this test to real prices.
const dow30Path = "../../../datasets/dow30/dow30.csv"

// TestDesignOfTheReadme: the example of the README, on real prices, gives the days of the history books, and its file is true.
func TestDesignOfTheReadme(t *testing.T) {
	path := filepath.Join(t.TempDir(), "design.json")
	var output, messages bytes.Buffer
	arguments := []string{"design", dow30Path, "-gap", "1%", "-violations", "5%", "-o", path}
	if code := run(context.Background(), arguments, &output, &messages); code != 0 {
		t.Fatalf("exit code %d: %s", code, &messages)
	}
	for _, wanted := range []string{"9 atoms at radius 0.8", "against all 500 atoms", "at most 5.89e-05 (gap 0.271 %) above the optimum",
		"atoms: 1998-08-27, 1998-07-23, 1993-04-02, 2000-10-12, 2000-04-14, 1996-03-08, 1998-08-04, 2000-10-17, 1996-07-15"} {
		if !strings.Contains(output.String(), wanted) {
			t.Errorf("the answer lacks %q:\n%s", wanted, &output)
		}
	}
	output.Reset()
	if code := run(context.Background(), []string{"verify", path}, &output, &messages); code != 0 {
		t.Errorf("verify: exit code %d: %s%s", code, &output, &messages)
	}
}
