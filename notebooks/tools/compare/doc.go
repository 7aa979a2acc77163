// Package compare measures this module against its peers on the machine it runs
// on: NumPy with its BLAS, and SciPy's HiGHS, both from the system's packages.
//
// Both sides read the same arrays, written once as .npy files, and are run in turn,
// repetition after repetition, in one process each, so that what disturbs the
// machine disturbs both. Every workload first checks that the results agree; only
// then is its time of interest. The peers are in peers.py, one function for each
// workload. OpenBLAS is run as shipped and with the core type that is fastest on
// this processor, because some builds choose a slow one.
//
// Command run prints the table and stores it (make compare). The test of this
// package runs everything on small data and checks the agreement alone.
package compare
