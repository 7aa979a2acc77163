package style

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/png"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Drawing draws itself into a canvas; *plot.Plot is one.
type Drawing interface{ Draw(c draw.Canvas) }

// DefaultDPI is the resolution of a PNG in dots per inch: twice the CSS pixel, sharp on dense screens
// and in print.
const DefaultDPI = 192

// maxSide bounds a side of a picture in pixels, so that a mistyped size is an error and not
// an exhausted memory.
const maxSide = 16384

// PNG renders a drawing of the given size in CSS pixels (1/96 inch) at dpi dots per inch
// (0 means DefaultDPI). It is an error if a side has less than one or more than 16,384 pixels;
// a drawing that panics, as gonum's plotters do for some input, gives an error as well.
func PNG(d Drawing, width, height float64, dpi int) ([]byte, error) {
	dpi = cmp.Or(dpi, DefaultDPI)
	if side := max(width, height) * float64(dpi) / 96; !(width >= 1 && height >= 1 && dpi >= 1) || side > maxSide {
		return nil, fmt.Errorf("style: figure size %g×%g at %d dpi is out of range; each side takes 1 to %d pixels", width, height, dpi, maxSide)
	}
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Length(width)*Pixel, vg.Length(height)*Pixel), vgimg.UseDPI(dpi))
	if err := drawOn(canvas, d); err != nil {
		return nil, err
	}
	picture := canvas.Image()
	if rgba, ok := picture.(*image.RGBA); ok {
		if few, faithful := Indexed(rgba, 256); faithful {
			picture = few
		}
	}
	var buffer bytes.Buffer
	if err := png.Encode(&buffer, picture); err != nil {
		return nil, fmt.Errorf("style: encoding the figure as PNG: %w", err)
	}
	return buffer.Bytes(), nil
}

// SVG renders a drawing of the given size in CSS pixels; a drawing that panics gives an error.
func SVG(d Drawing, width, height float64) ([]byte, error) {
	canvas := vgsvg.New(vg.Length(width)*Pixel, vg.Length(height)*Pixel)
	if err := drawOn(canvas, d); err != nil {
		return nil, err
	}
	var buffer bytes.Buffer
	if _, err := canvas.WriteTo(&buffer); err != nil {
		return nil, fmt.Errorf("style: writing the figure as SVG: %w", err)
	}
	return buffer.Bytes(), nil
}

// drawOn draws, and turns a panic into an error.
func drawOn(canvas vg.CanvasSizer, d Drawing) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("style: drawing the figure failed: %v", r)
		}
	}()
	d.Draw(draw.New(canvas))
	return nil
}
