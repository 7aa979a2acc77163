// Package table turns frames, matrices and structs into tables that read well: numbers
// aligned and rounded by significance, units in headers, long data capped with a count.
//
// A Table writes itself as text for a terminal, as escaped HTML for a notebook, and as CSV with all
// rows in full precision, which the LaTeX package csvsimple typesets.
package table
