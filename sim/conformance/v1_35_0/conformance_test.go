package v1_35_0

import (
	"context"
	"testing"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/history"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter"
)

var version = adapter.Version{Kubernetes: "1.35.0", New: func(m adapter.Machinery) adapter.Control {
	control := statefulset.NewDefaultStatefulSetControl(
		statefulset.NewStatefulPodControl(m.Client, m.Pods, m.Claims, m.Recorder),
		statefulset.NewRealStatefulSetStatusUpdater(m.Client, m.Sets),
		history.NewHistory(m.Client, m.Revisions))
	return func(set *apps.StatefulSet, pods []*v1.Pod) (*apps.StatefulSetStatus, error) {
		return control.UpdateStatefulSet(context.Background(), set, pods)
	}
}}

func init() { adapter.Quiet(klog.InitFlags, klog.SetOutput) }

func TestSingleSyncs(t *testing.T) { adapter.SingleSyncs(t, version) }

func TestWholeRuns(t *testing.T) { adapter.WholeRuns(t, version) }

func TestCases(t *testing.T) { adapter.Cases(t, version) }

func TestRecord(t *testing.T) { adapter.Record(t, version) }
