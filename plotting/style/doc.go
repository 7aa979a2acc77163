// Package style is the house style of all figures: colours that colour-blind readers tell
// apart, a sans-serif font, light grids, and labels with sub- and superscripts. New gives a gonum
// plot in this style.
package style
