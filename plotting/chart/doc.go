// Package chart describes a figure once and renders it twice: as a static gonum plot and as
// an interactive Vega-Lite specification, with the same data, colours, axes and legend.
//
// A Chart is a list of layers (lines, points, bands, bars, ...) over two axes; a Custom layer adds
// a mark of your own, with a plotter of gonum for the one rendering and a mark of Vega-Lite for the
// other. Layers may be
// limited to one of the renderings (Look.Only), and the interactive rendering can bind
// parameters to sliders (Chart.Sliders) that transform the rows of a layer
// (Look.Transform).
package chart
