package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/hull"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
	"github.com/sparsero/directions/sparsero"
)

// PolytopeOptions describe a view of a 3-D atomic set; nil gives the defaults.
type PolytopeOptions struct {
	// Title and Subtitle stand above the picture; default a title with |S|, N and r.
	Title, Subtitle string
	// Azimuth and Elevation are the viewing angles in degrees; both 0 mean 35 and 20.
	Azimuth, Elevation float64
	// Width and Height are the size in CSS pixels; default 640 × 470.
	Width, Height float64
}

// Polytope draws a 3-D atomic set U_S(r) inside the full set, in parallel projection: edges
// behind the chosen set are dashed. The hull of more than 500 atoms goes through those that are
// extreme in one of 500 directions. The interactive view is turned by sliders for azimuth and
// elevation. It is an error if the dictionary does not have three columns.
func Polytope(set *sparsero.AtomicSet, o *PolytopeOptions) (*Figure, error) {
	if set == nil {
		return nil, fmt.Errorf("plotting: set is nil; build one with sparsero.NewAtomicSet")
	}
	if o == nil {
		o = &PolytopeOptions{}
	}
	if set.Dictionary().Dim() != 3 {
		return nil, fmt.Errorf("plotting: the dictionary has dimension %d; Polytope draws 3 dimensions and AtomicSet 2, choose columns first", set.Dictionary().Dim())
	}
	v := newSolidView(set, o)
	reach := 1.25 * cmp.Or(set.Dictionary().MaxNorm()*set.Radius(), 1)
	c := &chart.Chart{
		Title: cmp.Or(o.Title, v.title()), Subtitle: o.Subtitle, Equal: true, NoZoom: true,
		Width: cmp.Or(o.Width, style.DefaultWidth), Height: cmp.Or(o.Height, 470),
		X: chart.Axis{Hidden: true, Min: -reach, Max: reach}, Y: chart.Axis{Hidden: true, Min: -reach, Max: reach},
		Sliders: []chart.Slider{
			{Name: "azimuth", Label: "azimuth [degrees]", Min: -180, Max: 180, Step: 1, Value: math.Round(v.azimuth)},
			{Name: "elevation", Label: "elevation [degrees]", Min: -90, Max: 90, Step: 1, Value: math.Round(v.elevation)},
		},
	}
	axes := v.axes(reach)
	c.Layers = append(c.Layers, axes[0])
	all := make([]int, set.Dictionary().Size())
	for i := range all {
		all[i] = i
	}
	c.Layers = append(c.Layers, v.body("full set", all, style.Grey, 0.05, false)...)
	c.Layers = append(c.Layers, v.body("chosen set", set.Atoms(), style.Blue, 0.25, true)...)
	c.Layers = append(append(c.Layers, v.atoms(all)...), axes[1]) // names above everything
	return NewFigure(c, v.alt())
}

// solidView is a 3-D atomic set seen from an angle.
type solidView struct {
	set                *sparsero.AtomicSet
	dict               *sparsero.Dictionary
	azimuth, elevation float64
	faces              int // of the chosen set
}

func newSolidView(set *sparsero.AtomicSet, o *PolytopeOptions) *solidView {
	v := &solidView{set: set, dict: set.Dictionary(), azimuth: o.Azimuth, elevation: o.Elevation}
	if v.azimuth == 0 && v.elevation == 0 {
		v.azimuth, v.elevation = 35, 20
	}
	return v
}

func (v *solidView) title() string {
	return fmt.Sprintf("Atomic set of %d of %d atoms, r = %.4g", v.set.Size(), v.dict.Size(), v.set.Radius())
}

func (v *solidView) alt() string {
	text := fmt.Sprintf("%s, seen at azimuth %g° and elevation %g°", v.title(), v.azimuth, v.elevation)
	switch {
	case v.faces > 0:
		return fmt.Sprintf("%s; the chosen set has %d faces.", text, v.faces)
	case v.set.Size() >= mostCorners:
		return text + fmt.Sprintf("; the hulls are drawn through the atoms that are extreme in %d directions.", mostCorners)
	}
	return text + "; the chosen set is flat."
}

// at returns atom i at the radius of the set.
func (v *solidView) at(i int) hull.Point {
	atom, r := v.dict.Atom(i), v.set.Radius()
	return hull.Point{r * atom[0], r * atom[1], r * atom[2]}
}

// project returns the place of a point in the picture.
func (v *solidView) project(p hull.Point) (x, y float64) {
	sinA, cosA := math.Sincos(v.azimuth * math.Pi / 180)
	sinE, cosE := math.Sincos(v.elevation * math.Pi / 180)
	return -sinA*p[0] + cosA*p[1], -sinE*(cosA*p[0]+sinA*p[1]) + cosE*p[2]
}

// facing is positive if a face with this outer normal is seen from its outside.
func (v *solidView) facing(n hull.Point) float64 {
	sinA, cosA := math.Sincos(v.azimuth * math.Pi / 180)
	sinE, cosE := math.Sincos(v.elevation * math.Pi / 180)
	return cosE*(cosA*n[0]+sinA*n[1]) + sinE*n[2]
}

