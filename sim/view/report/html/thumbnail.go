package html

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/report"
)

// The measures of a thumbnail, in pixels: at most thumbnailLanes lanes that are at most thumbnailLane high.
const (
	thumbnailWidth, thumbnailHeight = 132.0, 44.0
	thumbnailLane                   = 9.0
	thumbnailLanes                  = 22
)

// thumbnailPrefix is the start of a picture's address. No script runs in such a picture, wherever it is shown.
const thumbnailPrefix = "data:image/svg+xml;base64,"

// Thumbnail returns the address of the picture that ThumbnailSVG draws, data:image/svg+xml, or "" if there are no pods.
func Thumbnail(run *report.Run) string {
	svg := ThumbnailSVG(run)
	if svg == "" {
		return ""
	}
	return thumbnailPrefix + base64.StdEncoding.EncodeToString([]byte(svg))
}

// ThumbnailSVG draws the lanes of a run so small that only its shape is visible, for an index of many runs. If
// there are too many pods, it draws only some. It returns "" if there are no pods.
func ThumbnailSVG(run *report.Run) string {
	data := gather([]*report.Run{run})
	of := &data.Runs[0]
	pods := podsOf(of)
	if pods == 0 {
		return ""
	}
	step := (pods + thumbnailLanes - 1) / thumbnailLanes
	shown := (pods + step - 1) / step
	d := &thumbnail{scale: scaleOf(of, 0, thumbnailWidth), lane: min(thumbnailLane, thumbnailHeight/float64(shown)),
		paths: map[look]*strings.Builder{}}
	nth := 0
	for _, set := range of.Sets {
		for _, pod := range set.Pods {
			if nth%step == 0 {
				d.pod(&data, &pod, float64(nth/step)*d.lane)
			}
			nth++
		}
	}
	svg := &ink{}
	svg.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g">%s</svg>`, thumbnailWidth, thumbnailHeight,
		d.drawn())
	return string(svg.drawn())
}

// thumbnail is a picture with one path for each look, so its size depends on the looks rather than on the pods.
// lane is the height of a lane, in pixels.
type thumbnail struct {
	scale *scale
	lane  float64
	// looks are the looks that were drawn, each once; each has a path.
	looks []look
	paths map[look]*strings.Builder
}

// look is how a state is filled; the zero value is not drawn.
type look struct {
	colour layout
	pale   bool
}

// pod draws the lane of a pod. States of one look are one box.
func (d *thumbnail) pod(data *pageData, pod *podData, y float64) {
	from, looks := 0.0, look{}
	for i := 0; i < len(pod.Bars); i += barWidth {
		at := d.scale.stop(pod.Bars[i])
		if next := lookOf(data.States[pod.Bars[i+1]], pod.Bars[i+2]); next != looks {
			d.box(looks, box{from, y, at - from, d.lane})
			from, looks = at, next
		}
	}
	d.box(looks, box{from, y, d.scale.right - from, d.lane})
}

// lookOf returns the fill of a state: full while the pod serves, pale while it starts or stops, red if something is
// wrong. of is the number of the pod's template.
func lookOf(state string, of int) look {
	switch state {
	case "Gone":
		return look{}
	case "Ready":
		return look{colour: templateColour(of)}
	case "Unready", "Failed":
		return look{colour: badColour}
	}
	return look{templateColour(of), true}
}

// box adds a box to the path of its look; one that is not drawn, or has no width, is left out.
func (d *thumbnail) box(of look, b box) {
	if of.colour == "" || b.w <= 0 {
		return
	}
	path := d.paths[of]
	if path == nil {
		path = &strings.Builder{}
		d.paths[of], d.looks = path, append(d.looks, of)
	}
	fmt.Fprintf(path, "M%.0f %.1fh%.0fv%.1fh-%.0[3]fz", b.x, b.y, max(b.w, 1), b.h*0.85)
}

// drawn returns the paths in an order that does not depend on the order of the pods.
func (d *thumbnail) drawn() safe {
	k := &ink{}
	slices.SortFunc(d.looks, func(a, b look) int {
		return cmp.Or(cmp.Compare(a.colour, b.colour), bit(a.pale)-bit(b.pale))
	})
	for _, of := range d.looks {
		var opacity layout
		if of.pale {
			opacity = ` opacity=".35"`
		}
		k.put(`<path fill="%s"%s d="%s"/>`, of.colour, opacity, d.paths[of].String())
	}
	return k.drawn()
}
