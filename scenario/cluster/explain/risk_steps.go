package explain

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/doc"
)

// withCommands returns the risks of a set with the commands by which a new PVC binds the volume of the old one. A PVC
// that is being deleted stays so, and a volume whose claimRef has no uid is bound by the next PVC of that name. The set
// is away in between, or its controller would create the PVC before the volume is free. The last risk of a pod has the
// commands for all PVCs of the pod, which go together; if one of their volumes is not known there are none.
func withCommands(set model.Key, risks []*Risk) []*Risk {
	var list []*Risk
	for i, r := range risks {
		with := *r
		var waits, frees []string
		known := true
		for at, of := range risks {
			if of.Pod != r.Pod {
				continue
			}
			known = known && of.Volume != "" && at <= i
			waits = append(waits, command.In(set.Namespace, "wait", "pvc/"+of.Claim, "--for=delete", command.NoTimeout))
			frees = append(frees, command.PatchVolume(of.Volume, judge.Unclaimed))
		}
		if known {
			with.Again = slices.Concat([]string{
				command.Into(command.In(set.Namespace, "get", "statefulset", set.Name, "-o", "yaml"), set.Name+".yaml"),
				command.In(set.Namespace, "delete", "statefulset", set.Name, "--cascade=orphan"),
				command.In(set.Namespace, "delete", "pod", r.Pod),
			}, waits, frees, []string{command.In(set.Namespace, "create", "-f", set.Name+".yaml")})
		}
		list = append(list, &with)
	}
	return list
}

// item says what is at risk, and below it what to do, in the order in which to do it.
func (r *Risk) item() doc.Item {
	item := doc.Line(r.String()).Bad()
	set, _ := model.SplitPodName(r.Pod)
	n := 0
	step := func(text string, commands ...string) {
		n++
		as := doc.Fact(fmt.Sprintf("%d.", n), text)
		as.Commands = doc.All(commands)
		item.Items = append(item.Items, as)
	}
	if r.Lost && r.Stop == "" {
		item.Items = doc.Lines(fmt.Sprintf("No command that was simulated keeps the PVC: it is gone about %s after the dump.",
			roughly(r.In)))
	}
	if r.Keep != "" {
		step("At once, make the volume outlive the PVC (not simulated):", r.Keep)
	}
	if r.Stop != "" {
		step(fmt.Sprintf("Stop the rollout before it deletes %s, about %s after the dump (verified by simulation: the PVC "+
			"stays):", r.Pod, roughly(r.In)), r.Stop)
	}
	if len(r.Again) > 0 {
		step(fmt.Sprintf("The PVC stays Terminating: delete %s once, at a time of your choice, and let its new PVC bind the "+
			"same volume (not simulated). %s.yaml must be complete: from the second to the last command nothing replaces "+
			"the pods of %s. The new %s has the newest template, whatever the partition:", r.Pod, set, set, r.Pod),
			r.Again...)
	}
	if r.Stop != "" {
		step("Let the rollout continue: set the partition to what it was.")
	}
	return item
}
