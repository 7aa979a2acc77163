// Package attack compares what the library claims with exact truth. It draws small problems of many kinds, asks the
// library for every certificate, and computes the same quantity in rational arithmetic with a simplex method of its own
// (math/big), which shares no code with the library.
//
// A claim is below the truth if it is on the wrong side by more than one unit in the last place of the data: 2^-52 times
// the largest term in the exact evaluation of the claim. Nothing absolute enters, so units do not matter.
//
//	make attack COUNT=20000 SEED=1      the campaign; writes notebooks/results/attack.txt
//	go test ./tests/attack              its beginning: some problems of each family
//
// With go test ./tests/attack -run TestAttack -count=1: -attack.count=2700 -attack.seed=3 is a campaign without a table,
// -attack.first=20000 goes on where another ended, -attack.family=units -attack.check=Solve narrows it, -attack.show=3
// prints more reproducers per certificate, and -attack.replay=FILE examines one problem in JSON, as a false claim prints
// it, and prints every claim with its verdict.
package attack
