package explain_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// cureOf plays the commands of a cure that was tried on a real control plane, one second apart, and says what came of
// it.
type cureOf struct {
	t     *testing.T
	s     *scenario.Scenario
	key   model.Key
	drain string
	// serving is how many pods of the set serve in the dump.
	serving int
}

func (c *cureOf) play(commands []string) (heals bool, fewest int) {
	config := c.s.Config(scenario.RunOptions{})
	var steps []sim.Step
	if c.drain != "" {
		steps = append(steps, sim.Step{Number: 1, Verb: "drain", When: sim.When{Trigger: sim.At},
			Act: func(u *sim.User) sim.Outcome { u.Drain(c.drain, 0, true); return sim.Outcome{Effect: timeline.Done} }})
	}
	for i, command := range commands {
		when := sim.When{Trigger: sim.After, D: time.Second}
		if i == 0 {
			when.D = 0
		}
		switch {
		case strings.Contains(command, "repaired outside"):
			config.Kubelet.Rules, config.Kubelet.Default.When = nil, nil
		case strings.Contains(command, "PriorityClass is made"):
			config.Admit = nil
		}
		steps = append(steps, sim.Step{Number: len(steps) + 1, Verb: "kubectl", Does: command, When: when,
			Act: c.act(command), Refused: "podManagementPolicy"})
	}
	events := sim.New(config).Run(steps)
	fewest, acted := c.serving, false
	for f := range timeline.Ticks(events) {
		acted = acted || f.Index > 0 && slices.ContainsFunc(events[:f.Index], func(e timeline.Event) bool {
			return e.Step != nil && e.Step.Number > 0
		})
		if set := f.Set(c.key); acted {
			serving := 0
			if set != nil {
				serving = set.Serving()
			}
			fewest = min(fewest, serving)
		}
	}
	if c.drain != "" {
		// kubectl goes on by the pod's name when somebody else has deleted the pod, and never ends (kubectl's own code,
		// and nodes-28 of the recordings): what a cure is for is that the node is empty, and the set complete.
		set := timeline.EndOf(events).Set(c.key)
		emptied := !set.Pods.Any(func(p *timeline.Pod) bool { return p.Node == c.drain })
		return emptied && set.Serving() == int(set.Spec.Spec.Replicas), fewest
	}
	if set := c.s.Start.State.Sets[0]; set.Terminating() {
		return timeline.EndOf(events).Set(c.key) == nil || timeline.EndOf(events).Set(c.key).Spec == nil, fewest
	}
	return heal.Whole(events, c.key), fewest
}

var (
	replicasFlag = regexp.MustCompile(`--replicas=(\d+)`)
	imageFlag    = regexp.MustCompile(`app=(\S+)$`)
	partition    = regexp.MustCompile(`"partition":(\d+)`)
	claimName    = regexp.MustCompile(`pvc (\S+)`)
	podName      = regexp.MustCompile(`pod ((?:(?:web-\d+|debug) ?)+)`)
)

