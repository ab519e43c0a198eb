package worlds_test

import (
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"
)

// steps draws the creation of the sets, and what is done to them.
func (d *draw) steps() list {
	var steps list
	if d.rare("services first", 5) {
		steps = append(steps, d.around("apply", d.service(d.set())))
	}
	if d.rare("budget first", 5) {
		steps = append(steps, d.around("apply", d.budget(d.set())))
	}
	for _, s := range d.sets {
		steps = append(steps, d.make(s))
	}
	for range d.number("steps", 0, 7) {
		step := object{}
		d.act(step)
		d.when(step)
		d.some(step, "name", 9, func() any { return "step " + strconv.Itoa(len(steps)) })
		steps = append(steps, step)
	}
	return steps
}

func (d *draw) around(verb string, value any) object { return object{verb: value, "refused": "e"} }

// make creates a set.
func (d *draw) make(s *set) object {
	step := object{}
	if s.manifest {
		step[d.pick("verb", "apply", "create")] = d.manifest(s)
	} else {
		step["create"] = d.short(s)
		s.in(step)
	}
	if d.rare("at once", 3) {
		step["after"] = "0s"
	}
	// What a version does not take it refuses, and there is a world without the set.
	if !d.rare("not expected", 12) {
		step["refused"] = "e"
	}
	return step
}

func (s *set) in(step object) {
	if s.namespace != "default" {
		step["namespace"] = s.namespace
	}
}

func (d *draw) when(step object) {
	switch d.number("when", 0, 9) {
	case 0, 1, 2, 3:
		return
	case 9:
		d.earliest += d.number("at", 0, 90)
		step["at"] = strconv.Itoa(d.earliest) + "s"
	default:
		seconds := pick(d, "after", 0, 0, 1, 2, 4, 9, 45, 301)
		d.earliest += seconds
		step["after"] = strconv.Itoa(seconds) + "s"
		if seconds > 0 && d.rare("odd", 4) {
			step["after"] = strconv.Itoa(seconds*1000+137) + "ms"
			d.earliest++
		}
	}
}

// verb is something that a step can do, and how it is drawn.
type verb struct {
	name string
	draw func(d *draw, step object, s *set) any
}

