// Package blocks works with dictionaries that are spread over files and machines, and proves that its answers are those of a
// single machine with all atoms.
//
// Where things are:
//
//	task, work, answer  what all blocks are asked; what one answers; how answers are joined
//	select              the rounds of proposing and verifying
//	folder, files       blocks in a folder and their checksums; files here and in object stores
//	beam, pipeline      a job of Apache Beam; its steps
//	oracle              blocks as the set of a robust problem
//
// The dictionary is cut into blocks of rows. A centre asks all blocks the same [Task]; a block answers with [Work], a pure
// function of its rows and the task; [Merge] joins the answers. It is associative, commutative and idempotent, so answers
// may come in any order, from any split, and twice. [Select] proposes and verifies:
//
//  1. Each block proposes the greedy path of its own atoms, and tells the support of
//     every direction.
//  2. The centre runs greedy on all proposals together.
//  3. Each block replays that path and tells its largest gains at every step.
//
// If no atom of any block beats a pick, the path is that of greedy on all N atoms, the same to the last bit. Otherwise the
// better atoms join the proposals and the last two points are repeated: each repetition makes at least one more step final.
// Whenever it ends, the largest gains bound what any set of that size could reach,
//
//	max_{|S| <= b} F(S;T) <= min_t [ F(S_t;T) + sum of the b largest gains at S_t ],
//
// over all N atoms and without an assumption about the split.
//
// [Oracle] makes blocks the uncertainty set of a robust problem: robust.NewOracleProblem solves and designs over them, with
// certificates against all N atoms.
//
// An [Engine] carries tasks to blocks and brings the answers. [Folder] reads the blocks of a folder one after the other in
// this process; [Beam] runs a job of Apache Beam, on Prism in this process or on Flink, Spark and Dataflow:
//
//	Create(blocks) -> Reshuffle -> ParDo(Work) -> Combine(Merge) -> ParDo(one file)
//
// There are no side inputs, which some runners lack, and no engine of ours: a runner may repeat what it likes.
package blocks
