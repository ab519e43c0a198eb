package html

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// MostDrawn is the most pods for which a run is drawn as one picture.
const MostDrawn = 500

// The measures of a picture, in pixels.
const (
	pictureWidth = 960.0
	labelWidth   = 150.0
	laneHeight   = 24.0
	lanesHeight  = 900.0
	waitHeight   = 18.0
	chartHeight  = 70.0
)

// The colours of a picture, the same as the page's in light mode.
const (
	inkColour, mutedColour, gridColour, badColour = "#17202a", "#5a6673", "#e8ecf0", "#b71c1c"
	goodColour, warnColour, accentColour          = "#17693a", "#8a5200", "#b3005e"
)

// templateColours are the colours of templates by their numbers, over and over.
var templateColours = [...]layout{"#2a6db0", "#b85c00", "#14805a", "#8447b0", "#8a6d1d", "#4d6070"}

// templateColour returns the colour of template n, counted from 1; 0 is a template that is not known.
func templateColour(n int) layout {
	if n < 1 {
		return mutedColour
	}
	return templateColours[(n-1)%len(templateColours)]
}

// SVG draws one run as a picture that needs neither a script nor a style sheet: for a README, an e-mail, or a page
// that may have no scripts. It is drawn from the same data as the page. More pods than MostDrawn are an error.
func SVG(w io.Writer, run *report.Run) error { return alone(w, run, false) }

// AnimatedSVG draws the same picture, which is played once when it is opened: a README shows it so. For readers who
// want no motion, on paper, and where no style sheets are read, it is the picture that SVG draws.
func AnimatedSVG(w io.Writer, run *report.Run) error { return alone(w, run, true) }

// alone draws a picture that is a file of its own.
func alone(w io.Writer, run *report.Run, moving bool) error {
	data := gather([]*report.Run{run})
	if pods := podsOf(&data.Runs[0]); pods > MostDrawn {
		return fmt.Errorf("the run has %s, and a picture has room for %d: -o html shows more", render.Count(pods, "pod"),
			MostDrawn)
	}
	out := bufio.NewWriter(w)
	m := markup{out}
	m.safe(drawn(run, &data, frame{attributes: ` xmlns="http://www.w3.org/2000/svg"`, moving: moving}))
	m.raw("\n")
	return out.Flush()
}

// podsOf returns the number of lanes of a run: pods by name, not by life.
func podsOf(run *runData) int {
	pods := 0
	for _, set := range run.Sets {
		pods += len(set.Pods)
	}
	return pods
}

// frame is how a picture is embedded: its attributes, and whether it moves.
type frame struct {
	attributes layout
	moving     bool
}

// drawn draws the first run of the data, which must have been made from that run.
func drawn(run *report.Run, data *pageData, f frame) safe {
	p := &picture{data: data, run: &data.Runs[0], scale: scaleOf(&data.Runs[0], labelWidth, pictureWidth-8), y: 24}
	ending := report.Ending(run)[0].Text
	p.text(8, p.y, ending, textStyle{size: 14, bold: true, colour: p.verdictColour()})
	row := max(2, min(laneHeight, lanesHeight/float64(max(1, podsOf(p.run)))))
	for i := range p.run.Sets {
		p.set(i, row)
	}
	p.legend()
	height := math.Ceil(p.y + 12)
	if f.moving {
		p.curtain(box{8, 4, widthOf(ending, 16), 28})
	}
	whole := &ink{}
	whole.put(`<svg%s viewBox="0 0 %[2]g %[3]g" width="%[2]g" height="%[3]g" role="img" `+
		`font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"><title>%[4]s</title>%[5]s`+
		`<rect width="100%%" height="100%%" fill="#ffffff"/>%[6]s</svg>`, f.attributes, pictureWidth, height,
		render.Visible(run.Name), patterns(), p.ink.drawn())
	return whole.drawn()
}

// A page carries pictures for readers without scripts: the pictures of its first runs, limited by their total
// number of pods and by their number.
const (
	fewDrawn     = 24
	fewRunsDrawn = 4
)

// still is the picture of a run, and its name.
type still struct {
	name    string
	picture safe
}

// stills returns the pictures of a page. It stops at the first run with too many pods, so that they always show the
// first runs; nil if the first run has too many.
func stills(runs []*report.Run, data *pageData) []still {
	var list []still
	pods := 0
	for i, run := range runs[:min(len(runs), fewRunsDrawn)] {
		if pods += podsOf(&data.Runs[i]); pods > fewDrawn {
			break
		}
		one := *data
		one.Runs = data.Runs[i:]
		list = append(list, still{render.Visible(run.Name), drawn(run, &one, frame{})})
	}
	return list
}

// patterns returns the stripes for pods that are terminating, and for pods that are not well.
func patterns() safe {
	p := &ink{}
	p.put("<defs>")
	for i, colour := range append(slices.Clone(templateColours[:]), badColour) {
		p.put(`<pattern id="stripes%d" width="6" height="6" patternUnits="userSpaceOnUse" `+
			`patternTransform="rotate(45)"><rect width="2.4" height="6" fill="%s"/></pattern>`, i+1, colour)
	}
	p.put("</defs>")
	return p.drawn()
}

// ink is a picture in progress. A text that is added to it is escaped, unless its type makes that unnecessary.
type ink struct{ b strings.Builder }

