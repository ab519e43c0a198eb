package html

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
