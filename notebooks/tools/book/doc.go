// Package book makes the course out of the notebooks: the table of contents in notebooks/README.md with its
// thumbnails, and the book, a static site of all notebooks as they were saved, which needs no network and no server.
package book
