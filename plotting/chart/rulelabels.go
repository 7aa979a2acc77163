package chart

import (
	"image"
	"image/color"
	"math"

	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// spot is where the label of a rule stands: along the rule as a fraction of the data area, and
// on which side of it.
type spot struct {
	// along is the fraction at which the label is anchored; it extends from there to higher
	// fractions (align 1), to lower ones (-1), or to both sides (0).
	along float64
	align int
	// side is 1 above a horizontal or right of a vertical rule, and -1 on the other side.
	side int
}

// spots are the places along a rule in the order in which they are tried; the one with least ink
// in the way is taken.
var spots = []spot{{1, -1, 1}, {1, -1, -1}, {0, 1, 1}, {0, 1, -1}, {0.7, 0, 1}, {0.7, 0, -1}, {0.3, 0, 1}, {0.3, 0, -1}}

// Height of a label and its distance from its rule, in pixels.
const (
	labelHeight = 15.0
	labelInset  = 2
)

// labelSpots chooses the place of the label of each rule, in turn, on a sketch of the data area with
// all layers but those of the user, whose plotters may fail.
func (f *prepared) labelSpots() {
	f.spots = map[Layer]spot{}
	var sketch *vgimg.Canvas
	var s *canvas
	for _, l := range f.Layers {
		rule, ok := l.(*Rule)
		if !ok || rule.Label == "" || math.IsInf(rule.Value, 0) {
			continue
		}
		if s == nil {
			sketch, s = f.sketch()
		}
		best, least := spot{}, math.Inf(1)
		for _, at := range spots {
			f.spots[l] = at
			if ink := s.inkUnder(rule.note(f), sketch.Image()); ink < least {
				best, least = at, ink
			}
		}
		f.spots[l] = best
		rule.note(f).draw(s, style.Black) // the next label goes elsewhere
	}
}

// widestSketch bounds a side of a sketch in pixels.
const widestSketch = 2000

// sketch draws the layers, in pixels of the screen.
func (f *prepared) sketch() (*vgimg.Canvas, *canvas) {
	width, height := (&spec{p: f}).size()
	picture := vgimg.NewWith(vgimg.UseWH(pixelLength(min(width, widestSketch)), pixelLength(min(height, widestSketch))), vgimg.UseDPI(96))
	s := &canvas{Canvas: draw.New(picture), plot: f.area(), chart: f}
	for i, l := range f.Layers {
		switch l := l.(type) {
		case *Custom:
		case *Rule:
			l.across(s, f.colors[i])
		default:
			if l.look().Only != LiveOnly {
				l.draw(s, f.colors[i])
			}
		}
	}
	return picture, s
}

func pixelLength(pixels float64) vg.Length { return vg.Length(pixels) * style.Pixel }

// inkUnder is the darkness of the pixels that a label would cover; outside of the data area it is
// more than any data have.
func (s *canvas) inkUnder(label *Text, picture image.Image) (ink float64) {
	box := s.box(label)
	low, high := box.Min.Sub(s.Min), box.Max.Sub(s.Min)
	bounds := picture.Bounds()
	for y := math.Floor(float64(low.Y / style.Pixel)); y < float64(high.Y/style.Pixel); y++ {
		for x := math.Floor(float64(low.X / style.Pixel)); x < float64(high.X/style.Pixel); x++ {
			at := image.Pt(int(x), bounds.Max.Y-1-int(y))
			if !at.In(bounds) {
				ink += outsideInk
				continue
			}
			ink += float64(math.MaxUint8 - color.GrayModel.Convert(picture.At(at.X, at.Y)).(color.Gray).Y)
		}
	}
	return ink
}

// outsideInk is the ink of a pixel outside of the data area.
const outsideInk = 1e6

// box is the room of a label on the canvas.
func (s *canvas) box(label *Text) vg.Rectangle {
	at, _ := s.at(label.X[0], label.Y[0])
	sty, at := label.style(style.Black), label.moved(at)
	width := sty.Width(oneLine(label.Labels[0]))
	low := at.Add(vg.Point{X: width * vg.Length(sty.XAlign), Y: -pixelLength(labelHeight / 2)})
	return vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: width, Y: pixelLength(labelHeight)})}
}

// valueAt is the value at a fraction of an axis.
func (a *settled) valueAt(f float64) float64 {
	if a.Reverse {
		f = 1 - f
	}
	if a.Scale == Log {
		return a.min * math.Pow(a.max/a.min, f)
	}
	return a.min + f*(a.max-a.min)
}