// liveProject gives the same places at the angles of the sliders, from the columns with the
// given prefix, into the fields of the given suffix.
func liveProject(prefix, suffix string) []vega.Object {
	f := func(k string) string { return "datum." + prefix + k }
	return []vega.Object{
		{"calculate": fmt.Sprintf("-sin(azimuth*PI/180)*%s+cos(azimuth*PI/180)*%s", f("0"), f("1")), "as": "x" + suffix},
		{"calculate": fmt.Sprintf("-sin(elevation*PI/180)*(cos(azimuth*PI/180)*%s+sin(azimuth*PI/180)*%s)+cos(elevation*PI/180)*%s", f("0"), f("1"), f("2")), "as": "y" + suffix},
	}
}

// liveFacing is the same for the normals in the columns with the given prefix.
func liveFacing(prefix string) string {
	f := "datum." + prefix
	return fmt.Sprintf("(cos(elevation*PI/180)*(cos(azimuth*PI/180)*%s0+sin(azimuth*PI/180)*%s1)+sin(elevation*PI/180)*%s2)", f, f, f)
}

// threeColumns are the coordinates of points as hidden columns.
func threeColumns(prefix string, points []hull.Point) []chart.Column {
	out := make([]chart.Column, 3)
	for k := range out {
		out[k] = chart.Column{Name: fmt.Sprint(prefix, k), Numbers: make([]float64, len(points)), Hidden: true}
		for i, p := range points {
			out[k].Numbers[i] = p[k]
		}
	}
	return out
}

// body draws the hull of atoms and the null atom: faces in front filled, edges in front as
// lines, and edges behind dashed if they are asked for.
func (v *solidView) body(name string, indices []int, ink color.NRGBA, fill float64, behind bool) []chart.Layer {
	points := []hull.Point{{}}
	for _, i := range indices {
		points = append(points, v.at(i))
	}
	all := len(points)
	points = extreme(points)
	faces := hull.Space(points)
	if behind && len(points) == all {
		v.faces = len(faces)
	}
	layers := v.filled(points, faces, ink, fill)
	front := chart.Look{Name: name, Color: ink, Width: 1.4, NoTooltip: true}
	if !behind {
		front.Width = 0.7
	}
	edges := edgesOf(faces)
	if behind {
		back := chart.Look{Color: ink, Dash: []float64{3, 3}, Width: 0.8, NoTooltip: true}
		layers = append(layers, v.edges(points, edges, back, false)...)
	}
	return append(layers, v.edges(points, edges, front, true)...)
}

// mostCorners is the number of points up to which a hull is exact; finding it takes their square.
// Of more points those are taken that are extreme in one of so many directions.
const mostCorners = 500

// extreme returns the points that matter for the picture of their hull.
func extreme(points []hull.Point) []hull.Point {
	if len(points) <= mostCorners {
		return points
	}
	golden := math.Pi * (3 - math.Sqrt(5)) // directions on a spiral, evenly over the sphere
	taken := map[int]bool{}
	var out []hull.Point
	for k := range mostCorners {
		z := 1 - (2*float64(k)+1)/mostCorners
		sin, cos := math.Sincos(golden * float64(k))
		s := hull.Point{math.Sqrt(1-z*z) * cos, math.Sqrt(1-z*z) * sin, z}
		best, at := math.Inf(-1), 0
		for i, p := range points {
			if h := s[0]*p[0] + s[1]*p[1] + s[2]*p[2]; h > best {
				best, at = h, i
			}
		}
		if !taken[at] {
			taken[at] = true
			out = append(out, points[at])
		}
	}
	return out
}

// filled draws the faces in front.
func (v *solidView) filled(points []hull.Point, faces []hull.Face, ink color.NRGBA, fill float64) []chart.Layer {
	static := &chart.Polygon{Look: chart.Look{Color: ink, Only: chart.StaticOnly}, Fill: fill, NoOutline: true}
	live := &chart.Polygon{Look: chart.Look{Color: ink, Only: chart.LiveOnly}, Fill: fill, NoOutline: true}
	var corners, normals []hull.Point
	for k, f := range faces {
		for _, c := range f.Corners {
			x, y := v.project(points[c])
			live.X, live.Y, live.Groups = append(live.X, x), append(live.Y, y), append(live.Groups, k)
			corners, normals = append(corners, points[c]), append(normals, f.Normal)
			if v.facing(f.Normal) > 0 {
				static.X, static.Y, static.Groups = append(static.X, x), append(static.Y, y), append(static.Groups, k)
			}
		}
	}
	live.Columns = append(threeColumns("u", corners), threeColumns("n", normals)...)
	live.Transform = append([]vega.Object{{"filter": liveFacing("n") + ">0"}}, liveProject("u", "")...)
	return []chart.Layer{static, live}
}

// edge joins two corners and separates two faces, given by their normals.
type edge struct {
	from, to    int
	left, right hull.Point
}

