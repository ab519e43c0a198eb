package advise

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// partition returns the command that sets the partition of the set.
func (c *Choice) partition(to int32) string {
	return shell.Patch(c.of.key.Namespace, "statefulset", c.of.key.Name,
		fmt.Sprintf(`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, to))
}

// held returns the command that prints the partition.
func (c *Choice) held() string {
	return shell.In(c.of.key.Namespace, "get", "statefulset", c.of.key.Name, "-o",
		"jsonpath={.spec.updateStrategy.rollingUpdate.partition}")
}

// awaited are the commands that wait until a stage is rolled out.
func (c *Choice) awaited(stage Stage) (lines []string) {
	n := int(c.of.wanted.Spec.Replicas)
	for _, wait := range []string{
		fmt.Sprintf("--for=jsonpath={.status.updatedReplicas}=%d", n-int(stage.Partition)),
		fmt.Sprintf("--for=jsonpath={.status.availableReplicas}=%d", n),
	} {
		lines = append(lines, shell.In(c.of.key.Namespace, "wait", "statefulset/"+c.of.key.Name, wait, shell.NoTimeout))
	}
	return lines
}

// stages are the commands of each rollout in stages, for people: from the first partition on, because the last stage
// leaves it at 0.
func (c *Choice) stages() []string {
	var lines []string
	for i, stage := range c.Schedule {
		lines = append(lines, c.partition(stage.Partition))
		if i == 0 {
			lines = append(lines, "# Deploy the new version now.",
				shell.Noted(c.held(), fmt.Sprintf("must still be %d", stage.Partition)))
		}
		lines = append(lines, c.awaited(stage)...)
		if stage.Pause > 0 && i+1 < len(c.Schedule) {
			words := []string{"get", "pods"}
			if n := c.of.wanted.Spec.Replicas; stage.Partition == n-1 {
				words = append(words, c.of.wanted.PodName(c.of.wanted.Start()+int(n)-1))
			}
			lines = append(lines, shell.Noted(shell.In(c.of.key.Namespace, append(words, "--watch")...),
				"for "+render.Brief(time.Duration(stage.Pause))+": no new pod may restart, be replaced or become unready"))
		}
	}
	return lines
}

// Canary returns the rollout in stages of an answer that takes the fewest pods out of service if the version is bad, of
// equals the quickest; nil if there is none.
func (a *Advice) Canary() *Choice {
	var best *Choice
	for _, s := range a.All() {
		for _, c := range s.Front {
			if len(c.Schedule) < 2 || !c.trial.ends {
				continue
			}
			if best == nil || c.trial.down() < best.trial.down() {
				best = c
			}
		}
	}
	return best
}

// pollSeconds is how often the script looks at the pods of a stage.
const pollSeconds = 5

// columns are what the script sees of a pod. A pod that is replaced has another UID. Ready comes last.
const columns = `custom-columns=NAME:.metadata.name,UID:.metadata.uid,DELETED:.metadata.deletionTimestamp,` +
	`RESTARTS:.status.containerStatuses[*].restartCount,INIT:.status.initContainerStatuses[*].restartCount,` +
	`READY:.status.conditions[?(@.type=="Ready")].status`

// functions are those of the script: %[1]d is the ordinal after the last, %[2]s the name of a pod without its ordinal,
// %[3]s the command that prints pods, %[4]d how often it looks, %[5]s what it says when a pod is not well.
const functions = `fail() {
  echo "$1" >&2
  exit 1
}

# pods FROM prints the pods from an ordinal on: their UIDs, restarts, and whether they are Ready.
pods() {
  i=$1
  set --
  while [ "$i" -lt %[1]d ]; do
    set -- "$@" %[2]s"$i"
    i=$((i + 1))
  done
  %[3]s "$@"
}

# watch FROM SECONDS looks at the pods from an ordinal on. It fails if one restarts, is replaced or is not Ready.
watch() {
  before=$(pods "$1")
  left=$2
  while :; do
    now=$(pods "$1") || fail "A pod of this stage is gone, or the API server does not answer."
    if [ "$now" != "$before" ] || echo "$now" | grep -qv 'True *$'; then
      printf 'before:\n%%s\nnow:\n%%s\n' "$before" "$now" >&2
      fail %[5]s
    fi
    [ "$left" -gt 0 ] || return 0
    sleep %[4]d
    left=$((left - %[4]d))
  done
}
`

// Script is the rollout as a shell script: the setting, the first partition, the new version, and each stage with what to
// wait for. It ends with exit code 1 before the next stage if the pods of a stage are not well all the time.
func (c *Choice) Script() string {
	var b strings.Builder
	set, key := c.of.wanted, c.of.key
	fmt.Fprintf(&b, "#!/bin/sh\n# A rollout of %s in stages: %s.\n# Usage: give the command with which you deploy the new "+
		"version as the arguments.\nset -eu\n\n", key, c.Setting)
	pods := shell.In(key.Namespace, "get", "pods", "--no-headers", "-o", columns)
	unwell := shell.Quote("A new pod has restarted, was replaced or is not Ready. No other pod gets the new version. The way " +
		"back: " + play.Undo(key).Kubectl)
	fmt.Fprintf(&b, functions, set.Start()+int(set.Spec.Replicas), shell.Quote(key.Name+"-"), pods, pollSeconds, unwell)
	b.WriteString("\n")
	for _, line := range append(slices.Clone(c.Commands), c.partition(c.Schedule[0].Partition)) {
		b.WriteString(line + "\n")
	}
	b.WriteString("\n# The new version: the command with which you deploy it.\n\"$@\"\n")
	c.check(&b)
	for i, stage := range c.Schedule {
		b.WriteString("\n")
		if i > 0 {
			b.WriteString(c.partition(stage.Partition) + "\n")
		}
		for _, line := range c.awaited(stage) {
			b.WriteString(line + "\n")
		}
		if i+1 < len(c.Schedule) {
			fmt.Fprintf(&b, "watch %d %d\n", stage.Partition, int(time.Duration(stage.Pause).Seconds()))
		}
	}
	return b.String()
}

// check writes what holds the rollout if the manifest that was deployed has changed the partition.
func (c *Choice) check(b *strings.Builder) {
	first := c.Schedule[0].Partition
	fmt.Fprintf(b, `
# A manifest that states rollingUpdate.partition sets it back, and the rollout would not stop after the first stage.
held=$(%s)
if [ "$held" != %d ]; then
  %s
  fail "The deployment has changed the partition from %d to ${held:-nothing}: take rollingUpdate.partition out of the manifest.
It is %[2]d again, but more pods than those of the first stage may have the new version."
fi
`, c.held(), first, c.partition(first), first)
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
