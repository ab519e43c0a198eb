// Package container is what clients see of the inside of a simulated container: its files, as commands and probes find
// them, the streams of exec, and its log. It knows no world.
package container

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/shell"
)

// Files are the files of the containers. A container keeps its own files until it restarts; the files of an
// emptyDir live as long as its pod, and the files of a claim as long as the claim.
type Files struct {
	// own are by uid of the pod, container and restarts; volumes by uid of the claim, or of the pod and the volume.
	own, volumes map[string]shell.Tree
}

// New returns the files of a cluster that has not run any containers.
func New() Files { return Files{own: map[string]shell.Tree{}, volumes: map[string]shell.Tree{}} }

// Copy returns an independent copy.
func (f Files) Copy() Files { return Files{deep(f.own), deep(f.volumes)} }

// deep copies the files.
func deep(trees map[string]shell.Tree) map[string]shell.Tree {
	next := maps.Clone(trees)
	for at, tree := range maps.All(trees) { // In any order.
		next[at] = maps.Clone(tree)
	}
	return next
}

// Forget drops the files of a pod or of a claim that is gone.
func (f Files) Forget(uid model.UID) {
	for _, trees := range []map[string]shell.Tree{f.own, f.volumes} {
		for _, name := range slices.Sorted(maps.Keys(trees)) {
			if strings.HasPrefix(name, uid.String()+"/") {
				delete(trees, name)
			}
		}
	}
}

// Objects are those that the API has.
type Objects interface {
	Get(kind *kinds.Kind, key model.Key) *objects.Object
}

// Shell returns a shell in a container of a pod.
func (f Files) Shell(of Objects, pod *objects.Object, container kinds.Fields) *shell.Shell {
	sh := &shell.Shell{Hostname: cmp.Or(pod.Fields.Text("spec", "hostname"), pod.Key.Name),
		Env: environment(pod, container), Files: &shell.Files{Mounts: f.mounts(of, pod, container)}}
	name := container.Text("name")
	restarts := int64(0)
	for _, c := range pod.Fields.List("status", "containerStatuses") {
		if c.Text("name") == name {
			restarts = c.Number("restartCount")
		}
	}
	at := pod.UID() + "/" + name + "/" + strconv.FormatInt(restarts, 10)
	if f.own[at] == nil {
		sh.Files.Own = shell.Tree{"/tmp": {Dir: true}, "/etc/hostname": {Data: sh.Hostname + "\n"}}
		furnish(sh, container)
		f.own[at] = sh.Files.Own
	}
	sh.Files.Own = f.own[at]
	return sh
}

// furnish puts into a new container the files that its readiness probe looks for, as the real application would. A
// volume is empty: other containers or clients put the probed files there.
func furnish(sh *shell.Shell, container kinds.Fields) {
	probe := container.Map("readinessProbe")
	if command := probe.Words("exec", "command"); len(command) > 0 && sh.Exec(command, "").Code == 0 {
		sh.Missed = nil
	}
	sh.Missed = append(sh.Missed, served(container, probe))
	for _, at := range sh.Missed {
		if tree, within := sh.Files.In(at); at != "" && len(sh.Files.Mounts[at]) == 0 && within == at {
			tree[at] = shell.Node{Data: "simulated\n"}
		}
	}
	sh.Missed, sh.Unknown = nil, nil
}

// mounts returns the volumes of a container by their paths.
func (f Files) mounts(of Objects, pod *objects.Object, container kinds.Fields) map[string]shell.Tree {
	mounts := map[string]shell.Tree{}
	for _, mount := range container.List("volumeMounts") {
		for _, volume := range pod.Fields.List("spec", "volumes") {
			if at := path.Join("/", mount.Text("mountPath")); volume.Text("name") == mount.Text("name") && at != "/" {
				mounts[at] = f.volume(of, pod, volume)
			}
		}
	}
	return mounts
}

// volume returns the contents of a volume of a pod.
func (f Files) volume(of Objects, pod *objects.Object, volume kinds.Fields) shell.Tree {
	at := pod.UID() + "/" + volume.Text("name")
	if name := volume.Text("persistentVolumeClaim", "claimName"); name != "" {
		if claim := of.Get(kinds.Claim, model.Key{Namespace: pod.Key.Namespace, Name: name}); claim != nil {
			at = claim.UID() + "/"
		}
	}
	if name := volume.Text("configMap", "name"); name != "" {
		if config := of.Get(kinds.ConfigMap, model.Key{Namespace: pod.Key.Namespace, Name: name}); config != nil {
			tree, data := shell.Tree{}, config.Fields.Texts("data")
			for _, key := range slices.Sorted(maps.Keys(data)) {
				tree["/"+key] = shell.Node{Data: data[key]}
			}
			return tree
		}
	}
	if f.volumes[at] == nil {
		f.volumes[at] = shell.Tree{}
	}
	return f.volumes[at]
}

// environment returns the variables of a container that are known: values, and fields of the pod.
func environment(pod *objects.Object, container kinds.Fields) []string {
	list := []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
	for _, variable := range container.List("env") {
		value := variable.Text("value")
		if field := variable.Text("valueFrom", "fieldRef", "fieldPath"); field != "" {
			value = pod.Fields.Text(strings.Split(field, ".")...)
		}
		list = append(list, variable.Text("name")+"="+value)
	}
	return list
}
