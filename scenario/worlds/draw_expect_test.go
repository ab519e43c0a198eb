package worlds_test

// expectations draws what is expected. Whether it holds is all the same: it is judged.
func (d *draw) expectations() list {
	var expectations list
	for range d.number("expectations", 1, 4) {
		e := object{}
		pick(d, "expectation", kinds...)(d, e)
		d.some(e, "name", 9, one(d, "name", "an expectation"))
		d.some(e, "kubernetes", 9, one(d, "versions", ">=1.30", "<1.37"))
		expectations = append(expectations, e)
	}
	return expectations
}

var entries = []string{"web-1@1 Ready", "* Terminating", "@2 Ready", "web-[01]=app:v2 Running", "*-0 *", "web-* Gone"}

var truths = []string{
	"serving >= spec.replicas - 1", "status.updatedReplicas == spec.replicas", "pods.all(p, p.ready || p.terminating)",
	"outdated == 0", "pods.filter(p, p.shown != '').size() == 0", "twins + strays == 0", "claims.all(c, !c.terminating)",
	"now < 100.0", "available <= ready", "pods[0].age >= 0.0",
}

// about limits an expectation to one set where there are several.
func (d *draw) about(e object) {
	if len(d.sets) > 1 {
		s := d.set()
		e["for"] = s.namespace + "/" + s.name
	}
}

var kinds = []func(d *draw, e object){
	func(d *draw, e object) {
		e["order"] = list{pick(d, "entry", entries...), pick(d, "entry", entries...)}
		d.some(e, "during", 3, one[any](d, "during", 1))
	},
	func(d *draw, e object) {
		e[d.pick("direction", "descending", "ascending")] = pick(d, "entry", entries...)
	},
	func(d *draw, e object) { e["never"] = pick(d, "entry", entries...) },
	func(d *draw, e object) {
		e["count"] = object{"of": pick(d, "entry", entries...), d.pick("how", "is", "atMost", "atLeast"): d.number("count", 0, 5)}
	},
	func(d *draw, e object) {
		e["exactly"] = object{"states": list{"Ready"}, "is": list{"web-0 Ready", list{"web-1 Ready", "web-2@1 Ready"}}}
	},
	func(d *draw, e object) {
		e[d.pick("when", "always", "eventually")] = pick(d, "truth", truths...)
		d.some(e, "since", 3, one[any](d, "since", 1))
		d.about(e)
	},
	func(d *draw, e object) {
		check := object{"that": pick(d, "truth", truths...)}
		d.some(check, "at", 2, one[any](d, "at", "10s", "settled", 1))
		e["check"] = check
		d.about(e)
	},
	func(d *draw, e object) {
		completes := object{}
		d.some(completes, "within", 2, one(d, "within", "1m"))
		d.some(completes, "since", 2, one[any](d, "since", 1))
		e["completes"] = completes
		d.about(e)
	},
	func(d *draw, e object) { e["stuck"] = object{"pod": "web-*"} },
	func(d *draw, e object) { e["ends"] = d.pick("ends", "settled", "stuck") },
	func(d *draw, e object) { e["resolves"] = object{"name": "web-0.web", "to": list{"web-0"}} },
}
