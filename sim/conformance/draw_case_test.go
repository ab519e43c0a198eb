package conformance

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// caseDraw makes one Case.
type caseDraw struct {
	draw
	profile statefulset.Profile
	// start and replicas are what the set has at this step, so that the steps are about pods that there may be.
	start, replicas int
}

// DrawCase makes a random world for that version: a set, pods that behave well or badly, and what users do to them at
// random instants.
func DrawCase(t *rapid.T, kubernetes string) *Case {
	d := &caseDraw{draw: draw{t}}
	c := &Case{Name: "random", Kubernetes: kubernetes, Until: "30m"}
	if d.chance(4) {
		c.FeatureGates = drawGates(d.draw, kubernetes)
	}
	d.profile = must(c.Profile())
	c.Kubelet = d.drawKubelet()
	c.Steps = append(c.Steps, d.drawCreate())
	for range d.between(1, 8) {
		if d.chance(12) {
			c.Steps = append(c.Steps, d.drawDeletion(), d.drawCreate())
			continue
		}
		c.Steps = append(c.Steps, d.drawStep())
	}
	return c
}

func (d *caseDraw) drawKubelet() Kubelet {
	k := Kubelet{Times: Times{
		Schedule: pick(d.draw, "0s", "500ms"), Start: pick(d.draw, "1s", "1500ms"),
		Ready: pick(d.draw, "2500ms", "4s", "0s"), Stop: pick(d.draw, "3s", "3200ms", "0s"),
	}}
	nth := d.between(1, 2)
	k.Rules = []Rule{
		{Match: Match{Image: "app:broken"}, Times: Times{Start: "never"}},
		{Match: Match{Image: "app:unready"}, Times: Times{Ready: "never"}},
		{Match: Match{Image: "app:once", Nth: &nth}, Times: Times{Fail: pick(d.draw, "6s", "700ms")}},
	}
	for range d.below(3) {
		// A pod that failed in each of its lives would do so until the run's limit.
		ordinal, once := d.below(8), d.between(1, 2)
		rule := Rule{Match: Match{Ordinal: &ordinal}}
		switch d.below(5) {
		case 0:
			rule.Ready = pick(d.draw, "7s", "700ms", "never")
		case 1:
			rule.Stop = pick(d.draw, "7s", "700ms")
		case 2:
			rule.Start = pick(d.draw, "7s", "never")
		case 3:
			rule.Match.Nth, rule.Fail = &once, pick(d.draw, "6s", "700ms")
		case 4:
			rule.Match.Nth, rule.Ready = &once, "never"
		}
		k.Rules = append(k.Rules, rule)
	}
	return k
}

func (d *caseDraw) drawCreate() Step {
	d.replicas = d.between(1, 7)
	fields := map[string]any{
		"name": setName, "replicas": d.replicas, "image": pick(d.draw, "app:v1", "app:v1", "app:v1", "app:unready"),
		"podManagementPolicy": pick(d.draw, "OrderedReady", "Parallel"),
		"updateStrategy":      d.drawStrategy(),
	}
	if d.profile.MinReadySeconds && d.chance(3) {
		fields["minReadySeconds"] = d.between(1, 9)
	}
	if d.profile.StartOrdinal && d.chance(5) {
		d.start = d.between(1, 4)
		fields["ordinals"] = map[string]any{"start": d.start}
	}
	if d.chance(6) {
		fields["revisionHistoryLimit"] = d.below(3)
	}
	if d.profile.RetentionField && d.chance(3) {
		fields["persistentVolumeClaimRetentionPolicy"] = map[string]any{
			"whenDeleted": pick(d.draw, "Delete", "Retain"), "whenScaled": pick(d.draw, "Delete", "Retain"),
		}
	}
	if d.chance(3) {
		var templates []any
		for _, name := range []string{"data", "log"}[:d.between(1, 2)] {
			templates = append(templates, map[string]any{
				"metadata": map[string]any{"name": name},
				"spec": map[string]any{
					"accessModes": []any{"ReadWriteOnce"},
					"resources":   map[string]any{"requests": map[string]any{"storage": "1Gi"}},
				},
			})
		}
		fields["volumeClaimTemplates"] = templates
	}
	return Step{Create: fields}
}

// drawStrategy makes an update strategy, with and without its block, and with a budget, which versions drop whose
// gate is off.
func (d *caseDraw) drawStrategy() map[string]any {
	switch k := d.below(10); {
	case k < 3:
		return map[string]any{"type": "RollingUpdate"}
	case k == 3:
		return map[string]any{"type": "OnDelete"}
	case k == 4 && d.profile.Recreate:
		return map[string]any{"type": "Recreate"}
	}
	block := map[string]any{}
	if d.chance(2) {
		block["partition"] = d.below(6)
	}
	if d.chance(2) {
		block["maxUnavailable"] = pick[any](d.draw, 1, 2, 3, "10%", "25%", "40%", "100%")
	}
	if len(block) == 0 {
		block["partition"] = 0
	}
	return map[string]any{"type": "RollingUpdate", "rollingUpdate": block}
}

// drawDeletion deletes the set. The next step creates it again, and finds what was left behind.
func (d *caseDraw) drawDeletion() Step {
	s := Step{Delete: "statefulset/" + setName, Cascade: pick(d.draw, "orphan", "background", "foreground", "orphan")}
	if after := pick(d.draw, "", "1s", "4s"); after != "" {
		s.After = &after
	}
	return s
}

func (d *caseDraw) drawStep() Step {
	var s Step
	switch k := d.below(13); {
	case k == 12:
		s.Delete = "pvc/data-" + d.drawPod()
	case k < 4:
		image := pick(d.draw, "app:v2", "app:v1", "app:v3", "app:v4", "app:broken", "app:unready", "app:once")
		s.SetImage = &SetImage{setName, image}
	case k < 6:
		d.replicas = d.below(9)
		s.Scale = &Scale{setName, int32(d.replicas)}
	case k < 8:
		s.Delete = "pod/" + d.drawPod()
	case k == 8:
		s.Fail = &PodStep{Pod: d.drawPod()}
	case k == 9:
		s.Unready = &PodStep{Pod: d.drawPod(), For: pick(d.draw, "", "20s", "3s")}
	default:
		s.Patch = &Patch{setName, d.drawPatch()}
	}
	if after := pick(d.draw, "", "0s", "200ms", "1s", "2500ms", "4s", "6s", "9s", "13s"); after != "" {
		s.After = &after
	}
	return s
}

// drawPod names a pod at or around the ordinals of the set.
func (d *caseDraw) drawPod() string {
	return fmt.Sprintf("%s-%d", setName, max(0, d.start-1)+d.below(d.replicas+2))
}

func (d *caseDraw) drawPatch() map[string]any {
	switch {
	case d.profile.MinReadySeconds && d.chance(4):
		return map[string]any{"minReadySeconds": d.below(8)}
	case d.profile.StartOrdinal && d.chance(4):
		d.start = d.below(5)
		return map[string]any{"ordinals": map[string]any{"start": d.start}}
	}
	strategy := d.drawStrategy()
	if _, hasBlock := strategy["rollingUpdate"]; !hasBlock && d.chance(2) || strategy["type"] != "RollingUpdate" {
		// Without this a block that is there stays, and is refused with any other type.
		strategy["rollingUpdate"] = nil
	}
	patch := map[string]any{"updateStrategy": strategy}
	if d.chance(4) {
		d.replicas = d.below(9)
		patch["replicas"] = d.replicas
	}
	return patch
}
