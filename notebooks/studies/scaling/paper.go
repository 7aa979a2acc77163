package scaling

// What Table 1 of the paper prints, by N: the budget of greedy coverage that
// reaches a coverage of 0.99, and its estimate for random sets. It has no other
// numbers of this experiment; its two figures were not printed with values.
var (
	paperGreedy = map[int]float64{2000: 10, 5000: 15, 10000: 20, 15000: 30}
	paperRandom = map[int]float64{2000: 9208, 5000: 23023, 10000: 46049, 15000: 69075}
)

// paperTarget is the coverage of that table; other targets have no paper value.
const paperTarget = 0.99
