package synthetic

import (
	_ "embed"

	"github.com/sparsero/directions/notebooks/studies/paper"
)

// paperText holds what section 5.1 and appendix F print.
//
//go:embed paper.tsv
var paperText string

var printed = paper.Read(paperText)

// The budgets of the tables of appendix F.2 and F.3.
var (
	representativeBudgets = []int{1, 3, 4, 5, 9, 19, 29}
	decompositionBudgets  = []int{3, 5, 9, 19, 29}
)