// edgesOf returns every edge of a hull once, in the order of the faces.
func edgesOf(faces []hull.Face) []edge {
	var edges []edge
	index := map[[2]int]int{}
	for _, f := range faces {
		for k, a := range f.Corners {
			b := f.Corners[(k+1)%len(f.Corners)]
			if at, ok := index[[2]int{b, a}]; ok {
				edges[at].right = f.Normal
				continue
			}
			index[[2]int{a, b}] = len(edges)
			edges = append(edges, edge{from: a, to: b, left: f.Normal, right: f.Normal})
		}
	}
	return edges
}

// edges draws the edges in front, or those behind. An edge is in front if one of its faces is.
func (v *solidView) edges(points []hull.Point, edges []edge, look chart.Look, front bool) []chart.Layer {
	static := &chart.Segments{Look: look}
	live := &chart.Segments{Look: look}
	var from, to, left, right []hull.Point
	for _, e := range edges {
		a, b := points[e.from], points[e.to]
		x, y := v.project(a)
		x2, y2 := v.project(b)
		live.X, live.Y, live.X2, live.Y2 = append(live.X, x), append(live.Y, y), append(live.X2, x2), append(live.Y2, y2)
		from, to, left, right = append(from, a), append(to, b), append(left, e.left), append(right, e.right)
		if (v.facing(e.left) > 0 || v.facing(e.right) > 0) == front {
			static.X, static.Y, static.X2, static.Y2 = append(static.X, x), append(static.Y, y), append(static.X2, x2), append(static.Y2, y2)
		}
	}
	filter := fmt.Sprintf("(%s>0||%s>0)==%t", liveFacing("n"), liveFacing("m"), front)
	static.Only, live.Only = chart.StaticOnly, chart.LiveOnly
	live.Columns = slices.Concat(threeColumns("u", from), threeColumns("v", to), threeColumns("n", left), threeColumns("m", right))
	live.Transform = slices.Concat([]vega.Object{{"filter": filter}}, liveProject("u", ""), liveProject("v", "2"))
	return []chart.Layer{static, live}
}

// atoms draws chosen and other atoms and the null atom.
func (v *solidView) atoms(all []int) []chart.Layer {
	chosen := map[int]bool{}
	for _, i := range v.set.Atoms() {
		chosen[i] = true
	}
	var rest []int
	for _, i := range all {
		if !chosen[i] {
			rest = append(rest, i)
		}
	}
	layer := func(name string, indices []int, points chart.Points) chart.Layer {
		places := make([]hull.Point, len(indices))
		for k, i := range indices {
			places[k] = v.at(i)
			x, y := v.project(places[k])
			points.X, points.Y, points.Labels = append(points.X, x), append(points.Y, y), append(points.Labels, v.dict.Label(i))
		}
		points.Name, points.Columns, points.Transform = name, threeColumns("u", places), liveProject("u", "")
		for k := range points.Columns {
			points.Columns[k].Hidden = false
		}
		return &points
	}
	return []chart.Layer{
		layer("other atoms", rest, chart.Points{Look: chart.Look{Color: style.Grey, Width: 1.6}}),
		layer("chosen atoms", v.set.Atoms(), chart.Points{Look: chart.Look{Color: style.Blue, Width: 3.2}}),
		layer("null atom", []int{sparsero.NullAtom}, chart.Points{Look: chart.Look{Color: style.Black, Width: 3}, Shape: chart.Ring}),
	}
}

// Lengths of the axes and of the gap between their heads and names, in units of the half width
// of the frame.
const (
	axisLength = 0.82
	nameGap    = 0.07
)

// axes returns the arrows of the three coordinate axes, and their names beyond the heads.
func (v *solidView) axes(reach float64) []chart.Layer {
	length, gap := axisLength*reach, nameGap*reach
	ends := []hull.Point{{length, 0, 0}, {0, length, 0}, {0, 0, length}}
	origin := make([]float64, 3)
	arrows := &chart.Segments{Look: chart.Look{Color: style.LightGrey, Width: 1, NoTooltip: true}, X: origin, Y: origin, Arrow: true}
	names := &chart.Text{Look: chart.Look{Color: style.Grey}}
	for k, p := range ends {
		x, y := v.project(p)
		arrows.X2, arrows.Y2 = append(arrows.X2, x), append(arrows.Y2, y)
		beyond := 1 + gap/max(math.Hypot(x, y), gap)
		names.X, names.Y, names.Labels = append(names.X, beyond*x), append(names.Y, beyond*y), append(names.Labels, v.dict.Column(k))
	}
	arrows.Columns, arrows.Transform = threeColumns("u", ends), liveProject("u", "2")
	names.Columns = threeColumns("u", ends)
	names.Transform = append(liveProject("u", ""),
		vega.Object{"calculate": fmt.Sprintf("1+%g/max(sqrt(datum.x*datum.x+datum.y*datum.y),%[1]g)", gap), "as": "beyond"},
		vega.Object{"calculate": "datum.beyond*datum.x", "as": "x"}, vega.Object{"calculate": "datum.beyond*datum.y", "as": "y"})
	return []chart.Layer{arrows, names}
}
