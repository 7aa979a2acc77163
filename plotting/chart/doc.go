// Package chart describes a figure once and renders it twice: as a static gonum plot and as
// an interactive Vega-Lite specification, with the same data, colours, axes and legend.
//
// A Chart is a list of layers (lines, points, bands, bars, ...) over two axes. Layers may be
// limited to one of the renderings (Look.Only), and the interactive rendering can bind
// parameters to sliders (Chart.Sliders) that transform the rows of a layer
// (Look.Transform).
package chart
