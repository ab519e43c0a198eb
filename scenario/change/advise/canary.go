package advise

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// stages are the commands of a rollout in stages, after the new version has been applied.
func (c *Choice) stages() []string {
	key, n := c.of.key, int(c.of.wanted.Spec.Replicas)
	var lines []string
	for i, stage := range c.Schedule {
		if i > 0 {
			lines = append(lines, shell.Patch(key.Namespace, "statefulset", key.Name,
				fmt.Sprintf(`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, stage.Partition)))
		}
		for _, wait := range []string{
			fmt.Sprintf("--for=jsonpath={.status.updatedReplicas}=%d", n-int(stage.Partition)),
			fmt.Sprintf("--for=jsonpath={.status.availableReplicas}=%d", n),
		} {
			lines = append(lines, shell.In(key.Namespace, "wait", "statefulset/"+key.Name, wait, shell.NoTimeout))
		}
		if stage.Pause > 0 && i+1 < len(c.Schedule) {
			lines = append(lines, shell.Noted(shell.Line("sleep", fmt.Sprint(int(time.Duration(stage.Pause).Seconds()))),
				"watch the new pods: none may restart"), shell.In(key.Namespace, "wait", "statefulset/"+key.Name,
				fmt.Sprintf("--for=jsonpath={.status.availableReplicas}=%d", n), "--timeout=1s"))
		}
	}
	return lines
}

// Canary returns the rollout in stages of an answer that loses the fewest pods to bad versions, of equals the quickest;
// nil if there is none.
func (a *Advice) Canary() *Choice {
	var best *Choice
	for _, s := range a.All() {
		for _, c := range s.Front {
			if len(c.Schedule) < 2 || !c.trial.ends {
				continue
			}
			if best == nil || c.trial.lost() < best.trial.lost() {
				best = c
			}
		}
	}
	return best
}

// Script is the rollout as a shell script: the setting, the new version, and each stage with what to wait for.
func (c *Choice) Script() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# A rollout of %s in stages: %s.\nset -eu\n\n", c.of.key, c.Setting)
	for _, line := range c.Commands {
		b.WriteString(line + "\n")
	}
	b.WriteString("\n# The new version: the command with which you deploy it.\n\"$@\"\n\n")
	for _, line := range c.stages() {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// Scenario is the rollout as a scenario, with a short form of the set and the times that were played.
func (c *Choice) Scenario() string {
	s, key := c.of, c.of.key
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("name: advise/%s", key.Name)
	line("description: A rollout in stages, %s.", c.Setting)
	line("kubernetes: %q", s.frame.Profile.Version())
	line("kubelet: {stop: %s, start: %s, ready: %s}", s.usual.Stop, s.usual.Start, s.usual.Ready)
	line("steps:")
	s.created(&b, &c.trial.setting, key.Namespace, s.wanted.Spec.Replicas)
	line("  - setImage: {image: \"app:v2\"}")
	for i, stage := range c.Schedule[1:] {
		wait := fmt.Sprintf("{wait: statefulset/%s, for: \"jsonpath={.status.updatedReplicas}=%d\", timeout: 24h}", key.Name,
			s.wanted.Spec.Replicas-c.Schedule[i].Partition)
		patch := fmt.Sprintf("{spec: {updateStrategy: {rollingUpdate: {partition: %d}}}}", stage.Partition)
		available := fmt.Sprintf("{wait: statefulset/%s, for: \"jsonpath={.status.availableReplicas}=%d\", timeout: 24h}",
			key.Name, s.wanted.Spec.Replicas)
		line("  - patch: {metadata: {annotations: {stage: \"%d updated\"}}}", i+1)
		line("    when: %s", wait)
		line("  - patch: {metadata: {annotations: {stage: \"%d available\"}}}", i+1)
		line("    when: %s", available)
		line("  - patch: %s", patch)
		line("    after: %s", time.Duration(stage.Pause))
	}
	line("expect:")
	line("  - completes: {}")
	line("  - always: serving >= %d", c.FewestServing)
	return b.String()
}

// created writes the step that creates the set with a setting, in the short form.
func (s *subject) created(b *strings.Builder, as *setting, namespace string, replicas int32) {
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("  - create:")
	line("      name: %s", s.key.Name)
	line("      replicas: %d", replicas)
	line("      image: \"app:v1\"")
	line("      podManagementPolicy: %s", as.policy)
	line("      minReadySeconds: %d", as.minReady)
	if as.onDelete {
		line("      updateStrategy: {type: OnDelete}")
	} else {
		atOnce := ""
		if as.atOnce != nil {
			atOnce = ", maxUnavailable: " + jsonText(number(as.atOnce))
		}
		line("      updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: %d%s}}", as.partition(), atOnce)
	}
	line("    namespace: %s", namespace)
}

// jsonText is a value as JSON and YAML have it.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("advise: a value cannot be encoded: " + err.Error())
	}
	return string(text)
}