// verbs are all of them.
var verbs = []verb{
	{"scale", func(d *draw, _ object, s *set) any {
		return object{"statefulset": s.name, "replicas": d.number("replicas", 0, 4)}
	}},
	{"setImage", (*draw).setImage},
	{"delete", (*draw).delete},
	{"patch", (*draw).patch},
	{"undo", func(d *draw, _ object, s *set) any {
		undo := object{"statefulset": s.name}
		d.some(undo, "toRevision", 3, d.integer("toRevision", 0, 3))
		return undo
	}},
	{"restart", func(_ *draw, _ object, s *set) any { return object{"statefulset": s.name} }},
	{"create", (*draw).createAgain},
	{"apply", (*draw).apply},
	{"replace", func(d *draw, _ object, s *set) any { return d.manifest(s) }},
	{"fail", func(d *draw, _ object, s *set) any {
		fail := object{"pod": d.podOf(s)}
		d.some(fail, "phase", 3, one(d, "phase", "Succeeded", "Failed"))
		d.some(fail, "reason", 3, one(d, "reason", "Evicted"))
		return fail
	}},
	{"unready", func(d *draw, _ object, s *set) any {
		unready := object{"pod": d.podOf(s)}
		d.some(unready, "for", 2, func() any { return d.positive("for") })
		return unready
	}},
	{"recover", func(d *draw, _ object, s *set) any { return d.podOf(s) }},
	{"crash", func(d *draw, _ object, s *set) any {
		crash := object{"pod": d.podOf(s)}
		d.some(crash, "again", 2, d.delay("again"))
		if crash["again"] != nil {
			d.some(crash, "times", 2, d.integer("times", 1, 3))
		}
		d.some(crash, "reason", 4, one(d, "reason", "OOMKilled"))
		if d.probes {
			d.some(crash, "container", 4, one(d, "container", "proxy", "app", "init"))
		}
		return crash
	}},
	{"label", func(d *draw, _ object, s *set) any {
		return object{"pod": d.podOf(s), "labels": object{"app": pick[any](d, "label", "other", s.name, nil)}}
	}},
	{"createPod", func(d *draw, _ object, s *set) any {
		pod := object{"name": d.podOf(s), "image": "tool:1"}
		if s.namespace == "default" {
			d.some(pod, "name", 9, one(d, "free name", "tool", "web-99999999999"))
		}
		d.some(pod, "labels", 1, func() any { return object{"app": d.pick("app", s.name, "other")} })
		return pod
	}},
	{"nodeDown", func(d *draw, _ object, _ *set) any {
		down := object{"node": d.node()}
		d.some(down, "off", 2, one(d, "off", true))
		return down
	}},
	{"nodeUp", func(d *draw, _ object, _ *set) any { return d.node() }},
	{"outOfService", func(d *draw, _ object, _ *set) any {
		taint := object{"node": d.node()}
		d.some(taint, "remove", 3, one(d, "remove", true))
		return taint
	}},
	{"cordon", func(d *draw, _ object, _ *set) any { return d.node() }},
	{"uncordon", func(d *draw, _ object, _ *set) any { return d.node() }},
	{"drain", func(d *draw, _ object, _ *set) any {
		drain := object{"node": d.node()}
		d.some(drain, "timeout", 2, one(d, "timeout", "20s", "2m"))
		return drain
	}},
	{"evict", func(d *draw, _ object, s *set) any { return d.podOf(s) }},
	{"hang", func(d *draw, _ object, s *set) any { return d.podOf(s) }},
	{"addRule", func(d *draw, _ object, s *set) any {
		rule := object{"name": d.pick("rule", "a", "b"), "match": object{"statefulset": s.name}}
		d.some(rule, "start", 1, d.delay("start"))
		if !d.probes {
			d.some(rule, "ready", 2, d.delay("ready"))
		}
		d.some(rule, "stop", 2, d.delay("stop"))
		d.some(rule, "for", 2, func() any { return d.positive("for") })
		return rule
	}},
	{"removeRule", func(d *draw, _ object, _ *set) any { return d.pick("rule", "a", "b") }},
	{"upgradeControlPlane", func(d *draw, _ object, _ *set) any { return pick(d, "to", versions...) }},
	{"restartController", func(d *draw, _ object, _ *set) any {
		restart := object{}
		d.some(restart, "after", 2, one(d, "after", "15s", "2s", "0s"))
		d.some(restart, "behind", 3, one(d, "behind", "25s", "3s"))
		return restart
	}},
	{"watch", (*draw).watch},
}

// themes are verbs that make a story together. A world whose steps are all of one or two of them goes further in it
// than one that draws from all.
var themes = [][]string{
	{"scale", "setImage", "patch", "undo", "restart", "apply", "replace"},
	{"nodeDown", "nodeDown", "nodeUp", "nodeUp", "outOfService", "cordon", "uncordon", "drain", "delete", "evict"},
	{"delete", "create", "label", "createPod", "apply", "scale"},
	{"fail", "unready", "recover", "crash", "hang", "evict", "delete"},
	{"addRule", "removeRule", "delete", "setImage", "crash"},
	{"upgradeControlPlane", "restartController", "watch", "setImage", "scale"},
}

// drawThemes chooses the verbs of the world: mostly those of one or two themes, else all.
func (d *draw) drawThemes() {
	for _, verb := range verbs {
		d.verbs = append(d.verbs, verb.name)
	}
	if d.rare("of all themes", 3) {
		return
	}
	d.verbs = slices.Concat(pick(d, "theme", themes...), pick(d, "other theme", themes...))
}

// act draws what is done.
func (d *draw) act(step object) {
	name := pick(d, "verb", d.verbs...)
	at := slices.IndexFunc(verbs, func(v verb) bool { return v.name == name })
	verb, s := verbs[at], d.set()
	s.in(step)
	if verb.name == "replace" || verb.name == "apply" {
		// A manifest names its namespace itself.
		delete(step, "namespace")
	}
	step[verb.name] = verb.draw(d, step, s)
	if !d.rare("not expected", 12) {
		step["refused"] = "e"
	}
}

