package attack

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// judges names who compares each claim with exact truth: a check of this folder, or a room of sparsero and its test.
var judges = map[string]string{
	"calibration.Adaptive.Bound":               "calibration: TestAdaptiveByTwoRoads",
	"calibration.ClopperPearson":               "calibration: TestClopperPearsonTwoWays",
	"calibration.Compression.Violation":        "calibration: TestCompressionIsExact",
	"calibration.FailureProbability":           "calibration: TestFailureProbabilityIsTheBetaLaw",
	"calibration.LargestShare":                 "calibration: TestLargestShareTwoWays",
	"calibration.MonitorState.Wealth":          "calibration: TestWealthIsRoundedDown",
	"calibration.Radius.Value":                 "calibration: TestFailureProbabilityOfEachRule",
	"calibration.ViolationRate.Lower":          "calibration: TestIntervalsAreRoundedOutwards",
	"calibration.ViolationRate.Upper":          "calibration: TestIntervalsAreRoundedOutwards",
	"calibration.WeightedConformal.Radius":     "calibration: TestWeightedConformalByRationals",
	"calibration.WeightedConformal.Shortfall":  "calibration: TestWeightedConformalByRationals",
	"certificate.DirectionNorm":                "direction norm",
	"certificate.Hausdorff.Bound":              "direction norm",
	"certificate.Hausdorff.Distance":           "Hausdorff",
	"certificate.Hausdorff.Distances":          "Hausdorff",
	"certificate.Inflation.Factor":             "inflation",
	"certificate.Net.Radius":                   "net",
	"certificate.Net.Width":                    "net",
	"certificate.NetBound.AverageDeficit":      "net",
	"certificate.NetBound.Bound":               "net",
	"certificate.NetBound.Epsilon":             "net",
	"certificate.NetBound.MaxDeficit":          "net",
	"certificate.NetBound.Printed":             "net",
	"certificate.NetBound.Trivial":             "net",
	"certificate.NetBound.Upper":               "net",
	"certificate.Pointwise.Bound":              "pointwise",
	"certificate.Pointwise.Deficit":            "pointwise",
	"certificate.Project":                      "certificate: TestDistancesAreNeverTooSmall",
	"certificate.RadiusEstimate.AtLeast":       "estimate",
	"certificate.RadiusEstimate.AtMost":        "estimate",
	"certificate.RadiusEstimate.UncoveredMass": "certificate: TestUncoveredMassIsRoundedUp",
	"certificate.Uniform.Bound":                "uniform",
	"designfile.Claims.Full":                   "File",
	"designfile.Claims.Gap":                    "File",
	"designfile.Claims.Lower":                  "File",
	"designfile.Claims.Missed":                 "File",
	"designfile.Claims.Regret":                 "File",
	"designfile.Claims.Restricted":             "File",
	"certificate.Uniform.Upper":                "uniform",
	"robust.Dual.Value":                        "duals",
	"robust.Enclosure.Factor":                  "SolveSafe",
	"robust.Explanation.LargestRadius":         "Explain",
	"robust.Explanation.UnattainedRadius":      "Explain",
	"robust.Iteration.Bound":                   "Design",
	"robust.Round.Lower":                       "SolveFull",
	"robust.Rung.Bound":                        "Ladder",
	"robust.Solution.GapBound":                 "Solve",
	"robust.Solution.LowerBound":               "Solve",
	"selection.GreedyGuarantee":                "selection: TestGreedyGuaranteeFallsToItsLimit",
	"selection.InexactGuarantee":               "selection: TestInexactGuaranteeIsRoundedOutwards",
	"selection.Selection.Bounds":               "selection",
	"selection.Selection.OptimalityRatio":      "selection",
	"robust.Level.Value":                       "robust: TestLevelsAreRoundedUp",
	"robust.Promise.Violation":                 "robust: TestLevelsHoldForAllAtoms",
	"robust.TuneStep.Gap":                      "Tune",
	"robust.TuneStep.RelativeGap":              "robust: TestTunedGapHolds",
	"robust.TuneStep.Value":                    "Tune",
	"robust.TuneStep.Violation":                "Tune",
	"robust.UnmetError.Gap":                    "robust: TestUnmetNumbersMeetTheDemand",
	"robust.UnmetError.Violation":              "robust: TestUnmetNumbersMeetTheDemand",
	"solver.Result.Lower":                      "solvers",
	"solver.Result.Upper":                      "solvers",
}

// claims collects everything exported of the library that is a proven bound: fields, results and methods of the types
// proof.Upper and proof.Lower, as package.Type.Field, package.Type.Method or package.Function.
func claims(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, room := range []string{"solver", "sparsero"} {
		err := filepath.WalkDir(filepath.Join("..", "..", room), func(path string, entry os.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			if name := entry.Name(); name == "internal" || name == "cmd" || name == "blocks" || name == "proof" || name == "testdata" {
				return filepath.SkipDir
			}
			found = append(found, claimsOf(t, path)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func claimsOf(t *testing.T, folder string) (found []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			for _, claim := range claimsIn(declaration) {
				found = append(found, file.Name.Name+"."+claim)
			}
		}
	}
	return found
}

// claimsIn returns the claims of one declaration, as Type.Field, Type.Method or Function.
func claimsIn(declaration ast.Decl) (found []string) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if !d.Name.IsExported() || !anyBound(d.Type.Results) {
			return nil
		}
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		if receiver := receiverOf(d.Recv.List[0].Type); ast.IsExported(receiver) {
			return []string{receiver + "." + d.Name.Name}
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			spec, named := s.(*ast.TypeSpec)
			if !named || !spec.Name.IsExported() {
				continue
			}
			if structure, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range structure.Fields.List {
					for _, name := range field.Names {
						if name.IsExported() && isBound(field.Type) {
							found = append(found, spec.Name.Name+"."+name.Name)
						}
					}
				}
			}
		}
	}
	return found
}

func receiverOf(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

func anyBound(fields *ast.FieldList) bool {
	return fields != nil && slices.ContainsFunc(fields.List, func(f *ast.Field) bool { return isBound(f.Type) })
}

// isBound tells whether a type is a proven bound, or a list of them or a pointer to one.
func isBound(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return isBound(e.X)
	case *ast.ArrayType:
		return isBound(e.Elt)
	case *ast.SelectorExpr:
		room, ok := e.X.(*ast.Ident)
		return ok && room.Name == "proof" && (e.Sel.Name == "Upper" || e.Sel.Name == "Lower")
	}
	return false
}

// TestEveryClaimHasAJudge holds the list of claims against the table of their judges: what is proven to users is compared
// with exact truth, here or in the tests of its room.
func TestEveryClaimHasAJudge(t *testing.T) {
	found := claims(t)
	for _, claim := range found {
		if judges[claim] == "" {
			t.Errorf("%s has no judge: write a check in this folder, or a test against exact truth in its room, and name it in judges", claim)
		}
	}
	for claim, judge := range judges {
		if !slices.Contains(found, claim) {
			t.Errorf("%s has a judge, but is no proven bound of the library", claim)
		}
		room, test, apart := strings.Cut(judge, ": ")
		if apart {
			if !hasTest(t, room, test) {
				t.Errorf("%s: there is no %s in sparsero/%s", claim, test, room)
			}
		} else if !slices.ContainsFunc(allChecks, func(c check) bool { return c.name == judge }) {
			t.Errorf("%s: there is no check %s", claim, judge)
		}
	}
}

// hasTest looks for a test in a room of sparsero.
func hasTest(t *testing.T, room, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "sparsero", room, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(name string) bool {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(text), "func "+test+"(t *testing.T)")
	})
}
