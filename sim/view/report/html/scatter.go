package html

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Scatter is a picture of settings: how long each takes against how many it leaves, as points.
type Scatter struct {
	// X and Y name the axes, Of is the greatest value of Y.
	X, Y   string
	Of     int
	Points []Point
}

// Point is a point of a Scatter. Name says what it is, Label is the short mark in it. A click opens the run of that
// number, from 1; 0 is none. Size is from 0 to 1. Here marks the reader's own one.
type Point struct {
	Name, Label string
	X           time.Duration
	Y           int
	Size        float64
	Run         int
	Here        bool
}

// The measures of a scatter, in pixels: the whole, the room for the axes, and the radius of the points.
const (
	scatterWidth, scatterHeight    = 720.0, 260.0
	scatterLeft, scatterBottom     = 44.0, 40.0
	scatterMargin                  = 26.0
	smallestPoint, pointGrowsBy    = 9.0, 11.0
	scatterTicks, scatterBaseline  = 5, 5.0
	scatterNameAbove, scatterTitle = 4.0, 14.0
)

// write draws the picture. The points lead to their runs, so that it can be used without a mouse.
func (s *Scatter) write(m markup) {
	longest := time.Second
	for i := range s.Points {
		longest = max(longest, s.Points[i].X)
	}
	x := func(d time.Duration) float64 {
		return scatterLeft + scatterMargin + (scatterWidth-scatterLeft-2*scatterMargin)*float64(d)/float64(longest)
	}
	y := func(n int) float64 {
		return scatterMargin + (scatterHeight-scatterBottom-2*scatterMargin)*(1-float64(n)/float64(max(1, s.Of)))
	}
	m.put(`<figure class="scatter"><svg viewBox="0 0 {} {}" role="group" aria-label="{}">`, px(scatterWidth), px(scatterHeight),
		s.Y+" against "+s.X)
	s.axes(m, x, y, longest)
	for i := range s.Points {
		s.Points[i].write(m, x, y)
	}
	m.raw("</svg><figcaption>A larger point loses more pods to a bad version. A click opens the rollout.</figcaption>" +
		"</figure>\n")
}

// axes draws the axes with their values.
func (s *Scatter) axes(m markup, x func(time.Duration) float64, y func(int) float64, longest time.Duration) {
	bottom := scatterHeight - scatterBottom
	for _, n := range ticksOf(s.Of) {
		m.put(`<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/><text class="y" x="{}" y="{}">{}</text>`, px(scatterLeft),
			px(scatterWidth), px(y(n)), px(y(n)), px(scatterLeft-scatterBaseline-3), px(y(n)+scatterBaseline), fmt.Sprint(n))
	}
	for i := range scatterTicks {
		at := longest * time.Duration(i) / (scatterTicks - 1)
		m.put(`<text class="x" x="{}" y="{}">{}</text>`, px(x(at)), px(bottom+scatterTitle), render.Brief(at.Round(time.Second)))
	}
	m.put(`<text class="x" x="{}" y="{}">{}</text><text class="name" x="0" y="{}">{}</text>`, px(scatterWidth/2),
		px(scatterHeight-scatterNameAbove), s.X, px(scatterTitle), s.Y)
}

// ticksOf returns at most six whole numbers from 0 to the greatest.
func ticksOf(most int) []int {
	step := int(math.Ceil(float64(max(1, most)) / scatterTicks))
	list := []int{}
	for n := 0; n < most; n += step {
		list = append(list, n)
	}
	return slices.Compact(append(list, most))
}

// write draws the point.
func (p *Point) write(m markup, x func(time.Duration) float64, y func(int) float64) {
	class := "point"
	if p.Here {
		class = "point here"
	}
	href := "#rows"
	if p.Run > 0 {
		href = fmt.Sprintf("#run=%d", p.Run)
	}
	m.put(`<a href="{}" aria-label="{}"><circle class="{}" cx="{}" cy="{}" r="{}"/><text class="mark" x="{}" y="{}">{}</text>`+
		`<title>{}</title></a>`, href, p.Name, class, px(x(p.X)), px(y(p.Y)), px(smallestPoint+pointGrowsBy*p.Size), px(x(p.X)),
		px(y(p.Y)+scatterBaseline), p.Label, p.Name)
}

// px writes a measure.
func px(n float64) string { return fmt.Sprintf("%.4g", n) }
