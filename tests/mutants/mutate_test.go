package mutants

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// mutant is one small change of one file.
type mutant struct {
	file       string
	line       int
	begin, end int // the bytes that text replaces
	text       string
	// before and after are the lines it changes, with single spaces. With the file they name the mutant, whatever
	// moves above it.
	before, after string
}

// opposites are what takes the place of an operator or keyword: its inverse or negation, and the border of a comparison.
var opposites = map[token.Token][]string{
	token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"}, token.REM: {"*"},
	token.AND: {"|"}, token.OR: {"&"}, token.XOR: {"&"}, token.SHL: {">>"}, token.SHR: {"<<"}, token.AND_NOT: {"&"},
	token.LSS: {">=", "<="}, token.LEQ: {">", "<"}, token.GTR: {"<=", ">="}, token.GEQ: {"<", ">"},
	token.EQL: {"!="}, token.NEQ: {"=="}, token.LAND: {"||"}, token.LOR: {"&&"},
	token.ADD_ASSIGN: {"-="}, token.SUB_ASSIGN: {"+="}, token.MUL_ASSIGN: {"/="}, token.QUO_ASSIGN: {"*="},
	token.INC: {"--"}, token.DEC: {"++"}, token.BREAK: {"continue"}, token.CONTINUE: {"break"},
}

// otherNames are functions and constants with a natural opposite.
var otherNames = map[string]string{
	"min": "max", "max": "min", "Min": "Max", "Max": "Min", "Floor": "Ceil", "Ceil": "Floor",
	"true": "false", "false": "true",
}

// mutator collects the mutants of one file.
type mutator struct {
	set          *token.FileSet
	name, source string
	mutants      []mutant
}

// mutantsOf returns every mutant of a source file: one operator, constant, minimum or maximum, comparison, sign,
// boolean, branch or statement changed at a time.
func mutantsOf(name, source string) ([]mutant, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	m := &mutator{set: set, name: name, source: source}
	for _, declaration := range file.Decls {
		if general, ok := declaration.(*ast.GenDecl); !ok || general.Tok != token.IMPORT {
			ast.Inspect(declaration, m.visit)
		}
	}
	return m.mutants, nil
}

// replace adds the mutant that puts a text in the place of the source between two positions.
func (m *mutator) replace(from, to token.Pos, text string) {
	position := m.set.Position(from)
	begin, end := position.Offset, m.set.Position(to).Offset
	first, last := strings.LastIndexByte(m.source[:begin], '\n')+1, len(m.source)
	if n := strings.IndexByte(m.source[end:], '\n'); n >= 0 {
		last = end + n
	}
	m.mutants = append(m.mutants, mutant{
		file: m.name, line: position.Line, begin: begin, end: end, text: text,
		before: spaced(m.source[first:last]), after: spaced(m.source[first:begin] + text + m.source[end:last]),
	})
}

// of returns the source of a node.
func (m *mutator) of(n ast.Node) string {
	return m.source[m.set.Position(n.Pos()).Offset:m.set.Position(n.End()).Offset]
}

// remove adds the mutant without the node.
func (m *mutator) remove(node ast.Node) { m.replace(node.Pos(), node.End(), "") }

// operator adds the mutants of an operator or keyword.
func (m *mutator) operator(at token.Pos, operator token.Token) {
	for _, other := range opposites[operator] {
		m.replace(at, at+token.Pos(len(operator.String())), other)
	}
}

// condition adds a mutant of a condition for each addition that decides it. The condition stays in the text, so that no
// variable becomes unused.
func (m *mutator) condition(condition ast.Expr, decided ...string) {
	if condition != nil {
		for _, addition := range decided {
			m.replace(condition.Pos(), condition.End(), "("+m.of(condition)+") "+addition)
		}
	}
}

// visit adds the mutants of one node and reports whether to look inside it.
func (m *mutator) visit(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.BinaryExpr:
		m.operator(n.OpPos, n.Op)
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.NOT {
			m.replace(n.OpPos, n.OpPos+1, "")
		}
	case *ast.AssignStmt:
		m.operator(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			m.remove(n)
		}
	case *ast.IncDecStmt:
		m.operator(n.TokPos, n.Tok)
	case *ast.BranchStmt:
		m.operator(n.TokPos, n.Tok)
	case *ast.ExprStmt, *ast.DeferStmt:
		m.remove(n)
	case *ast.IfStmt:
		m.condition(n.Cond, "|| true", "&& false")
	case *ast.ForStmt:
		m.condition(n.Cond, "&& false")
	case *ast.CaseClause:
		if len(n.Body) > 0 {
			m.replace(n.Body[0].Pos(), n.Body[len(n.Body)-1].End(), "")
		}
	case *ast.ReturnStmt:
		return !m.returnsError(n)
	case *ast.CallExpr:
		return m.call(n)
	case *ast.Ident:
		if other, ok := otherNames[n.Name]; ok {
			m.replace(n.Pos(), n.End(), other)
		}
	case *ast.BasicLit:
		m.literal(n)
	}
	return true
}

// call treats calls whose arguments mean less than their value: of the sign of an infinity only the sign counts, and
// nobody can see the capacity of a slice or map.
func (m *mutator) call(n *ast.CallExpr) bool {
	switch m.of(n.Fun) {
	case "math.Inf":
		m.replace(n.Pos(), n.Pos(), "-")
		return false
	case "math.IsInf":
		ast.Inspect(n.Args[0], m.visit)
		return false
	case "make":
		if len(n.Args) > 1 {
			ast.Inspect(n.Args[1], m.visit)
		}
		return false
	}
	return true
}

// returnsError reports that a statement returns a new error, beside which other results mean nothing.
func (m *mutator) returnsError(n *ast.ReturnStmt) bool {
	if len(n.Results) == 0 {
		return false
	}
	last := m.of(n.Results[len(n.Results)-1])
	return last == "err" && len(n.Results) > 1 || strings.HasPrefix(last, "fmt.Errorf(") || strings.HasPrefix(last, "errors.New(")
}

// literal adds the neighbours of a whole number, twice and half a real one, and a thousand times and a thousandth of
// one with an exponent: those are tolerances, whose order of size is what counts.
func (m *mutator) literal(n *ast.BasicLit) {
	factor := "2"
	if strings.Contains(n.Value, "e") {
		factor = "1000"
	}
	switch {
	case n.Kind == token.INT && n.Value == "0":
		m.replace(n.Pos(), n.End(), "1")
	case n.Kind == token.INT:
		m.replace(n.Pos(), n.End(), "("+n.Value+" + 1)")
		m.replace(n.Pos(), n.End(), "("+n.Value+" - 1)")
	case n.Kind == token.FLOAT && strings.Trim(n.Value, "0.") == "":
		m.replace(n.Pos(), n.End(), "1.")
	case n.Kind == token.FLOAT:
		m.replace(n.Pos(), n.End(), "("+n.Value+" * "+factor+")")
		m.replace(n.Pos(), n.End(), "("+n.Value+" / "+factor+")")
	}
}

// spaced has single spaces in the place of all white space.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }
