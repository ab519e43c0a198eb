package v1_22

import (
	"testing"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/history"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter"
)

// crashes: it reads the name of the first unhealthy pod, for a log, where there is none.
const crashes = "with the gate StatefulSetMinReadySeconds on, where a Ready pod that is not available yet " +
	"is to be removed in order, and all pods are healthy"

var version = adapter.Version{Kubernetes: "1.22", Crashes: crashes, New: func(m adapter.Machinery) adapter.Control {
	control := statefulset.NewDefaultStatefulSetControl(
		statefulset.NewRealStatefulPodControl(m.Client, m.Sets, m.Pods, m.Claims, m.Recorder),
		statefulset.NewRealStatefulSetStatusUpdater(m.Client, m.Sets),
		history.NewHistory(m.Client, m.Revisions),
		m.Recorder)
	return func(set *apps.StatefulSet, pods []*v1.Pod) (*apps.StatefulSetStatus, error) {
		return control.UpdateStatefulSet(set, pods)
	}
}}

func init() { adapter.Quiet(klog.InitFlags, klog.SetOutput) }

func TestSingleSyncs(t *testing.T) { adapter.SingleSyncs(t, version) }

func TestWholeRuns(t *testing.T) { adapter.WholeRuns(t, version) }

func TestCases(t *testing.T) { adapter.Cases(t, version) }

func TestRecord(t *testing.T) { adapter.Record(t, version) }
