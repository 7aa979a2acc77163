// Package shard selects atoms from a dictionary that is spread over many machines, and
// proves that the answer is the one of a single machine.
//
// The dictionary is cut into blocks of rows. A centre asks all blocks the same [Task]; a
// block answers with [Work], a pure function of its rows and the task; [Merge] joins the
// answers. It is associative, commutative and idempotent, so answers may come in any
// order, from any split, and twice. Propose and verify:
//
//  1. Each block proposes the greedy path of its own atoms, and tells the support of
//     every direction.
//  2. The centre runs greedy on all proposals together.
//  3. Each block replays that path and tells its largest gains at every step.
//
// If no atom of any block beats a pick, the path is that of greedy on all N atoms, the
// same to the last bit. Otherwise the better atoms join the proposals and the last two
// points are repeated: each repetition makes at least one more step final. Whenever it
// ends, the largest gains bound what any set of that size could reach,
//
//	max_{|S| <= b} F(S;T) <= min_t [ F(S_t;T) + sum of the b largest gains at S_t ],
//
// over all N atoms and without an assumption about the split.
//
// An [Engine] carries tasks to blocks and brings the answers: [Local] to blocks in memory,
// [Folder] to blocks in files, in this process or with one command for each block, which may
// run elsewhere, and package beam, a module of its own, on Apache Beam.
package shard
