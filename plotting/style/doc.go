// Package style is the house style of all figures: colours that colour-blind readers tell
// apart, a sans-serif font, light grids, labels with sub- and superscripts, and legends
// outside the data.
//
// New gives a gonum plot in this style; Outside draws a plot and puts its legend
// beside it, where it cannot cover data.
package style
