package v1_16

import (
	"testing"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog"
	"k8s.io/kubernetes/pkg/controller/history"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter"
)

var version = adapter.Version{Kubernetes: "1.16", New: func(m adapter.Machinery) adapter.Control {
	control := statefulset.NewDefaultStatefulSetControl(
		statefulset.NewRealStatefulPodControl(m.Client, m.Sets, m.Pods, m.Claims, m.Recorder),
		statefulset.NewRealStatefulSetStatusUpdater(m.Client, m.Sets),
		history.NewHistory(m.Client, m.Revisions),
		m.Recorder)
	return func(set *apps.StatefulSet, pods []*v1.Pod) (*apps.StatefulSetStatus, error) {
		return nil, control.UpdateStatefulSet(set, pods)
	}
}}

func init() { adapter.Quiet(klog.InitFlags, klog.SetOutput) }

func TestSingleSyncs(t *testing.T) { adapter.SingleSyncs(t, version) }

func TestWholeRuns(t *testing.T) { adapter.WholeRuns(t, version) }

func TestCases(t *testing.T) { adapter.Cases(t, version) }

func TestRecord(t *testing.T) { adapter.Record(t, version) }
