package judge

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
)

// addedByAdmission: a container that admission has added does not run. No change of the set repairs it.
func addedByAdmission(b *blocked) *Cause {
	if b.f == nil || !b.f.Added || b.p.Ready {
		return nil
	}
	return saying("admission adds the container "+b.f.Container+", which does not run", false,
		b.f.Waiting+": "+b.f.Message)
}

// imageNotPulled: an image cannot be pulled. What lies with the registry, the node or a credential may end by itself.
func imageNotPulled(b *blocked) *Cause {
	if b.f == nil || b.f.NoImage() == nil || b.p.Ready {
		return nil
	}
	image := b.f.NoImage()
	if image.Sentence == "" {
		return saying("image "+b.f.Image+" cannot be pulled", image.Certain, b.f.Waiting+": "+b.f.Message)
	}
	c := saying(b.Say(b.p, image, image.Sentence), image.Certain, b.f.Message)
	if image.OfNode {
		c.at(nodeObject(b.p.Node), podObject(b.key.Namespace, b.name)).Evidence = said(b.f.Message, b.f.Event)
	}
	return c
}

// objectMissing: a Secret or ConfigMap, or a key of it, does not exist. Optional ones are never waited for.
func objectMissing(b *blocked) *Cause {
	if !b.starts() && (b.f == nil || b.p.Ready || !symptom.NotMade(b.f.Waiting)) {
		return nil
	}
	of := podObject(b.key.Namespace, b.name)
	if kind, name := b.f.Lacks(); name != "" {
		return saying(fmt.Sprintf("the %s %s does not exist in the namespace %s", kind, name, b.key.Namespace), true,
			b.f.Message, b.f.Event).at(of, Object{Kind: kind, Namespace: b.key.Namespace, Name: name})
	}
	if key, lacking := b.f.LacksKey(); key != "" {
		kind, name, _ := strings.Cut(lacking, " ")
		return saying(fmt.Sprintf("the %s of the namespace %s has no key %s", lacking, b.key.Namespace, key), true,
			b.f.Message).at(of, Object{Kind: kind, Namespace: b.key.Namespace, Name: name})
	}
	return nil
}

// volumeAttached: the volume of the pod is attached to another node.
func volumeAttached(b *blocked) *Cause {
	if !b.starts() || !b.Attached(b.p.Key()) {
		return nil
	}
	return saying("the volume of "+b.name+" is still attached to another node", false, b.f.Event)
}

// volumeNotMounted: the kubelet cannot mount the volume of a claim. The kubelet tries again by itself.
func volumeNotMounted(b *blocked) *Cause {
	if !b.starts() || !b.Unmounted(b.p) {
		return nil
	}
	return saying("a volume of "+b.name+" cannot be mounted", false, b.f.Event)
}

// containerNotCreated: the kubelet cannot make a container as the spec asks for it.
func containerNotCreated(b *blocked) *Cause {
	if b.f == nil || b.f.Waiting == "" || b.p.Ready {
		return nil
	}
	row := symptom.Container(b.f.Waiting, b.f.Message)
	return saying(fmt.Sprintf("container %s of %s does not run: %s", b.f.Container, b.name, b.f.Waiting),
		row != nil && row.Certain, b.f.Message)
}

// crashLoop: a container ends again and again. It may stay up the next time.
func crashLoop(b *blocked) *Cause {
	if b.f == nil || b.p.Ready || !b.waiting("CrashLoopBackOff") && !b.f.Crashed {
		return nil
	}
	sentence := fmt.Sprintf("container %s of %s ends again and again", b.f.Container, b.name)
	if row := b.f.NotRun(); row != nil && row.Sentence != "" {
		sentence = b.Say(b.p, row, row.Sentence)
	}
	return saying(sentence, false, b.f.Waiting+": "+b.f.Message, b.f.Ended, b.f.ExitMessage)
}

// initNotEnded: an init container, or a sidecar, holds up the others.
func initNotEnded(b *blocked) *Cause {
	if !b.starts() || b.f.Init == "" {
		return nil
	}
	return saying(fmt.Sprintf("the init container %s of %s has not ended", b.f.Init, b.name), false, b.f.Event)
}

// notStarted: the pod has a node, and its containers have not started.
func notStarted(b *blocked) *Cause {
	if !b.starts() {
		return nil
	}
	return saying("the containers of "+b.name+" have not started", false, b.f.Event)
}

// succeeded: versions before 1.27.9, 1.28.5 and 1.29 never replace a pod that has Succeeded.
func succeeded(b *blocked) *Cause {
	if b.p == nil || b.p.Phase != model.Succeeded {
		return nil
	}
	return saying(b.name+" has Succeeded, and this version of Kubernetes never replaces such a pod", true, b.f.Status)
}
