package forms

import (
	"bytes"
	"path"
	"strings"
)

// troubleshootKinds are the kinds of the files in the folder cluster-resources of a support bundle, by the name of the
// file or of its folder.
var troubleshootKinds = map[string]string{
	"pods": "v1 Pod", "services": "v1 Service", "pvcs": "v1 PersistentVolumeClaim", "pvs": "v1 PersistentVolume",
	"nodes": "v1 Node", "events": "v1 Event", "namespaces": "v1 Namespace", "resource-quotas": "v1 ResourceQuota",
	"resource-quota": "v1 ResourceQuota", "limitranges": "v1 LimitRange", "statefulsets": "apps/v1 StatefulSet",
	"deployments": "apps/v1 Deployment", "replicasets": "apps/v1 ReplicaSet", "daemonsets": "apps/v1 DaemonSet",
	"pod-disruption-budgets": "policy/v1 PodDisruptionBudget", "storage-classes": "storage.k8s.io/v1 StorageClass",
	"volumeattachments": "storage.k8s.io/v1 VolumeAttachment",
}

// fromTroubleshoot gives their kind to the objects of a support bundle that troubleshoot.sh wrote before 2022: arrays
// without a kind, which only the name of the folder tells.
func fromTroubleshoot(file File) []byte {
	data := bytes.TrimSpace(file.Data)
	_, below, is := strings.Cut("/"+strings.ReplaceAll(file.Name, `\`, "/"), "/cluster-resources/")
	if !is || !bytes.HasPrefix(data, []byte("[")) || bytes.Contains(topOf(data), []byte(`"kind"`)) {
		return file.Data
	}
	first, _, _ := strings.Cut(below, "/")
	version, kind, known := strings.Cut(troubleshootKinds[strings.TrimSuffix(first, path.Ext(first))], " ")
	if !known {
		return file.Data
	}
	// The array stays in its lines.
	head := `{"kind":"` + kind + `List","apiVersion":"` + version + `","items":`
	return append(append([]byte(head), file.Data...), '}')
}

// topOf returns the start of the first object of an array, up to its metadata, which is where its kind would be.
func topOf(data []byte) []byte {
	if at := bytes.Index(data, []byte(`"metadata"`)); at >= 0 {
		return data[:at]
	}
	return data
}
