package chart

// shapes are the forms of points, in the names or paths of Vega.
var shapes = map[Shape]string{
	Circle: "circle", Diamond: "diamond", Ring: ringSymbol,
	Star: "M0,-1.5L0.36,-0.5L1.43,-0.46L0.59,0.19L0.88,1.21L0,0.62L-0.88,1.21L-0.59,0.19L-1.43,-0.46L-0.36,-0.5Z",
}

// entryShapes are the forms of points in the legend, small in a square from -1 to 1 that lines
// and areas fill.
var entryShapes = map[Shape]string{
	Circle:  "M0.5,0A0.5,0.5,0,1,1,-0.5,0A0.5,0.5,0,1,1,0.5,0Z",
	Diamond: "M0,-0.62L0.62,0L0,0.62L-0.62,0Z",
	Ring:    "M0.55,0A0.55,0.55,0,1,1,-0.55,0A0.55,0.55,0,1,1,0.55,0ZM0.33,0A0.33,0.33,0,1,0,-0.33,0A0.33,0.33,0,1,0,0.33,0Z",
	Star:    "M0,-0.8L0.19,-0.27L0.76,-0.25L0.31,0.1L0.47,0.65L0,0.33L-0.47,0.65L-0.31,0.1L-0.76,-0.25L-0.19,-0.27Z",
}

// Legend symbols of layers that are not points, filled paths in a square from -1 to 1.
const (
	lineSymbol  = "M-1,-0.13L1,-0.13L1,0.13L-1,0.13Z"
	dashSymbol  = "M-1,-0.13L-0.45,-0.13L-0.45,0.13L-1,0.13ZM-0.27,-0.13L0.27,-0.13L0.27,0.13L-0.27,0.13ZM0.45,-0.13L1,-0.13L1,0.13L0.45,0.13Z"
	dotsSymbol  = "M-1,-0.13L-0.74,-0.13L-0.74,0.13L-1,0.13ZM-0.42,-0.13L-0.16,-0.13L-0.16,0.13L-0.42,0.13ZM0.16,-0.13L0.42,-0.13L0.42,0.13L0.16,0.13ZM0.74,-0.13L1,-0.13L1,0.13L0.74,0.13Z"
	arrowSymbol = "M-1,-0.1L0.3,-0.1L0.3,-0.45L1,0L0.3,0.45L0.3,0.1L-1,0.1Z"
	areaSymbol  = "M-1,-0.6L1,-0.6L1,0.6L-1,0.6Z"
	frameSymbol = "M-1,-0.6L1,-0.6L1,0.6L-1,0.6ZM-0.8,-0.4L-0.8,0.4L0.8,0.4L0.8,-0.4Z"
	ringSymbol  = "M1,0A1,1,0,1,1,-1,0A1,1,0,1,1,1,0ZM0.6,0A0.6,0.6,0,1,0,-0.6,0A0.6,0.6,0,1,0,0.6,0Z"
)

// dotted is the length of a dash in points up to which a line is shown as dots.
const dotted = 3

// lineSymbol returns the symbol of a line, dashes, or dots.
func (l *Look) lineSymbol() string {
	switch {
	case len(l.Dash) == 0:
		return lineSymbol
	case l.Dash[0] <= dotted:
		return dotsSymbol
	}
	return dashSymbol
}

func (l *Line) symbol() string   { return l.lineSymbol() }
func (l *Points) symbol() string { return entryShapes[l.Shape] }
func (l *Rule) symbol() string   { return l.lineSymbol() }
func (l *Segments) symbol() string {
	if l.Arrow {
		return arrowSymbol
	}
	return l.lineSymbol()
}
func (l *Polygon) symbol() string {
	if l.Fill < 0 {
		return frameSymbol
	}
	return areaSymbol
}

// symbol is that of layers that fill an area.
func (l *Look) symbol() string { return areaSymbol }
