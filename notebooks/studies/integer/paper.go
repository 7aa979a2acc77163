package integer

import (
	_ "embed"

	"github.com/sparsero/directions/notebooks/studies/paper"
)

// paperText holds what section 5.3 and its appendix print. The three readings of max-gamma all stand
// beside the one row of the paper, and every protocol beside the one experiment.
//
//go:embed paper.tsv
var paperText string

var printed = paper.Read(paperText)

// printed returns the policy under which the paper prints a policy's numbers.
func (p Policy) printed() Policy {
	if p == MaxGammaMax || p == MaxGammaNominal {
		return MaxGammaSum
	}
	return p
}
