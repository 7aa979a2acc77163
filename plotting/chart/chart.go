// Package chart describes a figure as data: a list of layers (lines, points, bands, bars, ...) over two axes.
//
// Where things are:
//
//	chart, layers  a chart and its axes; the marks
//	slide, check   layers for each position of a slider; mistakes of a chart
//
// plotting.NewFigure draws a chart with gonum/plot (package static) and writes it as a Vega-Lite specification (package
// live), with the same data, colours, axes and legend. A layer may be limited to one of the renderings (Look.Only), and the
// interactive one can bind parameters to sliders (Chart.Sliders) that transform the rows of a layer (Look.Transform).
//
// A new mark is a struct here, with its lists, and a case in each of the two renderings.
package chart

// Chart is the description of one figure. A chart needs a layer; everything else has a default.
type Chart struct {
	// Title and Subtitle stand above the data; long ones are wrapped.
	Title, Subtitle string
	// Width and Height are the size in CSS pixels (1/96 inch), legend and title included; default 640 and 400.
	Width, Height float64
	// X and Y describe the axes; default linear ones over the range of the data, without label.
	X, Y Axis
	// Equal makes a unit as long on the one axis as on the other; none of them may be logarithmic.
	Equal bool
	// Layers are drawn in order, later ones above earlier ones.
	Layers []Layer
	// Sliders are parameters of the interactive rendering.
	Sliders []Slider
}

// Scale says how the values of an axis are placed.
type Scale int

// The default is linear. Log wants positive values and leaves others out. Time takes seconds since 1970 in UTC.
const (
	_ Scale = iota
	Log
	Time
)

// Axis describes one axis. Labels may hold sub- and superscripts with braces, as in TeX: "Δ_{S}(s)", "10^{-3}". An
// underscore or caret without braces is an ordinary character, so that column names need no escaping.
type Axis struct {
	// Label names the axis, with the unit in brackets; default none.
	Label string
	// Scale places the values; default linear.
	Scale Scale
	// Min and Max fix the range; both 0 means the range of the data.
	Min, Max float64
	// Zero includes 0 in the range of the data.
	Zero bool
	// Categories names the positions 0, 1, 2, ...
	Categories []string
	// Reverse runs the axis from high to low, so that the first category is on top.
	Reverse bool
	// Hidden leaves out line, ticks and label.
	Hidden bool
}

// Slider is a parameter of the interactive rendering, set by the reader; expressions refer to it by its name.
type Slider struct {
	// Name is the identifier in expressions: letters and digits.
	Name string
	// Label stands beside the slider.
	Label string
	// Min, Max and Step are the range of the slider; Value is where it starts.
	Min, Max, Step, Value float64
}
