package judge

import "github.com/statefulsim/statefulsim/model"

// The kinds of blockers.
const (
	kindSet     = "StatefulSet"
	kindPod     = "Pod"
	kindClaim   = "PersistentVolumeClaim"
	kindNode    = "Node"
	kindQuota   = "ResourceQuota"
	kindService = "Service"
)

func objectOf(set *model.StatefulSet) Object { return Object{kindSet, "apps", set.Namespace, set.Name} }

func podObject(namespace, name string) Object { return Object{kindPod, "", namespace, name} }

func claimObject(namespace, name string) Object { return Object{kindClaim, "", namespace, name} }

func nodeObject(name string) Object { return Object{kindNode, "", "", name} }
