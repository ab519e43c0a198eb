package v1_35_0

import (
	"testing"

	"k8s.io/klog/v2"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter"
)

var version = adapter.Version{Kubernetes: "1.35.0", New: newSync}

func init() { adapter.Quiet(klog.InitFlags, klog.SetOutput) }

func TestSingleSyncs(t *testing.T) { adapter.SingleSyncs(t, version) }

func TestWholeRuns(t *testing.T) { adapter.WholeRuns(t, version) }

func TestCases(t *testing.T) { adapter.Cases(t, version) }

func TestRecord(t *testing.T) { adapter.Record(t, version) }
