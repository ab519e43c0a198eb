package symptom

const (
	workless = "kube-controller-manager does not work on {set}: "
	undone   = "kube-controller-manager has not done yet what it does at once: "
	works    = "kube-controller-manager works: "
	unseen   = "kube-controller-manager has not looked at the newest spec of {set}"
	lease    = " (kubectl -n kube-system get lease kube-controller-manager)"
)

// idle is what the controllers do at once, where the dump shows that they have not: Sentence is what is said after a
// minute, Late before, and Needs what must be true of a set that continues.
var idle = Family{
	{Name: "spec not seen", Source: "metadata.generation and status.observedGeneration", Within: patience,
		Sentence: workless + "its spec was changed {age} ago, and the controller has not looked at that yet", Late: unseen,
		Needs: works + "it has not looked at the newest spec of {set} yet" + lease},
	{Name: "set not seen", Source: "status.observedGeneration", Within: patience,
		Sentence: workless + "it has not looked at it since it was created {age} ago", Late: unseen,
		Needs: works + "it has not looked at {set}, which was created {age} ago" + lease},
	{Name: "pod not replaced", Source: "statefulset controller", Within: patience,
		Sentence: workless + "{pod} has been {phase} for {age}, and should have been replaced at once",
		Needs:    works + "{pod} has been {phase} for {age}, and should have been replaced at once" + lease},
	{Name: "PVC not created", Source: "statefulset controller", Within: patience,
		Sentence: workless + "it has to create the PVC {claim} of {pod}, which it does at once, and the scheduler does not find it",
		Late:     undone + "to create the PVC {claim}",
		Needs: "the PVC {claim} of {pod} can be created: the controller should have created it by now ({see} shows whether " +
			"it was refused)"},
	{Name: "step not taken", Source: "the simulated controller", Within: patience,
		Sentence: workless + "it has to {found} {pod}, which it does at once, and nothing has changed for {age}",
		Late:     undone + "to {found} {pod}"},
	{Name: "scheduler-idle", Source: "the condition PodScheduled", Within: patience,
		Sentence: "the scheduler {found} has not looked at {pod}, which was created {age} ago",
		Late:     "the scheduler {found} has not looked at {pod}, which was created {age} ago",
		Needs:    "the scheduler {found} works: it has not looked at {pod}, which was created {age} ago"},
	{Name: "made-again", Source: "events about a set, by its uid",
		Sentence: "{who} deletes {set} and creates it again and again",
		Ends: "By the events, {times} other StatefulSets of this name have created pods before this one. {found} deletes it and " +
			"creates it again and again, so its pods do not get far, and no change of the pods helps. {see}"},
	{Name: "controller-asleep", Source: "statefulset controller, which does not watch PVCs",
		Sentence: "{pod} and its PVC {claim} do not exist, and the controller has not tried to create them: the PVC was deleted " +
			"with the previous pod, and nothing has woken the controller since"},
	{Name: "controller-asleep on a PVC that goes", Source: "statefulset controller, which does not watch PVCs",
		Sentence: "{pod} does not exist, and the controller does not create it: its PVC {claim} is still that of the previous " +
			"pod, and when it is gone, nothing wakes the controller"},
}
