package worlds_test

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// versions are those that behave differently, the newest and the oldest ones more often.
var versions = append([]string{"1.37", "1.37", "1.36", "1.36"}, statefulset.Versions()...)

// head draws the version, the gates, the seed and the limit.
func (d *draw) head(file object) {
	if !d.rare("newest", 4) {
		d.version = pick(d, "kubernetes", versions...)
		file["kubernetes"] = d.version
	}
	profile, err := statefulset.Lookup(d.version)
	if err != nil {
		d.t.Fatal(err)
	}
	gates := object{}
	free := slices.DeleteFunc(profile.Gates(), profile.Locked)
	if len(free) > 0 && d.rare("gates", 2) {
		for range d.number("gates", 1, 2) {
			gates[pick(d, "gate", free...)] = pick(d, "on", true, false)
		}
		file["featureGates"] = gates
	}
	d.some(file, "seed", 2, d.integer("seed", 1, 1000))
	d.some(file, "until", 12, one(d, "until", "1h", "10s", "5m"))
	d.some(file, "name", 9, one(d, "name", "drawn"))
	d.some(file, "description", 9, one(d, "description", "a world that was drawn"))
}

// cluster draws the nodes, and all that is not pods.
func (d *draw) cluster(file object) {
	d.some(file, "nodes", 4, d.drawNodes)
	d.claims = d.rare("claims", 3)
	if d.claims {
		d.some(file, "volumes", 2, d.volumes)
	}
	d.some(file, "collector", 5, func() any { return object{"delay": d.mayNever("collector")()} })
	d.some(file, "dns", 8, func() any {
		dns := object{}
		d.some(dns, "delay", 2, one(d, "delay", "1s", "0s"))
		d.some(dns, "ttl", 2, one(d, "ttl", "30s"))
		return dns
	})
}

func (d *draw) drawNodes() any {
	switch d.number("nodes", 0, 3) {
	case 0:
		d.nodes = []string{"node-1"}
		return 1
	case 1:
		d.nodes = []string{"node-1", "node-2"}
		return list{"node-1", object{"name": "node-2", "zone": "b"}}
	}
	nodes := object{"count": 3}
	d.some(nodes, "zones", 2, func() any { return list{"a", "b"} })
	d.some(nodes, "monitorGrace", 2, one(d, "monitorGrace", "5s", "20s"))
	d.some(nodes, "toleration", 2, one(d, "toleration", "10s", "1m"))
	return nodes
}

func (d *draw) claimTimes(o object) {
	d.some(o, "bind", 2, d.mayNever("bind"))
	d.some(o, "release", 2, d.mayNever("release"))
	d.some(o, "mode", 2, one(d, "mode", "Immediate", "WaitForFirstConsumer"))
}

func (d *draw) volumes() any {
	volumes := object{}
	d.claimTimes(volumes)
	d.some(volumes, "rules", 3, func() any {
		match := object{}
		d.some(match, "claim", 1, one(d, "claim", "data-web-1", "data-*", "*-0"))
		d.some(match, "nth", 3, d.integer("nth", 1, 2))
		rule := object{"match": match}
		d.claimTimes(rule)
		return list{rule}
	})
	return volumes
}

// machinery draws how slow the API server and the controller are.
func (d *draw) machinery(file object) {
	short := func() any {
		if d.rare("drawn latency", 4) {
			return object{"uniform": list{"0s", d.pick("high", "5ms", "3s")}}
		}
		return d.pick("latency", "5ms", "100ms", "2s", "0s")
	}
	d.some(file, "apiserver", 2, func() any {
		server := object{}
		d.some(server, "watch", 2, short)
		d.some(server, "write", 2, short)
		return server
	})
	d.some(file, "controller", 2, func() any {
		controller := object{}
		d.some(controller, "sync", 3, short)
		d.some(controller, "workers", 3, d.integer("workers", 1, 2))
		d.some(controller, "resync", 3, one(d, "resync", "30s", "5s", "0s"))
		if d.rare("qps", 3) {
			controller["qps"] = d.number("qps", 1, 20)
			d.some(controller, "burst", 2, d.integer("burst", 1, 3))
		}
		return controller
	})
}
