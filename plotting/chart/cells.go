package chart

import (
	"cmp"
	"image/color"
	"math"
	"regexp"
	"strconv"

	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
)

func (l *Cells) live(s *spec, _ color.NRGBA) []vega.Object {
	pooled, rows, columns := pool(l.Values, l.NRows, l.NCols, s.rowCap)
	gradient, low, high := l.scale()
	height, width := float64(l.NRows)/float64(rows), float64(l.NCols)/float64(columns)
	values := make([]vega.Object, 0, rows*columns)
	for r := range rows {
		for k := range columns {
			x, y := (float64(k)+0.5)*width-0.5, (float64(r)+0.5)*height-0.5
			row := vega.Object{
				"x": vega.Number(x - width/2), "x2": vega.Number(x + width/2), "y": vega.Number(y - height/2), "y2": vega.Number(y + height/2),
				"value": vega.Number(pooled[r*columns+k]), "xname": s.positionName(s.p.X, x), "yname": s.positionName(s.p.Y, y),
			}
			values = append(values, row)
		}
	}
	encoding := s.xy()
	encoding["x2"], encoding["y2"] = vega.Object{"field": "x2"}, vega.Object{"field": "y2"}
	encoding["color"] = vega.Object{
		"field": "value", "type": "quantitative",
		"scale":  vega.Object{"domain": []vega.Number{vega.Number(low), vega.Number(high)}, "range": gradient.Hex(), "interpolate": "rgb", "clamp": true},
		"legend": vega.Object{"title": style.Unicode(l.Label)},
	}
	encoding["tooltip"] = []vega.Object{
		{"field": "yname", "type": "nominal", "title": titleOr(s.p.Y, "row")}, {"field": "xname", "type": "nominal", "title": titleOr(s.p.X, "column")},
		{"field": "value", "type": "quantitative", "title": style.Unicode(cmp.Or(l.Label, "value")), "format": ".5~g"},
	}
	layer := vega.Object{"mark": vega.Object{"type": "rect", "clip": true, "invalid": nil}, "encoding": encoding, "data": vega.Object{"values": values}}
	if l.Transform != nil {
		layer["transform"] = l.Transform
	}
	return []vega.Object{layer}
}

func titleOr(a Axis, fallback string) string { return style.Unicode(cmp.Or(a.Label, fallback)) }

// positionName names a position along an axis: its category, or its number.
func (s *spec) positionName(a Axis, v float64) string {
	if name := category(&a, v); name != "" {
		return name
	}
	return strconv.Itoa(int(math.Round(v)))
}

// pool averages neighbouring cells until at most limit cells are left, and returns the new
// grid. NaN cells do not count; a block of nothing else stays NaN.
func pool(values []float64, rows, columns, limit int) (pooled []float64, newRows, newColumns int) {
	if rows*columns <= limit || rows*columns == 0 {
		return values, rows, columns
	}
	factor := math.Sqrt(float64(rows*columns) / float64(limit))
	newRows = max(1, min(rows, int(float64(rows)/factor)))
	newColumns = max(1, min(columns, limit/newRows))
	pooled = make([]float64, newRows*newColumns)
	for r := range newRows {
		for k := range newColumns {
			pooled[r*newColumns+k] = blockMean(values, columns, r*rows/newRows, (r+1)*rows/newRows, k*columns/newColumns, (k+1)*columns/newColumns)
		}
	}
	return pooled, newRows, newColumns
}

func blockMean(values []float64, columns, r0, r1, k0, k1 int) float64 {
	sum, count := 0.0, 0
	for r := r0; r < r1; r++ {
		for _, v := range values[r*columns+k0 : r*columns+k1] {
			if !math.IsNaN(v) {
				sum += v
				count++
			}
		}
	}
	if count == 0 {
		return math.NaN()
	}
	return sum / float64(count)
}

// number writes a value for a tooltip.
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "-∞"
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}

// notInField are characters with a meaning in the field names of Vega-Lite.
var notInField = regexp.MustCompile(`[.\[\]\\"']`)

// fieldName makes a field name from a title.
func fieldName(title string) string { return notInField.ReplaceAllString(title, " ") }
