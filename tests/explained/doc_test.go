// Package explained explains infeasible robust models of real structure, grids, portfolios and networks, and checks each explanation
// by solves of its own.
package explained
