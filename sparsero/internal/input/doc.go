// Package input reads tables (CSV with commas, semicolons or tabs), arrays (NPY) and arguments that nobody has checked yet.
//
// Where things are:
//
//	table, csv                        tables; files that are none, and what separates the columns of a text
//	npy                               arrays of NumPy
//	memory, pages_linux, pages_other  memory that is not cleared, and the size of its pages
//	argument                          vectors, matrices and options that nobody has checked; which text is a number
//
// Every reader of dictionaries, prices, features and labels builds on it, and yours may: one set of marks for missing
// values, one manner of errors. Sizes that a file claims are compared with the file before memory is allocated, what an
// archive unpacks to is bounded, and errors quote little of what was read. Callers put the name of their package before an
// error.
package input
