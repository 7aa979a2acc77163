package datasets

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
)

// Kinds of atoms in the X-shaped dictionary; an atom's label starts with its kind.
const (
	// KindStructured marks atoms along the two arms of the X.
	KindStructured = "structured"
	// KindIsotropic marks short atoms without a preferred direction.
	KindIsotropic = "isotropic"
	// KindDecoy marks long, almost vertical atoms that carry little support.
	KindDecoy = "decoy"
)

// Streams of the generator: each part draws from its own stream, so that
// changing one size leaves the other parts as they were.
const (
	streamStructured uint64 = iota + 1
	streamIsotropic
	streamDecoys
	streamShuffle
	streamDirections
	streamProbes
	streamCalibration
	streamTest
)

// Mechanism says how X-shaped samples are drawn. The paper does not give its
// generator; both fit its tables, each in another respect.
type Mechanism int

const (
	// Arms is one mechanism for everything: u = t(1, ±0.22) + N(0, 0.05²I)
	// with |t| ~ |N(1, 0.43²)|. Short samples give the rare directions
	// off the arms.
	Arms Mechanism = iota
	// Lobes draws the angle from a Gaussian of standard deviation 0.05 (in
	// radians) around an arm, and 0.5 % of the samples at any angle; lengths are
	// |N(1, 0.43²)|. Isotropic atoms are N(0, 0.6²I) and decoys
	// (N(0, 0.15²), ±N(3, 0.15²)), so that more atoms matter.
	Lobes
)

// String returns "arms" or "lobes".
func (m Mechanism) String() string {
	switch m {
	case Arms:
		return "arms"
	case Lobes:
		return "lobes"
	}
	return fmt.Sprintf("Mechanism(%d)", int(m))
}

const (
	// armSlope is the slope of the arms, |u_2/u_1|.
	armSlope = 0.22
	// radialSpread is the standard deviation of the length along an arm, whose mean is 1.
	radialSpread = 0.43
	// noise is the standard deviation around an arm, per coordinate (Arms) or in radians (Lobes).
	noise = 0.05
	// outlierShare is the probability of a sample at any angle under Lobes.
	outlierShare = 0.005
)

// XShapeOptions describes the X-shaped data of section 5.1.
// The zero value gives the sizes of the paper.
type XShapeOptions struct {
	Seed uint64 // default 0
	// Mechanism is the way samples are drawn. Default Arms.
	Mechanism   Mechanism
	Structured  int // atoms along the arms; default 1200
	Isotropic   int // atoms without a preferred direction; default 400
	Decoys      int // long vertical atoms; default 400
	Directions  int // evaluation directions besides (1, 0); default 800
	Probes      int // held-out unit directions; default 4000
	Calibration int // raw samples to calibrate a radius on; default 1000
	Test        int // raw samples to report on; default 5000
}

// XShape holds one draw of the X-shaped data; all matrices have two columns.
type XShape struct {
	Dictionary  *sparsero.Dictionary // N×2, shuffled; labels are kind and running number
	Evaluation  []float64            // the direction x_eval = (1, 0) of section 5.1
	Directions  *mat.Dense           // T: (1+Directions)×2 unit vectors, the first is Evaluation
	Probes      *mat.Dense           // Probes×2 unit vectors, drawn like Directions
	Calibration *mat.Dense           // Calibration×2 raw samples of U
	Test        *mat.Dense           // Test×2 raw samples of U
}

// NewXShape draws X-shaped uncertainty and a dictionary with decoys.
//
// A sample is u = t(1, ±0.22) + N(0, 0.05²I) with |t| ~ |N(1, 0.43²)|
// and a random sign; directions are u/|u|. The dictionary holds structured atoms
// at the arms' angles (norm |N(1.5, 0.3²)|, angle noise 0.06 rad), isotropic
// atoms N(0, 0.3²I), and decoys (N(0, 0.05²), ±N(3, 0.25²)). [Lobes] changes
// samples, isotropic atoms and decoys. The constants are inferred from the
// paper's tables, since its generator is not public.
//
// It returns an error when an option is negative or unknown.
func NewXShape(o XShapeOptions) (*XShape, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	dictionary, err := o.dictionary()
	if err != nil {
		return nil, err
	}
	evaluation := []float64{1, 0}
	directions := mat.NewDense(1+o.Directions, 2, nil)
	directions.SetRow(0, evaluation)
	directions.Slice(1, 1+o.Directions, 0, 2).(*mat.Dense).Copy(o.unitSamples(o.Directions, streamDirections))
	return &XShape{
		Dictionary:  dictionary,
		Evaluation:  evaluation,
		Directions:  directions,
		Probes:      o.unitSamples(o.Probes, streamProbes),
		Calibration: o.samples(o.Calibration, streamCalibration),
		Test:        o.samples(o.Test, streamTest),
	}, nil
}

func (o XShapeOptions) withDefaults() XShapeOptions {
	o.Structured, o.Isotropic, o.Decoys = cmp.Or(o.Structured, 1200), cmp.Or(o.Isotropic, 400), cmp.Or(o.Decoys, 400)
	o.Directions, o.Probes = cmp.Or(o.Directions, 800), cmp.Or(o.Probes, 4000)
	o.Calibration, o.Test = cmp.Or(o.Calibration, 1000), cmp.Or(o.Test, 5000)
	return o
}

