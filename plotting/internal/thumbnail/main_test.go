package main

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
)

func TestShrink(t *testing.T) {
	var full, small bytes.Buffer
	if err := png.Encode(&full, image.NewGray(image.Rect(0, 0, 1280, 800))); err != nil {
		t.Fatal(err)
	}
	if err := shrink(&full, &small); err != nil {
		t.Fatal(err)
	}
	if c, err := png.DecodeConfig(&small); err != nil || c.Width != 400 || c.Height != 250 {
		t.Errorf("1280×800 became %d×%d (%v), want 400×250", c.Width, c.Height, err)
	}
	if err := shrink(strings.NewReader("short"), &small); err == nil {
		t.Error("a thumbnail was made of no PNG")
	}
}