func (d *draw) setImage(_ object, s *set) any {
	return object{"statefulset": s.name, "image": d.image("image"), "container": "app"}
}

func (d *draw) delete(step object, s *set) any {
	switch d.number("what", 0, 9) {
	case 0, 1, 2, 3:
		if d.some(step, "force", 4, one(d, "force", true)); step["force"] == nil {
			d.some(step, "gracePeriodSeconds", 6, d.integer("grace", 1, 40))
		}
		return "pod/" + d.podOf(s)
	case 4, 5:
		d.some(step, "cascade", 2, one(d, "cascade", "orphan", "foreground", "background"))
		return "statefulset/" + s.name
	case 6, 7:
		d.some(step, "force", 4, one(d, "force", true))
		return "pvc/" + d.pick("template", "data", "logs") + "-" + d.podOf(s)
	case 8:
		return "node/" + pick(d, "node", d.nodes...)
	}
	return d.pick("other", "service/", "poddisruptionbudget/") + s.name
}

// patchObject draws a patch of a pod or a claim.
func (d *draw) patchObject(s *set) object {
	meta := object{"labels": object{"app": pick[any](d, "patched label", "other", s.name, nil)}}
	d.some(meta, "annotations", 2, func() any { return object{"drawn": pick[any](d, "patched annotation", "a", nil)} })
	d.some(meta, "ownerReferences", 4, func() any { return nil })
	if d.rare("of a claim", 2) {
		return object{"pvc": "data-" + d.podOf(s), "metadata": meta}
	}
	return object{"pod": d.podOf(s), "metadata": meta}
}

func (d *draw) patch(_ object, s *set) any {
	if d.rare("of another object", 6) {
		return d.patchObject(s)
	}
	spec := object{}
	d.some(spec, "replicas", 3, d.integer("replicas", 0, 4))
	d.some(spec, "updateStrategy", 2, d.strategy)
	d.some(spec, "minReadySeconds", 4, d.integer("minReadySeconds", 0, 5))
	d.some(spec, "ordinals", 5, func() any { return pick[any](d, "start", object{"start": 1}, object{"start": 0}, nil) })
	d.some(spec, "persistentVolumeClaimRetentionPolicy", 4, d.retention)
	d.some(spec, "revisionHistoryLimit", 6, d.integer("limit", 0, 2))
	d.some(spec, "template", 5, func() any {
		return object{"metadata": object{"annotations": object{"drawn": pick[any](d, "annotation", "a", "b", nil)}}}
	})
	patch := object{"statefulset": s.name, "spec": spec}
	d.some(patch, "metadata", 6, func() any { return object{"annotations": object{"kubernetes.io/change-cause": "patched"}} })
	if d.rare("strategic", 5) {
		patch["type"] = "strategic"
		d.some(spec, "template", 2, func() any {
			return object{"spec": object{"containers": list{object{"name": "app", "image": d.image("patched image")}}}}
		})
	}
	return patch
}

// createAgain creates a set that was deleted; one that is there refuses it.
func (d *draw) createAgain(step object, s *set) any {
	if s.manifest {
		delete(step, "namespace")
		return d.manifest(s)
	}
	return d.short(s)
}

func (d *draw) apply(_ object, s *set) any {
	objects := list{pick(d, "object", d.manifest(s), d.budget(s), d.service(s))}
	if d.rare("more", 5) {
		objects = append(objects, d.budget(s))
	}
	if !d.rare("as text", 5) {
		return objects
	}
	text := ""
	for _, object := range objects {
		document, err := yaml.Marshal(object)
		if err != nil {
			d.t.Fatal(err)
		}
		text += "---\n" + string(document)
	}
	return text
}

func (d *draw) watch(_ object, _ *set) any {
	watch := object{}
	d.some(watch, "kind", 2, one(d, "kind", "pod", "statefulset", "claim", "revision", "any"))
	if d.rare("break", 2) {
		watch["break"] = d.duration("break")
		return watch
	}
	watch["delay"], watch["for"] = d.duration("delay"), d.duration("for")
	return watch
}
