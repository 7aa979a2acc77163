// Package notebook delivers what is to be shown: to the GoNB kernel as one bundle of MIME
// types, or to a terminal as text and files.
//
// A Bundle holds the same thing in several forms. The front end shows the richest form that
// it knows: JupyterLab the interactive chart, a code host the PNG, a plain text viewer the
// text line.
package notebook