// act does what a command does.
func (c *cureOf) act(command string) func(*sim.User) sim.Outcome {
	pods := func(u *sim.User) (keys []model.Key) {
		if m := podName.FindStringSubmatch(command); m != nil {
			for _, name := range strings.Fields(m[1]) {
				keys = append(keys, model.Key{Namespace: c.key.Namespace, Name: name})
			}
			return keys
		}
		for _, p := range c.s.Start.State.Pods {
			keys = append(keys, p.Key())
		}
		return keys
	}
	do := func(f func(u *sim.User)) func(*sim.User) sim.Outcome {
		return func(u *sim.User) sim.Outcome { f(u); return sim.Outcome{Effect: timeline.Done} }
	}
	change := func(f func(set *model.StatefulSet)) func(*sim.User) sim.Outcome {
		return func(u *sim.User) sim.Outcome {
			wanted := *u.Set(c.key)
			f(&wanted)
			stored, err := u.Update(&wanted)
			if err != nil {
				return sim.Outcome{Effect: timeline.Refused, Err: err}
			}
			return sim.Outcome{Effect: timeline.Configured, Sets: []*model.StatefulSet{stored}}
		}
	}
	has := func(text string) bool { return strings.Contains(command, text) }
	switch {
	case has("repaired outside"), has("PriorityClass is made"):
		return do(func(*sim.User) {})
	case has("cascade=orphan &&"):
		return c.anew(command)
	case has("# kubectl apply"):
		return change(func(set *model.StatefulSet) {
			template := *set.Spec.Template
			template.Data = regexp.MustCompile(`"priorityClassName":"[^"]*",?`).ReplaceAllString(template.Data, "")
			set.Spec.Template = &template
		})
	case has("rollout undo"):
		return play.Undo(c.key).Act
	case has("delete sts"):
		policy := sim.Background
		if has("orphan") {
			policy = sim.Orphan
		}
		return func(u *sim.User) sim.Outcome {
			u.DeleteSet(c.key, policy)
			if u.Set(c.key) == nil {
				return sim.Outcome{Effect: timeline.Deleted, Removed: []model.Key{c.key}}
			}
			return sim.Outcome{Effect: timeline.Deleted}
		}
	case has("delete pod"):
		force := has("--force")
		return do(func(u *sim.User) {
			for _, key := range pods(u) {
				u.DeletePod(key, force)
			}
		})
	case has("patch pvc"):
		return do(func(u *sim.User) {
			u.DeleteClaim(model.Key{Namespace: c.key.Namespace, Name: claimName.FindStringSubmatch(command)[1]}, true)
		})
	case has("patch pod"):
		return do(func(u *sim.User) { u.FreePod(pods(u)[0]) })
	case has("set image"):
		return change(func(set *model.StatefulSet) {
			next, err := manifest.SetImage(set, "app", imageFlag.FindStringSubmatch(command)[1])
			require.NoError(c.t, err)
			*set = *next
		})
	case has("rollout restart"):
		return change(func(set *model.StatefulSet) { *set = *manifest.Restart(set, "2026-12-01T00:00:00Z") })
	case has("scale"):
		n, _ := strconv.Atoi(replicasFlag.FindStringSubmatch(command)[1])
		return change(func(set *model.StatefulSet) { set.Spec.Replicas = int32(n) })
	case has("annotate sts"):
		return change(func(set *model.StatefulSet) { set.Annotations = map[string]string{"kick": "1"} })
	case has("partition"):
		n, _ := strconv.Atoi(partition.FindStringSubmatch(command)[1])
		return change(func(set *model.StatefulSet) {
			set.Spec.Strategy.RollingUpdate = &model.RollingUpdate{Partition: int32(n)}
		})
	case has("OnDelete"):
		return change(func(set *model.StatefulSet) { set.Spec.Strategy = model.Strategy{Type: model.OnDeleteStrategy} })
	case has("ordinals"):
		return change(func(set *model.StatefulSet) { set.Spec.Ordinals = nil })
	case has("podManagementPolicy"):
		return change(func(set *model.StatefulSet) { set.Spec.PodManagement = model.Parallel })
	case has("patch sts") && has("finalizers"):
		return func(u *sim.User) sim.Outcome {
			u.FreeSet(c.key)
			return sim.Outcome{Effect: timeline.Deleted, Removed: []model.Key{c.key}}
		}
	case has("delete pdb"):
		return do(func(u *sim.User) { u.DeleteBudget(c.key) })
	case has("patch pdb"):
		return do(func(u *sim.User) {
			b := *u.Budget(c.key)
			b.MinAvailable = &model.IntOrPercent{Value: 2}
			u.PutBudget(&b)
		})
	case has("uncordon"):
		return do(func(u *sim.User) {
			for _, n := range c.s.Start.State.Nodes {
				u.Cordon(n.Name, false)
			}
		})
	case has("taint node"), has("node comes back"), has("delete node"):
		return do(func(u *sim.User) {
			for _, n := range c.s.Start.State.Nodes {
				switch {
				case !n.Down:
				case has("taint node"):
					u.OutOfService(n.Name, true)
				case has("delete node"):
					u.DeleteNode(n.Name)
				default:
					u.NodeUp(n.Name)
				}
			}
		})
	}
	c.t.Fatalf("nobody knows the command %s", command)
	return nil
}

// anew deletes the set as an orphan's owner and makes it again, with changes.
func (c *cureOf) anew(command string) func(*sim.User) sim.Outcome {
	return func(u *sim.User) sim.Outcome {
		before := u.Set(c.key)
		u.DeleteSet(c.key, sim.Orphan)
		set := &model.StatefulSet{Meta: model.Meta{Namespace: c.key.Namespace, Name: c.key.Name, Labels: before.Labels}, Spec: before.Spec}
		if strings.Contains(command, "'policy': 'Parallel'") {
			set.Spec.PodManagement = model.Parallel
		}
		if m := regexp.MustCompile(`'image': '([^']*)'`).FindStringSubmatch(command); m != nil {
			set, _ = manifest.SetImage(set, "app", m[1])
		}
		stored, err := u.Create(set)
		if err != nil {
			return sim.Outcome{Effect: timeline.Refused, Err: err}
		}
		return sim.Outcome{Effect: timeline.Created, Sets: []*model.StatefulSet{stored}}
	}
}