// put writes a format, as fmt does, with numbers, texts, and what is layout or safe.
func (k *ink) put(format layout, values ...any) {
	for i, value := range values {
		switch value := value.(type) {
		case string:
			values[i] = escape(value)
		case layout, safe, float64, int:
		default:
			panic(fmt.Sprintf("html: %T in a picture", value))
		}
	}
	fmt.Fprintf(&k.b, string(format), values...)
}

// drawn returns the picture so far.
func (k *ink) drawn() safe { return safe(k.b.String()) }

// picture is a run as it is drawn: y is how far down it has come. The upper left corner is 0, 0.
type picture struct {
	ink
	data  *pageData
	run   *runData
	scale *scale
	y     float64
	// figures are the places of the sets' axes, lanes and charts.
	figures []box
}

// verdictColour is the colour of how the run ended.
func (p *picture) verdictColour() layout {
	if p.run.Verdict == "settled" {
		return goodColour
	}
	return badColour
}

// box is a rectangle, in pixels: its upper left corner, its width and its height.
type box struct{ x, y, w, h float64 }

// rect draws a rectangle; one that is too thin to be seen is half a pixel wide.
func (p *picture) rect(b box, attributes layout) {
	p.put(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" %s/>`, b.x, b.y, max(b.w, 0.5), max(b.h, 0.5), attributes)
}

func (p *picture) line(x1, y1, x2, y2 float64, attributes layout) {
	p.put(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" %s/>`, x1, y1, x2, y2, attributes)
}

// textStyle is how a text is written; size is the height of the font in pixels.
type textStyle struct {
	size   float64
	bold   bool
	colour layout
}

// text writes a text whose baseline starts at a point.
func (p *picture) text(x, y float64, text string, style textStyle) {
	var weight layout
	if style.bold {
		weight = ` font-weight="600"`
	}
	p.put(`<text x="%.1f" y="%.1f" font-size="%g" fill="%s"%s>%s</text>`, x, y, style.size, style.colour, weight,
		render.Visible(text))
}

// widthOf estimates how wide a text is. The reader's font is unknown, so it guesses wide rather than narrow.
func widthOf(text string, size float64) float64 {
	return float64(utf8.RuneCountInString(text)) * size * 0.6
}

// fitting returns the first of some texts that fits into a width, or "". Nothing fits into a width below 0.
func fitting(width, size float64, texts ...string) string {
	for _, text := range texts {
		if widthOf(text, size) <= width {
			return text
		}
	}
	return ""
}

// seconds64 returns an instant that is given in seconds.
func seconds64(t float64) model.Time { return model.Time(math.Round(t * 1e9)) }

// mostSteps is how many steps a legend names, so that it stays short.
const mostSteps = 6

// legend explains below a picture what is in it: the steps, the states of a pod, and what the lines are.
func (p *picture) legend() {
	p.y += 4
	x := 8.0
	room := func(width float64) {
		if x == 8 || x+width > pictureWidth {
			x, p.y = 8, p.y+20
		}
	}
	word := func(text string) {
		room(widthOf(text, 11))
		p.text(x, p.y, text, textStyle{size: 11, colour: mutedColour})
		x += widthOf(text, 11) + 10
	}
	for i := range p.run.Steps[:min(len(p.run.Steps), mostSteps)] {
		if step := &p.run.Steps[i]; !step.Fault {
			word(step.Title)
		}
	}
	x = 8
	for _, state := range []string{"Pending", "Running", "Ready", "Terminating"} {
		room(32 + widthOf(state, 11))
		p.state(box{x, p.y - 11, 24, 14}, state, 1)
		x += 30
		p.text(x, p.y, state, textStyle{size: 11, colour: mutedColour})
		x += widthOf(state, 11) + 10
	}
	word("@1, @2: templates, a colour each")
	if slices.ContainsFunc(p.run.Sets, func(s setData) bool { return len(s.Path) > 0 }) {
		word("black line: what the rollout waits for")
	}
	if slices.ContainsFunc(p.run.Sets, func(s setData) bool {
		return len(s.Counts) > 0 && quorumOf(s.Counts[len(s.Counts)-countWidth+1]) > 0
	}) {
		word("quorum: more than half")
	}
	if p.scale.fold > 0 {
		word("the creation is drawn shorter than it is")
	}
}

// motion plays a picture once: a curtain is drawn away from the figures, from left to right, and how the run ended is
// covered until then. All of it takes 5 s; what moves for longer would need a way to stop it (WCAG 2.2.2). Without
// motion the curtain is out of the picture, and the cover is not there.
const motion layout = `<style>@media (prefers-reduced-motion: no-preference){` +
	`.curtain{animation:open 4.5s linear .5s backwards}.cover{animation:cover 5s step-end}}` +
	`@keyframes open{from{transform:translateX(%.1fpx)}to{transform:none}}` +
	`@keyframes cover{from{opacity:1}to{opacity:0}}</style>`

// curtain draws what plays the picture, over the figures that are drawn, and over how the run ended.
func (p *picture) curtain(ending box) {
	p.put(motion, p.scale.left-pictureWidth-1)
	p.put(`<g class="cover" opacity="0">`)
	p.rect(ending, `fill="#ffffff"`)
	p.put(`</g><g class="curtain">`)
	for _, f := range p.figures {
		x := pictureWidth + 1
		p.rect(box{x, f.y, f.w + 2, f.h + 4}, `fill="#ffffff"`)
		p.line(x, f.y, x, f.y+f.h, `stroke="`+accentColour+`" stroke-width="2"`)
	}
	p.put("</g>")
}
