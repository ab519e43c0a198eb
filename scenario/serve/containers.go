package serve

import (
	"cmp"
	"encoding/json"
	"path"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/shell"
	"github.com/statefulsim/statefulsim/sim"
)

// containers are the files of the containers. A container has its own until it restarts; those of an emptyDir live as
// long as its pod, those of a claim as long as the claim.
type containers struct {
	// own are by uid of the pod, container and restarts; volumes by uid of the claim, or of the pod and the volume.
	own, volumes map[string]shell.Tree
}

// pages is where httpd finds the file of a path.
const pages = "/usr/local/apache2/htdocs"

// started follows a change of a pod: its readiness probes look at files, it may name its node, and the kubelet of that
// node refuses it if a host port is taken. It is called within the write.
func (s *Server) started(change *sim.Change, o *objects.Object) {
	pod := change.Pod
	if pod.Node == "" && change.OldPod == nil {
		if node := cmp.Or(o.Fields.Text("spec", "nodeName"), nodeOf(pod.Template)); node != "" {
			s.user.PinPod(pod, node)
		} else if name := o.Fields.Text("spec", "schedulerName"); name != "" && name != corev1.DefaultSchedulerName &&
			len(pod.Owners) == 0 {
			s.user.LeavePod(pod) // The pods of a set are bound by whatever scheduler they name.
		}
	}
	if pod.Node == "" || pod.Finished() || pod.Terminating() {
		return
	}
	if change.OldPod != nil && change.OldPod.Node == "" && s.portTaken(o) {
		s.user.RefusePod(o.Key, "NodePorts")
		return
	}
	s.user.ShutPod(o.Key, s.shut(o))
}

// nodeOf returns the node that a template names.
func nodeOf(template *model.Template) string {
	var read struct{ Spec struct{ NodeName string } }
	if template == nil || !strings.Contains(template.Data, `"nodeName"`) ||
		json.Unmarshal([]byte(template.Data), &read) != nil {
		return ""
	}
	return read.Spec.NodeName
}

// forget drops the files of a pod or of a claim that is gone.
func (s *Server) forget(uid model.UID) {
	for _, trees := range []map[string]shell.Tree{s.own, s.volumes} {
		for _, name := range sorted(trees) {
			if strings.HasPrefix(name, uid.String()+"/") {
				delete(trees, name)
			}
		}
	}
}

// portTaken says whether another pod on the node of a pod has one of its host ports.
func (s *Server) portTaken(pod *objects.Object) bool {
	ports := hostPorts(pod)
	if len(ports) == 0 {
		return false
	}
	for _, other := range s.objects.List(kinds.Pod, "") {
		if phase := other.Fields.Text("status", "phase"); other.UID() == pod.UID() || phase == "Failed" ||
			phase == "Succeeded" || other.Fields.Text("spec", "nodeName") != pod.Fields.Text("spec", "nodeName") {
			continue
		}
		for _, port := range sorted(hostPorts(other)) {
			if ports[port] {
				return true
			}
		}
	}
	return false
}

func hostPorts(pod *objects.Object) map[string]bool {
	ports := map[string]bool{}
	for _, c := range pod.Fields.List("spec", "containers") {
		for _, port := range c.List("ports") {
			if n := port.Number("hostPort"); n > 0 {
				ports[cmp.Or(port.Text("protocol"), "TCP")+strconv.FormatInt(n, 10)] = true
			}
		}
	}
	return ports
}

// shut says whether a container of a pod lacks what its readiness probe looks for.
func (s *Server) shut(pod *objects.Object) bool {
	for _, c := range pod.Fields.List("spec", "containers") {
		if probe := c.Map("readinessProbe"); probe != nil && !passes(s.shell(pod, c), c, probe) {
			return true
		}
	}
	return false
}

// passes says whether a readiness probe passes as far as files decide: one of httpGet if the file of its path is there,
// one of exec if its command succeeds. A command with a program that a simulated container does not have succeeds.
func passes(sh *shell.Shell, container, probe kinds.Fields) bool {
	if at := served(container, probe); at != "" {
		_, is := sh.Files.Get(at)
		return is
	}
	command := probe.Words("exec", "command")
	return len(command) == 0 || sh.Exec(command, "").Code == 0 || len(sh.Unknown) > 0
}

// served returns the file of the path of a probe with httpGet, "" if there is none.
func served(container, probe kinds.Fields) string {
	at, _, _ := strings.Cut(probe.Text("httpGet", "path"), "?")
	switch at = path.Join("/", at); {
	case at == "/":
		return ""
	case strings.Contains(container.Text("image"), "httpd"):
		return pages + at
	}
	return at
}

// shell returns a shell in a container of a pod.
func (s *Server) shell(pod *objects.Object, container kinds.Fields) *shell.Shell {
	sh := &shell.Shell{Hostname: cmp.Or(pod.Fields.Text("spec", "hostname"), pod.Key.Name),
		Env: environment(pod, container), Files: &shell.Files{Mounts: s.mounts(pod, container)}}
	name := container.Text("name")
	restarts := int64(0)
	for _, c := range pod.Fields.List("status", "containerStatuses") {
		if c.Text("name") == name {
			restarts = c.Number("restartCount")
		}
	}
	at := pod.UID() + "/" + name + "/" + strconv.FormatInt(restarts, 10)
	if s.own[at] == nil {
		sh.Files.Own = shell.Tree{"/tmp": {Dir: true}, "/etc/hostname": {Data: sh.Hostname + "\n"}}
		furnish(sh, container)
		s.own[at] = sh.Files.Own
	}
	sh.Files.Own = s.own[at]
	return sh
}

// furnish puts into a new container the files for which its readiness probe looks, as the application does in a real
// one. A volume is empty: what a probe looks for in one is put there by others.
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
func (s *Server) mounts(pod *objects.Object, container kinds.Fields) map[string]shell.Tree {
	mounts := map[string]shell.Tree{}
	for _, mount := range container.List("volumeMounts") {
		for _, volume := range pod.Fields.List("spec", "volumes") {
			if at := path.Join("/", mount.Text("mountPath")); volume.Text("name") == mount.Text("name") && at != "/" {
				mounts[at] = s.volume(pod, volume)
			}
		}
	}
	return mounts
}

// volume returns what is in a volume of a pod.
func (s *Server) volume(pod *objects.Object, volume kinds.Fields) shell.Tree {
	at := pod.UID() + "/" + volume.Text("name")
	if name := volume.Text("persistentVolumeClaim", "claimName"); name != "" {
		if claim := s.objects.Get(kinds.Claim, model.Key{Namespace: pod.Key.Namespace, Name: name}); claim != nil {
			at = claim.UID() + "/"
		}
	}
	if name := volume.Text("configMap", "name"); name != "" {
		if config := s.objects.Get(kinds.ConfigMap, model.Key{Namespace: pod.Key.Namespace, Name: name}); config != nil {
			tree, data := shell.Tree{}, config.Fields.Texts("data")
			for _, key := range sorted(data) {
				tree["/"+key] = shell.Node{Data: data[key]}
			}
			return tree
		}
	}
	if s.volumes[at] == nil {
		s.volumes[at] = shell.Tree{}
	}
	return s.volumes[at]
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
