package worlds_test

// drawSets chooses which sets there are. Two of one name in two namespaces are as different as two of two names.
func (d *draw) drawSets() {
	d.sets = []*set{{namespace: "default", name: "web"}}
	if d.rare("two sets", 4) {
		d.sets = append(d.sets, pick(d, "second", &set{namespace: "default", name: "api"}, &set{namespace: "other", name: "web"}))
	}
	for i, s := range d.sets {
		s.manifest = d.rare("manifest", 2)
		s.app = s.name
		if i > 0 && s.manifest && d.rare("one selector", 3) {
			s.app = "web"
		}
	}
}

// spec draws what both forms of a set have.
func (d *draw) spec(s *set) object {
	spec := object{"replicas": d.number("replicas", 0, 4)}
	d.some(spec, "podManagementPolicy", 2, one(d, "policy", "Parallel", "OrderedReady"))
	d.some(spec, "updateStrategy", 2, d.strategy)
	d.some(spec, "minReadySeconds", 5, d.integer("minReadySeconds", 0, 8))
	d.some(spec, "revisionHistoryLimit", 6, d.integer("limit", 0, 2))
	d.some(spec, "ordinals", 8, func() any { return object{"start": d.number("start", 0, 2)} })
	d.some(spec, "serviceName", 6, one(d, "serviceName", "peers", "web"))
	d.some(spec, "persistentVolumeClaimRetentionPolicy", 4, d.retention)
	if d.claims && !d.rare("without claims", 8) {
		spec["volumeClaimTemplates"] = d.claimTemplates()
	}
	return spec
}

func (d *draw) strategy() any {
	switch d.number("strategy", 0, 7) {
	case 4, 5:
		return object{"type": "OnDelete"}
	case 6:
		return object{"type": "RollingUpdate"}
	case 7:
		if d.version == "" || d.version == "1.37" {
			return object{"type": "Recreate"}
		}
	}
	block := object{}
	d.some(block, "partition", 2, d.integer("partition", 0, 4))
	d.some(block, "maxUnavailable", 2, one[any](d, "maxUnavailable", 1, 2, 4, "50%", "1%"))
	return object{"type": "RollingUpdate", "rollingUpdate": block}
}

func (d *draw) retention() any {
	policy := object{}
	d.some(policy, "whenDeleted", 1, one(d, "whenDeleted", "Delete", "Retain"))
	d.some(policy, "whenScaled", 1, one(d, "whenScaled", "Delete", "Retain"))
	return policy
}

func (d *draw) claimTemplates() list {
	templates := list{}
	for _, name := range []string{"data", "logs"}[:d.number("claim templates", 1, 2)] {
		templates = append(templates, object{
			"metadata": object{"name": name},
			"spec": object{
				"accessModes": list{d.pick("access", "ReadWriteOnce", "ReadWriteOnce", "ReadWriteMany")},
				"resources":   object{"requests": object{"storage": "1Gi"}},
			},
		})
	}
	return templates
}

// short is a set in the short form.
func (d *draw) short(s *set) object {
	spec := d.spec(s)
	spec["name"], spec["image"] = s.name, d.image("image")
	return spec
}

// labels are those that a set selects.
func (s *set) labels() object { return object{"app": s.app} }

// manifest is a set as a real manifest.
func (d *draw) manifest(s *set) object {
	spec := d.spec(s)
	if spec["serviceName"] == nil {
		spec["serviceName"] = s.name
	}
	spec["selector"] = object{"matchLabels": s.labels()}
	spec["template"] = object{"metadata": object{"labels": s.labels()}, "spec": d.podSpec()}
	metadata := object{"name": s.name}
	if s.namespace != "default" {
		metadata["namespace"] = s.namespace
	}
	d.some(metadata, "annotations", 8, func() any { return object{"kubernetes.io/change-cause": "drawn"} })
	return object{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata, "spec": spec}
}

// preStopSleep is how many seconds a preStop hook sleeps.
const preStopSleep = 5

func (d *draw) podSpec() object {
	app := object{"name": "app", "image": d.image("image")}
	d.some(app, "readinessProbe", 2, d.probe(true))
	d.some(app, "livenessProbe", 4, d.probe(false))
	d.some(app, "startupProbe", 4, d.probe(false))
	d.some(app, "lifecycle", 6, func() any {
		return object{"preStop": pick(d, "preStop", object{"sleep": object{"seconds": preStopSleep}}, object{"exec": object{"command": list{"true"}}})}
	})
	spec := object{"containers": list{app, object{"name": "proxy", "image": "proxy:1"}}}
	d.some(spec, "initContainers", 4, func() any {
		init := object{"name": "init", "image": "init:1"}
		d.some(init, "restartPolicy", 2, one(d, "restartPolicy", "Always"))
		if init["restartPolicy"] != nil {
			d.some(init, "startupProbe", 3, d.probe(false))
		}
		return list{init}
	})
	d.some(spec, "terminationGracePeriodSeconds", 5, one(d, "grace", 30, 0, 1, 5))
	if grace, drawn := spec["terminationGracePeriodSeconds"].(int); drawn && grace < preStopSleep && app["lifecycle"] != nil {
		// The API server refuses a preStop hook that sleeps for longer than the grace period.
		delete(spec, "terminationGracePeriodSeconds")
	}
	d.some(spec, "tolerations", 8, func() any {
		toleration := object{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute"}
		d.some(toleration, "tolerationSeconds", 2, d.integer("seconds", 0, 20))
		return list{toleration}
	})
	return spec
}

func (d *draw) probe(readiness bool) func() any {
	return func() any {
		probe := object{"httpGet": object{"port": 8080}}
		d.some(probe, "periodSeconds", 2, d.integer("period", 1, 5))
		d.some(probe, "failureThreshold", 2, d.integer("failures", 1, 3))
		d.some(probe, "initialDelaySeconds", 4, d.integer("initial", 0, 5))
		if readiness {
			d.some(probe, "successThreshold", 4, d.integer("successes", 1, 2))
		}
		return probe
	}
}

// budget is a PodDisruptionBudget of a set.
func (d *draw) budget(s *set) object {
	spec := object{"selector": object{"matchLabels": s.labels()}}
	if d.rare("min", 2) {
		spec["minAvailable"] = pick[any](d, "minAvailable", 1, 2, "50%", "100%")
	} else {
		spec["maxUnavailable"] = pick[any](d, "maxUnavailable", 1, 0, 2, "50%")
	}
	d.some(spec, "unhealthyPodEvictionPolicy", 4, one(d, "unhealthy", "AlwaysAllow", "IfHealthyBudget"))
	return object{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": object{"name": d.pick("budget", s.name, "other")}, "spec": spec}
}

func (d *draw) service(s *set) object {
	spec := object{"selector": s.labels(), "ports": list{object{"port": 80}}}
	if !d.rare("with an address", 5) {
		spec["clusterIP"] = "None"
	}
	d.some(spec, "publishNotReadyAddresses", 4, one(d, "publish", true))
	return object{"apiVersion": "v1", "kind": "Service", "metadata": object{"name": d.pick("service", s.name, "peers")}, "spec": spec}
}
