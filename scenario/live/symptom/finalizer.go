package symptom

import "slices"

// OwnFinalizers returns the finalizers that only those remove who have set them, as a new slice: others go by themselves.
func OwnFinalizers(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(f string) bool { return finalizers.row(f, f).Passes })
}

var finalizers = Family{
	{Name: "PVC in use", Source: "kube-controller-manager, pkg/controller/volume/pvcprotection", Passes: true,
		Reasons: []string{"kubernetes.io/pvc-protection"}, Ends: "The API server removes it when no pod uses the PVC."},
	{Name: "dependents", Source: "kube-controller-manager, pkg/controller/garbagecollector", Passes: true,
		Reasons: []string{"foregroundDeletion", "orphan"}, Ends: "The garbage collector removes it."},
	{Name: "any other", Source: "whoever has set it", Words: words(""),
		Ends: "Whoever has set it removes it when its work is done."},
}

var deletions = Family{
	{Name: "pod-finalizer", Source: "API server", Sentence: "{pod} is being deleted, and the finalizer {found} keeps it",
		Ends: "It has the finalizer {found}."},
	{Name: "set-finalizer", Source: "statefulset controller, updateStatefulSet",
		Sentence: "{set} {is} Terminating{long}, and the finalizer {found} keeps it",
		Ends: "{set} {is} Terminating{long}, and the finalizer {found} keeps it. Only whoever has set it should remove it, when " +
			"its work is done. Until then the controller creates, replaces and deletes no pods. After that the StatefulSet is " +
			"gone, and its pods with it, unless it was deleted with --cascade=orphan."},
	{Name: "claim in use", Source: "pvcprotection", Ends: "Its PVC {claim} is being deleted, and is gone only when no pod uses " +
		"it any more: {found} it."},
	{Name: "claim-finalizer", Source: "API server", Ends: "Its PVC {claim} is being deleted, and {found} it. Whoever has set " +
		"that removes it when its work is done."},
	{Name: "namespace-deleted", Source: "kube-apiserver, plugin/pkg/admission/namespace/lifecycle", Certain: true,
		Words: words("because it is being terminated"), Sentence: "the namespace {namespace} is being deleted",
		Ends: "Nobody can take the deletion back. When the namespace is gone, create it again, and apply the StatefulSet there."},
}
