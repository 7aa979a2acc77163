// Package table turns frames, matrices and structs into tables that read well: numbers
// aligned and rounded by significance, units in headers, long data capped with a count, best
// values marked.
//
// A Table writes itself as text for a terminal, as escaped HTML for a notebook, as LaTeX with
// booktabs rules, and as CSV with all rows in full precision.
package table
