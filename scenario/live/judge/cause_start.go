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
	if b.f == nil || !symptom.NoImage(b.f.Waiting) || b.p.Ready {
		return nil
	}
	f, registry := b.f, registryOf(b.f.Image)
	of := podObject(b.key.Namespace, b.name)
	switch {
	case symptom.Diskless(f.Message + f.Event):
		return saying("the disk of node "+b.p.Node+" has no room for images", false, f.Message, f.Event).
			at(nodeObject(b.p.Node), of)
	case symptom.OtherPlatform(f.Message):
		return saying("image "+f.Image+" has no variant for the platform of node "+b.p.Node, true, f.Message).
			at(of, nodeObject(b.p.Node))
	case symptom.Unreached(f.Message):
		return saying("the registry "+registry+" is not reached, or does not answer", false, f.Message)
	case symptom.RateLimited(f.Message):
		return saying("the registry "+registry+" limits how often images are pulled", false, f.Message)
	case symptom.Throttled(f.Message):
		return saying("the kubelet of "+b.p.Node+" limits how often it pulls images", false, f.Message)
	case f.PullSecret != "":
		return saying(fmt.Sprintf("the Secret that imagePullSecrets names does not exist in the namespace %s %s",
			b.key.Namespace, f.PullSecret), true, f.Message)
	case symptom.Unauthorized(f.Message):
		return saying("the registry "+registry+" refuses the credentials", true, f.Message)
	}
	return saying("image "+f.Image+" cannot be pulled", symptom.NeverPulled(f.Waiting, f.Message),
		f.Waiting+": "+f.Message)
}

// registryOf returns the registry of an image: the part before the first slash, if that can be a host.
func registryOf(image string) string {
	if host, _, cut := strings.Cut(image, "/"); cut && (strings.ContainsAny(host, ".:") || host == "localhost") {
		return host
	}
	return "docker.io"
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
	return saying(fmt.Sprintf("container %s of %s does not run: %s", b.f.Container, b.name, b.f.Waiting),
		symptom.NeverMade(b.f.Waiting, b.f.Message), b.f.Message)
}

// crashLoop: a container ends again and again. It may stay up the next time.
func crashLoop(b *blocked) *Cause {
	if b.f == nil || b.p.Ready || !b.waiting("CrashLoopBackOff") && !b.f.Crashed {
		return nil
	}
	sentence := fmt.Sprintf("container %s of %s ends again and again", b.f.Container, b.name)
	if strings.Contains(b.f.Waiting+b.f.Ended, symptom.OOMKilled) {
		sentence = fmt.Sprintf("container %s of %s uses more memory than its limit", b.f.Container, b.name)
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
