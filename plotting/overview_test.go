package plotting_test

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// galleryRows are the pictures of the gallery, by the names of their examples.
var galleryRows = [][]string{
	{"atomicset", "custom", "curves"},
	{"prices", "histogram", "sketch"},
	{"ladder", "bars"},
}

// galleryPath is the overview of all helpers, made of the pictures of the examples.
const galleryPath = "gallery.png"

// TestGallery compares the overview of all helpers with the pictures of the examples. With
// -regen it is drawn anew: one command draws everything, see TestGoldenImages.
func TestGallery(t *testing.T) {
	listed := slices.Concat(galleryRows...)
	for name := range examples {
		if !slices.Contains(listed, name) {
			t.Errorf("the example %s is not in the gallery", name)
		}
	}
	sheet := contactSheet(t)
	if regenerating() {
		var out bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		if err := errors.Join(encoder.Encode(&out, sheet), os.WriteFile(galleryPath, out.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	got := decoded(t, galleryPath)
	same := got.Bounds() == sheet.Bounds()
	for y := 0; same && y < sheet.Bounds().Dy(); y++ {
		for x := range sheet.Bounds().Dx() {
			same = same && color.RGBAModel.Convert(got.At(x, y)) == sheet.At(x, y)
		}
	}
	if !same {
		t.Errorf("%s is not made of the present pictures; draw it with -regen", galleryPath)
	}
}

// regenerating tells whether what is stored is written anew: the flag -regen of gonum's cmpimg.
func regenerating() bool {
	regenerate := flag.Lookup("regen")
	return regenerate != nil && regenerate.Value.String() == "true"
}

func decoded(t *testing.T, path string) image.Image {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// Sizes of the contact sheet in pixels: pictures at half their size.
const (
	thumbWidth = 330
	thumbGap   = 12
)

func contactSheet(t *testing.T) image.Image {
	t.Helper()
	var rows [][]image.Image
	var heights []int
	total := thumbGap
	for _, names := range galleryRows {
		var row []image.Image
		tallest := 0
		for _, name := range names {
			small := shrunk(decoded(t, filepath.Join("testdata", name+"_golden.png")), thumbWidth)
			row, tallest = append(row, small), max(tallest, small.Bounds().Dy())
		}
		rows, heights = append(rows, row), append(heights, tallest)
		total += tallest + thumbGap
	}
	sheet := image.NewRGBA(image.Rect(0, 0, thumbGap+len(galleryRows[0])*(thumbWidth+thumbGap), total))
	draw.Draw(sheet, sheet.Bounds(), image.White, image.Point{}, draw.Src)
	y := thumbGap
	for r, row := range rows {
		for k, picture := range row {
			at := image.Pt(thumbGap+k*(thumbWidth+thumbGap), y)
			draw.Draw(sheet, picture.Bounds().Add(at), picture, image.Point{}, draw.Src)
		}
		y += heights[r] + thumbGap
	}
	return sheet
}

// shrunk returns a picture at a smaller width, each pixel the mean of those that it covers.
func shrunk(picture image.Image, width int) image.Image {
	from := picture.Bounds()
	height := from.Dy() * width / from.Dx()
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			out.Set(x, y, mean(picture, image.Rect(x*from.Dx()/width, y*from.Dy()/height, (x+1)*from.Dx()/width+1, (y+1)*from.Dy()/height+1).Intersect(from)))
		}
	}
	return out
}

func mean(picture image.Image, area image.Rectangle) color.RGBA {
	var r, g, b, n uint32
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			pr, pg, pb, _ := picture.At(x, y).RGBA()
			r, g, b, n = r+pr>>8, g+pg>>8, b+pb>>8, n+1
		}
	}
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255}
}
