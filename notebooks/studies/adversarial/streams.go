package adversarial

// Streams keep the random numbers of different purposes apart: each is the
// second seed of a PCG generator whose first seed is the user's. Those of the
// starts differ from the others in their high bits, whatever the start.
const (
	streamTraining  = 0x5452_4149_4e00_0001
	streamBootstrap = 0x424f_4f54_0000_0001
	streamStarts    = 0x5354_4152_0000_0000
	streamTest      = 0x5445_5354_0000_0000
)
