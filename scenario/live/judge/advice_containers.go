package judge

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// lastRun says how it has ended, or its container in its last run.
func (x *shown) lastRun() {
	p, f, d := x.p, x.f, x.d
	if f.Status != "" {
		x.add("Its status says: %s", dump.OneLine(f.Status))
	}
	if f.Message != "" {
		x.add("The kubelet says: %s", dump.OneLine(f.Message))
	}
	if f.Ended != "" {
		x.add("Its last run has ended: %s.", f.Ended)
	}
	if f.ExitMessage != "" && f.ExitMessage != f.Message {
		x.add("Its message at the end: %s", dump.OneLine(f.ExitMessage))
	}
	x.list = append(x.list, space(p, d)...)
	if text := exited(p, f, d); text != "" {
		x.add("%s", text)
	}
}

// logs says where to look why its containers do not become ready.
func (x *shown) logs() {
	p, f, d := x.p, x.f, x.d
	if f.Unstarted != "" && !p.Ready {
		x.add("The startupProbe of %s has not succeeded. After failureThreshold failures, the kubelet stops the container "+
			"and starts it again.", f.Unstarted)
	}
	if f.Waiting == "" && p.Phase == model.Running && !p.Ready && !p.Terminating() && !p.Silenced && f.Gate == "" {
		if len(f.Unready) > 0 {
			x.add("Its %s %s not ready.", render.Agree(len(f.Unready), "container ", "containers ")+render.And(f.Unready),
				render.Agree(len(f.Unready), "is", "are"))
		}
		x.add("To see its log: %s", shell.In(p.Namespace, append([]string{"logs", p.Name}, ofFirst(f.Unready)...)...))
	}
	if f.Waiting == "CrashLoopBackOff" || f.Crashed {
		x.add("To see the log of its last container: %s",
			shell.In(p.Namespace, "logs", p.Name, "-c", f.Container, "--previous"))
	}
	switch text := likePods(p, d); {
	case f.Waiting == "" || p.Terminating() || f.OfPod():
	case f.NoImage() != nil && text == "":
	case text != "":
		x.add("%s", text)
	case f.Lost && !f.Comes() && !f.OfInit && p.ReadySince.Sub(p.Created) > time.Hour:
		x.add("It was Ready with the same template until %s ago, so look at what it uses besides: ConfigMaps, Secrets, "+
			"volumes, other services.", dump.Age(p.ReadySince))
	}
}

// ofFirst are the arguments of kubectl logs for the first of some containers, nil if there is none.
func ofFirst(containers []string) []string {
	if len(containers) == 0 {
		return nil
	}
	return []string{"-c", containers[0]}
}