func (o XShapeOptions) validate() error {
	if o.Mechanism != Arms && o.Mechanism != Lobes {
		return fmt.Errorf("datasets: XShapeOptions.Mechanism = %v is unknown; use Arms or Lobes", o.Mechanism)
	}
	return checkOptions("XShapeOptions", map[string]int{
		"Structured": o.Structured, "Isotropic": o.Isotropic, "Decoys": o.Decoys, "Directions": o.Directions,
		"Probes": o.Probes, "Calibration": o.Calibration, "Test": o.Test,
	}, 2)
}

// checkOptions reports the first size, by name, that is negative or too large for a matrix of so
// many columns.
func checkOptions(options string, sizes map[string]int, columns int) error {
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if sizes[name] < 0 {
			return fmt.Errorf("datasets: %s.%s = %d is negative; use a positive size, or 0 for the default", options, name, sizes[name])
		}
		if err := input.CheckSize("datasets: "+options+"."+name, sizes[name], columns); err != nil {
			return err
		}
	}
	return nil
}

func (o XShapeOptions) stream(id uint64) *rand.Rand {
	return rand.New(rand.NewPCG(o.Seed, id))
}

// samples draws count×2 raw samples of U.
func (o XShapeOptions) samples(count int, id uint64) *mat.Dense {
	random := o.stream(id)
	samples := mat.NewDense(count, 2, nil)
	for i := range count {
		if o.Mechanism == Lobes {
			samples.SetRow(i, o.lobeSample(random))
			continue
		}
		length := 1 + radialSpread*random.NormFloat64()
		if random.IntN(2) == 0 {
			length = -length
		}
		slope := armSlope
		if random.IntN(2) == 0 {
			slope = -slope
		}
		samples.Set(i, 0, length+noise*random.NormFloat64())
		samples.Set(i, 1, length*slope+noise*random.NormFloat64())
	}
	return samples
}

// armAngle draws the angle of one of the four half-arms.
func (o XShapeOptions) armAngle(random *rand.Rand) float64 {
	angle := math.Atan(armSlope)
	if random.IntN(2) == 0 {
		angle = -angle
	}
	if random.IntN(2) == 0 {
		angle += math.Pi
	}
	return angle
}

// lobeSample draws one sample under Lobes.
func (o XShapeOptions) lobeSample(random *rand.Rand) []float64 {
	angle := o.armAngle(random) + noise*random.NormFloat64()
	if random.Float64() < outlierShare {
		angle = 2 * math.Pi * random.Float64()
	}
	length := math.Abs(1 + radialSpread*random.NormFloat64())
	return []float64{length * math.Cos(angle), length * math.Sin(angle)}
}

func (o XShapeOptions) unitSamples(count int, id uint64) *mat.Dense {
	samples := o.samples(count, id)
	for i := range count {
		row := samples.RawRowView(i)
		norm := math.Hypot(row[0], row[1])
		row[0], row[1] = row[0]/norm, row[1]/norm
	}
	return samples
}

// dictionary draws the atoms kind by kind and shuffles them, so that an index says nothing about the kind.
func (o XShapeOptions) dictionary() (*sparsero.Dictionary, error) {
	const (
		angleNoise                  = 0.06 // radians around an arm
		structuredMean, structuredS = 1.5, 0.3
		decoyMean                   = 3.0
	)
	isotropicS, decoyS, decoyX := 0.3, 0.25, 0.05
	if o.Mechanism == Lobes {
		isotropicS, decoyS, decoyX = 0.6, 0.15, 0.15
	}
	var atoms [][2]float64
	var labels []string
	add := func(x, y float64, kind string, number int) {
		atoms = append(atoms, [2]float64{x, y})
		labels = append(labels, fmt.Sprintf("%s-%d", kind, number))
	}
	random := o.stream(streamStructured)
	for i := range o.Structured {
		angle := o.armAngle(random) + angleNoise*random.NormFloat64()
		norm := math.Abs(structuredMean + structuredS*random.NormFloat64())
		add(norm*math.Cos(angle), norm*math.Sin(angle), KindStructured, i)
	}
	random = o.stream(streamIsotropic)
	for i := range o.Isotropic {
		add(isotropicS*random.NormFloat64(), isotropicS*random.NormFloat64(), KindIsotropic, i)
	}
	random = o.stream(streamDecoys)
	for i := range o.Decoys {
		height := decoyMean + decoyS*random.NormFloat64()
		if random.IntN(2) == 0 {
			height = -height
		}
		add(decoyX*random.NormFloat64(), height, KindDecoy, i)
	}
	o.stream(streamShuffle).Shuffle(len(atoms), func(i, j int) {
		atoms[i], atoms[j] = atoms[j], atoms[i]
		labels[i], labels[j] = labels[j], labels[i]
	})
	matrix := mat.NewDense(len(atoms), 2, nil)
	for i, atom := range atoms {
		matrix.SetRow(i, atom[:])
	}
	return sparsero.NewDictionary(matrix, &sparsero.DictionaryOptions{Labels: labels, Columns: []string{"u1", "u2"}})
}
