package html

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/report"
)

// The measures of a thumbnail, in pixels: lanes are at most thumbnailLane high.
const (
	thumbnailWidth, thumbnailHeight = 132.0, 44.0
	thumbnailLane                   = 9.0
)

// Thumbnail draws the lanes of a run so small that only its shape is to be seen: for an index of many runs. It returns
// the address of a picture, data:image/svg+xml, or "" where there are no pods.
func Thumbnail(run *report.Run) string {
	data := gather([]*report.Run{run})
	of := &data.Runs[0]
	pods := podsOf(of)
	if pods == 0 {
		return ""
	}
	d := &thumbnail{scale: scaleOf(of, 0, thumbnailWidth), lane: min(thumbnailLane, thumbnailHeight/float64(pods)),
		paths: map[string]*strings.Builder{}}
	y := 0.0
	for _, set := range of.Sets {
		for _, pod := range set.Pods {
			d.pod(&data, &pod, y)
			y += d.lane
		}
	}
	svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g">%s</svg>`, thumbnailWidth,
		thumbnailHeight, d.drawn())
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg))
}

// thumbnail is a picture in which all of one look are one path.
type thumbnail struct {
	scale *scale
	lane  float64
	looks []string
	paths map[string]*strings.Builder
}

// pod draws the lane of a pod. States of one look are one box.
func (d *thumbnail) pod(data *pageData, pod *podData, y float64) {
	from, look := 0.0, ""
	for i := 0; i < len(pod.Bars); i += barWidth {
		at := d.scale.stop(pod.Bars[i])
		if next := lookOf(data.States[pod.Bars[i+1]], pod.Bars[i+2]); next != look {
			d.box(look, box{from, y, at - from, d.lane})
			from, look = at, next
		}
	}
	d.box(look, box{from, y, d.scale.right - from, d.lane})
}

// lookOf is how a state is filled: what serves is full, what is on its way is pale, what is not well is red.
func lookOf(state string, of int) string {
	switch state {
	case "Gone":
		return ""
	case "Ready":
		return templateColour(of)
	case "Unready", "Failed":
		return badColour
	}
	return templateColour(of) + `" opacity=".35`
}

func (d *thumbnail) box(look string, b box) {
	if look == "" || b.w <= 0 {
		return
	}
	path := d.paths[look]
	if path == nil {
		path = &strings.Builder{}
		d.paths[look], d.looks = path, append(d.looks, look)
	}
	fmt.Fprintf(path, "M%.0f %.1fh%.0fv%.1fh-%.0[3]fz", b.x, b.y, max(b.w, 1), b.h*0.85)
}

func (d *thumbnail) drawn() string {
	var b strings.Builder
	slices.Sort(d.looks)
	for _, look := range d.looks {
		fmt.Fprintf(&b, `<path fill="%s" d="%s"/>`, look, d.paths[look])
	}
	return b.String()
}
