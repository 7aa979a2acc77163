// Command thumbnail makes a PNG on its standard input small enough for the table of contents and writes it to its
// standard output.
package main

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"os"

	"github.com/sparsero/directions/plotting/internal/static"
	"golang.org/x/image/draw"
)

const (
	width, height = 400, 300
	// colors is enough for charts, whose few colours blend at the edges of lines only.
	colors = 64
)

func main() {
	if err := shrink(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "thumbnail:", err)
		os.Exit(1)
	}
}

func shrink(from io.Reader, to io.Writer) error {
	full, err := png.Decode(from)
	if err != nil {
		return err
	}
	size := full.Bounds().Size()
	scale := min(width/float64(size.X), height/float64(size.Y))
	small := image.NewRGBA(image.Rect(0, 0, int(scale*float64(size.X)), int(scale*float64(size.Y))))
	draw.Draw(small, small.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(small, small.Bounds(), full, full.Bounds(), draw.Over, nil)
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	indexed, _ := static.Indexed(small, colors)
	return encoder.Encode(to, indexed)
}
