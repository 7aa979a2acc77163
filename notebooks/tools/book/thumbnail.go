package book

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"

	"github.com/sparsero/directions/notebooks/tools/ipynb"
	"github.com/sparsero/directions/plotting/style"
	"golang.org/x/image/draw"
)

const (
	// ThumbnailTag marks the cell whose figure stands for the notebook; without it the first figure does.
	ThumbnailTag = "thumbnail"
	// MaximumThumbnail is the largest size of a thumbnail in bytes, because they are kept in the repository.
	MaximumThumbnail = 20 << 10

	thumbnailWidth, thumbnailHeight = 400, 300
	// thumbnailColors is enough for charts, whose few colours blend at the edges of lines only.
	thumbnailColors = 64
)

// Thumbnail is a small PNG of the notebook's figure, nil for a notebook without figures.
func (l *Lesson) Thumbnail() ([]byte, error) {
	chosen, err := l.figure()
	if err != nil || chosen == nil {
		return nil, err
	}
	return thumbnail(chosen)
}

// Illustrated tells whether the notebook has a figure.
func (l *Lesson) Illustrated() bool {
	chosen, err := l.figure()
	return err == nil && chosen != nil
}

// figure is the one that stands for the notebook: of the tagged cell, else the first; nil where there is none.
func (l *Lesson) figure() (chosen []byte, err error) {
	for _, cell := range l.Document.Cells() {
		tagged := slices.Contains(cell.Tags, ThumbnailTag)
		if chosen != nil && !tagged {
			continue
		}
		for _, output := range cell.Outputs {
			found, err := pictureOf(output)
			if err != nil {
				return nil, fmt.Errorf("%w in %s", err, l.Name)
			}
			if found == nil {
				continue
			}
			chosen = found
			if tagged {
				return chosen, nil
			}
			break
		}
	}
	return chosen, nil
}

// pictureOf returns the PNG in an output, nil where there is none.
func pictureOf(output map[string]any) ([]byte, error) {
	data, _ := output["data"].(map[string]any)
	packed := strings.Join(strings.Fields(ipynb.Text(data["image/png"])), "")
	if packed == "" {
		return nil, nil
	}
	picture, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return nil, fmt.Errorf("book: a picture is not base64: %w", err)
	}
	return picture, nil
}

// thumbnail makes a picture small.
func thumbnail(picture []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("book: a picture is no PNG: %w", err)
	}
	scale := min(thumbnailWidth/float64(full.Bounds().Dx()), thumbnailHeight/float64(full.Bounds().Dy()))
	bounds := image.Rect(0, 0, int(scale*float64(full.Bounds().Dx())), int(scale*float64(full.Bounds().Dy())))
	small := image.NewRGBA(bounds)
	draw.Draw(small, bounds, image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(small, bounds, full, full.Bounds(), draw.Over, nil)
	var written bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&written, style.Indexed(small, thumbnailColors)); err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	return written.Bytes(), nil
}
