package worlds_test

// kubelet draws how pods behave.
func (d *draw) kubelet() object {
	k := object{}
	d.probes = d.rare("probes", 4)
	if d.probes {
		k["probes"] = true
		if d.rare("phase", 3) {
			k["probes"] = object{"phase": d.delay("phase")()}
		}
	}
	d.times(k)
	d.some(k, "sigkill", 6, one(d, "sigkill", true, false))
	d.some(k, "crashLoopBackOff", 8, func() any { return object{"max": d.pick("max", "1s", "20s", "300s")} })
	d.some(k, "rules", 2, func() any {
		rules := list{}
		for range d.number("rules", 1, 3) {
			rules = append(rules, d.rule())
		}
		return rules
	})
	return k
}

// times draws the times of a pod's life. Most have their defaults.
func (d *draw) times(o object) {
	d.some(o, "schedule", 6, d.mayNever("schedule"))
	d.some(o, "start", 6, d.mayNever("start"))
	d.some(o, "stop", 6, d.mayNever("stop"))
	d.some(o, "preStop", 10, d.delay("preStop"))
	d.some(o, "pull", 10, d.pull)
	d.some(o, "giveUp", 20, d.mayNever("giveUp"))
	if d.rare("crash", 12) {
		o["crash"] = d.mayNever("crash")()
		d.some(o, "crashes", 2, d.integer("crashes", 1, 3))
	}
	d.some(o, "ready", 5, d.ready)
	if d.probes && o["ready"] != nil && o["ready"].(object) == nil {
		delete(o, "ready")
	}
	if d.probes {
		d.some(o, "healthy", 4, d.mayNever("healthy"))
		d.some(o, "init", 4, d.delay("init"))
	}
	d.some(o, "reason", 15, one(d, "reason", "ImagePullBackOff", "Evicted", "OOMKilled"))
}

// conditions are those of a readiness that depends on others.
var conditions = []string{
	"pods.filter(p, p.up).size() >= 2",
	"self.ordinal == 0 || pods.exists(p, p.ordinal == 0 && p.ready)",
	"serving >= 1 || self.ordinal == 0",
	"pods.size() < 3 || pods.filter(p, p.up).size() >= 2",
	"spec.replicas != 2",
	"!pods.exists(p, p.terminating)",
	"status.replicas >= spec.replicas",
	"outdated == 0 || self.template > 1",
	"ready < 2 || self.ready",
	"self.restarts < 2",
}

func (d *draw) ready() any {
	quorum := d.rare("quorum", 2)
	if !quorum && d.probes {
		return object(nil)
	}
	if !quorum {
		return d.mayNever("ready")()
	}
	ready := object{"when": pick(d, "when", conditions...)}
	if !d.probes {
		d.some(ready, "after", 2, d.mayNever("after"))
	}
	d.some(ready, "lose", 2, func() any {
		if d.rare("keeps", 6) {
			return "never"
		}
		return d.positive("lose")
	})
	return ready
}

func (d *draw) pull() any {
	if d.rare("fails", 2) {
		pull := object{}
		d.some(pull, "takes", 2, d.delay("takes"))
		d.some(pull, "fails", 2, d.integer("fails", 1, 3))
		d.some(pull, "until", 3, one(d, "until", "15s", "2m"))
		return pull
	}
	return d.mayNever("pull")()
}

func (d *draw) rule() object {
	match := object{}
	d.some(match, "pod", 2, one(d, "pod", "web-1", "web-0", "*-[02]", "*"))
	d.some(match, "image", 3, one(d, "image", "app:bad", "app:v2", "app:*"))
	d.some(match, "ordinal", 5, d.integer("ordinal", 0, 3))
	d.some(match, "nth", 3, d.integer("nth", 1, 3))
	d.some(match, "node", 8, one(d, "node", "node-1", "node-[12]"))
	d.some(match, "statefulset", 8, one(d, "statefulset", "web"))
	d.some(match, "namespace", 10, one(d, "namespace", "default"))
	if d.probes {
		d.some(match, "container", 4, one(d, "container", "app", "proxy", "init"))
	}
	rule := object{"match": match}
	d.times(rule)
	if match["nth"] != nil {
		// A pod that fails in each of its lives fails without an end.
		d.some(rule, "fail", 3, d.mayNever("fail"))
	}
	return rule
}
