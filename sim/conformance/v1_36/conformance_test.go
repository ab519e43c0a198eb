package v1_36

import (
	"testing"

	"k8s.io/klog/v2"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter"
)

var version = adapter.Version{Kubernetes: "1.36", New: newSync}

func init() { adapter.Quiet(klog.InitFlags, klog.SetOutput) }

func TestSingleSyncs(t *testing.T) { adapter.SingleSyncs(t, version) }

func TestWholeRuns(t *testing.T) { adapter.WholeRuns(t, version) }

func TestCases(t *testing.T) { adapter.Cases(t, version) }

func TestRecord(t *testing.T) { adapter.Record(t, version) }
