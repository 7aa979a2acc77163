// Package plotting shows figures and tables, in a notebook and in a terminal.
//
// Where things are:
//
//	figure, show, page              a figure and its files; how things are shown; pages that stand alone
//	atomicset, sketch, supportline  planar sets; dictionaries; the support line and its sliders
//	bars, curves, histogram         named values; curves with bands; distributions
//	network                         nodes and loaded lines, such as power grids
//
// Show displays anything: a figure of this package, a table, a gota frame, a matrix. In a GoNB notebook a figure is one
// bundle with an interactive Vega-Lite chart (tooltips, zoom, sliders; no network needed), a PNG and a text line, so that it
// survives saving, reloading without a kernel, and export. In a terminal the same call prints a table and writes a picture
// to build/figures, or to the folder named by DIRECTIONS_FIGURES.
//
// # Figures
//
//	what                                     function           sliders
//	2-D atomic set, support line, own layers AtomicSet          angle of s, radius r
//	dictionary, chosen atoms, their polytope Sketch
//	named values, ladders of certificates    Bars
//	curves with bands, price paths           Curves
//	coverage and success against a budget    Curves             (Quantiles makes the bands)
//	distributions of samples, scores         Histogram          (the radius is a Mark)
//	anything else                            NewFigure          any (chart.Slider)
//
// gallery.png beside this file shows them all; the examples draw them. In the interactive views a pointer shows values,
// Ctrl and the wheel zoom, dragging moves, and a double click resets.
//
// # Showing
//
// Functions that make a figure or a table return it with an error, and Show takes both:
//
//	must(plotting.Show(plotting.AtomicSet(set, nil)))
//	must(plotting.Show(plotting.Table(frame, &plotting.TableOptions{Rows: 10})))
//
// A line of text that changes while long work goes on is shown by UpdateHTML of GoNB's package gonbui. The notebook's stop
// button ends the context of signal.NotifyContext(ctx, os.Interrupt).
//
// An interactive chart that would exceed 2 MB is thinned, and says so in its subtitle and in the text line.
//
// # Style
//
// All figures share one house style: colours that colour-blind readers tell apart (package style), legends beside the data,
// labels with sub- and superscripts such as "Δ_{S}(s)" and the signs of sets. Every figure is a white sheet, in dark themes
// of JupyterLab too. A plot of gonum is a Figure with nothing but that picture (see the example of Figure).
package plotting
